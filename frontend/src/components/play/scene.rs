//! A scene as the person in a seat sees it, block by block, for games without a picture of their own.

use turnwise_shared::maths;

use crate::components::evidence::results;
use crate::components::felt::{Notes, felt};
use crate::components::lanes::lanes;
use crate::components::picture::Picture;
use crate::components::play::talk::Conversation;
use crate::prelude::*;
use crate::strings::episode as words;
use crate::view::talk::Talk;

/// All blocks, and what is left of each budget.
pub fn scene_view(scene: &Scene) -> AnyView {
    if let Some(talk) = Talk::of(scene) {
        return any_view! { <Conversation talk=Signal::stored(talk) gauges=Signal::stored(scene.gauges.clone())/> };
    }
    let blocks: Vec<_> = scene.blocks.iter().map(block_view).collect();
    any_view! {
        {gauges_view(&scene.gauges)}
        <div class="stack-2">{blocks}</div>
    }
}

/// What is left of each budget; nothing if nothing is limited.
fn gauges_view(gauges: &[Gauge]) -> Option<AnyView> {
    let tags: Vec<_> = gauges
        .iter()
        .map(|gauge| view! { <span class="tag">{words::gauge(&gauge.label, gauge.left, gauge.of)}</span> })
        .collect();
    (!tags.is_empty()).then(|| any_view! { <p class="row">{tags}</p> })
}

fn block_view(block: &Block) -> AnyView {
    match block {
        Block::Text { heading, text } => written("block", heading.clone(), text),
        Block::Act { kind, text, .. } => written(
            &format!("block b-applied k-{}", kind.name()),
            turn::heading(*kind).to_owned(),
            text,
        ),
        Block::Observation { tone, text } => {
            written(&format!("block b-back m-{}", tone.name()), words::CAME_BACK.to_owned(), text)
        }
        Block::Results { tone, results: all } => {
            let head = words::CAME_BACK.to_owned();
            let class = format!("block b-back m-{}", tone.name());
            any_view! {
                <div class=class>
                    <div class="block-head">{head}</div>
                    <div class="block-body is-rich">{results(all, None)}</div>
                </div>
            }
        }
        Block::Remark { text } => written("block b-repaired", words::REMARK.to_owned(), text),
        Block::Picture { label, picture } => {
            any_view! { <Picture picture=*picture album=use_context() label=label.clone()/> }
        }
        Block::CardTable(table) => felt(table, &Notes::default()),
        Block::Lanes(all) => lanes(all, None),
        Block::End { ending, text } => written("block b-applied", ending.clone(), text),
    }
}

fn written(class: &str, head: String, text: &str) -> AnyView {
    any_view! {
        <div class=class.to_owned()>
            <div class="block-head">{head}</div>
            <div class="block-body" inner_html=maths::markup(text)></div>
        </div>
    }
}
