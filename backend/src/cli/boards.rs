//! `turnwise boards`: the leaderboards of this server, for its operator.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::Args;

use turnwise_backend::boards::{self, Names};
use turnwise_backend::config::{Config, Environment, Given};
use turnwise_shared::board::column::Shown;
use turnwise_shared::leaderboard::{View, Whole};
use turnwise_shared::metrics::number::Cell;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::boards::BoardRow;

use super::Status;
use super::out::{json, say, text};
use super::stored::stored;
use super::table::{aligned, value};

/// Digits of a board's id in the list; as many as are needed to name one.
const DIGITS: usize = 12;

/// List the leaderboards, or show one
#[derive(Debug, Args)]
#[command(after_help = "\
Without BOARD all boards are listed: those of published runs, then those that papers printed. BOARD may be the beginning of an id. \
The database is read beside a server that runs.")]
pub struct Arguments {
    /// The board to show: its id, or the beginning of it
    #[arg(value_name = "BOARD")]
    board: Option<String>,

    /// Print JSON, as the service does: fractions 0 to 1, unrounded
    #[arg(long)]
    json: bool,

    /// Print comma-separated values: all rows, unrounded
    #[arg(long, conflicts_with = "json", requires = "board")]
    csv: bool,

    /// What to show, as in the address of the board's page, e.g. "sort=cost&standing=verified"
    #[arg(long, value_name = "QUERY", requires = "board")]
    view: Option<String>,

    /// The folder of the database. Default: turnwise-data
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Lists or shows.
///
/// # Errors
/// If the configuration is wrong, the database cannot be read, or there is no such board.
pub fn boards(arguments: Arguments) -> Result<Status> {
    let given = Given { addr: None, data: arguments.data.clone() };
    let config = Config::load(given, &Environment::of_process())?;
    let view = match &arguments.view {
        Some(query) => {
            let parts: Vec<(&str, &str)> = query
                .trim_start_matches('?')
                .split('&')
                .filter_map(|part| part.split_once('='))
                .collect();
            View::of(parts)?
        }
        None => View::default(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (heads, whole) = runtime.block_on(async {
        let store = stored(&config).await?;
        let names = Arc::new(Names::default());
        let heads = boards::heads(&store, &names).await?;
        let whole = match &arguments.board {
            Some(wanted) => {
                let id = named(wanted, &heads)?;
                boards::whole(&store, &id, &names).await?
            }
            None => None,
        };
        store.close().await;
        anyhow::Ok((heads, whole))
    })?;
    match whole {
        None if arguments.json => json(&heads)?,
        None => list(&heads),
        Some(whole) => show(&whole, &view, &arguments)?,
    }
    Ok(Status::Done)
}

/// The one board whose id begins so.
fn named(wanted: &str, heads: &[BoardHead]) -> Result<BoardId> {
    let found: Vec<&BoardHead> =
        heads.iter().filter(|head| head.id.to_string().starts_with(wanted)).collect();
    let exact = found.iter().find(|head| head.id.to_string() == wanted);
    match (exact, found.as_slice()) {
        (Some(head), _) | (None, [head]) => Ok(head.id.clone()),
        (None, []) => Err(anyhow!("there is no board {wanted}; turnwise boards lists them")),
        (None, several) => {
            Err(anyhow!("{} boards begin with {wanted}; name more of the id", several.len()))
        }
    }
}

fn list(heads: &[BoardHead]) {
    let mut lines =
        vec![["board", "benchmark", "condition", "rows", "best", ""].map(str::to_owned).to_vec()];
    for head in heads {
        let id = head.id.to_string();
        let short = match head.id {
            BoardId::Key(_) => id.chars().take(DIGITS).collect(),
            BoardId::Paper(_) => id,
        };
        let rows: Vec<String> = head
            .rows
            .iter()
            .map(|(tier, count)| format!("{count} {}", tier.name().replace('_', "-")))
            .collect();
        let best = head.best.as_ref();
        lines.push(vec![
            short,
            head.benchmark.clone(),
            head.title.clone(),
            rows.join(", "),
            best.map(|best| best.name.clone()).unwrap_or_default(),
            best.map(|best| cell(Some(best.cell), head.main.unit)).unwrap_or_default(),
        ]);
    }
    text(aligned(&lines));
}

fn show(whole: &Arc<Whole>, view: &View, arguments: &Arguments) -> Result<()> {
    if arguments.csv {
        text(whole.csv(view));
        return Ok(());
    }
    let board = whole.all(view);
    if arguments.json {
        json(&board)?;
        return Ok(());
    }
    let head = &board.head;
    say!("{}: {}", head.benchmark_title, head.title);
    for fixed in &head.fixed {
        say!("  {}: {}", fixed.what, fixed.value);
    }
    if !board.ratings.is_empty() {
        say!("Ratings over all runs:");
        text(aligned(&ratings(&board)));
    }
    text(aligned(&rows(&board, view)));
    for tie in &board.ties {
        say!("cannot be told apart: {}", tie.names.join(", "));
    }
    let named: BTreeSet<u32> = board.rows.iter().flat_map(|row| row.notes.clone()).collect();
    for (at, note) in (0..).zip(&board.notes) {
        if named.contains(&at) {
            say!("[{}] {note}", at + 1);
        }
    }
    if let (Some(paper), false) = (&head.paper, board.rows.iter().all(|row| row.run.is_some())) {
        let (authors, year) = (&paper.authors, paper.year);
        say!("from: {authors} ({year}), {}, {}", paper.title, paper.address);
    } else if !board.printed.is_empty() {
        let rows = board.printed.len();
        say!("note: --view paper=1 shows the {rows} rows of the paper, too.");
    }
    for remark in &board.remarks {
        say!("note: {remark}");
    }
    Ok(())
}

fn ratings(board: &Board) -> Vec<Vec<String>> {
    let head = ["place", "player", "rating", "runs", "n"].map(str::to_owned);
    let lines = board.ratings.iter().map(|rated| {
        vec![
            place(rated.place),
            rated.name.clone(),
            cell(rated.rating, board.head.main.unit),
            rated.runs.to_string(),
            rated.n.to_string(),
        ]
    });
    std::iter::once(head.to_vec()).chain(lines).collect()
}

fn rows(board: &Board, view: &View) -> Vec<Vec<String>> {
    let shown: Vec<usize> = (0..board.columns.len())
        .filter(|at| match view.columns.is_empty() {
            true => board.columns[*at].shown == Shown::First,
            false => view.columns.contains(&board.columns[*at].key),
        })
        .collect();
    let mut head = vec!["place".to_owned(), "who".to_owned()];
    head.extend(shown.iter().map(|at| board.columns[*at].label.clone()));
    head.extend(["n", "evidence tier", "run or source"].map(str::to_owned));
    let line = |row: &BoardRow| {
        let mut line = vec![place(row.place), row.name.clone()];
        for at in &shown {
            let number = row.cells.get(*at).copied().flatten();
            line.push(cell(number, board.columns[*at].unit));
        }
        line.push(row.n.map(|n| n.to_string()).unwrap_or_default());
        line.push(row.tier.name().replace('_', "-"));
        let notes: Vec<String> = row.notes.iter().map(|at| format!("[{}]", at + 1)).collect();
        let run = row.run.as_ref().map(ToString::to_string);
        let from = run.or_else(|| row.source.clone()).unwrap_or_default();
        line.push(format!("{from} {}", notes.concat()).trim_end().to_owned());
        line
    };
    std::iter::once(head).chain(board.rows.iter().map(line)).collect()
}

fn place(place: Option<(u32, u32)>) -> String {
    match place {
        None => String::new(),
        Some((best, worst)) if best == worst => best.to_string(),
        Some((best, worst)) => format!("{best}-{worst}"),
    }
}

fn cell(cell: Option<Cell>, unit: Unit) -> String {
    let Some(cell) = cell else {
        return "–".to_owned();
    };
    let number = match cell.printed {
        Some(decimals) => printed(cell.value, usize::from(decimals), unit),
        None => value(cell.value, unit),
    };
    match cell.interval {
        None => number,
        Some((low, high)) => format!("{number} ({} to {})", value(low, unit), value(high, unit)),
    }
}

/// A number with the decimals with which a paper prints it.
fn printed(number: f64, decimals: usize, unit: Unit) -> String {
    match unit {
        Unit::Fraction => format!("{:.decimals$} %", number * 100.0),
        Unit::Count => format!("{number:.decimals$}"),
        Unit::Dollars => format!("${number:.decimals$}"),
        Unit::Tokens => format!("{number:.decimals$} tokens"),
        Unit::Chips => format!("{number:+.decimals$} chips"),
        Unit::Number => format!("{number:+.decimals$}"),
        Unit::Points => format!("{:+.decimals$} points", number * 100.0),
        Unit::Chance => format!("{number:.decimals$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_papers_print_keeps_its_digits() {
        let number = |value, printed, unit| {
            let interval = None;
            cell(Some(Cell { value, interval, printed }), unit)
        };
        assert_eq!(number(0.819, Some(1), Unit::Fraction), "81.9 %");
        assert_eq!(number(1.867, Some(3), Unit::Number), "+1.867");
        assert_eq!(number(1.867, None, Unit::Number), "+1.87");
        assert_eq!(number(115.47, Some(2), Unit::Dollars), "$115.47");
    }
}
