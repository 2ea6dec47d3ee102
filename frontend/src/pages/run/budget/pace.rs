//! How services were held back while the run went on: each in a sentence, its calls at once as steps over time, and the same in a table.

use turnwise_shared::wire::budgets::PaceChange;

use crate::clock;
use crate::prelude::*;
use crate::strings::budgets as words;
use crate::view::number::duration;

/// The size of the picture, in its own units.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 56.0;

/// What is left of the picture before the first change, when the service got everything.
const BEFORE: f64 = 24.0;

/// What is left behind the last change.
const AFTER: f64 = 24.0;

pub fn paces(changes: &[PaceChange], is_driven: bool) -> impl IntoView + use<> {
    let mut services: BTreeMap<&str, Vec<&PaceChange>> = BTreeMap::new();
    for change in changes {
        services.entry(&change.service).or_default().push(change);
    }
    services.into_iter().map(|(service, changes)| one(service, &changes, is_driven)).collect_view()
}

fn one(service: &str, changes: &[&PaceChange], is_driven: bool) -> Option<impl IntoView + use<>> {
    let (first, last) = (changes.first()?, changes.last()?);
    let text = words::pace(
        service,
        cuts(changes),
        last.limit,
        last.most,
        is_driven,
        last.limit == last.most,
    );
    let columns = vec![
        Head::words("Time"),
        Head::numbers("After the first"),
        Head::numbers("Calls at once"),
        Head::words("Asked to wait"),
    ];
    let rows = changes
        .iter()
        .map(|change| {
            vec![
                TableCell::Text(clock::moment(change.at)),
                TableCell::Number(duration(change.at.saturating_sub(first.at))),
                TableCell::Number(count(change.limit)),
                TableCell::Text(change.wait.map(duration).unwrap_or_default()),
            ]
        })
        .collect::<Vec<_>>();
    let lasted = (changes.len() > 1).then(|| duration(last.at.saturating_sub(first.at)));
    let spans = words::pace_span(clock::moment(first.at), lasted.as_deref());
    Some(view! {
        <div class="stack-2 pace">
            <p class="small soft">{text.clone()}</p>
            <div class="pace-plot">
                <span class="pace-scale" aria-hidden="true">
                    <span>{count(most(changes))}</span>
                    <span>"0"</span>
                </span>
                <svg
                    class="pace-steps"
                    viewBox=format!("0 0 {WIDTH} {HEIGHT}")
                    preserveAspectRatio="none"
                    role="img"
                    aria-label=text.clone()
                >
                    <path d=steps(changes)></path>
                </svg>
                <p class="small soft">{spans}</p>
            </div>
            <details class="more twin">
                <summary>"As a table"</summary>
                <div class="more-body">
                    <Table label=text columns rows/>
                </div>
            </details>
        </div>
    })
}

/// How often a service asked for fewer calls.
fn cuts(changes: &[&PaceChange]) -> usize {
    let mut before = None;
    let falls = changes.iter().filter(|change| {
        let fell = before.is_none_or(|before| change.limit < before);
        before = Some(change.limit);
        fell && change.limit < change.most
    });
    falls.count()
}

/// The most calls at once that the operator allowed meanwhile: the top of the picture.
fn most(changes: &[&PaceChange]) -> u32 {
    let all = changes.iter().map(|change| change.most);
    all.max().unwrap_or(0)
}

/// The line of the picture: a level for each limit, from everything that the operator allows.
fn steps(changes: &[&PaceChange]) -> String {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
        return String::new();
    };
    let span = last.at.saturating_sub(first.at).max(1) as f64;
    let most = most(changes).max(1);
    let y = |limit: u32| 2.0 + (HEIGHT - 4.0) * (1.0 - f64::from(limit) / f64::from(most));
    let mut line = format!("M0 {:.1}", y(first.most));
    for change in changes {
        let passed = change.at.saturating_sub(first.at) as f64 / span;
        let x = BEFORE + (WIDTH - BEFORE - AFTER) * passed;
        line.push_str(&format!("H{x:.1}V{:.1}", y(change.limit)));
    }
    line.push_str(&format!("H{WIDTH:.1}"));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(at: u64, limit: u32) -> PaceChange {
        PaceChange { service: "up".into(), at, limit, most: 8, wait: None }
    }

    #[test]
    fn only_falls_are_counted_and_every_change_is_a_step() {
        let all = [change(100, 4), change(200, 2), change(300, 4), change(500, 8)];
        let all: Vec<&PaceChange> = all.iter().collect();
        assert_eq!(cuts(&all), 2);
        let line = steps(&all);
        assert_eq!(line.matches('V').count(), 4, "{line}");
        assert!(line.starts_with("M0 2.0H24.0V28.0H162.0V41.0"), "{line}");
        assert!(line.ends_with("H576.0V2.0H600.0"), "{line}");
        assert_eq!(steps(&[]), "");
    }
}
