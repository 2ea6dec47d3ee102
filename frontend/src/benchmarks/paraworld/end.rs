//! The end of a world: the verdict, and which of the facts were found. Before the end a person sees nothing of it.

use turnwise_shared::benchmarks::paraworld::settings::{Setting, Settings};
use turnwise_shared::benchmarks::paraworld::task::{World, of_task};
use turnwise_shared::evidence::Evidence;

use super::words;
use crate::at_table::ends::{End, Ended, Over, graded_by, graded_view, others_view, way_to};
use crate::components::state::verdict_class;
use crate::prelude::*;
use crate::strings::play;

/// What came of a world.
struct WorldEnd<'a> {
    ended: &'a Ended,
    world: World,
    setting: Setting,
    evidence: Evidence,
}

/// What came of every world that was played; `None` where none is at hand.
pub fn worlds_end(over: &Over<'_>) -> Option<End> {
    let benchmark = registry::find(&over.spec.benchmark).ok()?;
    let setting = Settings::of(over.spec).map(|settings| settings.setting);
    let graded_by = graded_by(over.spec);
    let worlds: Vec<_> = over
        .ended
        .iter()
        .filter_map(|ended| {
            let end = WorldEnd {
                setting: setting.clone().unwrap_or_default(),
                evidence: benchmark.evidence(&ended.play, Some(&ended.task)).unwrap_or_default(),
                world: of_task(&ended.task)?,
                ended,
            };
            Some(world_end(over.run, &end, graded_by.as_deref()))
        })
        .collect();
    (!worlds.is_empty()).then(|| End { view: worlds.into_any(), has_links: true })
}

/// The picture of an end.
fn world_end(run: &RunId, end: &WorldEnd<'_>, graded_by: Option<&str>) -> AnyView {
    let lang = end.world.language().name();
    let facts = end.world.facts.len();
    let found = end.evidence.found().last().copied().unwrap_or(0);
    let hits = end.evidence.calls.iter().filter(|call| call.fact.is_some());
    let coverage = match end.setting.searches() {
        true => any_view! {
            <dd class="figure-value">{found}</dd>
            <dd class="figure-range">{words::of_facts(facts)}</dd>
        },
        false => any_view! {
            <dd class="figure-value">"–"</dd>
            <dd class="figure-range">{(end.setting == Setting::Oracle).then_some(words::ALL_SHOWN)}</dd>
        },
    };
    let searches = end.setting.searches().then(|| {
        view! {
            <div class="figure">
                <dt>{play::SEARCHES_MADE}</dt>
                <dd class="figure-value">{end.evidence.calls.len()}</dd>
                <dd class="figure-range">{words::hits(hits.count())}</dd>
            </div>
        }
    });
    let answer = match &end.ended.answer {
        Some(answer) => any_view! { <dd lang=lang>{answer.clone()}</dd> },
        None => any_view! { <dd class="soft">{play::NO_ANSWER}</dd> },
    };
    let said = (play::answerer(true), end.ended.answer.as_deref());
    let verdict = play::verdict(end.ended.score, said, Some(&end.world.answer), None);
    any_view! {
        <section class="card stack pworld-end">
            <h2 class=verdict_class(end.ended.score)>{verdict}</h2>
            <p class="big read" lang=lang>{end.world.question().to_owned()}</p>
            <dl translate="no" class="figures">
                <div class="figure">
                    <dt>{words::COVERAGE}</dt>
                    {coverage}
                </div>
                {searches}
            </dl>
            <dl class="kv kv-answers">
                <dt>{play::YOUR_ANSWER}</dt>
                {answer}
                <dt>{"Reference answer"}</dt>
                <dd lang=lang><b>{end.world.answer.clone()}</b></dd>
                {graded_view(graded_by, end.ended.score)}
            </dl>
            {facts_view(end, lang)}
            {searches_view(end, lang)}
            {others_view(&end.ended.others)}
            {way_to(run, &end.ended.episode)}
        </section>
    }
}

/// Every fact, and which search found it.
fn facts_view(end: &WorldEnd<'_>, lang: &'static str) -> impl IntoView + use<> {
    let searches = end.setting.searches();
    let rows: Vec<_> = end
        .world
        .facts
        .iter()
        .enumerate()
        .map(|(at, fact)| {
            let by = end.evidence.first(at);
            let (class, sign) = match by {
                Some(_) => ("good", "✓"),
                None => ("faint", "–"),
            };
            let how = match by {
                Some(call) => words::found_by(call + 1),
                None => words::NOT_FOUND.to_owned(),
            };
            view! {
                <li class:is-found=by.is_some()>
                    {searches.then(|| view! { <span class=class aria-hidden="true">{sign}</span> })}
                    <span lang=lang>{fact.key.clone()} ": " <b>{fact.value.clone()}</b></span>
                    {searches.then(|| view! { <span class="small faint">{how}</span> })}
                </li>
            }
        })
        .collect();
    view! {
        <div class="stack-2">
            <h3>{words::EVIDENCE}</h3>
            <ul class="pworld-facts">{rows}</ul>
        </div>
    }
}

/// Every search, and what the engine took it for.
fn searches_view(end: &WorldEnd<'_>, lang: &'static str) -> Option<impl IntoView + use<>> {
    let rows: Vec<_> = end
        .evidence
        .calls
        .iter()
        .map(|call| {
            view! {
                <li>
                    <span lang=lang>{call.query.clone()}</span>
                    " "
                    <span class="tag">{call.word.clone()}</span>
                </li>
            }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <details class="more">
                <summary>{words::WHAT_CAME}</summary>
                <ol class="more-body pworld-calls">{rows}</ol>
            </details>
        }
    })
}
