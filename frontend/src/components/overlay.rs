//! Two pictures of pages: beside each other, over each other, or their difference.

use turnwise_shared::layout::Layout;

use crate::components::picture::{Album, Image};
use crate::prelude::*;
use crate::strings::episode as words;

/// How the pictures are looked at; it outlives them, because the next ones are looked at in the same way.
#[derive(Clone, Copy)]
pub struct Looking {
    way: RwSignal<Way>,
    /// How opaque the second picture is over the first, in percent.
    share: RwSignal<u32>,
    boxes: RwSignal<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Beside,
    Over,
    Difference,
}

const WAYS: [(Way, &str, &str); 3] = [
    (Way::Beside, "is-beside", "Side by side"),
    (Way::Over, "is-over", "Overlay"),
    (Way::Difference, "is-difference", "Difference"),
];

impl Default for Looking {
    fn default() -> Self {
        Looking {
            way: RwSignal::new(Way::Beside),
            share: RwSignal::new(50),
            boxes: RwSignal::new(false),
        }
    }
}

#[derive(Clone)]
pub struct Side {
    pub name: String,
    pub picture: PictureRef,
    /// Its blocks, where they are known.
    pub layout: Option<Layout>,
}

#[component]
pub fn Overlay(sides: [Side; 2], album: Option<Album>, looking: Looking) -> impl IntoView {
    let Looking { way, share, boxes } = looking;
    let buttons =
        WAYS.map(|(this, _, name)| toggle(name, move || way.get() == this, move || way.set(this)));
    let has_boxes = sides.iter().any(|side| side.layout.is_some());
    let names = sides.clone().map(|side| side.name);
    let class = move || {
        let found = WAYS.iter().find(|(this, ..)| *this == way.get());
        format!("pair-pictures {}", found.map_or("", |(_, class, _)| class))
    };
    let mut sides = sides.into_iter().map(|side| view! { <Page side album=album.clone() boxes/> });
    let (first, second) = (sides.next(), sides.next());
    let opacity =
        move || (way.get() == Way::Over).then(|| (f64::from(share.get()) / 100.0).to_string());
    view! {
        <div class="stack-2">
            <div class="row">
                <div class="seg" role="group" aria-label="How the pictures are shown">{buttons.collect_view()}</div>
                {has_boxes
                    .then(|| {
                        view! {
                            <label class="check" hidden=move || way.get() == Way::Difference>
                                <input
                                    type="checkbox"
                                    bind:checked=boxes
                                />
                                <span>"Boxes"</span>
                            </label>
                        }
                    })}
                <span class="row" hidden=move || way.get() != Way::Over>
                    <span class="small soft">{names[0].clone()}</span>
                    <input
                        type="range"
                        min="0"
                        max="100"
                        aria-label=format!("Opacity of {}", names[1])
                        prop:value=share
                        on:input:target=move |event| share.set(event.target().value().parse().unwrap_or(50))
                    />
                    <span class="small soft">{names[1].clone()}</span>
                </span>
                <span class="small soft" hidden=move || way.get() != Way::Difference>"Black where both are equal."</span>
            </div>
            <div class=class>
                <div class="pair-side">{first}</div>
                <div class="pair-side" style:opacity=opacity>{second}</div>
            </div>
        </div>
    }
}

#[component]
fn Page(side: Side, album: Option<Album>, boxes: RwSignal<bool>) -> impl IntoView {
    let Side { name, picture, layout } = side;
    let outlines = layout.map(|layout| {
        let outline = layout.blocks.iter().map(|block| {
            let (left, top, width, height) = (block.left, block.top, block.width, block.height);
            format!("M{left} {top}h{width}v{height}h-{width}z")
        });
        let (size, outline) =
            (format!("0 0 {} {}", layout.width, layout.height), outline.collect::<String>());
        view! {
            <svg class="pair-boxes" class:is-off=move || !boxes.get() viewBox=size aria-hidden="true">
                <path d=outline></path>
            </svg>
        }
    });
    let size = words::picture_size(picture.width, picture.height);
    view! {
        <figure style:max-width=format!("{}px", picture.width)>
            <div class="pair-page">
                <Image picture album label=name.clone()/>
                {outlines}
            </div>
            <figcaption class="small faint">{name} ", " {size}</figcaption>
        </figure>
    }
}
