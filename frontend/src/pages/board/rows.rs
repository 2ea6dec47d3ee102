//! The rows of a board as a ranking. Every number of a run leads to it; what a row does not show is in its details.

mod details;

use details::details;
use turnwise_shared::leaderboard::{Order, View};
use turnwise_shared::wire::boards::{Better, BoardColumn, BoardRow};

use super::{Change, asides};
use crate::components::seal::seal;
use crate::components::standings::Whiskers;
use crate::prelude::*;
use crate::strings::boards as words;
use crate::view::board as drawn;
use crate::view::number::symbol;

/// The class of links of rows; they stand in their order.
pub const LINK: &str = "board-link";

/// The rows of a view with their portions.
pub fn table(board: &Board, view: &View, change: Change) -> AnyView {
    let has_run = board.head.rows.keys().any(|tier| *tier != EvidenceTier::Published);
    let is_paper = matches!(board.head.id, BoardId::Paper(_));
    if board.rows.is_empty() && !has_run && !is_paper {
        return any_view! { <p class="soft">{words::NO_RUN} "."</p> };
    }
    if board.rows.is_empty() {
        return any_view! {
            <div class="empty">
                <h3>"No row matches"</h3>
                <p>"Take a filter away, or show everything again."</p>
                <button class="btn" type="button" on:click=move |_| change.run(View::default())>
                    {words::RESET}
                </button>
            </div>
        };
    }
    let ties: Vec<_> = board
        .ties
        .iter()
        .map(|tie| {
            let runs: Vec<String> = tie.runs.iter().map(ToString::to_string).collect();
            let compare = (runs.len() > 1).then(|| {
                let href = format!("/compare?runs={}", runs.join(","));
                view! { " " <a href=href>"Compare them task by task"</a> }
            });
            view! { <li>{format!("Cannot be told apart: {}.", tie.names.join(", "))} {compare}</li> }
        })
        .collect();
    any_view! {
        <div id="board-rows" class="stack-2">
            {portions(board, view, change)}
            {ranking(board, Some(view), change)}
            {(!ties.is_empty()).then(|| view! { <ul class="small soft ties" id="board-ties">{ties}</ul> })}
        </div>
    }
}

/// What the paper printed under the condition of a board of runs, apart from them.
pub fn printed(board: &Board, change: Change) -> Option<AnyView> {
    if board.printed.is_empty() {
        return None;
    }
    let rows = Board { rows: board.printed.clone(), ..board.clone() };
    Some(any_view! {
        <section class="section stack" id="paper" aria-labelledby="paper-head">
            {section_head("paper-head", words::PRINTED)}
            {asides::citation(board)}
            {ranking(&rows, None, change)}
        </section>
    })
}

/// The table; its heads order the rows if there is a view.
fn ranking(board: &Board, view: Option<&View>, change: Change) -> AnyView {
    let plain = View::default();
    // All but the main one, which is always there; with the decimals that their numbers have in common.
    let columns: Vec<(usize, usize)> = drawn::columns(board, view.unwrap_or(&plain))
        .into_iter()
        .filter(|at| *at != 0)
        .map(|at| (at, drawn::decimals(board, at)))
        .collect();
    let main = &board.columns[0];
    let whiskers = Whiskers::over(
        board.rows.iter().filter_map(|row| {
            let cell = drawn::cell(row, 0)?;
            Some((cell.value, cell.interval))
        }),
        main.unit,
    );
    let heads: Vec<_> = columns
        .iter()
        .map(|(at, _)| head(&board.columns[*at], None, &main.key, view, change))
        .collect();
    let has = Has::of(board);
    let width =
        4 + columns.len() + [has.place, has.n, has.tier].into_iter().filter(|has| *has).count();
    let drawing = Drawing {
        board,
        has,
        decimals: drawn::decimals(board, 0),
        columns: &columns,
        whiskers: &whiskers,
        view: view.unwrap_or(&plain),
        change,
        width,
    };
    let rows: Vec<_> = board.rows.iter().map(|row| row_view(row, &drawing)).collect();
    let ordinary = |key: &'static str, word: &'static str, better| {
        let column = BoardColumn {
            key: key.to_owned(),
            label: word.to_owned(),
            about: String::new(),
            better,
            ..main.clone()
        };
        head_of(&column, "", None, &main.key, view, change)
    };
    let heads = (
        has.place.then(|| th_number(words::PLACE)),
        ordinary("name", words::WHO, Better::Less),
        head(main, has.interval.then_some(words::INTERVAL), &main.key, view, change),
        th(whiskers.ticks()),
        heads,
        has.n.then(|| ordinary("n", words::N, Better::Neither)),
        has.tier.then(|| th(words::TIER)),
        th(view! { <span class="sr">"Details"</span> }),
    );
    table_frame(drawn::named(main), "table ranking board-table", heads, rows)
}

/// Which of the columns that are no numbers say something of these rows: papers have neither places nor tiers.
#[derive(Debug, Clone, Copy)]
struct Has {
    place: bool,
    interval: bool,
    n: bool,
    tier: bool,
}

impl Has {
    fn of(board: &Board) -> Self {
        let any = |has: fn(&BoardRow) -> bool| board.rows.iter().any(has);
        Has {
            place: any(|row| row.place.is_some()),
            interval: any(|row| drawn::cell(row, 0).is_some_and(|cell| cell.interval.is_some())),
            n: any(|row| row.n.is_some()),
            tier: any(|row| row.run.is_some()),
        }
    }
}

/// What the rows of a table have in common.
struct Drawing<'a> {
    board: &'a Board,
    has: Has,
    decimals: usize,
    columns: &'a [(usize, usize)],
    whiskers: &'a Whiskers,
    view: &'a View,
    change: Change,
    width: usize,
}

fn head(
    column: &BoardColumn,
    below: Option<&'static str>,
    main: &str,
    view: Option<&View>,
    change: Change,
) -> AnyView {
    let unit = match symbol(column.unit) {
        // As in “Latency, s”.
        unit if column.label.ends_with(unit) => "",
        unit => unit,
    };
    head_of(column, unit, below, main, view, change)
}

/// A head that orders by its column; once more, the other way round. `below` names what else is in its cells.
fn head_of(
    column: &BoardColumn,
    unit: &'static str,
    below: Option<&'static str>,
    main: &str,
    view: Option<&View>,
    change: Change,
) -> AnyView {
    let class = match column.key.as_str() {
        // Words, not numbers.
        "name" => "",
        _ => "num",
    };
    let below = below.map(|word| view! { <span class="second">{word}</span> });
    let unit = (!unit.is_empty()).then(|| view! { <span class="unit">{unit}</span> });
    let Some(view) = view else {
        return any_view! {
            <th scope="col" class=class title=column.about.clone()>
                {unbroken(&column.label)} " " {unit} {below}
            </th>
        };
    };
    let key = column.key.clone();
    let usual = match column.better {
        Better::Less => Order::Up,
        Better::More | Better::Neither => Order::Down,
    };
    let is_sorted = view.sort.as_deref().unwrap_or(main) == key.as_str();
    let order = view.order.unwrap_or(usual);
    let sorted = is_sorted.then_some(match order {
        Order::Up => "ascending",
        Order::Down => "descending",
    });
    let next = View {
        sort: Some(key).filter(|key| key != main),
        order: is_sorted.then_some(match order {
            Order::Up => Order::Down,
            Order::Down => Order::Up,
        }),
        skip: 0,
        ..view.clone()
    };
    any_view! {
        <th scope="col" class=class title=column.about.clone() aria-sort=sorted>
            <button type="button" on:click=move |_| change.run(next.clone())>
                {unbroken(&column.label)}
                {unit}
            </button>
            {below}
        </th>
    }
}

/// A label whose last word, if it is a single sign, stands in the line of the word before it.
fn unbroken(label: &str) -> String {
    match label.rsplit_once(' ') {
        Some((before, last)) if last.chars().count() == 1 => format!("{before}\u{a0}{last}"),
        _ => label.to_owned(),
    }
}

fn row_view(row: &BoardRow, drawing: &Drawing<'_>) -> AnyView {
    let Drawing { board, has, .. } = *drawing;
    let href = row.run.as_ref().map(|run| format!("/run/{run}"));
    let name = match &href {
        Some(href) => any_view! {
            <a class=LINK href=href.clone() aria-label=words::open_run(&row.name)>
                {row.name.clone()}
            </a>
        },
        None => row.name.clone().into_any(),
    };
    let more = match (&row.source, row.title.as_str()) {
        (Some(source), _) => source.clone(),
        (None, "") => row.who.clone(),
        (None, title) => format!("{title} · {}", row.who),
    };
    let main = drawn::cell(row, 0);
    let number = number::cell(main, board.columns[0].unit, Some(drawing.decimals));
    let range = number
        .range
        .clone()
        .map(|range| view! { <span class="second pm" title=words::INTERVAL>{range}</span> });
    let cells: Vec<_> = drawing
        .columns
        .iter()
        .map(|(at, decimals)| {
            let column = &board.columns[*at];
            let number = number::cell(drawn::cell(row, *at), column.unit, Some(*decimals));
            let title = number.range.clone();
            view! {
                <td class="num is-extra" title=title>
                    {linked(&number.value, href.as_deref())}
                </td>
            }
        })
        .collect();
    let place = match row.place {
        Some(place) => {
            any_view! { <span title=words::place_label(place)>{words::place(place)}</span> }
        }
        None => row.run.is_some().then_some("–").into_any(),
    };
    let open = RwSignal::new(false);
    let toggle = move || open.update(|open| *open = !*open);
    // A tap anywhere but on a link or a button opens the details.
    let tap = move |event: web_sys::MouseEvent| {
        let target = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        let is_own = target.is_some_and(|it| matches!(it.closest("a, button"), Ok(Some(_))));
        if !is_own {
            toggle();
        }
    };
    let is_paper = row.run.is_none();
    let details = details(row, drawing);
    let width = drawing.width;
    any_view! {
        <tr class="rank-row" class:is-paper=is_paper on:click=tap>
            {has.place.then(|| view! { <td class="num rank">{place}</td> })}
            <th scope="row">
                <span class="named">{name} <small class="faint who">{more}</small></span>
            </th>
            <td class="num cell-main">
                {linked(&number.value, href.as_deref())} {range}
            </td>
            <td class="plot-cell">{main.map(|cell| drawing.whiskers.draw(cell.value, cell.interval, &number))}</td>
            {cells}
            {has.n.then(|| view! { <td class="num is-extra">{row.n.map(count)}</td> })}
            {has.tier.then(|| view! { <td class="is-extra">{seal(row.tier)}</td> })}
            <td class="row-more">
                <button
                    class="btn-icon"
                    type="button"
                    aria-label=format!("Details of {}", row.name)
                    aria-expanded=move || open.get().to_string()
                    on:click=move |_| toggle()
                >
                    <Icon name="down"/>
                </button>
            </td>
        </tr>
        {move || {
            open.get()
                .then(|| {
                    view! {
                        <tr class="row-details">
                            <td colspan=width>{details()}</td>
                        </tr>
                    }
                })
        }}
    }
}

/// A number that leads to its run. The row's name is the link that the keyboard finds.
fn linked(number: &str, href: Option<&str>) -> AnyView {
    match href {
        Some(href) => {
            any_view! { <a class="cell-link" href=href.to_owned() tabindex="-1">{number.to_owned()}</a> }
        }
        None => number.to_owned().into_any(),
    }
}

fn portions(board: &Board, view: &View, change: Change) -> AnyView {
    let shown = u32::try_from(board.rows.len()).unwrap_or(u32::MAX);
    let (from, to) = (board.skip + 1, board.skip + shown);
    let go = |skip: u32, word: &'static str, is_there: bool| {
        let next = View { skip, ..view.clone() };
        is_there.then(|| {
            view! {
                <button class="btn btn-small" type="button" on:click=move |_| change.run(next.clone())>
                    {word}
                </button>
            }
        })
    };
    any_view! {
        <div class="row small">
            <span role="status">{words::counted(from, to, board.matching, board.total)}</span>
            {go(board.skip.saturating_sub(view.portion()), "Rows before", board.skip > 0)}
            {go(to, "Rows after", to < board.matching)}
        </div>
    }
}
