//! Diagrams as drawings inside the page. Every one has a table beside it that says the same.

use super::number::shown;
use super::words;
use crate::markup::Markup;
use crate::metrics::report::{Bin, Plot, Unit};

/// The drawing's size and the room for its axes.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

/// How many colours curves have before they come again.
const COLOURS: usize = 6;

/// From values to places along an axis.
#[derive(Clone, Copy)]
struct Axis {
    from: f64,
    to: f64,
    step: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis over values, its ends on round numbers; at least a little long.
    fn over(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-12 {
            (low, high) = (low - 0.5, high + 0.5);
        }
        let rough = (high - low) / 5.0;
        let unit = 10_f64.powf(rough.log10().floor());
        let factors = [1.0, 2.0, 2.5, 5.0, 10.0];
        let step = factors
            .into_iter()
            .map(|factor| factor * unit)
            .find(|step| *step >= rough)
            .unwrap_or(10.0 * unit);
        Axis {
            from: (low / step).floor() * step,
            to: (high / step).ceil() * step,
            step,
            start,
            end,
        }
    }

    fn place(self, value: f64) -> f64 {
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        let count = ((self.to - self.from) / self.step).round() as u32;
        (0..=count).map(move |at| self.from + f64::from(at) * self.step)
    }
}

fn number(value: f64) -> String {
    format!("{value:.1}")
}

fn line(page: &mut Markup, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(number);
    page.open_with("line", &[("class", class), ("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)]);
    page.close("line");
}

fn label(page: &mut Markup, class: &str, (x, y): (f64, f64), text: &str) {
    let (x, y) = (number(x), number(y));
    page.element_with("text", &[("class", class), ("x", &x), ("y", &y)], text);
}

fn frame(page: &mut Markup, x: Axis, y: Axis, units: (Unit, Unit), names: (&str, &str)) {
    for tick in y.ticks() {
        let at = y.place(tick);
        line(page, "grid", (LEFT, at), (WIDTH - RIGHT, at));
        label(page, "tick end", (LEFT - 8.0, at + 4.0), &shown(Some(tick), units.1));
    }
    for tick in x.ticks() {
        let at = x.place(tick);
        line(page, "mark", (at, HEIGHT - BOTTOM), (at, HEIGHT - BOTTOM + 4.0));
        label(page, "tick middle", (at, HEIGHT - BOTTOM + 18.0), &shown(Some(tick), units.0));
    }
    label(page, "axis end", (WIDTH - RIGHT, HEIGHT - 6.0), names.0);
    label(page, "axis", (4.0, HEIGHT - 6.0), names.1);
}

fn drawing(page: &mut Markup, name: &str, inside: impl FnOnce(&mut Markup)) {
    let size = format!("0 0 {WIDTH} {HEIGHT}");
    page.open_with(
        "svg",
        &[("class", "plot"), ("viewBox", &size), ("role", "img"), ("aria-label", name)],
    );
    inside(page);
    page.close("svg");
}

/// Curves over one pair of axes, with their names below.
pub fn plot(page: &mut Markup, plot: &Plot) {
    let points = || plot.curves.iter().flat_map(|curve| &curve.points);
    let x = Axis::over(points().map(|point| point.x), LEFT, WIDTH - RIGHT);
    let ends = points().flat_map(|point| {
        let (low, high) = point.interval.unwrap_or((point.y, point.y));
        [low, point.y, high]
    });
    let y = Axis::over(ends, HEIGHT - BOTTOM, TOP);
    drawing(page, &plot.title, |page| {
        let units = (plot.x.unit, plot.y.unit);
        frame(page, x, y, units, (&plot.x.label, &plot.y.label));
        for (at, curve) in plot.curves.iter().enumerate() {
            let colour = format!("c{}", at % COLOURS);
            let places: Vec<String> = curve
                .points
                .iter()
                .map(|point| format!("{:.1},{:.1}", x.place(point.x), y.place(point.y)))
                .collect();
            let class = format!("curve {colour}");
            page.open_with("polyline", &[("class", &class), ("points", &places.join(" "))]);
            page.close("polyline");
            for point in &curve.points {
                let at = x.place(point.x);
                if let Some((low, high)) = point.interval {
                    let class = format!("whisker {colour}");
                    line(page, &class, (at, y.place(low)), (at, y.place(high)));
                }
                let told = format!(
                    "{}: {} at {}",
                    curve.name,
                    shown(Some(point.y), plot.y.unit),
                    shown(Some(point.x), plot.x.unit)
                );
                dot(page, &colour, (at, y.place(point.y)), 3.5, &told);
            }
        }
    });
    if plot.curves.len() > 1 {
        page.open("ul", "legend");
        for (at, curve) in plot.curves.iter().enumerate() {
            page.open("li", "");
            page.element("span", &format!("swatch c{}", at % COLOURS), "");
            page.text(&curve.name);
            page.close("li");
        }
        page.close("ul");
    }
}

fn dot(page: &mut Markup, colour: &str, (x, y): (f64, f64), radius: f64, told: &str) {
    let [x, y, radius] = [x, y, radius].map(number);
    let class = format!("dot {colour}");
    page.open_with("circle", &[("class", &class), ("cx", &x), ("cy", &y), ("r", &radius)]);
    page.element("title", "", told);
    page.close("circle");
}

/// Stated confidence against accuracy; on the diagonal both are the same. Larger dots stand for more answers.
pub fn reliability(page: &mut Markup, bins: &[Bin]) {
    let unit = [0.0, 1.0];
    let x = Axis::over(unit.into_iter(), LEFT, WIDTH - RIGHT);
    let y = Axis::over(unit.into_iter(), HEIGHT - BOTTOM, TOP);
    let most = bins.iter().map(|bin| bin.n).max().unwrap_or(1).max(1);
    drawing(page, words::RELIABILITY, |page| {
        let units = (Unit::Fraction, Unit::Fraction);
        frame(page, x, y, units, (words::CONFIDENCE, words::ACCURACY));
        line(page, "mark", (x.place(0.0), y.place(0.0)), (x.place(1.0), y.place(1.0)));
        for bin in bins.iter().filter(|bin| bin.n > 0) {
            let share = f64::from(bin.n) / f64::from(most);
            let told = format!(
                "{} {}, {} {}, {} {}",
                words::CONFIDENCE,
                shown(Some(bin.confidence), Unit::Fraction),
                words::ACCURACY,
                shown(Some(bin.accuracy), Unit::Fraction),
                words::N,
                bin.n
            );
            let place = (x.place(bin.confidence), y.place(bin.accuracy));
            dot(page, "c0", place, 3.0 + 9.0 * share.sqrt(), &told);
        }
    });
}
