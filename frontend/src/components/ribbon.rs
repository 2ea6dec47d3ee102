//! The turn ribbon: one cell a turn, and what explains it.

use turnwise_shared::screen::row::{Letters, letters};

use crate::prelude::*;
use crate::strings::run::wall as words;
use crate::view::spec;

/// The ribbon of an episode as a picture; its meaning stands in the label of what it lies in.
pub fn ribbon(cells: &[Cell], status: EpisodeStatus) -> impl IntoView + use<> {
    let cells: Vec<_> = letters(cells, status, Letters::Shown)
        .map(|(class, letter)| view! { <i class=class>{letter}</i> })
        .collect();
    view! {
        <span class="ribbon" aria-hidden="true">
            {cells}
        </span>
    }
}

/// A made-up ribbon: class and letter of each cell.
pub fn example(cells: &'static [(&'static str, &'static str)]) -> AnyView {
    let cells = cells
        .iter()
        .map(|(class, letter)| view! { <i class=format!("turn {class}")>{*letter}</i> })
        .collect_view();
    any_view! {
        <span class="ribbon" aria-hidden="true">
            {cells}
        </span>
    }
}

/// How an episode stands, as a mark.
pub fn mark(status: EpisodeStatus) -> impl IntoView + use<> {
    view! {
        <span class=status.mark() role="img" aria-label=status.label()>
            {status.glyph()}
        </span>
    }
}

/// What colours, letters and bars mean; in a game colours are those of its seats.
#[component]
pub fn Legend(
    /// The run's spec, once it is known.
    #[prop(into)]
    spec: Signal<Option<Spec>>,
    /// The classes of the cells that there are: only these are explained.
    #[prop(into)]
    occurring: Signal<BTreeSet<String>>,
) -> impl IntoView {
    move || {
        let occurs = |sign: &str| occurring.with(|cells| is_among(sign, cells));
        spec.with(|spec| match spec.as_ref().map(|spec| (spec, spec::participants(spec))) {
            Some((spec, seats)) if !seats.is_empty() => game_legend(spec, seats, occurs),
            Some((spec, _)) => match registry::legend(&spec.benchmark).signs {
                [] => signs(words::LEGEND, occurs),
                own => signs(own, occurs),
            },
            None => signs(words::LEGEND, occurs),
        })
    }
}

/// Whether a sign of a legend explains one of these cells, each by its classes.
fn is_among(sign: &str, cells: &BTreeSet<String>) -> bool {
    let classes = sign.split('|').next().unwrap_or_default();
    let classes: Vec<&str> = classes.split(' ').filter(|class| class.contains('-')).collect();
    let mut cells = cells.iter();
    cells.any(|cell| classes.iter().all(|class| cell.split(' ').any(|own| own == *class)))
}

fn game_legend(
    spec: &Spec,
    seats: Vec<(String, String)>,
    occurs: impl Fn(&str) -> bool,
) -> AnyView {
    let seats: Vec<_> = seats
        .into_iter()
        .enumerate()
        .map(|(at, (seat, who))| {
            let class = format!("turn k-bet s-{}", at % 10 + 1);
            view! {
                <span>
                    <span class="ribbon" aria-hidden="true">
                        <i class=class>{seat}</i>
                    </span>
                    {who}
                </span>
            }
        })
        .collect();
    let letters = registry::legend(&spec.benchmark).letters;
    any_view! {
        {seats}
        {signs(words::GAME_LEGEND, occurs)}
        <span>{letters}</span>
    }
}

fn signs(
    legend: &'static [(&'static str, &'static str)],
    occurs: impl Fn(&str) -> bool,
) -> AnyView {
    legend
        .iter()
        .filter(|(sign, _)| occurs(sign))
        .map(|(sign, meaning)| {
            let sign = match sign.split_once('|') {
                Some((classes, letter)) => any_view! {
                    <span class="ribbon" aria-hidden="true">
                        <i class=format!("turn {classes}")>{letter}</i>
                    </span>
                },
                None => any_view! { <i class=*sign aria-hidden="true"></i> },
            };
            view! { <span>{sign} {*meaning}</span> }
        })
        .collect_view()
        .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_explains_the_cells_that_occur() {
        let cells = ["turn k-ask r-yes", "turn k-answer r-wrong", "turn k-ask r-unknown"];
        let cells = BTreeSet::from(cells.map(str::to_owned));
        let explained: Vec<&str> = words::LEGEND
            .iter()
            .filter(|(sign, _)| is_among(sign, &cells))
            .map(|(_, meaning)| *meaning)
            .collect();
        assert_eq!(explained, ["ask", "wrong", "yes", "unknown, both"]);
        // Both classes occur, but on no cell together.
        assert!(!is_among("k-answer r-unknown|=", &cells));
        assert!(!is_among("bar r-win", &cells) && !is_among("k-search|S", &BTreeSet::new()));
    }
}
