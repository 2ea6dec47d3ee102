//! The rows of a board. Every number of a run leads to it.

use leptos::prelude::*;
use turnwise_shared::board::{Order, View};
use turnwise_shared::wire::boards::{Better, Board, BoardColumn, Row};

use super::Change;
use crate::clock;
use crate::components::seal::seal;
use crate::components::standings::Whiskers;
use crate::strings::boards as words;
use crate::view::board as drawn;
use crate::view::number::{self, count, symbol};

/// The class of links of rows; they stand in their order.
pub const LINK: &str = "board-link";

/// The table with its portions.
pub fn table(board: &Board, view: &View, change: Change) -> AnyView {
    if board.rows.is_empty() {
        return view! {
            <div class="empty">
                <h3>"No row matches"</h3>
                <p>"Take a filter away, or show everything again."</p>
                <button class="btn" type="button" on:click=move |_| change.run(View::default())>
                    {words::RESET}
                </button>
            </div>
        }
        .into_any();
    }
    // All but the main one, which is always there; with the decimals that their numbers have in common.
    let columns: Vec<(usize, usize)> = drawn::columns(board, view)
        .into_iter()
        .filter(|at| *at != 0)
        .map(|at| (at, drawn::decimals(board, at)))
        .collect();
    let main = &board.columns[0];
    let decimals = drawn::decimals(board, 0);
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
    let rows: Vec<_> = board
        .rows
        .iter()
        .map(|row| {
            row_view(
                row,
                board,
                has,
                (decimals, &columns),
                &whiskers,
                view,
                change,
            )
        })
        .collect();
    let label = drawn::named(main);
    let named = label.clone();
    let ties: Vec<_> = board
        .ties
        .iter()
        .map(|tie| {
            let runs: Vec<String> = tie.runs.iter().map(ToString::to_string).collect();
            let compare = (runs.len() > 1).then(|| {
                let href = format!("/compare?runs={}", runs.join(","));
                view! { " " <a href=href>"Compare them task by task"</a> }
            });
            view! { <li>{words::tied(&tie.names)} {compare}</li> }
        })
        .collect();
    let ordinary = |key: &'static str, word: &'static str, beside, better| {
        let column = BoardColumn {
            key: key.to_owned(),
            label: word.to_owned(),
            about: String::new(),
            better,
            ..main.clone()
        };
        head_of(&column, "", beside, &main.key, view, change)
    };
    view! {
        <div id="board-rows" class="stack-2">
            {portions(board, view, change)}
            <div class="table-wrap" role="region" tabindex="0" aria-label=label>
                <table translate="no" class="table table-cards table-pin ranking board-table" aria-label=named>
                    <thead>
                        <tr>
                            {ordinary("name", words::WHO, None, Better::Less)}
                            {has.place.then(|| view! { <th scope="col" class="num">{words::PLACE}</th> })}
                            {head(main, has.interval.then_some(Beside::Below(words::INTERVAL)), &main.key, view, change)}
                            <th scope="col">{whiskers.ticks()}</th>
                            {match has.published {
                                true => ordinary("published", words::PUBLISHED, Some(Beside::Above(words::STANDING)), Better::Neither),
                                false => view! { <th scope="col">{words::STANDING}</th> }.into_any(),
                            }}
                            {heads}
                            {has.n.then(|| ordinary("n", words::N, None, Better::Neither))}
                            {has.owner.then(|| view! { <th scope="col" class="num" title=words::OWNER_ABOUT>{words::OWNER}</th> })}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {(!ties.is_empty()).then(|| view! { <ul class="small soft ties" id="board-ties">{ties}</ul> })}
        </div>
    }
    .into_any()
}

/// Which of the columns that are no numbers say something of these rows: papers have neither places nor owners.
#[derive(Debug, Clone, Copy)]
struct Has {
    place: bool,
    interval: bool,
    n: bool,
    owner: bool,
    published: bool,
}

impl Has {
    fn of(board: &Board) -> Self {
        let any = |has: fn(&Row) -> bool| board.rows.iter().any(has);
        Has {
            place: any(|row| row.run.is_some()),
            interval: any(|row| drawn::cell(row, 0).is_some_and(|cell| cell.interval.is_some())),
            n: any(|row| row.n.is_some()),
            owner: any(|row| row.owner.is_some()),
            published: any(|row| row.published.is_some()),
        }
    }
}

fn head(
    column: &BoardColumn,
    beside: Option<Beside>,
    main: &str,
    view: &View,
    change: Change,
) -> AnyView {
    let unit = match symbol(column.unit) {
        // As in “Latency, s”.
        unit if column.label.ends_with(unit) => "",
        unit => unit,
    };
    head_of(column, unit, beside, main, view, change)
}

/// What else stands in the cells of a column, in a line of its own, which spares a column.
#[derive(Debug, Clone, Copy)]
enum Beside {
    /// Above what the column is ordered by.
    Above(&'static str),
    /// Below it.
    Below(&'static str),
}

/// A head that orders by its column; once more, the other way round.
fn head_of(
    column: &BoardColumn,
    unit: &'static str,
    beside: Option<Beside>,
    main: &str,
    view: &View,
    change: Change,
) -> AnyView {
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
    let class = match column.key.as_str() {
        // Words, not numbers.
        "name" | "published" => "",
        _ => "num",
    };
    let second = |word| view! { <span class="second">{word}</span> };
    let (above, below) = match beside {
        Some(Beside::Above(word)) => (Some(second(word)), None),
        Some(Beside::Below(word)) => (None, Some(second(word))),
        None => (None, None),
    };
    view! {
        <th scope="col" class=class title=column.about.clone() aria-sort=sorted>
            {above}
            <button type="button" on:click=move |_| change.run(next.clone())>
                {unbroken(&column.label)}
                {(!unit.is_empty()).then(|| view! { <span class="unit">{unit}</span> })}
            </button>
            {below}
        </th>
    }
    .into_any()
}

/// A label whose last word, if it is a single sign, stands in the line of the word before it.
fn unbroken(label: &str) -> String {
    match label.rsplit_once(' ') {
        Some((before, last)) if last.chars().count() == 1 => format!("{before}\u{a0}{last}"),
        _ => label.to_owned(),
    }
}

fn row_view(
    row: &Row,
    board: &Board,
    has: Has,
    (decimals, columns): (usize, &[(usize, usize)]),
    whiskers: &Whiskers,
    view: &View,
    change: Change,
) -> AnyView {
    let href = row.run.as_ref().map(|run| format!("/run/{run}"));
    let name = match &href {
        Some(href) => view! {
            <a class=LINK href=href.clone() aria-label=words::open_run(&row.name)>
                {row.name.clone()}
            </a>
        }
        .into_any(),
        None => row.name.clone().into_any(),
    };
    let more = match (&row.source, row.title.as_str()) {
        (Some(source), _) => source.clone(),
        (None, "") => row.who.clone(),
        (None, title) => format!("{title} · {}", row.who),
    };
    let notes: Vec<_> = row
        .notes
        .iter()
        .map(|at| {
            let number = at + 1;
            view! {
                <a class="note-ref" href=format!("#note-{number}") rel="external" aria-label=words::note(number)>
                    {number}
                </a>
            }
        })
        .collect();
    let main = drawn::cell(row, 0);
    let number = number::cell(main, board.columns[0].unit, Some(decimals));
    let range = number
        .range
        .clone()
        .map(|range| view! { <span class="second pm" title=words::INTERVAL>{range}</span> });
    let published = row.published.map(|at| {
        view! { <time class="second pm" title=words::published(&clock::moment(at))>{clock::day(at)}</time> }
    });
    let cells: Vec<_> = columns
        .iter()
        .map(|(at, decimals)| {
            let column = &board.columns[*at];
            let number = number::cell(drawn::cell(row, *at), column.unit, Some(*decimals));
            let title = number.range.clone();
            view! {
                <td class="num" data-label=drawn::named(column) title=title>
                    {linked(&number.value, href.as_deref())}
                </td>
            }
        })
        .collect();
    let owner = row.owner.map(|owned| {
        let next = View {
            owner: Some(owned.owner),
            skip: 0,
            ..view.clone()
        };
        view! {
            <button
                class="btn-link"
                type="button"
                aria-label=words::owner_label(owned.opened, owned.published)
                on:click=move |_| change.run(next.clone())
            >
                {words::opened(owned.opened, owned.published)}
            </button>
        }
    });
    let place = match row.place {
        Some(place) => {
            view! { <span title=words::place_label(place)>{words::place(place)}</span> }.into_any()
        }
        None => row.run.is_some().then_some("–").into_any(),
    };
    view! {
        <tr>
            <th scope="row">
                <span class="named">{name} <small class="faint who">{more} {notes}</small></span>
            </th>
            {has.place.then(|| view! { <td class="num" data-label=words::PLACE>{place}</td> })}
            <td class="num cell-main" data-label=drawn::named(&board.columns[0])>
                {linked(&number.value, href.as_deref())} {range}
            </td>
            <td class="plot-cell">{main.map(|cell| whiskers.draw(cell.value, cell.interval, &number))}</td>
            <td class="cell-wide" data-label=words::STANDING>{seal(row.standing)} {published}</td>
            {cells}
            {has.n.then(|| view! { <td class="num" data-label=words::N>{row.n.map(|n| count(u64::from(n)))}</td> })}
            {has.owner.then(|| view! { <td class="num" data-label=words::OWNER>{owner}</td> })}
        </tr>
    }
    .into_any()
}

/// A number that leads to its run. The row's name is the link that the keyboard finds.
fn linked(number: &str, href: Option<&str>) -> AnyView {
    match href {
        Some(href) => {
            view! { <a class="cell-link" href=href.to_owned() tabindex="-1">{number.to_owned()}</a> }.into_any()
        }
        None => number.to_owned().into_any(),
    }
}

fn portions(board: &Board, view: &View, change: Change) -> AnyView {
    let shown = u32::try_from(board.rows.len()).unwrap_or(u32::MAX);
    let (from, to) = (board.skip + 1, board.skip + shown);
    let go = |skip: u32, word: &'static str, is_there: bool| {
        let next = View {
            skip,
            ..view.clone()
        };
        is_there.then(|| {
            view! {
                <button class="btn btn-small" type="button" on:click=move |_| change.run(next.clone())>
                    {word}
                </button>
            }
        })
    };
    view! {
        <div class="row small">
            <span role="status">{words::counted(from, to, board.matching, board.total)}</span>
            {go(board.skip.saturating_sub(view.portion()), "Rows before", board.skip > 0)}
            {go(to, "Rows after", to < board.matching)}
        </div>
    }
    .into_any()
}
