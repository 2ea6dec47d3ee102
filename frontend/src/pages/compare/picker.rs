//! The runs that can be ticked, each distinguished by when it was opened and by its id.

use crate::clock;
use crate::components::run_row::listed_name;
use crate::prelude::*;
use crate::strings::{compare as words, home};
use crate::view::compared::{self, Barred};

/// How many runs are compared at least; then the list makes room for what separates them.
const ENOUGH: usize = 2;

/// The runs that can be ticked; beside the others stands why not.
pub fn picker(
    runs: &[RunInfo],
    chosen: Memo<BTreeSet<RunId>>,
    toggle: Callback<RunId>,
) -> impl IntoView + use<> {
    let known: Vec<(RunId, String)> =
        runs.iter().map(|run| (run.run.clone(), run.spec.benchmark.clone())).collect();
    let benchmark = Memo::new(move |_| {
        chosen.with(|chosen| {
            let first = known.iter().find(|(run, _)| chosen.contains(run));
            first.map(|(_, benchmark)| benchmark.clone())
        })
    });
    let rows: Vec<_> = runs.iter().map(|run| row(run, chosen, benchmark, toggle)).collect();
    let count = Memo::new(move |_| chosen.with(BTreeSet::len));
    let open = RwSignal::new(count.get_untracked() < ENOUGH);
    let summary = NodeRef::<html::Summary>::new();
    Effect::new(move |before: Option<usize>| {
        let count = count.get();
        // Once, when there is something to be seen; a list that the reader opens again stays open.
        if before.is_some_and(|before| before < ENOUGH) && count == ENOUGH {
            open.set(false);
            if let Some(summary) = summary.get_untracked() {
                // What was ticked is out of sight now, and the focus would be lost with it.
                let _ = summary.focus();
            }
        }
        // Some of those that the address names may turn out not to be here.
        if before.is_some_and(|before| before >= ENOUGH) && count < ENOUGH {
            open.set(true);
        }
        count
    });
    let heads = (
        th(home::RUN),
        th(words::OPENED),
        th(words::CONDITION),
        th(home::PLAYER),
        th_number(home::EPISODES),
        th_number((home::ACCURACY, " ", view! { <span class="unit">"%"</span> })),
    );
    view! {
        <details
            class="more"
            id="pick"
            prop:open=open
            on:toggle:target=move |event| open.set(event.target().open())
        >
            <summary node_ref=summary>
                {words::PICK}
                <span class="faint" role="status">{move || words::picked(count.get())}</span>
            </summary>
            <div class="more-body">
                {table_of_cards(words::PICK, heads, rows)}
            </div>
        </details>
    }
}

fn row(
    run: &RunInfo,
    chosen: Memo<BTreeSet<RunId>>,
    benchmark: Memo<Option<String>>,
    toggle: Callback<RunId>,
) -> impl IntoView + use<> {
    let id = run.run.clone();
    let is_chosen = {
        let id = id.clone();
        Memo::new(move |_| chosen.with(|chosen| chosen.contains(&id)))
    };
    let barred = {
        let (own, finished) = (run.spec.benchmark.clone(), run.finished);
        let doubt = run.doubt.clone();
        Memo::new(move |_| {
            let barred = benchmark
                .with(|one| compared::barred(&own, finished, doubt.as_deref(), one.as_deref()));
            // What is ticked can be unticked whatever it is.
            barred.filter(|_| !is_chosen.get())
        })
    };
    let short = compared::short_id(&run.run);
    let name = listed_name(run);
    let label = format!("Compare {name}, opened {}, {short}", clock::moment(run.opened));
    // What something speaks against has no number here.
    let accuracy = run.accuracy.filter(|_| run.doubt.is_none());
    let score = number::shown(accuracy, None, Unit::Fraction);
    let known = run.known().map(|known| format!(" ({})", known.words()));
    let why_id = format!("why-{}", run.run);
    let described = {
        let why_id = why_id.clone();
        move || barred.is_some().then(|| why_id.clone())
    };
    let why = move || {
        barred.get().map(|barred| {
            let text = match barred {
                Barred::NoEpisodes => "no episode is over yet, so there is nothing to compare",
                Barred::Other => "another benchmark than the ticked runs",
                Barred::Refused => "the server refused it, so none of its numbers are compared",
                Barred::Removed => {
                    "the operator took it off its board, so none of its numbers are compared"
                }
            };
            view! { <span class="small soft" id=why_id.clone()>{text}</span> }
        })
    };
    view! {
        <tr>
            <th scope="row">
                <input
                    type="checkbox"
                    aria-label=label
                    aria-describedby=described
                    prop:checked=is_chosen
                    disabled=move || barred.is_some()
                    on:change=move |_| toggle.run(id.clone())
                />
                " "
                <a href=format!("/run/{}", run.run)>{name}</a>
                " "
                {why}
            </th>
            <td class="cell-wide" data-label=words::OPENED>
                <span>{clock::moment(run.opened)} " " <span class="mono small soft">{short}</span></span>
            </td>
            <td data-label=words::CONDITION>{compared::condition(&run.spec)}</td>
            <td class="cell-wide" data-label=home::PLAYER>{compared::player(&run.spec)}</td>
            <td class="num" data-label=home::EPISODES>{number::count(run.finished)}</td>
            <td class="num cell-main" data-label=home::ACCURACY>{score.value} {known}</td>
        </tr>
    }
}
