//! The evidence grid: which search found which fact, and how coverage grew; and a page of results as a seat was shown it.

use turnwise_shared::evidence::{Call, Evidence, ShownResult};
use turnwise_shared::metrics::report::{Curve, Point};

use crate::components::curves::curves;
use crate::prelude::*;
use crate::strings::evidence as words;
use crate::view::number::fixed;

/// The grid of an episode, with the turn at which the reader is.
#[component]
pub fn EvidenceGrid(
    evidence: Arc<Evidence>,
    /// The language of facts and queries.
    lang: Option<String>,
    /// The turn at which the reader is.
    now: Signal<Option<u32>>,
    /// Wishes to be at another.
    go: Callback<Option<u32>>,
    /// Whether the reader wants hidden text.
    revealed: Signal<bool>,
) -> impl IntoView {
    let found = evidence.found();
    let last = found.last().copied().unwrap_or(0);
    let facts = evidence.facts.len();
    let has_text = evidence.facts.iter().any(|fact| fact.text.is_some());
    let heads: Vec<_> =
        (1..).zip(&evidence.calls).map(|(number, call)| head(number, call, now, go)).collect();
    let rows: Vec<_> = (0..facts)
        .map(|fact| {
            let label = label(&evidence, fact, lang.clone(), revealed);
            let first = evidence.first(fact);
            let cells: Vec<_> = evidence
                .calls
                .iter()
                .enumerate()
                .map(|(at, call)| {
                    let mark = (call.fact == Some(fact)).then(|| mark(call, first != Some(at)));
                    cell(call, mark, now)
                })
                .collect();
            view! {
                <tr class:is-found=first.is_some()>
                    {label}
                    {cells}
                </tr>
            }
        })
        .collect();
    let misses: Vec<_> = evidence
        .calls
        .iter()
        .map(|call| {
            let mark = call.fact.is_none().then(|| mark(call, false));
            cell(call, mark, now)
        })
        .collect();
    let coverage: Vec<_> = evidence
        .calls
        .iter()
        .zip(&found)
        .map(|(call, found)| {
            let ahead = is_ahead(call.turn, now);
            let share = fixed(*found as f64 / facts.max(1) as f64 * 100.0, 0);
            view! { <td class="num" class:is-ahead=ahead>{share}</td> }
        })
        .collect();
    view! {
        <section class="card stack-2 evidence" aria-label=words::EVIDENCE>
            <h2>{words::EVIDENCE} " " <span class="soft">{words::found(last, facts, evidence.calls.len())}</span></h2>
            <div class="evidence-parts">
            <div class="lanes-wrap" role="region" tabindex="0" aria-label="Facts by search">
                <table translate="no" class="grid-of-facts">
                    <thead>
                        <tr>
                            {th("Fact")}
                            {heads}
                        </tr>
                    </thead>
                    <tbody>
                        {rows}
                        <tr class="rest">
                            <th scope="row">"nothing found"</th>
                            {misses}
                        </tr>
                    </tbody>
                    <tfoot>
                        <tr>
                            <th scope="row">"coverage, %"</th>
                            {coverage}
                        </tr>
                    </tfoot>
                </table>
            </div>
            {curve(&evidence, &found)}
            </div>
            <p class="small soft">
                {words::NOTE} " "
                {move || (has_text && !revealed.get()).then_some("What the facts say is hidden until you show \
                    the hidden fields above.")}
            </p>
        </section>
    }
}

fn is_ahead(turn: u32, now: Signal<Option<u32>>) -> impl Fn() -> bool + Clone + Send + 'static {
    move || now.get().is_some_and(|now| now < turn)
}

/// The head of a column: goes to the turn of the search.
fn head(
    number: usize,
    call: &Call,
    now: Signal<Option<u32>>,
    go: Callback<Option<u32>>,
) -> impl IntoView + use<> {
    let turn = call.turn;
    let title = format!("Search {number}, turn {turn}: “{}” → {}", call.query, word(call));
    view! {
        <th scope="col" class:is-now=move || now.get() == Some(turn) class:is-ahead=is_ahead(turn, now)>
            <button type="button" class="search-number" title=title.clone() aria-label=title on:click=move |_| go.run(Some(turn))>
                {number}
            </button>
        </th>
    }
}

fn label(
    evidence: &Evidence,
    fact: usize,
    lang: Option<String>,
    revealed: Signal<bool>,
) -> impl IntoView + use<> {
    let one = &evidence.facts[fact];
    let name = words::fact(fact + 1, &one.kind);
    let text = one.text.clone();
    view! {
        <th scope="row">
            {name}
            {move || {
                let lang = lang.clone();
                revealed
                    .get()
                    .then(|| text.clone())
                    .flatten()
                    .map(|(key, value)| {
                        view! {
                            <span class="fact-text" lang=lang>
                                {key} ": "
                                <b>{value}</b>
                            </span>
                        }
                    })
            }}
        </th>
    }
}

fn cell(call: &Call, mark: Option<AnyView>, now: Signal<Option<u32>>) -> impl IntoView + use<> {
    let turn = call.turn;
    view! {
        <td class:is-now=move || now.get() == Some(turn) class:is-ahead=is_ahead(turn, now)>
            {mark}
        </td>
    }
}

/// The mark of a search: its letter tells without colour what it was.
fn mark(call: &Call, again: bool) -> AnyView {
    let letter = match (call.tone, again) {
        (_, true) => "↺",
        (Tone::Positive, false) => "✓",
        (Tone::Negative, false) => "–",
        (Tone::Unknown, false) => "≠",
        (Tone::Neutral, false) => "·",
        (Tone::Failed, false) => "!",
    };
    let said = match again {
        true => format!("{}, {}", word(call), "again"),
        false => word(call).to_owned(),
    };
    any_view! {
        <span class=format!("find f-{}", call.tone.name()) class:is-again=again title=said.clone()>
            <span aria-hidden="true">{letter}</span>
            <span class="sr">{said.clone()}</span>
        </span>
    }
}

fn word(call: &Call) -> &str {
    match call.word.as_str() {
        "" => "waiting",
        word => word,
    }
}

/// Coverage over searches; nothing for a single one.
fn curve(evidence: &Evidence, found: &[usize]) -> Option<AnyView> {
    if evidence.calls.len() < 2 || evidence.facts.is_empty() {
        return None;
    }
    let column = |label: &str, unit| Column::new(label, unit, "");
    let start = std::iter::once((0, &0));
    let points = start.chain((1..).zip(found)).map(|(call, found)| Point {
        x: f64::from(call),
        y: *found as f64 / evidence.facts.len() as f64,
        interval: None,
        n: None,
    });
    let plot = Plot {
        title: "Facts found by search".to_owned(),
        about: String::new(),
        x: column("Search", Unit::Count),
        y: column(words::SHARE, Unit::Fraction),
        curves: vec![Curve { name: words::SHARE.to_owned(), points: points.collect() }],
    };
    Some(curves(&plot))
}

/// A page of results, as the seat that searched was shown it.
pub fn results(all: &[ShownResult], lang: Option<String>) -> AnyView {
    let cards: Vec<_> = all
        .iter()
        .map(|result| {
            view! {
                <li>
                    <div>
                        <b>{result.title.clone()}</b>
                        <span>{result.text.clone()}</span>
                        {result.date.clone().map(|date| view! { <div class="faint">{date}</div> })}
                        {result.address.clone().map(|address| view! { <div class="faint clip">{address}</div> })}
                    </div>
                </li>
            }
        })
        .collect();
    any_view! {
        <ol class="hits" lang=lang aria-label="Results as the player saw them">
            {cards}
        </ol>
    }
}
