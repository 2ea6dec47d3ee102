//! Plots, each with its text twin.

use turnwise_shared::metrics::report::Bin;

use crate::prelude::*;
use crate::strings;
use crate::view::number::shown;
use crate::view::plot::{Field, reliability};

const FIELD: Field = Field { left: 44.0, top: 12.0, side: 256.0 };
const COUNTS: f64 = 36.0;

/// Stated confidence against what was true.
#[component]
pub fn Reliability(bins: Vec<Bin>) -> impl IntoView {
    let n: u64 = bins.iter().map(|bin| u64::from(bin.n)).sum();
    let shapes = reliability(&bins, FIELD);
    let label = format!(
        "Reliability diagram of {} in {}; the table below says the same",
        counted(n, "answer", "answers"),
        counted(shapes.len(), "bin", "bins")
    );
    let bottom = FIELD.top + FIELD.side;
    let right = FIELD.left + FIELD.side;
    // Below the field: room for the ticks, then the counts, then the title of the axis.
    let counts_bottom = bottom + 24.0 + COUNTS;
    let height = counts_bottom + 24.0;
    let width = right + 12.0;
    let ticks: Vec<_> = [0.0, 0.25, 0.5, 0.75, 1.0]
        .into_iter()
        .map(|at| {
            let (x, y) = (FIELD.x(at), FIELD.y(at));
            let word = format!("{:.0}", at * 100.0);
            view! {
                <path class="plot-grid" d=format!("M{} {y}H{right}", FIELD.left)></path>
                <text class="plot-tick" x=FIELD.left - 8.0 y=y + 4.5 text-anchor="end">{word.clone()}</text>
                <text class="plot-tick" x=x y=bottom + 17.0 text-anchor="middle">{word}</text>
            }
        })
        .collect();
    let bars: Vec<_> = shapes
        .iter()
        .map(|bin| {
            let (correct, gap) = (bin.correct, bin.gap);
            let high = COUNTS * bin.share;
            view! {
                <rect class="plot-bar" x=correct.x y=correct.y width=correct.width height=correct.height></rect>
                <rect class="plot-gap" x=gap.x y=gap.y width=gap.width height=gap.height></rect>
                <path class="plot-line" d=format!("M{} {}h{}", gap.x - 1.0, bin.stated, gap.width + 2.0)></path>
                <rect class="plot-bar-soft" x=gap.x y=counts_bottom - high width=gap.width height=high></rect>
            }
        })
        .collect();
    let diagonal = format!("M{} {bottom}L{right} {}", FIELD.left, FIELD.top);
    let axis = format!("M{} {bottom}H{right}", FIELD.left);
    let columns = vec![
        Head::words("Confidence"),
        Head::numbers(strings::run::N),
        Head::numbers("Stated").in_unit("%"),
        Head::numbers("Correct").in_unit("%"),
    ];
    let fraction = |value: f64| TableCell::Number(shown(Some(value), None, Unit::Fraction).value);
    let rows: Vec<_> = bins
        .iter()
        .filter(|bin| bin.n > 0)
        .map(|bin| {
            vec![
                TableCell::Text(format!("{:.0} to {:.0} %", bin.from * 100.0, bin.to * 100.0)),
                TableCell::Number(count(bin.n)),
                fraction(bin.confidence),
                fraction(bin.accuracy),
            ]
        })
        .collect();
    view! {
        <div class="grid-2">
            <figure class="plot-box">
                <svg
                    class="plot"
                    width=width
                    height=height
                    viewBox=format!("0 0 {width} {height}")
                    role="img"
                    aria-label=label
                >
                    {ticks}
                    {bars}
                    <path class="plot-ref" d=diagonal></path>
                    <path class="plot-axis" d=axis></path>
                    <text class="plot-title" x=FIELD.left + FIELD.side / 2.0 y=height - 6.0 text-anchor="middle">
                        "stated confidence, %"
                    </text>
                    <text class="plot-title" x=FIELD.left + 4.0 y=FIELD.top + 12.0>
                        "correct, %"
                    </text>
                </svg>
                <figcaption>{strings::run::CALIBRATION_NOTE}</figcaption>
            </figure>
            <div>
                <Table label=strings::run::CALIBRATION columns rows/>
            </div>
        </div>
    }
}
