//! Published against corrected winnings: two dots with whiskers a player, on one axis.

use leptos::html;
use leptos::prelude::*;
use turnwise_shared::benchmarks::poker::imported::stats_log::{MisSettledPlayer, Overview};

use super::words as strings;
use crate::components::size::watch_size;
use crate::view::axis::Axis;
use crate::view::number::{fixed, signed};

/// Between two players, and between the two dots of one.
const ROW: f64 = 48.0;
const APART: f64 = 7.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 24.0;
/// Room for names on the left, where the page is wide enough for it.
const NAMES: f64 = 132.0;
const WIDE: f64 = 560.0;
const MARGIN: f64 = 16.0;

/// A mean and its deviation, if there are several tables.
type Spread = (Option<f64>, Option<f64>);

/// The plot, best published player first. What it says stands in the table of players, too.
#[component]
pub fn Means(
    /// What the logs say.
    overview: Signal<Overview>,
) -> impl IntoView {
    let frame = NodeRef::<html::Div>::new();
    let size = watch_size(frame);
    let note = move || overview.with(|overview| strings::plot_note(overview.tables.len()));
    view! {
        <figure class="plot-box means">
            <div node_ref=frame>
                {move || overview.with(|overview| picture(overview, size.width.get().max(280.0)))}
            </div>
            <figcaption>
                <span class="means-key">
                    <svg class="plot" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
                        <circle class="plot-dot plot-dot-open" cx="7" cy="7" r="5"></circle>
                    </svg>
                    {strings::PUBLISHED}
                </span>
                <span class="means-key">
                    <svg class="plot" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
                        <circle class="plot-dot" cx="7" cy="7" r="5"></circle>
                    </svg>
                    {strings::CORRECTED}
                </span>
                <span>{note}</span>
            </figcaption>
        </figure>
    }
}

fn picture(overview: &Overview, width: f64) -> AnyView {
    let mut players: Vec<&MisSettledPlayer> = overview.missettled.players.iter().collect();
    let mean = |player: &MisSettledPlayer| player.published_mean.unwrap_or(f64::NEG_INFINITY);
    players.sort_by(|one, other| mean(other).total_cmp(&mean(one)));
    let axis = Axis::over(players.iter().flat_map(|player| ends(player)), 6);
    let wide = width >= WIDE;
    let left = if wide { NAMES } else { MARGIN };
    let right = width - MARGIN - 8.0;
    let bottom = TOP + ROW * players.len() as f64;
    let height = bottom + BOTTOM;
    let x = |value: f64| left + (right - left) * axis.share(value);
    let ticks: Vec<_> = axis
        .ticks
        .iter()
        .map(|tick| {
            let at = x(*tick);
            let class = if *tick == 0.0 { "plot-axis" } else { "plot-grid" };
            view! {
                <path class=class d=format!("M{at:.1} {TOP}V{bottom}")></path>
                <text class="plot-tick" x=at y=bottom + 17.0 text-anchor="middle">
                    {fixed(*tick, axis.decimals)}
                </text>
            }
        })
        .collect();
    let rows: Vec<_> = players
        .iter()
        .enumerate()
        .map(|(at, player)| {
            let middle = TOP + ROW * (at as f64 + 0.5);
            let published = (player.published_mean, player.published_sd);
            let corrected = (player.corrected_mean, player.corrected_sd);
            let (name_x, name_y) = if wide { (0.0, middle + 4.5) } else { (left, middle - 13.0) };
            let rule = (at > 0).then(|| {
                let y = TOP + ROW * at as f64;
                view! { <path class="plot-grid" d=format!("M{} {y}H{right}", if wide { 0.0 } else { left })></path> }
            });
            // On a narrow page the name stands above the dots.
            let down = if wide { 0.0 } else { 7.0 };
            view! {
                {rule}
                <text class="plot-title" x=name_x y=name_y>{player.name.clone()}</text>
                {dot(published, "plot-dot plot-dot-open", middle + down - APART, &x)}
                {dot(corrected, "plot-dot", middle + down + APART, &x)}
            }
        })
        .collect();
    view! {
        <svg
            class="plot"
            width=width
            height=height
            viewBox=format!("0 0 {width} {height}")
            role="img"
            aria-label=strings::plot_label(players.len())
        >
            {ticks}
            <text class="plot-tick" x=right y=14.0 text-anchor="end">{strings::PLOT_AXIS}</text>
            {rows}
        </svg>
    }
    .into_any()
}

/// Everything that must have room on the axis.
fn ends(player: &MisSettledPlayer) -> Vec<f64> {
    let spreads = [
        (player.published_mean, player.published_sd),
        (player.corrected_mean, player.corrected_sd),
    ];
    let ends = |(mean, sd): Spread| {
        let (mean, sd) = (mean?, sd.unwrap_or_default());
        Some([mean - sd, mean + sd])
    };
    // Zero is what everything is compared with.
    let zero = [0.0, 0.0];
    spreads.into_iter().filter_map(ends).chain([zero]).flatten().collect()
}

fn dot(
    (mean, sd): Spread,
    class: &'static str,
    y: f64,
    x: &impl Fn(f64) -> f64,
) -> Option<AnyView> {
    let mean = mean?;
    let said = match sd {
        Some(sd) => format!("{} ± {}", signed(mean, 1), fixed(sd, 1)),
        None => signed(mean, 1),
    };
    let range = sd.map(|sd| {
        let path = format!("M{:.1} {y}H{:.1}", x(mean - sd), x(mean + sd));
        view! { <path class="plot-range" d=path></path> }
    });
    Some(
        view! {
            <g>
                <title>{said}</title>
                {range}
                <circle class=class cx=x(mean) cy=y r="5"></circle>
            </g>
        }
        .into_any(),
    )
}
