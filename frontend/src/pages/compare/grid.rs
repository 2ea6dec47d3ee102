//! Tasks by runs: what each answered and whether it was right. Only rows in sight are drawn, and the arrow keys walk all of them.

use turnwise_shared::compare::{GridCell, GridRow};

use crate::components::size::watch_size;
use crate::prelude::*;
use crate::strings::compare as words;
use crate::view::number::fixed;
use crate::view::query::{decode, encode};
use crate::view::wall::{stop, window};

/// How high a row is, in CSS pixels; as in the style.
const ROW: f64 = 64.0;

/// The part of the address that says which tasks are shown, and its value for those that differ.
const ONLY: (&str, &str) = ("only", "differs");

#[component]
pub fn Grid(
    rows: Vec<GridRow>,
    /// What the runs are called.
    names: Vec<String>,
    runs: Vec<RunId>,
) -> impl IntoView {
    let search = use_location().search;
    let only = Memo::new(move |_| {
        let parts = decode(search.get().trim_start_matches('?'));
        parts.iter().any(|(key, value)| (key.as_str(), value.as_str()) == ONLY)
    });
    let all = Arc::new(rows);
    let differing: Arc<Vec<GridRow>> =
        Arc::new(all.iter().filter(|row| row.differs).cloned().collect());
    let (count, count_differing) = (all.len(), differing.len());
    let shown = Signal::derive(move || match only.get() {
        true => Arc::clone(&differing),
        false => Arc::clone(&all),
    });
    let choose = {
        let navigate = use_navigate();
        Callback::new(move |wanted: bool| {
            let mut parts = decode(search.get_untracked().trim_start_matches('?'));
            parts.retain(|(key, _)| key != ONLY.0);
            if wanted {
                parts.push((ONLY.0.to_owned(), ONLY.1.to_owned()));
            }
            navigate(&format!("/compare?{}", encode(&parts)), in_place());
        })
    };
    let scroller: NodeRef<html::Div> = NodeRef::new();
    let (size, scrolled) = (watch_size(scroller), RwSignal::new(0.0_f64));
    // Row and column of the cell that the keyboard is at; column 0 is the head of the row.
    let cursor = RwSignal::new((0_usize, 0_usize));
    Effect::new(move |before: Option<bool>| {
        let only = only.get();
        if before.is_some_and(|before| before != only) {
            cursor.set((0, 0));
            if let Some(element) = scroller.get_untracked() {
                element.set_scroll_top(0);
            }
            scrolled.set(0.0);
        }
        only
    });
    let width = names.len();
    let walk = move |event: web_sys::KeyboardEvent| {
        let last = shown.with(|rows| rows.len()).saturating_sub(1);
        let page = ((size.height.get_untracked() / ROW) as usize).saturating_sub(2).max(1);
        let (row, column) = cursor.get_untracked();
        let next = match event.key().as_str() {
            "ArrowDown" => (row + 1, column),
            "ArrowUp" => (row.saturating_sub(1), column),
            "ArrowRight" => (row, (column + 1).min(width)),
            "ArrowLeft" => (row, column.saturating_sub(1)),
            "PageDown" => (row + page, column),
            "PageUp" => (row.saturating_sub(page), column),
            "Home" => (0, column),
            "End" => (last, column),
            _ => return,
        };
        event.prevent_default();
        let next = (next.0.min(last), next.1);
        cursor.set(next);
        if let Some(element) = scroller.get_untracked() {
            let (top, from) = (next.0 as f64 * ROW, f64::from(element.scroll_top()));
            // The head of the table lies over the first row in sight.
            let height = f64::from(element.client_height()) - ROW;
            let wanted = if top < from {
                top
            } else if top + ROW > from + height {
                top + ROW - height
            } else {
                from
            };
            // Pixels of a page fit by far.
            element.set_scroll_top(wanted as i32);
            scrolled.set(wanted);
        }
        request_animation_frame(move || {
            let cell = document().get_element_by_id(&cell_id(next.0, next.1));
            if let Some(cell) = cell.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
                // It fails only for elements that take no focus.
                let _ = cell.focus();
            }
        });
    };
    let range = Memo::new(move |_| {
        let rows = shown.with(|rows| rows.len());
        window(scrolled.get(), size.height.get().max(400.0), ROW, rows)
    });
    // The Tab key leads to the cursor; where its row is not drawn, to the first row in sight.
    let stop = Memo::new(move |_| {
        let (row, column) = cursor.get();
        (stop(row, &range.get(), scrolled.get(), ROW), column)
    });
    let heads: Vec<_> = names
        .iter()
        .zip(&runs)
        .map(|(name, run)| {
            view! {
                <th scope="col">
                    <a href=format!("/run/{run}")>{name.clone()}</a>
                </th>
            }
        })
        .collect();
    let (names, runs) = (Arc::new(names), Arc::new(runs));
    let body = move || {
        let range = range.get();
        shown.with(|rows| {
            // What is shown may have become shorter.
            let (first, last) = (range.start.min(rows.len()), range.end.min(rows.len()));
            let drawn: Vec<_> = rows
                .iter()
                .enumerate()
                .skip(first)
                .take(last - first)
                .map(|(at, row)| row_view(at, row, &names, &runs, cursor, stop))
                .collect();
            let space = |count: usize| {
                (count > 0).then(|| {
                    let height = format!("{}px", count as f64 * ROW);
                    view! { <tr aria-hidden="true"><td class="grid-space" style:height=height></td></tr> }
                })
            };
            view! {
                {space(first)}
                {drawn}
                {space(rows.len() - last)}
            }
        })
    };
    let button = move |wanted: bool, text: String| {
        toggle(text, move || only.get() == wanted, move || choose.run(wanted))
    };
    let is_empty = move || shown.with(|rows| rows.is_empty());
    view! {
        <div class="stack-2" id="grid">
            <div class="row">
                <div class="seg" role="group" aria-label="Which tasks">
                    {button(false, format!("all {count}"))}
                    {button(true, format!("differs {count_differing}"))}
                </div>
                <span class="small soft grid-keys">"Arrow keys walk the grid, Enter opens an episode."</span>
            </div>
            <p class="soft" hidden=move || !is_empty()>"All runs got the same result on every task."</p>
            <div
                class="grid-scroll"
                node_ref=scroller
                hidden=is_empty
                on:scroll:target=move |event| scrolled.set(f64::from(event.target().scroll_top()))
                on:keydown=walk
            >
                <table
                    role="grid"
                    translate="no"
                    class="grid-table"
                    aria-label=words::GRID
                    aria-rowcount=move || shown.with(|rows| rows.len() + 1)
                >
                    <thead>
                        <tr>
                            {th("Task")}
                            {heads}
                        </tr>
                    </thead>
                    <tbody>{body}</tbody>
                </table>
            </div>
        </div>
    }
}

fn cell_id(row: usize, column: usize) -> String {
    format!("grid-{row}-{column}")
}

fn row_view(
    at: usize,
    row: &GridRow,
    names: &[String],
    runs: &[RunId],
    cursor: RwSignal<(usize, usize)>,
    stop: Memo<(usize, usize)>,
) -> AnyView {
    let tab = move |column: usize| {
        move || {
            if stop.get() == (at, column) { "0" } else { "-1" }
        }
    };
    let enter = move |column: usize| move |_| cursor.set((at, column));
    let mut played =
        runs.iter().zip(&row.cells).filter_map(|(run, cell)| Some((run, &cell.as_ref()?.play)));
    // Two transcripts side by side, or the only one that there is.
    let (first, second) = (played.next(), played.next());
    let href = match (first, second) {
        (Some((one, play)), Some((other, other_play))) => {
            address::side_by_side((one, other), (play, other_play))
        }
        (Some((run, play)), None) => address::episode(run, play, &Place::default()),
        _ => String::new(),
    };
    let label = words::task_label(&row.task.0, second.is_some());
    let right = row.right.clone();
    let cells: Vec<_> = (1..)
        .zip(row.cells.iter().zip(runs.iter().zip(names)))
        .map(|(column, (cell, (run, name)))| {
            let id = cell_id(at, column);
            match cell {
                Some(cell) => {
                    let (class, sign, word) = outcome(cell);
                    let href = address::episode(run, &cell.play, &Place::default());
                    let label = words::cell_label(name, word, answer(cell).as_deref());
                    any_view! {
                        <td class=class>
                            <a id=id href=href aria-label=label tabindex=tab(column) on:focus=enter(column)>
                                <b class="grid-mark" aria-hidden="true">{sign}</b>
                                <span class="grid-answer">{answer(cell)}</span>
                            </a>
                        </td>
                    }
                }
                None => any_view! {
                    <td class="grid-none">
                        <span
                            id=id
                            role="note"
                            aria-label=words::cell_label(name, "not played", None::<&str>)
                            tabindex=tab(column)
                            on:focus=enter(column)
                        >
                            "–"
                        </span>
                    </td>
                },
            }
        })
        .collect();
    any_view! {
        <tr aria-rowindex=at + 2>
            <th scope="row">
                <a id=cell_id(at, 0) href=href aria-label=label tabindex=tab(0) on:focus=enter(0)>
                    {row.task.0.clone()}
                </a>
                <span class="grid-asked">{row.asked.clone()}</span>
                {right.map(|right| view! { <span class="grid-right"><span class="faint">"Right answer" ": "</span> {right}</span> })}
            </th>
            {cells}
        </tr>
    }
}

fn answer(cell: &GridCell) -> Option<String> {
    match (cell.repeats, cell.score) {
        (0 | 1, _) | (_, None) => cell.answer.clone(),
        (repeats, Some(score)) => Some(format!("{} % of {repeats}", fixed(score * 100.0, 0))),
    }
}

/// How a cell was graded: its class, its sign, its word.
fn outcome(cell: &GridCell) -> (&'static str, &'static str, &'static str) {
    let [right, wrong, partly, open] = words::OUTCOMES;
    match cell.score.map(EpisodeStatus::of_score) {
        None => ("is-open", "·", open),
        Some(EpisodeStatus::Correct) => ("is-right", "✓", right),
        Some(EpisodeStatus::Wrong) => ("is-wrong", "✗", wrong),
        Some(_) => ("is-partly", "±", partly),
    }
}
