//! What of a board is shown, and in which order.

use leptos::leptos_dom::helpers::TimeoutHandle;
use turnwise_shared::leaderboard::{Order, View};
use turnwise_shared::wire::boards::{Better, BoardColumn};

use super::{Change, asides};
use crate::components::keys::{focus_id, leave_on_escape};
use crate::prelude::*;
use crate::strings::boards as words;
use crate::view::board as drawn;

const FIND: &str = "board-find";

/// Rows are looked for when nothing was written for this time.
const PAUSE: Duration = Duration::from_millis(250);

/// Goes to the field for words.
pub fn find() {
    focus_id(FIND);
}

/// The fields.
/// `there` are the keys of the columns in which something stands, `shown` those that the table shows.
pub fn filters(
    board: &Board,
    view: Memo<View>,
    change: Change,
    there: Memo<Vec<String>>,
    shown: Memo<Vec<String>>,
) -> AnyView {
    let is_game = !board.ratings.is_empty();
    let id = board.head.id.clone();
    let files: Vec<_> = [("csv", "CSV"), ("json", "JSON")]
        .into_iter()
        .map(|(format, word)| {
            let id = id.clone();
            let href = move || view.with(|view| drawn::file(&id, view, format));
            view! {
                <a class="btn btn-small" href=href download="" rel="external" aria-label=format!("Download all \
                    rows of this view as {word}")>
                    <Icon name="download"/>
                    {word}
                </a>
            }
        })
        .collect();
    let field: NodeRef<html::Input> = NodeRef::new();
    let words_of_view = Memo::new(move |_| view.with(|view| view.words.clone()));
    // What the reader is writing stays; the address has its say when it changes otherwise, e.g. by "Show everything".
    Effect::new(move |_| {
        let words = words_of_view.get();
        if let Some(field) = field.get()
            && document().active_element().as_ref() != Some(&field)
        {
            field.set_value(&words);
        }
    });
    let search = move || {
        let Some(field) = field.get_untracked() else {
            return;
        };
        let words = field.value();
        if words != view.with_untracked(|view| view.words.clone()) {
            change.run(View { words, skip: 0, ..view.get_untracked() });
        }
    };
    let pending = StoredValue::new(None::<TimeoutHandle>);
    let later = move || {
        if let Some(before) = pending.get_value() {
            before.clear();
        }
        pending.set_value(set_timeout_with_handle(search, PAUSE).ok());
    };
    on_cleanup(move || {
        if let Some(Some(before)) = pending.try_get_value() {
            before.clear();
        }
    });
    let is_plain = move || view.with(|view| *view == View::default());
    let owner = move || view.with(|view| view.owner.is_some());
    let open = RwSignal::new(false);
    let is_paper = matches!(id, BoardId::Paper(_));
    let title = match (is_paper, is_game) {
        (true, _) => words::PRINTED,
        (false, true) => "Every result",
        (false, false) => "Runs",
    };
    any_view! {
        <section class="section stack board-filters" id="table-head" class:is-open=open>
            <div class="section-head">
                <h2>{title}</h2>
                <div class="row push">
                    <button
                        class="btn btn-small board-filter"
                        type="button"
                        aria-expanded=move || open.get().to_string()
                        aria-controls="board-fields"
                        on:click=move |_| open.update(|open| *open = !*open)
                    >
                        "Filter and sort"
                    </button>
                    {files}
                </div>
            </div>
            {is_paper.then(|| asides::citation(board))}
            <div class="fields board-fields" id="board-fields">
                <div class="field">
                    <label for=FIND>"Find"</label>
                    <input
                        id=FIND
                        node_ref=field
                        class="input input-search"
                        type="search"
                        placeholder="a name, a model"
                        on:keydown=move |event| leave_on_escape(&event)
                        on:input=move |_| later()
                        on:change=move |_| search()
                    />
                </div>
                {sorting(&board.columns, view, change)}
                <div class="field">
                    <label for="board-since">"Published since"</label>
                    <input
                        id="board-since"
                        class="input"
                        type="date"
                        prop:value=move || view.with(|view| view.since.as_ref().map(ToString::to_string).unwrap_or_default())
                        on:change:target=move |event| {
                            let since = event.target().value().parse().ok();
                            change.run(View { since, skip: 0, ..view.get_untracked() });
                        }
                    />
                </div>
            </div>
            <div class="row flags">
                {paper(board, view, change)}
                {tiers(board, view, change)}
                {columns(&board.columns, view, change, there, shown)}
                <button
                    class="btn btn-quiet btn-small"
                    type="button"
                    hidden=is_plain
                    on:click=move |_| change.run(View::default())
                >
                    {words::RESET}
                </button>
            </div>
            <p class="small" hidden=move || !owner()>"Only one owner's runs are shown."</p>
        </section>
    }
}

fn sorting(columns: &[BoardColumn], view: Memo<View>, change: Change) -> AnyView {
    let main = columns.first().map(|column| column.key.clone());
    let options: Vec<(String, String)> = columns
        .iter()
        .map(|column| (column.key.clone(), column.label.clone()))
        .chain(
            [("name", words::WHO), ("n", words::N), ("published", "Published")]
                .map(|(key, word)| (key.to_owned(), word.to_owned())),
        )
        .collect();
    let chosen = {
        let main = main.clone();
        move || view.with(|view| view.sort.clone()).or_else(|| main.clone()).unwrap_or_default()
    };
    let options: Vec<_> = options
        .into_iter()
        .map(|(key, label)| {
            let is_chosen = {
                let (key, chosen) = (key.clone(), chosen.clone());
                move || chosen() == key
            };
            option(key, label, is_chosen)
        })
        .collect();
    let betters: BTreeMap<String, Better> =
        columns.iter().map(|column| (column.key.clone(), column.better)).collect();
    let usual = {
        let chosen = chosen.clone();
        move || {
            let key = chosen();
            words::usual(
                (key != "name").then(|| betters.get(&key).copied().unwrap_or(Better::Neither)),
            )
        }
    };
    let direction = move || match view.with(|view| view.order) {
        None => "",
        Some(Order::Up) => "up",
        Some(Order::Down) => "down",
    };
    let sort_by = move |key: String| {
        let sort = Some(key).filter(|key| Some(key) != main.as_ref());
        change.run(View { sort, order: None, skip: 0, ..view.get_untracked() });
    };
    let turn = move |order: String| {
        let order = match order.as_str() {
            "up" => Some(Order::Up),
            "down" => Some(Order::Down),
            _ => None,
        };
        change.run(View { order, skip: 0, ..view.get_untracked() });
    };
    let directions = (
        option("", usual, move || direction().is_empty()),
        option("down", "highest first", move || direction() == "down"),
        option("up", "lowest first", move || direction() == "up"),
    );
    any_view! {
        {select_field("board-sort", "Order by", sort_by, options)}
        {select_field("board-order", "Direction", turn, directions)}
    }
}

/// The evidence tiers of the board's runs: those that are ticked are shown, at first all.
fn tiers(board: &Board, view: Memo<View>, change: Change) -> AnyView {
    let there: BTreeSet<EvidenceTier> =
        board.head.rows.keys().copied().filter(|tier| *tier != EvidenceTier::Published).collect();
    if there.len() < 2 {
        return ().into_any();
    }
    let boxes: Vec<_> = there
        .iter()
        .copied()
        .map(|tier| {
            let is_ticked =
                move || view.with(|view| view.tiers.is_empty() || view.tiers.contains(&tier));
            let there = there.clone();
            let toggle = move |_| {
                let mut next = view.get_untracked();
                next.tiers = toggled(&next.tiers, tier, &there);
                next.skip = 0;
                change.run(next);
            };
            view! {
                <label class="check">
                    <input type="checkbox" prop:checked=is_ticked on:change=toggle/>
                    {words::tier(tier)}
                </label>
            }
        })
        .collect();
    any_view! {
        <fieldset class="row flags" aria-label="Runs by evidence">
            {boxes}
        </fieldset>
    }
}

/// The tiers that a view names after one was ticked or unticked. It names none where all are shown; without any there would be
/// nothing to see, so the last one that is unticked brings all back.
fn toggled(
    named: &BTreeSet<EvidenceTier>,
    one: EvidenceTier,
    there: &BTreeSet<EvidenceTier>,
) -> BTreeSet<EvidenceTier> {
    let mut next = match named.is_empty() {
        true => there.clone(),
        false => named.clone(),
    };
    if !next.remove(&one) {
        next.insert(one);
    }
    match next.is_superset(there) {
        true => BTreeSet::new(),
        false => next,
    }
}

/// The switch that orders and draws the paper's rows among the runs.
fn paper(board: &Board, view: Memo<View>, change: Change) -> Option<AnyView> {
    if board.printed.is_empty() {
        return None;
    }
    let is_shown = move || view.with(|view| view.paper);
    Some(any_view! {
        <label class="check">
            <input
                type="checkbox"
                id="board-paper"
                prop:checked=is_shown
                on:change:target=move |event| {
                    let paper = event.target().checked();
                    change.run(View { paper, skip: 0, ..view.get_untracked() });
                }
            />
            "Show the paper's rows"
        </label>
    })
}

fn columns(
    columns: &[BoardColumn],
    view: Memo<View>,
    change: Change,
    there: Memo<Vec<String>>,
    shown: Memo<Vec<String>>,
) -> AnyView {
    let all: Vec<String> = columns.iter().map(|column| column.key.clone()).collect();
    let all = StoredValue::new(all);
    let boxes: Vec<_> = columns
        .iter()
        .skip(1)
        .map(|column| {
            let key = column.key.clone();
            let is_ticked = {
                let key = key.clone();
                move || shown.with(|shown| shown.contains(&key))
            };
            // What no row has cannot be shown.
            let is_absent = {
                let key = key.clone();
                move || !there.with(|there| there.contains(&key))
            };
            let toggle = move |_| {
                let mut wanted = shown.get_untracked();
                match wanted.iter().position(|one| *one == key) {
                    Some(at) => drop(wanted.remove(at)),
                    None => wanted.push(key.clone()),
                }
                // In the board's order, and the main one always.
                let columns = all.with_value(|all| {
                    let kept = all.iter().enumerate();
                    kept.filter(|(at, key)| *at == 0 || wanted.contains(key))
                        .map(|(_, key)| key.clone())
                        .collect()
                });
                change.run(View { columns, ..view.get_untracked() });
            };
            view! {
                <label class="check" title=column.about.clone() hidden=is_absent>
                    <input type="checkbox" prop:checked=is_ticked on:change=toggle/>
                    {column.label.clone()}
                </label>
            }
        })
        .collect();
    any_view! {
        <details class="more">
            <summary>"Columns"</summary>
            <div class="more-body row flags">{boxes}</div>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ticked_is_what_is_shown() {
        use EvidenceTier::{Baseline, SelfReported, Verified};
        let set = |all: &[EvidenceTier]| all.iter().copied().collect::<BTreeSet<_>>();
        let there = set(&[Baseline, SelfReported, Verified]);
        // All are shown and all are ticked; the first that is unticked leaves the others.
        let others = toggled(&set(&[]), Baseline, &there);
        assert_eq!(others, set(&[SelfReported, Verified]));
        let one = toggled(&others, Verified, &there);
        assert_eq!(one, set(&[SelfReported]));
        assert_eq!(toggled(&one, SelfReported, &there), set(&[]));
        assert_eq!(toggled(&others, Baseline, &there), set(&[]));
    }
}
