//! Curves over one pair of axes, with bands for their intervals and their names at their ends.

use turnwise_shared::metrics::report::{BudgetPlot, EqualBudget};

use crate::components::size::narrow;
use crate::prelude::*;
use crate::strings::game as words;
use crate::view::axis::Axis;
use crate::view::curves::{Frame, band, ends, line, steps};
use crate::view::number::{Shown, fixed, scale, short, shown, symbol};

/// Curves that have a colour of their own; more than these repeat them, distinguished by their names.
const COLOURS: usize = 10;

/// With fewer episodes behind it a point is drawn faint, as in the paper's figures.
const FAINT: u32 = 50;

/// A plot with everything that it says, twin included.
pub fn plot(all: &Plot) -> AnyView {
    with_twin(all, curves(all), Vec::new())
}

/// What budgets buy, with everything that it says, twin included.
pub fn budget_plot(all: &BudgetPlot) -> AnyView {
    let (drawn, narrow) = (all.clone(), narrow());
    let picture = move || picture(&drawn.plot, Some(&drawn), narrow.get());
    let more = all.equal.iter().map(|equal| {
        let gap = gap(equal);
        vec![
            TableCell::Text(equal.name.clone()),
            TableCell::Number(shown(Some(equal.x), None, all.plot.x.unit).value),
            TableCell::Number(gap.value),
            TableCell::Number(gap.range.unwrap_or_default()),
            TableCell::Number(String::new()),
        ]
    });
    with_twin(&all.plot, picture.into_any(), more.collect())
}

/// How far two curves lie apart at a budget.
fn gap(equal: &EqualBudget) -> Shown {
    shown(Some(equal.one - equal.other), equal.interval, Unit::Points)
}

/// A picture with its numbers as a table, and further rows of that.
fn with_twin(all: &Plot, picture: AnyView, more: Vec<Vec<TableCell>>) -> AnyView {
    let title = format!("{} ({})", column_name(&all.y), column_name(&all.x));
    let columns = vec![
        Head::words(words::PARTICIPANT),
        Head::numbers(column_name(&all.x)),
        Head::numbers(column_name(&all.y)),
        Head::numbers(words::INTERVAL),
        Head::numbers("Episodes"),
    ];
    let rows: Vec<Vec<TableCell>> = all
        .curves
        .iter()
        .flat_map(|curve| curve.points.iter().map(move |point| (curve, point)))
        .map(|(curve, point)| {
            let y = shown(Some(point.y), point.interval, all.y.unit);
            vec![
                TableCell::Text(curve.name.clone()),
                TableCell::Number(shown(Some(point.x), None, all.x.unit).value),
                TableCell::Number(y.value),
                TableCell::Number(y.range.unwrap_or_default()),
                TableCell::Number(point.n.map(count).unwrap_or_default()),
            ]
        })
        .chain(more)
        .collect();
    any_view! {
        <div class="stack-2">
            {picture}
            {as_table(title, columns, rows)}
        </div>
    }
}

/// The picture alone; it is drawn anew where the page becomes a phone's, or is one no more.
pub fn curves(all: &Plot) -> AnyView {
    let (all, narrow) = (all.clone(), narrow());
    (move || picture(&all, None, narrow.get())).into_any()
}

/// Curves; over a budget on a logarithmic axis, with what is compared on it.
fn picture(all: &Plot, budget: Option<&BudgetPlot>, is_narrow: bool) -> AnyView {
    let points = || all.curves.iter().flat_map(|curve| &curve.points);
    let (x_scale, y_scale) = (scale(all.x.unit), scale(all.y.unit));
    let place = |x: f64| match budget {
        Some(_) => x.max(1.0).log10(),
        None => x * x_scale,
    };
    let across = points().map(|point| place(point.x));
    let x = match all.x.unit {
        _ if budget.is_some() => Axis::over_magnitudes(across),
        Unit::Fraction => Axis::over_shares(across, 6),
        Unit::Count => Axis::over_counts(across, 6),
        _ => Axis::over(across, 6),
    };
    let heights = points().flat_map(|point| {
        let (low, high) = point.interval.unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    let heights = heights.map(|value| value * y_scale);
    let y = match all.y.unit {
        Unit::Fraction => Axis::over_shares(heights, 5),
        Unit::Count => Axis::over_counts(heights, 5),
        _ => Axis::over(heights, 5),
    };
    let xs = points().map(|point| place(point.x));
    let (first, last) =
        xs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let frame = Frame {
        // Time and distance end where the data end, unless all of it stands at one place.
        x: match first < last {
            true => Axis { low: first.max(x.low), high: last.min(x.high), ..x },
            false => x,
        },
        ..frame_of(is_narrow, y)
    };
    let (left, right, top, bottom) = frame.edges();
    let grid = grid(&frame, |tick| match budget {
        Some(_) => short(10_f64.powf(tick).round() as u64),
        None => fixed(tick, frame.x.decimals),
    });
    let names = ends(all, &frame, y_scale);
    let curves: Vec<_> = all
        .curves
        .iter()
        .zip(names)
        .enumerate()
        .map(|(at, (curve, name_at))| {
            let scaled: Vec<_> = curve
                .points
                .iter()
                .map(|point| turnwise_shared::metrics::report::Point {
                    x: place(point.x),
                    y: point.y * y_scale,
                    interval: point.interval.map(|(low, high)| (low * y_scale, high * y_scale)),
                    n: point.n,
                })
                .collect();
            let dots: Vec<_> = (scaled.len() <= 24)
                .then(|| {
                    scaled
                        .iter()
                        .map(|point| {
                            let is_faint = point.n.is_some_and(|n| n < FAINT);
                            view! {
                                <circle class="curve-dot" class:is-faint=is_faint cx=frame.across(point.x) cy=frame.down(point.y) r="3"></circle>
                            }
                        })
                        .collect::<Vec<_>>()
                })
                .into_iter()
                .flatten()
                .collect();
            let is_steps = budget.is_some_and(|budget| budget.steps.contains(&at));
            let path = match is_steps {
                true => steps(&scaled, &frame),
                false => line(&scaled, &frame),
            };
            // Where there is no room beside the field, the names stand below it.
            let name = name_at.filter(|_| !is_narrow).map(|y| {
                view! {
                    <path class="curve-key" d=format!("M{} {y:.1}h14", right + 8.0)></path>
                    <text class="curve-name" x=right + 26.0 y=y + 4.5>{clipped(&curve.name)}</text>
                }
            });
            view! {
                <g class=format!("s-{}", at % COLOURS + 1)>
                    <path class="curve-band" d=band(&scaled, &frame)></path>
                    <path class="curve" class:is-dashed={at >= COLOURS} d=path></path>
                    {dots}
                    {name}
                </g>
            }
        })
        .collect();
    let has_bands = points().any(|point| point.interval.is_some());
    let has_faint = points().any(|point| point.n.is_some_and(|n| n < FAINT));
    let label = words::curves(&all.title, all.curves.len());
    let equal = budget.map(|budget| budget.equal.as_slice()).unwrap_or_default();
    let marks: Vec<_> = equal
        .iter()
        .map(|equal| {
            let (x, one, other) = (
                frame.across(place(equal.x)),
                frame.down(equal.one * y_scale),
                frame.down(equal.other * y_scale),
            );
            view! {
                <path class="plot-gap" d=format!("M{x:.1} {one:.1}V{other:.1}M{0:.1} {one:.1}h10M{0:.1} {other:.1}h10", x - 5.0)></path>
                <circle class="plot-gap-end" cx=x cy=one r="5"></circle>
            }
        })
        .collect();
    let told: Vec<String> = equal.iter().map(told).collect();
    let told = told.join(" ");
    let caption = [
        told.as_str(),
        all.about.as_str(),
        if has_bands { "Bands: 95 % intervals." } else { "" },
        if has_faint { "Hollow points have fewer than 50 episodes behind them." } else { "" },
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
    .collect::<Vec<_>>()
    .join(" ");
    let (width, height) = (frame.width, frame.height);
    any_view! {
        <figure class="plot-box">
            <h3>{all.title.clone()}</h3>
            <div class="plot-scroll" role="group" tabindex="0" aria-label=all.title.clone()>
                <svg
                    class="plot plot-wide"
                    width=width
                    height=height
                    viewBox=format!("0 0 {width} {height}")
                    role="img"
                    aria-label=label
                >
                    {grid}
                    {curves}
                    {marks}
                    <path class="plot-axis" d=format!("M{left} {top}V{bottom}H{right}")></path>
                    <text class="plot-title" x=right y=height - 4.0 text-anchor="end">{column_name(&all.x)}</text>
                    <text class="plot-title" x="0" y="14">{column_name(&all.y)}</text>
                </svg>
            </div>
            {(is_narrow && all.curves.len() > 1).then(|| keys(all))}
            {(!caption.is_empty()).then(|| view! { <figcaption>{caption}</figcaption> })}
        </figure>
    }
}

/// What stands at an equal budget, in a sentence.
fn told(equal: &EqualBudget) -> String {
    let gap = gap(equal);
    words::equal_budget(&equal.name, &gap.value, gap.range.as_deref())
}

/// On a phone all of a picture fits beside each other, also on a card; and everywhere the numbers beside the axis do.
fn frame_of(is_narrow: bool, y: Axis) -> Frame {
    let signs = y.ticks.iter().map(|tick| fixed(*tick, y.decimals).chars().count());
    let needed = TICK_GAP + TICK_SIGN * signs.max().unwrap_or(0) as f64;
    match is_narrow {
        true => Frame {
            y,
            width: 320.0,
            height: 280.0,
            left: needed.max(40.0),
            right: 12.0,
            ..Frame::default()
        },
        false => Frame { y, left: needed.max(64.0), ..Frame::default() },
    }
}

/// Room between the numbers beside an axis and its line, with some before them.
const TICK_GAP: f64 = 14.0;
/// The width of one of their signs.
const TICK_SIGN: f64 = 7.5;

/// Which colour is which curve.
fn keys(all: &Plot) -> AnyView {
    let keys: Vec<_> = all
        .curves
        .iter()
        .enumerate()
        .map(|(at, curve)| {
            let class = format!("s-{}", at % COLOURS + 1);
            view! {
                <span class=class>
                    <i class="swatch" aria-hidden="true"></i>
                    {curve.name.clone()}
                </span>
            }
        })
        .collect();
    any_view! { <div class="legend">{keys}</div> }
}

/// The lines of a frame at round numbers, with the numbers; those of the horizontal axis as `across` writes them.
pub fn grid(frame: &Frame, across: impl Fn(f64) -> String) -> AnyView {
    let (left, right, top, bottom) = frame.edges();
    let columns: Vec<_> = frame
        .x
        .ticks
        .iter()
        .filter(|tick| (frame.x.low..=frame.x.high).contains(*tick))
        .map(|tick| {
            let at = frame.across(*tick);
            view! {
                <path class="plot-grid" d=format!("M{at:.1} {top}V{bottom}")></path>
                <text class="plot-tick" x=at y=bottom + 17.0 text-anchor="middle">{across(*tick)}</text>
            }
        })
        .collect();
    let rows: Vec<_> = frame
        .y
        .ticks
        .iter()
        .map(|tick| {
            let at = frame.down(*tick);
            let class = if *tick == 0.0 { "plot-axis" } else { "plot-grid" };
            view! {
                <path class=class d=format!("M{left} {at:.1}H{right}")></path>
                <text class="plot-tick" x=left - 8.0 y=at + 4.5 text-anchor="end">{fixed(*tick, frame.y.decimals)}</text>
            }
        })
        .collect();
    any_view! {
        {rows}
        {columns}
    }
}

/// A column's name with its unit, e.g. `cooperation, %`.
pub fn column_name(column: &Column) -> String {
    match symbol(column.unit) {
        unit if unit.is_empty() || unit == column.label => column.label.clone(),
        unit => format!("{}, {unit}", column.label),
    }
}

/// A name as long as there is room at the end of a curve.
fn clipped(name: &str) -> String {
    match name.char_indices().nth(20) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
