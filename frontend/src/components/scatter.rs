//! A mark for every row of a board over one pair of axes, with whiskers; each leads to its run where it has one. The form of a mark says how far
//! its row can be believed.

use crate::components::curves::grid;
use crate::components::seal::seal;
use crate::components::size::{narrow, watch_size};
use crate::prelude::*;
use crate::strings::boards as words;
use crate::view::axis::Axis;
use crate::view::board::{Across, Mark, Scatter};
use crate::view::curves::Frame;

/// A plot with its text twin.
pub fn scatter(plot: &Scatter) -> AnyView {
    if plot.marks.is_empty() {
        return any_view! { <p class="soft">"No row of this view has both numbers."</p> };
    }
    let columns = vec![
        Head::words(words::WHO),
        Head::words(words::TIER),
        Head::numbers(plot.x.clone()),
        Head::numbers(plot.y.clone()),
        Head::numbers(words::INTERVAL),
    ];
    let rows = plot.marks.iter().map(|mark| {
        vec![
            match &mark.href {
                Some(href) => TableCell::Link {
                    text: mark.name.clone(),
                    href: href.clone(),
                    label: words::open_run(&mark.name),
                },
                None => TableCell::Text(mark.name.clone()),
            },
            TableCell::Text(words::tier(mark.tier).to_owned()),
            TableCell::Number(mark.across.clone()),
            TableCell::Number(mark.height.value.clone()),
            TableCell::Number(mark.height.range.clone().unwrap_or_default()),
        ]
    });
    let (drawn, narrow) = (plot.clone(), narrow());
    let room: NodeRef<leptos::html::Div> = NodeRef::new();
    let size = watch_size(room);
    // Every pixel of a slow resize would be drawn anew.
    let width = Memo::new(move |_| (size.width.get() / 20.0).floor() * 20.0);
    any_view! {
        <div class="stack-2" node_ref=room>
            {move || picture(&drawn, narrow.get(), width.get())}
            {as_table(plot.title.clone(), columns, rows.collect())}
        </div>
    }
}

fn picture(plot: &Scatter, is_narrow: bool, room: f64) -> AnyView {
    let heights = plot.marks.iter().flat_map(|mark| {
        let (low, high) = mark.interval.unwrap_or((mark.y, mark.y));
        [mark.y, low, high]
    });
    let across = plot.marks.iter().map(|mark| mark.x);
    let frame = Frame {
        x: match plot.across {
            Across::Number(Unit::Fraction) => Axis::over_shares(across, 6),
            // Days are long words.
            Across::Days => Axis::over_days(across, 3),
            Across::Magnitude(_) => Axis::over_magnitudes(across),
            Across::Number(_) => Axis::over(across, 6),
        },
        y: match plot.y_unit {
            Unit::Fraction => Axis::over_shares(heights, 5),
            _ => Axis::over(heights, 5),
        },
        width: if is_narrow { 340.0 } else { room.max(600.0) },
        height: if is_narrow { 320.0 } else { 440.0 },
        // Half of the last day's word stands beyond the field.
        right: if plot.across == Across::Days { 44.0 } else { 24.0 },
        ..Frame::default()
    };
    let (left, right, top, bottom) = frame.edges();
    let grid = grid(&frame, |tick| plot.across.written(tick, frame.x.decimals));
    let marks: Vec<_> = plot.marks.iter().map(|mark| one(mark, &frame)).collect();
    let names: Vec<_> = named(plot, &frame)
        .into_iter()
        .map(|(x, y, anchor, name)| {
            view! {
                <text class="mark-name" x=format!("{x:.1}") y=format!("{y:.1}") text-anchor=anchor aria-hidden="true">
                    {name}
                </text>
            }
        })
        .collect();
    let label = format!("{}: {}", plot.title, number::counted(plot.marks.len(), "row", "rows"));
    let leads = plot.marks.iter().filter(|mark| mark.href.is_some()).count();
    let has_whiskers = plot.marks.iter().any(|mark| mark.interval.is_some());
    let tiers: Vec<_> = EvidenceTier::ALL
        .into_iter()
        .filter(|tier| plot.marks.iter().any(|mark| mark.tier == *tier))
        .map(|tier| {
            view! {
                <span>
                    <svg class="mark-key" width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">
                        <path class=class(tier) d=form(tier)></path>
                    </svg>
                    {seal(tier)}
                </span>
            }
        })
        .collect();
    any_view! {
        <figure class="plot-box">
            <h3>{plot.title.clone()}</h3>
            <div class="plot-scroll" role="group" tabindex="0" aria-label=plot.title.clone()>
                <svg
                    class="plot plot-wide"
                    width=frame.width
                    height=frame.height
                    viewBox=format!("0 0 {} {}", frame.width, frame.height)
                    role="group"
                    aria-label=label
                >
                    {grid}
                    <path class="plot-axis" d=format!("M{left} {top}V{bottom}H{right}")></path>
                    {marks}
                    {names}
                    <text class="plot-title" x=right y=frame.height - 4.0 text-anchor="end">{plot.x.clone()}</text>
                    <text class="plot-title" x="0" y="14">{plot.y.clone()}</text>
                </svg>
            </div>
            <div class="legend">{tiers}</div>
            <figcaption>
                {words::dots(leads, plot.marks.len(), has_whiskers)}
                {(plot.left_out > 0).then(|| format!(" {}", words::without_cost(plot.left_out)))}
            </figcaption>
        </figure>
    }
}

fn one(mark: &Mark, frame: &Frame) -> AnyView {
    let (x, y) = (frame.across(mark.x), frame.down(mark.y));
    let whisker = mark.interval.map(|(low, high)| {
        let path = format!("M{x:.1} {:.1}V{:.1}", frame.down(low), frame.down(high));
        view! { <path class="mark-range" d=path></path> }
    });
    let drawn = view! {
        {whisker}
        <path class=class(mark.tier) d=form(mark.tier) transform=format!("translate({x:.1} {y:.1})")>
            <title>{mark.label.clone()}</title>
        </path>
    };
    match &mark.href {
        Some(href) => any_view! {
            // Within an element of SVG this is a link of SVG; alone it would be one of HTML, which draws nothing here.
            <g>
                <a href=href.clone() aria-label=mark.label.clone()>
                    {drawn}
                </a>
            </g>
        },
        None => any_view! { <g role="img" aria-label=mark.label.clone()>{drawn}</g> },
    }
}

/// Names of those marks beside which there is room: in the field, and not on a line of its axes.
fn named(plot: &Scatter, frame: &Frame) -> Vec<(f64, f64, &'static str, String)> {
    const LINE: f64 = 14.0;
    let (left, right, top, bottom) = frame.edges();
    let places: Vec<(f64, f64)> =
        plot.marks.iter().map(|mark| (frame.across(mark.x), frame.down(mark.y))).collect();
    let mut taken: Vec<[f64; 4]> =
        places.iter().map(|(x, y)| [x - 7.0, x + 7.0, y - 7.0, y + 7.0]).collect();
    if frame.y.low < 0.0 && frame.y.high > 0.0 {
        let zero = frame.down(0.0);
        taken.push([left, right, zero - 1.0, zero + 1.0]);
    }
    let mut names = Vec::new();
    for (mark, (x, y)) in plot.marks.iter().zip(&places) {
        let width: f64 = mark.name.chars().map(sign_width).sum();
        let sides = [("start", x + 9.0, x + 9.0 + width), ("end", x - 9.0, x - 9.0 - width)];
        let beside = [0.0, -9.0, 9.0]
            .into_iter()
            .flat_map(|down| sides.map(|(anchor, from, to)| (anchor, from, to, y + down)));
        for (anchor, from, to, y) in beside {
            let own = [from.min(to), from.max(to), y - LINE / 2.0, y + LINE / 2.0];
            let meets = |other: &[f64; 4]| {
                own[0] < other[1] && other[0] < own[1] && own[2] < other[3] && other[2] < own[3]
            };
            let is_within = own[0] > left && own[1] < right && own[2] > top && own[3] < bottom;
            if is_within && !taken.iter().any(meets) {
                taken.push(own);
                names.push((from, y + 4.5, anchor, mark.name.clone()));
                break;
            }
        }
    }
    names
}

/// About how wide a sign of a name is, rather too much than too little.
fn sign_width(sign: char) -> f64 {
    match sign {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | '.' | ':' | '-' | ' ' | '/' => 5.4,
        'm' | 'w' | 'M' | 'W' => 11.0,
        sign if sign.is_ascii_lowercase() => 7.0,
        sign if sign.is_ascii() => 8.6,
        _ => 13.0,
    }
}

fn class(tier: EvidenceTier) -> &'static str {
    match tier {
        EvidenceTier::Verified => "plot-mark mark-verified",
        EvidenceTier::SelfReported => "plot-mark mark-self",
        EvidenceTier::Human | EvidenceTier::HumanUnattended => "plot-mark mark-human",
        EvidenceTier::Baseline => "plot-mark mark-baseline",
        EvidenceTier::Published => "plot-mark mark-published",
    }
}

/// Circle, open square, triangle, cross, diamond: distinguished without colour.
fn form(tier: EvidenceTier) -> &'static str {
    match tier {
        EvidenceTier::Verified => "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z",
        EvidenceTier::SelfReported => "M-4.5 -4.5H4.5V4.5H-4.5Z",
        EvidenceTier::Human | EvidenceTier::HumanUnattended => "M0 -6L5.5 4.5H-5.5Z",
        EvidenceTier::Baseline => "M-5 -5L5 5M5 -5L-5 5",
        EvidenceTier::Published => "M0 -6L6 0L0 6L-6 0Z",
    }
}
