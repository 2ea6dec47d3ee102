//! Boards, made ready for drawing: what stands in the address, and where the marks of a plot lie. No browser.

use turnwise_shared::board::column::Shown;
use turnwise_shared::leaderboard::View;
use turnwise_shared::metrics::number::Cell;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::boards::{BoardColumn, BoardRow};

use crate::number::{self, Shown as Number, fixed, scale, symbol};
use crate::query::{decode, encode};
use crate::strings::boards as words;

/// Milliseconds of a day.
const DAY: f64 = 86_400_000.0;

/// What an address's query says of a view, and the first thing that could not be understood; the rest holds all the same.
pub fn read(query: &str) -> (View, Option<String>) {
    let mut sound: Vec<(String, String)> = Vec::new();
    let mut problem = None;
    for (key, value) in decode(query.trim_start_matches('?')) {
        if key == TAB {
            continue;
        }
        match View::of([(key.as_str(), value.as_str())]) {
            Ok(_) => sound.push((key, value)),
            Err(bad) => drop(problem.get_or_insert(bad.to_string())),
        }
    }
    let parts = sound.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    (View::of(parts).unwrap_or_default(), problem)
}

/// The part of an address's query that names the condition.
const TAB: &str = "board";

/// Which condition an address's query names.
pub fn chosen(query: &str) -> Option<BoardId> {
    let parts = decode(query.trim_start_matches('?'));
    let found = parts.into_iter().rev().find(|(key, _)| key == TAB);
    found.and_then(|(_, value)| value.parse().ok())
}

/// The short address of a condition, which leads to the page of its benchmark.
pub fn page(id: &BoardId, view: &View) -> String {
    with_query(&format!("/board/{id}"), &view.parts())
}

/// The address of a benchmark's page, of one of its conditions under a view.
pub fn tab(benchmark: &str, id: &BoardId, view: &View) -> String {
    let mut parts = vec![(TAB.to_owned(), id.to_string())];
    parts.extend(view.parts());
    with_query(&of(benchmark), &parts)
}

/// The address of a benchmark's boards.
pub fn of(benchmark: &str) -> String {
    format!("/boards/{benchmark}")
}

/// The conditions of a benchmark: those with runs, then those that only a paper has. A paper's condition beside which runs are
/// published is shown with them, and has a tab only while it is the chosen one.
pub fn tabs<'a>(
    heads: &'a [BoardHead],
    benchmark: &str,
    chosen: Option<&BoardId>,
) -> Vec<&'a BoardHead> {
    let of = || heads.iter().filter(|head| head.benchmark == benchmark);
    let is_beside = |id: &BoardId| of().any(|head| head.beside.as_ref() == Some(id));
    of().filter(|head| chosen == Some(&head.id) || !is_beside(&head.id)).collect()
}

/// The address at the service of all rows of a view, as a file.
pub fn file(id: &BoardId, view: &View, format: &str) -> String {
    let mut parts = View { skip: 0, limit: None, ..view.clone() }.parts();
    parts.push(("format".to_owned(), format.to_owned()));
    with_query(&format!("/api/boards/{id}"), &parts)
}

fn with_query(path: &str, parts: &[(String, String)]) -> String {
    match encode(parts) {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// Which columns a view shows, by their places.
pub fn columns(board: &Board, view: &View) -> Vec<usize> {
    // The column that sorts the rows is always shown, because an order by a hidden column cannot be recognised.
    let orders = |column: &BoardColumn| view.sort.as_ref() == Some(&column.key);
    let is_shown = |column: &BoardColumn| match view.columns.is_empty() {
        true => column.shown == Shown::First || orders(column),
        false => view.columns.contains(&column.key) || orders(column),
    };
    // A column in which nothing stands says nothing.
    let is_empty = |at: usize| board.rows.iter().all(|row| cell(row, at).is_none());
    (0..board.columns.len())
        .filter(|at| is_shown(&board.columns[*at]))
        .filter(|at| *at == 0 || !view.columns.is_empty() || !is_empty(*at))
        .collect()
}

/// Columns in which some row has a number, or that the view names, by their places.
pub fn there(board: &Board, view: &View) -> Vec<usize> {
    let is_named = |at: usize| view.columns.contains(&board.columns[at].key);
    let has_any = |at: usize| board.rows.iter().any(|row| cell(row, at).is_some());
    (0..board.columns.len()).filter(|at| has_any(*at) || is_named(*at)).collect()
}

pub fn cell(row: &BoardRow, at: usize) -> Option<Cell> {
    row.cells.get(at).copied().flatten()
}

/// How many decimals the numbers of a column have in these rows.
pub fn decimals(board: &Board, at: usize) -> usize {
    let cells = board.rows.iter().filter_map(|row| cell(row, at));
    number::of_column(cells, board.columns[at].unit)
}

/// A plot of a board's rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    pub title: String,
    /// The horizontal axis, with its unit.
    pub x: String,
    /// The vertical axis, with its unit.
    pub y: String,
    /// The unit of the vertical axis.
    pub y_unit: Unit,
    /// How numbers of the horizontal axis are written.
    pub across: Across,
    /// The marks, one a row; percent where the unit is a fraction.
    pub marks: Vec<Mark>,
    /// Rows that are left out because the horizontal axis is logarithmic and theirs is no number above 0.
    pub left_out: usize,
}

impl Scatter {
    /// The same by orders of magnitude from left to right; itself where not two numbers are above 0.
    #[must_use]
    pub fn by_magnitude(self) -> Self {
        let Across::Number(unit) = self.across else {
            return self;
        };
        let (kept, left_out): (Vec<Mark>, Vec<Mark>) =
            self.marks.iter().cloned().partition(|mark| mark.x > 0.0);
        if kept.len() < 2 {
            return self;
        }
        Scatter {
            across: Across::Magnitude(unit),
            left_out: left_out.len(),
            marks: kept.into_iter().map(|mark| Mark { x: mark.x.log10(), ..mark }).collect(),
            ..self
        }
    }
}

/// How numbers of the horizontal axis are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Across {
    /// As numbers of this unit.
    Number(Unit),
    /// As numbers of this unit, drawn by their logarithms to base 10.
    Magnitude(Unit),
    /// As days since 1970.
    Days,
}

impl Across {
    /// A number of the axis, with the given number of decimals.
    pub fn written(self, number: f64, decimals: usize) -> String {
        match self {
            Across::Number(_) => fixed(number, decimals),
            Across::Magnitude(_) => {
                let number = 10_f64.powf(number);
                fixed(number, (-number.log10().floor()).clamp(0.0, 6.0) as usize)
            }
            Across::Days => Day::of((number.max(0.0) * DAY) as u64)
                .map(|day| day.to_string())
                .unwrap_or_default(),
        }
    }
}

/// One row in a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    pub x: f64,
    pub y: f64,
    /// The 95 % interval of the height, where one is known.
    pub interval: Option<(f64, f64)>,
    /// The first number as the table has it.
    pub across: String,
    /// The second number as the table has it.
    pub height: Number,
    pub name: String,
    /// How far it can be believed.
    pub tier: EvidenceTier,
    /// Where it leads, if it is a run.
    pub href: Option<String>,
    pub label: String,
}

/// Which plots a board can have, in the order of [`words::KINDS`].
pub fn kinds(board: &Board) -> Vec<&'static str> {
    let has = |kind: &str| scatter(board, kind).is_some_and(|found| !found.marks.is_empty());
    words::KINDS.iter().map(|(kind, _)| *kind).filter(|kind| has(kind)).collect()
}

/// Columns that say how much a player interacts, by benchmark; the first that is there counts.
const INTERACTION: [&str; 4] = ["interaction_rate", "calls", "vpip", "cooperation"];

/// A plot of the rows at hand; `None` if the board has no such plot.
pub fn scatter(board: &Board, kind: &str) -> Option<Scatter> {
    let find = |key: &str| board.columns.iter().position(|column| column.key == key);
    let (x, y) = match kind {
        "interaction" => (Some(INTERACTION.iter().find_map(|key| find(key))?), 0),
        "cost" => (Some(find("cost")?), 0),
        // How well it knows what it knows, against how much that is.
        "calibration" => (Some(0), find("calibration_error")?),
        "time" => (None, 0),
        _ => return None,
    };
    let y_column = board.columns.get(y)?;
    let x_column = x.and_then(|at| board.columns.get(at));
    let (x_scale, y_scale) =
        (x_column.map_or(1.0, |column| scale(column.unit)), scale(y_column.unit));
    let (x_decimals, y_decimals) = (x.map(|at| decimals(board, at)), decimals(board, y));
    let marks = board.rows.iter().filter_map(|row| {
        let high = cell(row, y)?;
        let (across, x_words, x_text) = match (x, x_column) {
            (Some(at), Some(column)) => {
                let across = cell(row, at)?;
                let text = number::cell(Some(across), column.unit, x_decimals).value;
                (across.value * x_scale, in_words(column, across), text)
            }
            _ => {
                let days = row.published? as f64 / DAY;
                let day = Across::Days.written(days, 0);
                (days, day.clone(), day)
            }
        };
        Some(Mark {
            x: across,
            y: high.value * y_scale,
            interval: high.interval.map(|(low, top)| (low * y_scale, top * y_scale)),
            across: x_text,
            height: number::cell(Some(high), y_column.unit, Some(y_decimals)),
            name: row.name.clone(),
            tier: row.tier,
            href: row.run.as_ref().map(|run| format!("/run/{run}")),
            label: format!(
                "{} ({}): {x_words}; {}",
                row.name,
                words::tier(row.tier),
                in_words(y_column, high)
            ),
        })
    });
    let x_name = x_column.map_or_else(|| words::DAY.to_owned(), |column| column.label.clone());
    Some(Scatter {
        title: format!("{} against {}", y_column.label, within(&x_name)),
        x: x_column.map_or_else(|| words::DAY.to_owned(), named),
        y: named(y_column),
        y_unit: y_column.unit,
        across: x_column.map_or(Across::Days, |column| Across::Number(column.unit)),
        marks: marks.collect(),
        left_out: 0,
    })
}

/// A column's name with its unit.
pub fn named(column: &BoardColumn) -> String {
    match symbol(column.unit) {
        "" => column.label.clone(),
        unit => format!("{}, {unit}", column.label),
    }
}

/// A name within a sentence: the first letter small, unless the first word is an abbreviation.
fn within(name: &str) -> String {
    let first = name.split([' ', ',']).next().unwrap_or_default();
    let is_abbreviation = first.chars().filter(|sign| sign.is_uppercase()).count() > 1;
    let mut signs = name.chars();
    match signs.next() {
        Some(sign) if !is_abbreviation => sign.to_lowercase().chain(signs).collect(),
        _ => name.to_owned(),
    }
}

fn in_words(column: &BoardColumn, cell: Cell) -> String {
    let number = number::cell(Some(cell), column.unit, None);
    let range = number.range.map(|range| format!(" ({range})"));
    format!(
        "{} {}{}{}",
        within(&column.label),
        number.value,
        match number.unit {
            "" => String::new(),
            unit => format!(" {unit}"),
        },
        range.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use turnwise_shared::examples::{GAME, QUESTIONS, WORLDS};
    use turnwise_shared::hash::Digest;
    use turnwise_shared::leaderboard::papers;
    use turnwise_shared::registry::BENCHMARKS;

    use super::*;

    fn paper(name: &str) -> Board {
        let id = BoardId::Paper(name.to_owned());
        let whole = papers(BENCHMARKS).into_iter().find(|whole| whole.head().id == id);
        whole.expect("a board of a paper").board(&View::default())
    }

    #[test]
    fn odd_parts_of_an_address_are_said_and_the_rest_holds() {
        let (view, problem) = read("?sort=cost&order=left&q=gpt+5&nonsense=1");
        assert_eq!(view.sort.as_deref(), Some("cost"));
        assert_eq!(view.words, "gpt 5");
        assert!(problem.is_some_and(|problem| problem.starts_with("order=left")));
        let (view, problem) = read(&format!("q={}", "x".repeat(300)));
        assert_eq!(view, View::default());
        assert!(problem.is_some());
        assert_eq!(read(""), (View::default(), None));
    }

    #[test]
    fn addresses_of_pages_and_files() {
        let id = BoardId::Key(Digest::of("b"));
        let (view, _) = read("q=a b&skip=200");
        assert_eq!(page(&id, &view), format!("/board/{id}?q=a%20b&skip=200"));
        let address = tab("some", &id, &view);
        assert_eq!(address, format!("/boards/some?board={id}&q=a%20b&skip=200"));
        let query = address.trim_start_matches("/boards/some");
        assert_eq!(chosen(query), Some(id.clone()));
        assert_eq!(read(query), (view.clone(), None));
        assert_eq!(chosen("?board=nosuch"), None);
        assert_eq!(file(&id, &view, "csv"), format!("/api/boards/{id}?q=a%20b&format=csv"));
    }

    #[test]
    fn columns_follow_the_view_and_empty_ones_are_left_out() {
        let board = paper(&format!("{WORLDS}-a"));
        let key = |at: &usize| board.columns[*at].key.as_str();
        let shown = columns(&board, &View::default());
        assert_eq!(
            shown.iter().map(key).collect::<Vec<_>>(),
            ["pass_at_1", "pass_easy", "pass_mid", "pass_hard"]
        );
        // Nothing else can be chosen, unless the address says so.
        let there_are = |view: &View| there(&board, view).len();
        assert_eq!(there_are(&View::default()), 4);
        let (view, _) = read("columns=cost,fcr");
        assert_eq!(there_are(&view), 6);
        let shown = columns(&board, &view);
        assert_eq!(shown.iter().map(key).collect::<Vec<_>>(), ["fcr", "cost"]);
        let (view, _) = read("columns=cost&sort=fcr");
        let shown = columns(&board, &view);
        assert_eq!(
            shown.iter().map(key).collect::<Vec<_>>(),
            ["fcr", "cost"],
            "what orders is seen"
        );
    }

    #[test]
    fn marks_stand_where_their_numbers_say() {
        let board = paper(&format!("{QUESTIONS}-full"));
        assert_eq!(kinds(&board), ["interaction", "cost", "calibration"]);
        let plot = scatter(&board, "interaction").expect("it is one of its kinds");
        let gpt = plot.marks.iter().find(|mark| mark.name == "GPT-5").expect("the paper has it");
        assert!((gpt.x - 30.87).abs() < 1e-9 && (gpt.y - 13.73).abs() < 1e-9);
        assert_eq!(gpt.href, None);
        assert_eq!((gpt.across.as_str(), gpt.height.value.as_str()), ("30.87", "13.73"));
        assert!(gpt.label.contains("interaction rate 30.87 %"), "{}", gpt.label);
        assert_eq!(plot.marks.len(), 17);
        assert_eq!(scatter(&board, "nothing"), None);
        let cost = scatter(&board, "cost").expect("it is one of its kinds");
        let log = cost.clone().by_magnitude();
        assert_eq!(log.marks.len() + log.left_out, cost.marks.len());
        for mark in &log.marks {
            let plain = cost.marks.iter().find(|one| one.name == mark.name);
            let plain = plain.expect("it is one of them").x;
            assert!((10_f64.powf(mark.x) - plain).abs() < 1e-9 * plain);
        }
        assert_eq!(log.across.written(-2.0, 0), "0.01");
        assert_eq!(log.across.written(2.0, 0), "100");
        let calibration = scatter(&board, "calibration").expect("it is one of its kinds");
        assert_eq!(
            (calibration.x.as_str(), calibration.y.as_str()),
            ("Accuracy, %", "Calibration error, %")
        );
        let game = paper(&format!("{GAME}-ten-tables"));
        assert_eq!(kinds(&game), ["interaction"]);
        let plot = scatter(&game, "interaction").expect("it is its only kind");
        assert_eq!(plot.title, "bb/100 against VPIP");
        assert_eq!(within("Interaction rate"), "interaction rate");
        assert_eq!(Across::Days.written(20_000.0, 0), "2024-10-04");
    }
}
