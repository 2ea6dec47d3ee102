//! The numbers of a run that are seen first, as markup.

use super::words;
use crate::markup::Markup;
use crate::metrics::number::{self, Shown, percent, shown};
use crate::metrics::report::{Figure, Unit};

/// The figures of a run of this many episodes: of a single one shares are left out, because its verdict says them.
pub fn of_episodes(figures: &[Figure], episodes: usize) -> Vec<Figure> {
    let tells = |figure: &&Figure| episodes != 1 || figure.unit != Unit::Fraction;
    figures.iter().filter(tells).cloned().collect()
}

/// What stands in the list of figures: the first is the main one.
pub fn headline(figures: &[Figure]) -> String {
    let mut out = Markup::default();
    for (position, figure) in figures.iter().enumerate() {
        headline_figure(&mut out, figure, position == 0);
    }
    out.done()
}

fn headline_figure(out: &mut Markup, figure: &Figure, is_main: bool) {
    let Shown { value, unit, range } = number::figure(figure);
    // A sum of money has its sign before it, and no more digits than can be read at a glance.
    let (value, unit) = match (figure.unit, figure.value) {
        (Unit::Dollars, Some(amount)) if amount > 0.0 => (number::rough_dollars(amount), ""),
        (Unit::Dollars, Some(amount)) => (number::dollars(amount), ""),
        _ => (value, unit),
    };
    out.open("div", if is_main { "figure figure-main" } else { "figure" });
    out.open("dt", "");
    // A word whose meaning is shown on hover or focus.
    out.open_with("span", &[("class", "term"), ("tabindex", "0")]);
    out.text(&figure.label);
    out.inline("span", &[("class", "term-about"), ("role", "tooltip")], &figure.about);
    out.end("span");
    out.end("dt");
    out.open("dd", "figure-value");
    out.text(&value);
    if !unit.is_empty() {
        out.inline("small", &[], unit);
    }
    out.end("dd");
    // Beside the main figure there is room for what it means; of the others the label tells it.
    let below = match (&figure.known, &range) {
        (Some(known), _) => words::known(known),
        (None, Some(range)) => words::likely(range),
        (None, None) if is_main => figure.about.clone(),
        (None, None) => String::new(),
    };
    if !below.is_empty() {
        out.inline("dd", &[("class", "figure-range")], &below);
    }
    let interval = figure.known.map(|known| known.bounds).or(figure.interval);
    if let (Unit::Fraction, Some(interval)) = (figure.unit, interval)
        && let Some(value) = figure.value
    {
        out.open("dd", "");
        out.raw(&whisk(value, Some(interval), None));
        out.end("dd");
    }
    out.end("div");
}

/// A fraction with its interval on a line from 0 to 100 %, and beside what it is held (`reference`).
pub fn whisk(value: f64, interval: Option<(f64, f64)>, reference: Option<f64>) -> String {
    let mut out = Markup::default();
    let number = shown(Some(value), interval, Unit::Fraction);
    let range = number.range.unwrap_or_else(|| "unknown".to_owned());
    let label = words::whisk(&number.value, &range);
    out.open_with(
        "svg",
        &[
            ("class", "whisk"),
            ("viewBox", "0 0 100 12"),
            ("preserveAspectRatio", "none"),
            ("role", "img"),
            ("aria-label", &label),
        ],
    );
    let mut path = |class: &str, d: &str| {
        out.open_with("path", &[("class", class), ("d", d)]);
        out.end("path");
    };
    path("whisk-axis", "M0 6H100");
    if let Some((low, high)) = interval {
        path("whisk-range", &format!("M{} 6H{}", percent(low), percent(high)));
    }
    if let Some(reference) = reference {
        path("whisk-ref", &format!("M{} 0V12", percent(reference)));
    }
    path("whisk-point", &format!("M{} 1V11", percent(value)));
    out.end("svg");
    out.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_money_has_its_sign_before_it() {
        for (amount, told) in
            [(0.4165, "$0.42"), (0.0, "$0.00"), (12.34, "$12"), (0.00123, "$0.0012")]
        {
            let figure = Figure {
                key: String::new(),
                label: "Cost".to_owned(),
                value: Some(amount),
                known: None,
                interval: None,
                unit: Unit::Dollars,
                about: String::new(),
            };
            let html = headline(&[figure]);
            assert!(html.contains(&format!(">{told}</dd>")), "{told} in {html}");
        }
    }

    #[test]
    fn the_first_figure_is_the_main_one_and_words_are_no_markup() {
        let figure = |label: &str, interval| Figure {
            key: String::new(),
            label: label.to_owned(),
            value: Some(0.5),
            known: None,
            interval,
            unit: Unit::Fraction,
            about: "<b>".to_owned(),
        };
        let share = [figure("A & B", None)];
        assert_eq!(of_episodes(&share, 1), []);
        assert_eq!(of_episodes(&share, 2), share);
        let html = headline(&[figure("A & B", Some((0.25, 0.75))), figure("C", None)]);
        assert_eq!(html.matches("figure-main").count(), 1, "{html}");
        assert!(html.contains("A &amp; B") && !html.contains("<b>"), "{html}");
        assert!(html.contains("25 to 75 (95 %)"), "{html}");
        assert_eq!(html.matches("<svg").count(), 1, "only an interval is drawn: {html}");
        assert!(html.contains("M25 6H75") && html.contains("M50 1V11"), "{html}");
        assert!(whisk(0.16384, None, Some(-1.0)).contains("M0 0V12"));
        assert!(whisk(0.16384, None, None).contains("M16.4 1V11"));
    }
}
