//! All rows of a board. It is made once from what is published, and looked at through views.

use std::collections::BTreeMap;

use super::cells::Participant;
use super::key::{fixed, seat_name, title};
use super::order::{listed, place, rated, short, ties};
use super::{View, csv};
use crate::benchmark::Benchmark;
use crate::board::column::Column;
use crate::board::published::{Condition, Paper, PaperRow};
use crate::evidence_tier::EvidenceTier;
use crate::metrics::metric::Better;
use crate::metrics::report::Ranking;
use crate::saturated;
use crate::seat::{Player, Seat};
use crate::spec::Spec;
use crate::wire::boards::{Best, Board, BoardHead, BoardId, BoardRow, Cited, Fixed, Owned};
use crate::wire::publishing::{Entry, Owner};

/// Runs that each owner opened with what a board holds fixed.
pub type OwnerCounts = BTreeMap<Owner, u32>;

/// All rows of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    /// The board without a row of the table; ratings and notes are there.
    board: Board,
    /// Every row: runs in the main order, then those of the paper.
    rows: Vec<BoardRow>,
}

impl Whole {
    /// The board of some runs; `spec` is that of any of them. `None` if their benchmark has no boards.
    pub fn of_runs(
        id: BoardId,
        benchmark: &dyn Benchmark,
        spec: &Spec,
        entries: &[Entry],
        opened: &OwnerCounts,
    ) -> Option<Self> {
        let boards = benchmark.boards()?;
        let columns = boards.columns;
        let mut published: OwnerCounts = BTreeMap::new();
        for owner in entries.iter().filter_map(|entry| entry.owner) {
            *published.entry(owner).or_default() += 1;
        }
        let owned = |owner: Owner| {
            let published = published.get(&owner).copied().unwrap_or(0);
            Owned {
                owner,
                opened: opened.get(&owner).copied().unwrap_or(0).max(published),
                published,
            }
        };
        let mut notes = Vec::new();
        let mut rows: Vec<BoardRow> = entries
            .iter()
            .flat_map(|entry| {
                let places = note_places(&entry.numbers.notes, &mut notes);
                let rows = rows_of(entry, columns, entry.owner.map(owned));
                rows.into_iter().map(move |row| BoardRow { notes: places.clone(), ..row })
            })
            .collect();
        let listed = listed(entries);
        place(&mut rows, &listed);
        let ties = ties(&rows);
        let condition = boards.beside(spec);
        let paper = condition.as_ref().map_or(&[][..], |found| &found.rows);
        let printed: Vec<BoardRow> =
            paper.iter().map(|row| of_paper(row, columns, &mut notes)).collect();
        rows.extend(printed.iter().cloned());
        let mut remarks = Vec::new();
        if condition.is_some() {
            remarks.push(BESIDE.to_owned());
        }
        if !listed.is_empty() {
            remarks.push(UNRANKED.to_owned());
        }
        let (ratings, remark) = rated(entries);
        remarks.extend(remark);
        Some(Whole::new(
            id,
            benchmark,
            (title(benchmark, boards, spec), fixed(benchmark, spec)),
            columns,
            rows,
            Board {
                head: BoardHead {
                    beside: condition.map(|found| BoardId::Paper(found.name)),
                    printed: best(printed.iter(), columns),
                    ..empty(columns).head
                },
                printed,
                ties,
                ratings,
                notes,
                remarks,
                ..empty(columns)
            },
        ))
    }

    /// What a paper printed under one condition; `None` if its benchmark has no boards.
    pub fn of_paper(benchmark: &dyn Benchmark, condition: &Condition) -> Option<Self> {
        let columns = Column::of_table(benchmark.boards()?.columns, condition);
        let mut notes = Vec::new();
        let rows: Vec<BoardRow> =
            condition.rows.iter().map(|row| of_paper(row, &columns, &mut notes)).collect();
        let fixed = condition
            .fixed
            .iter()
            .map(|(what, value)| Fixed { what: (*what).to_owned(), value: value.clone() });
        Some(Whole::new(
            BoardId::Paper(condition.name.clone()),
            benchmark,
            (condition.title.clone(), fixed.collect()),
            &columns,
            rows,
            Board { notes, remarks: condition.remarks.clone(), ..empty(&columns) },
        ))
    }

    fn new(
        id: BoardId,
        benchmark: &dyn Benchmark,
        (title, fixed): (String, Vec<Fixed>),
        columns: &[Column],
        rows: Vec<BoardRow>,
        board: Board,
    ) -> Self {
        let mut tiers: BTreeMap<EvidenceTier, u32> = BTreeMap::new();
        for row in &rows {
            *tiers.entry(row.tier).or_default() += 1;
        }
        let is_paper = matches!(id, BoardId::Paper(_));
        let best = best(rows.iter().filter(|row| row.run.is_some() || is_paper), columns);
        Whole {
            board: Board {
                head: BoardHead {
                    id,
                    benchmark: benchmark.name().to_owned(),
                    benchmark_title: benchmark.title().to_owned(),
                    title,
                    fixed,
                    main: columns[0].told(),
                    rows: tiers,
                    best,
                    newest: rows.iter().filter_map(|row| row.published).max(),
                    paper: benchmark.boards().and_then(|boards| boards.paper).map(cited),
                    ..board.head
                },
                ..board
            },
            rows,
        }
    }

    /// What it is, for lists.
    pub fn head(&self) -> &BoardHead {
        &self.board.head
    }

    /// The board as a view shows it. A column that is not there orders nothing.
    pub fn board(&self, view: &View) -> Board {
        let portion = usize::try_from(view.portion()).unwrap_or(usize::MAX);
        let skip = usize::try_from(view.skip).unwrap_or(usize::MAX);
        Board { skip: view.skip, ..self.shown(view, skip, portion) }
    }

    /// The same with all rows that pass, however many.
    pub fn all(&self, view: &View) -> Board {
        self.shown(view, 0, usize::MAX)
    }

    /// All rows that pass a view, in its order, as comma-separated values.
    pub fn csv(&self, view: &View) -> String {
        let rows = self.candidates(view);
        let found = view.arranged(&rows, &self.board.columns);
        let rows: Vec<&BoardRow> = found.iter().map(|at| rows[*at]).collect();
        csv::table(&self.board, &rows)
    }

    fn shown(&self, view: &View, skip: usize, portion: usize) -> Board {
        let rows = self.candidates(view);
        let found = view.arranged(&rows, &self.board.columns);
        let shown = found.iter().skip(skip).take(portion);
        Board {
            rows: shown.map(|at| rows[*at].clone()).collect(),
            matching: saturated(found.len()),
            total: saturated(rows.len()),
            ..self.board.clone()
        }
    }

    /// The rows that filters choose from: on a board of runs those of its paper only if the view asks for them.
    fn candidates(&self, view: &View) -> Vec<&BoardRow> {
        let is_paper = matches!(self.board.head.id, BoardId::Paper(_));
        let has_paper = is_paper || view.has_paper();
        let rows = self.rows.iter();
        rows.filter(|row| has_paper || row.run.is_some()).collect()
    }
}

/// The best of some rows by the main number, ranked ones before others.
fn best<'a>(rows: impl Iterator<Item = &'a BoardRow>, columns: &[Column]) -> Option<Best> {
    let is_less = columns.first().is_some_and(|main| main.metric.better == Better::Less);
    rows.filter_map(|row| Some((row, row.cells.first().copied().flatten()?)))
        .max_by(|(row, one), (other_row, other)| {
            let ranked = row.place.is_some().cmp(&other_row.place.is_some());
            let more = one.value.total_cmp(&other.value);
            ranked.then(if is_less { more.reverse() } else { more })
        })
        .map(|(row, cell)| Best {
            name: row.name.clone(),
            tier: row.tier,
            cell,
            run: row.run.clone(),
            owner: row.owner.map(|owned| owned.owner),
        })
}

fn cited(paper: Paper) -> Cited {
    Cited {
        title: paper.title.to_owned(),
        authors: paper.authors.to_owned(),
        year: paper.year,
        address: paper.address.to_owned(),
    }
}

/// The boards of papers, in the order of benchmarks and papers.
pub fn papers(benchmarks: &[&dyn Benchmark]) -> Vec<Whole> {
    let of_one = |benchmark: &&dyn Benchmark| -> Vec<Whole> {
        let published = benchmark.boards().map(|boards| (boards.published)());
        let conditions = published.unwrap_or_default();
        let papers = conditions.iter();
        papers.filter_map(|condition| Whole::of_paper(*benchmark, condition)).collect()
    };
    benchmarks.iter().flat_map(of_one).collect()
}

const UNRANKED: &str = "Self-reported runs are listed, and rest on the word of whoever sent them: they have no place and count in no \
     rating, nor have the built-in players that met them there.";

const BESIDE: &str = "The paper's rows are never ranked with runs: their tasks, search engines, graders and prompts were others.";

fn empty(columns: &[Column]) -> Board {
    let main = columns[0].told();
    Board {
        head: BoardHead {
            id: BoardId::Paper(String::new()),
            benchmark: String::new(),
            benchmark_title: String::new(),
            title: String::new(),
            fixed: Vec::new(),
            main,
            rows: BTreeMap::new(),
            best: None,
            newest: None,
            paper: None,
            beside: None,
            printed: None,
        },
        columns: columns.iter().map(Column::told).collect(),
        rows: Vec::new(),
        printed: Vec::new(),
        matching: 0,
        total: 0,
        skip: 0,
        ties: Vec::new(),
        ratings: Vec::new(),
        notes: Vec::new(),
        remarks: Vec::new(),
    }
}

/// The rows of a run: one, or in games one for each participant. A built-in participant is a baseline in whatever run it
/// plays: its own moves are always computed again. Whether its row has a place is a question of the run all the same, because
/// what it won follows from the moves of others.
fn rows_of(entry: &Entry, columns: &[Column], owner: Option<Owned>) -> Vec<BoardRow> {
    let row = |name: String, who: String, seat: Option<Seat>, n, cells| BoardRow {
        name,
        who,
        tier: entry.tier,
        run: Some(entry.run.clone()),
        seat,
        title: entry.title.clone(),
        owner,
        published: Some(entry.published),
        n: Some(n),
        place: None,
        cells,
        source: None,
        notes: Vec::new(),
    };
    match entry.numbers.rankings.first() {
        Some(ranking) => ranking
            .rows
            .iter()
            .map(|one| {
                let seat = seat_of(entry, ranking, &one.name, &one.who);
                let participant = Some(Participant { row: one, ranking, seat: seat.as_ref() });
                let cells = columns.iter();
                let cells = cells.map(|column| column.cell(entry, participant)).collect();
                let own = row(one.name.clone(), one.who.clone(), seat, one.n, cells);
                match one.who.parse() {
                    Ok(Player::Bot(_)) => BoardRow { tier: EvidenceTier::Baseline, ..own },
                    _ => own,
                }
            })
            .collect(),
        None => {
            let player = entry.players.values().next();
            let cells = columns.iter().map(|column| column.cell(entry, None));
            vec![row(
                player.map(short).unwrap_or_default(),
                player.map(Player::to_string).unwrap_or_default(),
                None,
                entry.numbers.plays,
                cells.collect(),
            )]
        }
    }
}

/// In which seat a participant sat, where that is certain: no other row has the same player, or the name says the seat.
fn seat_of(entry: &Entry, ranking: &Ranking, name: &str, who: &str) -> Option<Seat> {
    let sat = || entry.players.iter().filter(|(_, player)| player.to_string() == who);
    let alike = ranking.rows.iter().filter(|row| row.who == who).count();
    match alike {
        1 => sat().next().map(|(seat, _)| seat.clone()),
        _ => sat()
            .map(|(seat, _)| seat)
            .find(|seat| name.ends_with(&format!("({seat})")) || name.ends_with(&seat_name(seat)))
            .cloned(),
    }
}

/// Where these notes stand among those that are known; new ones are added.
fn note_places(notes: &[impl AsRef<str>], known: &mut Vec<String>) -> Vec<u32> {
    let mut places: Vec<u32> = notes
        .iter()
        .map(|note| {
            let note = note.as_ref();
            let at = known.iter().position(|one| one == note);
            let at = at.unwrap_or_else(|| {
                known.push(note.to_owned());
                known.len() - 1
            });
            saturated(at)
        })
        .collect();
    places.sort_unstable();
    places
}

fn of_paper(row: &PaperRow, columns: &[Column], known: &mut Vec<String>) -> BoardRow {
    let notes = note_places(&row.notes, known);
    BoardRow {
        name: row.name.clone(),
        who: String::new(),
        tier: EvidenceTier::Published,
        run: None,
        seat: None,
        title: String::new(),
        owner: None,
        published: None,
        n: row.n,
        place: None,
        cells: columns.iter().map(|column| row.cells.get(column.key).copied()).collect(),
        source: Some(row.source.clone()),
        notes,
    }
}
