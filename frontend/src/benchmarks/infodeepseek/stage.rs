//! Steps, ranked pages and verdicts of an episode, above its turns.

use turnwise_shared::benchmarks::infodeepseek::settings::{ARBITER, JUDGE, SECOND};

use super::found::{Judged, Ranked, Step, judged, ranked, steps};
use super::{Staged, words};
use crate::components::ribbon::mark;
use crate::prelude::*;
use crate::strings::capitalised;
use crate::strings::episode::page_about;
use crate::view::lang_of;

pub fn view(of: &Staged) -> Option<AnyView> {
    let steps = steps(&of.timeline);
    let play = of.timeline.outcome.as_ref();
    let graded = of.graded.as_deref();
    let ranked = play.map(|play| ranked(play, graded.and_then(|it| it.outcome.as_ref())));
    let judged = play.zip(graded).map(|(play, graded)| judged(play, graded));
    let parts = [
        (!steps.is_empty()).then(|| steps_view(steps, of)),
        ranked.filter(|ranked| !ranked.is_empty()).map(evidence),
        judged.filter(|judged| !judged.is_empty()).map(verdicts),
    ];
    let parts: Vec<AnyView> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| {
        any_view! { <section class="card stack found" id="found">{parts}</section> }
    })
}

/// A table whose rows are made of cells.
fn table(name: &'static str, columns: &[&'static str], rows: Vec<AnyView>) -> AnyView {
    let heads = columns.iter().map(|column| th(*column));
    any_view! {
        <div class="stack-2">
            <h2>{name}</h2>
            {table_of_cards(name, heads.collect_view(), rows)}
        </div>
    }
}

fn steps_view(steps: Vec<Step>, of: &Staged) -> AnyView {
    let (now, go) = (of.now, of.go);
    let row = |(number, step): (usize, Step)| {
        let turn = step.turn;
        let came = step.came.map(|came| {
            let class = format!("chat-came m-{}", came.tone.name());
            view! { <b class=class>{came.word}</b> {folded(words::READ, came.shown)} }
        });
        any_view! {
            <tr class:is-now=move || now.get() == Some(turn)>
                <th scope="row">{number}</th>
                <td class="cell-wide">
                    <div>
                        <button type="button" class="link" on:click=move |_| go.run(Some(turn))>
                            {step.sentence}
                        </button>
                        <div class="soft">{step.task}</div>
                    </div>
                </td>
                <td class="cell-wide">
                    <div>
                        {step.page.map(|page| view! { <div class="faint">{page_about(&page)}</div> })}
                        {came}
                    </div>
                </td>
                <td data-label=words::MEMORY>{words::memory(step.memory)}</td>
            </tr>
        }
    };
    let columns = [words::STEP, words::PLAN, words::CAME, words::MEMORY];
    table(words::STEPS, &columns, (1..).zip(steps).map(row).collect())
}

/// A text that begins folded.
fn folded(head: &'static str, text: String) -> impl IntoView {
    view! {
        <details class="more">
            <summary>{head}</summary>
            <p class="more-body shown" lang=lang_of(&text)>{text.clone()}</p>
        </details>
    }
}

/// How an answer was judged, as a mark.
fn verdict(is_right: Option<bool>) -> impl IntoView {
    mark(match is_right {
        Some(true) => EpisodeStatus::Correct,
        Some(false) => EpisodeStatus::Wrong,
        None => EpisodeStatus::Ungraded,
    })
}

fn evidence(pages: Vec<Ranked>) -> AnyView {
    let row = |(k, page): (usize, Ranked)| {
        let answer = page.answer.unwrap_or_else(|| words::NO_ANSWER.to_owned());
        any_view! {
            <tr>
                <th scope="row">{k}</th>
                <td class="cell-wide">
                    <div>
                        {page.url}
                        {(!page.is_seen).then(|| view! { " " <span class="tag">{words::NEVER_FOUND}</span> })}
                        {folded(words::CONTENT, page.content)}
                    </div>
                </td>
                <td class="cell-wide" lang=lang_of(&answer)>{answer.clone()}</td>
                <td data-label=words::RIGHT>{verdict(page.verdict)}</td>
            </tr>
        }
    };
    let columns = ["k", words::PAGE, words::ANSWER_FROM, words::RIGHT];
    table(words::EVIDENCE, &columns, (1..).zip(pages).map(row).collect())
}

fn verdicts(all: Vec<Judged>) -> AnyView {
    let seats = [JUDGE, SECOND, ARBITER];
    let row = |one: Judged| {
        let said = seats.into_iter().zip(one.said).map(|(seat, said)| {
            view! { <td class="shown" data-label=capitalised(seat)>{said.join("\n\n")}</td> }
        });
        any_view! {
            <tr>
                <th scope="row">{one.given.join(", ")}</th>
                <td class="cell-wide" lang=lang_of(&one.text)>{one.text.clone()}</td>
                {said.collect_view()}
                <td data-label=words::RIGHT>{verdict(one.verdict)}</td>
            </tr>
        }
    };
    let columns = [words::GIVEN, words::ANSWER, "Judge", "Second", "Arbiter", words::RIGHT];
    table(words::VERDICTS, &columns, all.into_iter().map(row).collect())
}
