//! Which of some runs is better over the tasks that all of them have: a verdict a pair, the tasks in a grid, and the settings that
//! differ.

use turnwise_shared::compare::{Comparison, Flip, Pair, Subject, compare, grid};

use super::{Compared, entrants, grid};
use crate::components::{curves, report, standings};
use crate::prelude::*;
use crate::strings::compare as words;
use crate::view::number::{shown, symbol};

/// Flips that are listed of one pair before one asks for more.
const LISTED: usize = 60;

/// Compares the runs; why not, where that cannot be.
pub fn separates(runs: &[Compared], names: &[String]) -> AnyView {
    let entrants = entrants(runs, names);
    let found = match compare(&entrants) {
        Ok(found) => found,
        Err(bad) => return refused(&bad),
    };
    let ids: Vec<RunId> = runs.iter().map(|run| run.info.run.clone()).collect();
    let several = found.subjects.len() > 1;
    let more = besides(runs).unwrap_or_default();
    let subjects: Vec<_> =
        found.subjects.iter().map(|one| subject(&found, one, several, &more.verdicts)).collect();
    // Games have no answer a task: their seats are compared, and the deals in which they differ are listed.
    let is_game = entrants.iter().any(|run| run.benchmark.participants().is_some());
    let tasks = match is_game {
        true => {
            let flips: Vec<_> = found
                .subjects
                .iter()
                .flat_map(|subject| subject.pairs.iter().map(move |pair| (subject, pair)))
                .map(|(subject, pair)| flips(&found, subject, pair, &ids, several))
                .collect();
            any_view! { <div class="stack-8" id="flips">{flips}</div> }
        }
        false => {
            let (rows, names) = (grid(&entrants), names.to_vec());
            any_view! { <grid::Grid rows names runs=ids.clone()/> }
        }
    };
    any_view! {
        <section class="section" aria-labelledby="gap-head">
            {section_head("gap-head", "Verdict")}
            <div class="stack-8">
                {subjects}
                {report::remarks(&found.remarks)}
                {told_besides(&more)}
            </div>
        </section>
        <section class="section" aria-labelledby="flips-head">
            {section_head("flips-head", words::GRID)}
            {tasks}
        </section>
        <section class="section" aria-labelledby="differs-head">
            {section_head("differs-head", words::DIFFERS)}
            {differs(&found)}
        </section>
    }
}

/// Why runs cannot be compared.
pub(super) fn refused(bad: &BadSpec) -> AnyView {
    any_view! {
        <div class="note note-warn" role="status">
            <p class="note-title">"These runs cannot be compared"</p>
            <p>{bad.problem.clone()}</p>
        </div>
    }
}

/// What the benchmark says besides, e.g. the gaps between settings.
fn besides(runs: &[Compared]) -> Option<Report> {
    let benchmark = registry::find(&runs.first()?.info.spec.benchmark).ok()?;
    let sides: Vec<(&Spec, &[Summary])> =
        runs.iter().map(|run| (&run.info.spec, run.summaries.as_slice())).collect();
    benchmark.compare(&sides).ok()?
}

fn told_besides(more: &Report) -> Option<AnyView> {
    let rankings: Vec<_> = more.rankings.iter().map(standings::ranking).collect();
    let budgets: Vec<_> = more.budgets.iter().map(curves::budget_plot).collect();
    (*more != Report::default()).then(|| {
        any_view! {
            <div class="stack-2" id="besides">
                {budgets}
                {report::headline(more)}
                {report::remarks(&more.remarks)}
                {rankings}
            </div>
        }
    })
}

/// `own`: what the benchmark says came of it, by another number; then the tests over the runs' own numbers are a detail.
fn subject(all: &Comparison, subject: &Subject, several: bool, own: &[String]) -> AnyView {
    let unit = match all.of_differences() {
        Unit::Points => "percentage points",
        other => symbol(other),
    };
    let columns = vec![
        Head::words("First minus second"),
        Head::numbers("Difference").in_unit(unit),
        Head::numbers("95 % interval"),
        Head::numbers("Won"),
        Head::numbers("Lost"),
        Head::numbers("p"),
        Head::numbers("p, Holm"),
        Head::words("Significant"),
        Head::words("Tasks needed"),
    ];
    let rows: Vec<Vec<TableCell>> = subject.pairs.iter().map(|pair| row(all, pair)).collect();
    let verdicts: Vec<_> = subject
        .pairs
        .iter()
        .map(|pair| {
            let class = if pair.apart { "is-apart" } else { "" };
            any_view! { <li class=class>{pair.verdict.clone()}</li> }
        })
        .collect();
    let own: Vec<_> = own.iter().map(|verdict| any_view! { <li>{verdict.clone()}</li> }).collect();
    let (first, tests) = match own.is_empty() {
        true => (verdicts, None),
        false => (own, Some(view! { <ul>{verdicts}</ul> })),
    };
    let about = match subject.pairs.iter().all(|pair| pair.paired.is_mcnemar()) {
        true => words::ABOUT_PAIRS,
        false => words::ABOUT_PAIRS_MEANS,
    };
    any_view! {
        <div class="stack">
            {several.then(|| view! { <h3>{words::seat(subject.seat.as_str())}</h3> })}
            <div role="status">
                <ul class="verdicts">{first}</ul>
            </div>
            {standings::ranking(&all.ranking(subject))}
            {(subject.pairs.len() > 1).then(|| view! { <p class="small soft ties">{all.tied(subject)}</p> })}
            <details class="more">
                <summary>{words::TESTS}</summary>
                <div class="more-body stack-2">
                    {tests}
                    <Table label=words::TESTS columns rows class="table table-cards has-long-names"/>
                    <p class="small soft read">{about}</p>
                </div>
            </details>
        </div>
    }
}

fn row(all: &Comparison, pair: &Pair) -> Vec<TableCell> {
    let paired = &pair.paired;
    let unit = all.of_differences();
    let difference = shown(Some(paired.difference), paired.interval, unit);
    let chance = |p: f64| shown(Some(p), None, Unit::Chance).value;
    vec![
        TableCell::Text(format!("{} − {}", all.runs[pair.one], all.runs[pair.other])),
        TableCell::Number(difference.value),
        TableCell::Number(difference.range.unwrap_or_default()),
        TableCell::Number(paired.more.to_string()),
        TableCell::Number(paired.less.to_string()),
        TableCell::Number(chance(paired.p)),
        TableCell::Number(chance(pair.p_holm)),
        TableCell::Text(if pair.apart { "yes" } else { "no" }.to_owned()),
        TableCell::Text(words::needed(paired.needed, pair.more_tasks)),
    ]
}

fn flips(
    all: &Comparison,
    subject: &Subject,
    pair: &Pair,
    ids: &[RunId],
    several: bool,
) -> AnyView {
    let (one, other) = (&all.runs[pair.one], &all.runs[pair.other]);
    let (won, lost): (Vec<&Flip>, Vec<&Flip>) =
        pair.flips.iter().partition(|flip| flip.one > flip.other);
    let list = |run: &String, flips: &[&Flip]| {
        let href = |flip: &&Flip| {
            let runs = (&ids[pair.one], &ids[pair.other]);
            let seat = several.then(|| subject.seat.as_str());
            (flip.task.0.clone(), address::flip(runs, flip, seat))
        };
        let hrefs: Vec<(String, String)> = flips.iter().map(href).collect();
        let head = format!("{} won by {run}", flips.len());
        let rest = hrefs.len().saturating_sub(LISTED);
        let link = |(task, href): &(String, String)| {
            let label = format!("Task {task}: both transcripts side by side");
            view! {
                <li>
                    <a class="tag" href=href.clone() aria-label=label>
                        {task.clone()}
                    </a>
                </li>
            }
        };
        let first: Vec<_> = hrefs.iter().take(LISTED).map(link).collect();
        let more: Vec<_> = hrefs.iter().skip(LISTED).map(link).collect();
        view! {
            <div class="stack-2">
                <h4>{head}</h4>
                <ul class="row flips">{first}</ul>
                {(rest > 0)
                    .then(|| {
                        view! {
                            <details class="more">
                                <summary>{format!("{rest} more")}</summary>
                                <ul class="row flips more-body">{more}</ul>
                            </details>
                        }
                    })}
            </div>
        }
    };
    let mut head = format!("{one} against {other}");
    if several {
        head = format!("{head}, {}", words::seat(subject.seat.as_str()));
    }
    any_view! {
        <div class="stack-2">
            <h3>{head}</h3>
            {match pair.flips.is_empty() {
                true => any_view! { <p class="soft">"Both runs got the same result on every task."</p> },
                false => any_view! { <div class="grid-2">{list(one, &won)} {list(other, &lost)}</div> },
            }}
        </div>
    }
}

fn differs(all: &Comparison) -> AnyView {
    if all.differs.is_empty() {
        return any_view! { <p class="soft">"None: the runs have the same settings."</p> };
    }
    let mut columns = vec![Head::words("Setting")];
    columns.extend(all.runs.iter().map(|run| Head::words(run.clone())));
    let rows: Vec<Vec<TableCell>> = all
        .differs
        .iter()
        .map(|one| {
            let values = one.values.iter();
            let values = values
                .map(|value| TableCell::Text(value.clone().unwrap_or_else(|| "–".to_owned())));
            std::iter::once(TableCell::Text(one.label.clone())).chain(values).collect()
        })
        .collect();
    any_view! { <Table label=words::DIFFERS columns rows/> }
}
