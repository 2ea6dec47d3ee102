//! `turnwise grid`: every combination of players, judges, engines and settings over the same tasks, a run each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgAction, Args};
use serde_json::json;

use turnwise_backend::driver::Finish;
use turnwise_backend::outbound::budget::journal::{self, JOURNAL_FILE};
use turnwise_backend::run_folder;
use turnwise_shared::compare::{Crossed, Entrant, MOST_CELLS, crossed, evaluated};
use turnwise_shared::prelude::*;
use turnwise_shared::run::estimate::{Estimate, estimate};
use turnwise_shared::wire::budgets::Kind;

use super::out::{self, say, say_err};
use super::outside::Connections;
use super::run::{self, Plan, drive};
use super::searched::Searched;
use super::seats::ForSeat;
use super::trouble::with_path;
use super::{Status, table};

/// What the whole grid may spend, in its folder.
const CAPS_FILE: &str = "grid.json";

/// The longest name of a run's folder.
const LONGEST: usize = 200;

/// Run every combination of players, judges, engines and settings over the same tasks
///
/// Each combination is a run in a folder of its own below --out. The report has the number and the turns of each run, the players'
/// means, Kendall's tau between the orders of the players, and who changes places.
#[derive(Debug, Args)]
#[group(skip)]
#[command(mut_args = of_a_grid, after_help = "\
Every other flag of `turnwise run` holds for all runs, e.g. --rounds, --repeats or --max-tokens; see `turnwise run --help`. Exit \
status: as of `turnwise run`.")]
pub struct Arguments {
    #[command(flatten)]
    pub run: run::Arguments,

    /// Only say which runs there are, how many episodes they have, and how many calls they make at most
    #[arg(long)]
    plan: bool,

    /// Print JSON for programs. Rates are fractions from 0 to 1
    #[arg(long)]
    json: bool,
}

/// The flags of `turnwise run` as a grid has them; those that are the same for all of its runs are not listed again.
fn of_a_grid(flag: Arg) -> Arg {
    match flag.get_id().as_str() {
        "seat" => flag.help(
            "Who sits in a seat, as for `turnwise run`. Given several times for a seat, each is combined with everything else; \
             judge+grader=WHO puts the same into both seats",
        ),
        "search" => flag.action(ArgAction::Append).help(
            "Who is searched, as for `turnwise run`. Several engines are combined with everything else",
        ),
        "set" => flag.help(
            "Another setting. Several values (lang=zh,en) are combined with everything else; a list in brackets is one value",
        ),
        "cap_usd" => flag.help(
            "Money in US dollars that all runs may spend together, as --cap-tokens, --cap-calls and --cap-seconds. Caps stand in \
             grid.json and hold after --resume; `none` takes one away",
        ),
        "out" => flag.help("The folder of the grid, with a folder for each run"),
        "resume" => flag.help(
            "Go on with the grid in --out, with the same flags: what is there is neither played nor paid again. More players or \
             judges may be added",
        ),
        "benchmark" | "tasks" | "limit" | "data" | "plan" | "json" | "help" => flag,
        _ => flag.hide(true),
    }
}

/// One of several that are combined with everything else.
#[derive(Clone)]
enum Choice {
    Seats(ForSeat<Player>),
    Search(Searched),
    Set(String),
}

/// A run of the grid.
struct Cell {
    name: String,
    flags: run::Arguments,
}

/// Runs a grid.
///
/// # Errors
/// If the flags make no grid, or a run cannot be driven.
pub fn grid(arguments: Arguments) -> Result<Status> {
    let Arguments { run: flags, plan: is_plan, json } = arguments;
    if flags.benchmark.is_none() {
        bail!("give --benchmark, and with --resume all flags of the grid");
    }
    let out = flags.out.clone();
    let caps_file = out.join(CAPS_FILE);
    let before: Option<Caps> = match std::fs::read(&caps_file) {
        Ok(_) if !flags.resume && !is_plan => {
            return Err(with_path(&out, "there is a grid in it; --resume goes on with it"));
        }
        Ok(text) => Some(serde_json::from_slice(&text).map_err(|why| with_path(&caps_file, why))?),
        Err(_) => None,
    };
    let caps = flags.driving.caps().over(&before.unwrap_or_default());
    let cells = cells(&flags)?;
    let mut connections = Connections::new(flags.data.clone())?;
    let plan =
        |cell: &Cell| Plan::from_flags(&cell.flags, None, &mut connections)?.named(&cell.flags);
    let plans: Vec<Plan> = cells.iter().map(plan).collect::<Result<_, _>>()?;
    say_plan(&cells, &plans)?;
    drop(plans);
    if is_plan {
        return Ok(Status::Done);
    }
    std::fs::create_dir_all(&out).map_err(|why| with_path(&out, why))?;
    std::fs::write(&caps_file, json!(caps).to_string())
        .map_err(|why| with_path(&caps_file, why))?;
    let count = cells.len();
    let mut whole = 0;
    let mut found: Vec<(String, Spec, Vec<Summary>)> = Vec::new();
    // All runs have the date of the first, however long it took.
    let mut first = None;
    for Cell { name, mut flags } in cells {
        say_err!("run {} of {count}: {name}", found.len() + 1);
        flags.driving = flags.driving.capped(&left(&caps, &out, &name)?);
        let begun = run_folder::run_file(&flags.out)?;
        // What a run needs is opened while it is planned.
        let mut connections = Connections::new(flags.data.clone())?;
        let dated = begun.as_ref().or(first.as_ref());
        let plan = Plan::from_flags(&flags, dated, &mut connections)?.named(&flags)?;
        let folder = flags.out.clone();
        let driven = drive(flags, plan, begun, connections)?;
        if first.is_none() {
            first = run_folder::run_file(&folder)?;
        }
        whole += usize::from(driven.recorder.conclude(&driven.run, driven.finish) == Status::Done);
        found.push((name, driven.run.spec().clone(), driven.recorder.episodes()));
        let is_spent = |class| class == FailureClass::BudgetExhausted;
        if driven.finish == Finish::Stopped
            || driven.run.halt().is_some_and(|halt| is_spent(halt.class))
        {
            break;
        }
    }
    match report(&found) {
        Ok(crossed) if json => out::json(&crossed.report().record)?,
        Ok(crossed) => {
            let report = crossed.report();
            report.matrices.iter().for_each(|one| out::text(table::matrix(one)));
            out::text(table::report(&report));
            report.verdicts.iter().for_each(|verdict| say!("{verdict}"));
        }
        Err(why) if whole < count => say_err!("there is no report yet: {why}"),
        Err(why) => return Err(why),
    }
    if whole == count {
        return Ok(Status::Done);
    }
    say_err!(
        "{} of {count} runs are not complete; go on with the same command and --resume",
        count - whole
    );
    Ok(Status::Incomplete)
}

/// Every combination, each as the flags of its run.
fn cells(flags: &run::Arguments) -> Result<Vec<Cell>> {
    let mut axes: BTreeMap<String, Vec<Choice>> = BTreeMap::new();
    let mut add = |axis: String, choice| axes.entry(axis).or_default().push(choice);
    for seat in &flags.seat {
        add(format!("1 {}", seat.seat), Choice::Seats(seat.clone()));
    }
    for searched in &flags.search {
        add("2".to_owned(), Choice::Search(searched.clone()));
    }
    for set in &flags.set {
        let (name, values) = set.split_once('=').unwrap_or((set, ""));
        // A list or an object is one value.
        let is_one = values.starts_with(['[', '{', '"']) || values.is_empty();
        let values = if is_one { vec![values] } else { values.split(',').collect() };
        for value in values {
            add(format!("3 {name}"), Choice::Set(format!("{name}={value}")));
        }
    }
    let mut combined: Vec<Vec<&Choice>> = vec![Vec::new()];
    for axis in axes.values() {
        let cells = combined
            .iter()
            .flat_map(|cell| axis.iter().map(move |choice| [cell.as_slice(), &[choice]].concat()));
        combined = cells.collect();
        if combined.len() > MOST_CELLS {
            bail!("a grid has at most {MOST_CELLS} runs");
        }
    }
    if combined.len() < 2 {
        bail!(
            "these flags make one run; give --seat for one seat, --search or a value of --set several times"
        );
    }
    let cells: Vec<Cell> = combined.iter().map(|choices| cell(flags, choices)).collect();
    let mut names = BTreeSet::new();
    match cells.iter().find(|cell| !names.insert(&cell.name)) {
        Some(twice) => Err(anyhow!(
            "two runs would have the same folder, {}: give nothing twice, and nothing that differs in signs alone",
            twice.name
        )),
        None => Ok(cells),
    }
}

fn cell(flags: &run::Arguments, choices: &[&Choice]) -> Cell {
    let mut flags =
        run::Arguments { seat: Vec::new(), search: Vec::new(), set: Vec::new(), ..flags.clone() };
    let mut words = Vec::new();
    for choice in choices {
        match choice {
            Choice::Seats(ForSeat { seat, value }) => {
                words.push(format!("{seat}={value}"));
                let seats = seat.as_str().split('+').map(str::trim);
                flags
                    .seat
                    .extend(seats.map(|seat| ForSeat { seat: seat.into(), value: value.clone() }));
            }
            Choice::Search(searched) => {
                words.push(format!("search={searched}"));
                flags.search.push(searched.clone());
            }
            Choice::Set(set) => {
                words.push(set.clone());
                flags.set.push(set.clone());
            }
        }
    }
    let sign = |sign: char| match sign {
        _ if sign.is_alphanumeric() || "=+,._-".contains(sign) => sign,
        _ => '-',
    };
    let name: String = words.join(",").chars().map(sign).take(LONGEST).collect();
    flags.out = flags.out.join(&name);
    Cell { name, flags }
}

/// Says which runs there are, and how many calls that may cost something they make at most.
fn say_plan(cells: &[Cell], plans: &[Plan]) -> Result<()> {
    let mut all = Estimate::default();
    let mut notes = BTreeSet::new();
    for plan in plans {
        let benchmark = registry::find(&plan.spec.benchmark)?;
        evaluated(benchmark)?;
        benchmark.check_spec(&plan.spec)?;
        let own = estimate(&plan.spec, benchmark, &plan.tasks.set)?;
        all.plays += own.plays;
        for (who, most) in own.most_calls {
            *all.most_calls.entry(who).or_default() += most;
        }
        notes.extend(&plan.notes);
    }
    notes.iter().for_each(|note| say_err!("note: {note}"));
    cells.iter().for_each(|cell| say_err!("{}", cell.name));
    let calls = all.most_calls.iter().map(|(who, most)| format!(", at most {most} calls of {who}"));
    say_err!("{} runs, {} episodes{}", cells.len(), all.plays, calls.collect::<String>());
    Ok(())
}

/// What the other runs of the folder leave of these caps.
fn left(caps: &Caps, out: &Path, name: &str) -> Result<Caps> {
    let (mut spent, mut driven) = (Spent::default(), Duration::ZERO);
    for entry in std::fs::read_dir(out)? {
        let entry = entry?;
        let path = entry.path().join(JOURNAL_FILE);
        if entry.file_name() != name && path.exists() {
            let (own, time) = journal::spent(&path).map_err(|why| with_path(&path, why))?;
            spent = spent.plus(own);
            driven += time;
        }
    }
    let mut left = caps.clone();
    let spent = [spent.money, spent.tokens, spent.calls, driven.as_secs()];
    for (kind, spent) in Kind::ALL.into_iter().zip(spent) {
        kind.set(&mut left, kind.cap(caps).map(|cap| cap.saturating_sub(spent)));
    }
    Ok(left)
}

fn report(found: &[(String, Spec, Vec<Summary>)]) -> Result<Crossed> {
    let mut entrants = Vec::with_capacity(found.len());
    for (name, spec, episodes) in found {
        let benchmark = registry::find(&spec.benchmark)?;
        entrants.push(Entrant { name, benchmark, spec, episodes });
    }
    Ok(crossed(&entrants)?)
}
