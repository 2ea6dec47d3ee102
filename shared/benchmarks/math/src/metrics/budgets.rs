//! An interactive and a direct run side by side, at equal budgets (specification 3.d).

use serde::Serialize;
use serde_json::json;
use turnwise_core::metrics::number::shown;
use turnwise_core::metrics::report::{BudgetPlot, EqualBudget};
use turnwise_core::metrics::spread::mean;
use turnwise_core::prelude::*;

use super::{
    Currency, Play, Problems, caption, differences, matched_k, mean_of_all, pass_curve, problems,
    samples, scored, solved_by, tokens, tokens_until,
};
use crate::numbers::GAP;
use crate::settings::{Mode, Settings};

/// One currency of a match.
#[derive(Debug, Clone, Serialize)]
struct Matched {
    currency: Currency,
    /// Mean tokens of an interactive episode and of one sample, over the problems of both runs.
    interactive: Option<f64>,
    sample: Option<f64>,
    ratio: Option<f64>,
    k: u32,
    problems: usize,
    /// Problems behind pass@k and gap: those with a verdict on both sides.
    compared: usize,
    /// pass@k: the first k samples; absent if there are fewer.
    pass: Option<f64>,
    gap: Option<f64>,
    gap_interval: Option<(f64, f64)>,
}

/// Compares interactive or guess-only runs with a direct run of the same player, at equal budgets; `None` without both.
///
/// # Errors
/// If the players differ, or several runs are direct.
pub fn compare(runs: &[(&Spec, &[Summary])]) -> Result<Option<Report>, BadSpec> {
    let mut arms: [Vec<(&Spec, &[Summary], Settings)>; 2] = Default::default();
    for (spec, summaries) in runs {
        let settings = Settings::read(spec)?;
        arms[usize::from(settings.mode == Mode::Direct)].push((*spec, *summaries, settings));
    }
    let [others, direct] = arms;
    let (direct, samples) = match &direct[..] {
        [(spec, summaries, _)] if !others.is_empty() => (*spec, scored(*summaries)),
        [] | [_] => return Ok(None),
        _ => {
            return Err(BadSpec::new(
                "settings.mode",
                "two of the runs are direct; compare with one of them",
            ));
        }
    };
    let samples = problems(&samples);
    let sitting = |spec: &Spec| spec.seats.get(&Seat::new(Seat::PLAYER)).cloned();
    let player = |spec: &Spec| sitting(spec).map(|sitting| sitting.player.to_string());
    let mut report = Report::default();
    let mut records = Vec::new();
    for (spec, summaries, settings) in others {
        if player(spec) != player(direct) {
            let problem = "the runs have different players; budgets are matched for one player";
            return Err(BadSpec::new("seats.player", problem));
        }
        let name = if settings.mode == Mode::GuessOnly { "guess only" } else { "interactive" };
        let plays = scored(summaries);
        let plays = problems(&plays);
        let matched = match_budgets(&plays, &samples, spec.profile);
        for one in &matched {
            let label = one.currency.metric().label;
            report.remarks.extend(match one.pass {
                None if one.ratio.is_some() => Some(format!(
                    "{name}, {label}: run direct with {} repeats to compare at equal budgets.",
                    one.k
                )),
                Some(_) if one.compared < one.problems => Some(format!(
                    "{name}, {label}: pass@{} and gap are over {} of {} problems; of the others a verdict is missing. Tokens are \
                     over all.",
                    one.k, one.compared, one.problems
                )),
                _ => None,
            });
            report.headline.push(Figure {
                key: format!("{name} {}", one.currency.key()),
                label: format!("{name} − pass@{}, by {label}", one.k),
                interval: one.gap_interval,
                ..GAP.of(one.gap)
            });
        }
        if let Some(matched) = matched.iter().find(|one| one.ratio.is_some()) {
            report.verdicts.push(verdict(name, matched, direct.repeats));
            report.budgets.extend(budget_plot(name, &plays, settings.rounds, &samples, matched));
        }
        report.tables.push(table(name, &matched));
        records.push(json!({ "mode": name, "rounds": settings.rounds, "currencies": matched }));
        report.remarks.push(match sitting(spec) == sitting(direct) {
            true => format!("{name}: both arms sample the player alike."),
            false => format!("{name}: the arms sample the player differently, so the gap is not that of the budget alone."),
        });
    }
    report.record =
        json!({ "schema": "turnwise-math-match/1", "player": player(direct), "runs": records });
    Ok(Some(report))
}

/// Which is better at an equal budget, in a sentence; or how many samples it takes to say.
fn verdict(name: &str, matched: &Matched, samples: u32) -> String {
    let pass = format!("pass@{}", matched.k);
    let at = format!("At the same budget ({})", matched.currency.metric().label);
    let Some(gap) = matched.gap else {
        return format!(
            "{at} nothing can be said yet: it pays for {} direct answers a problem, and the direct run has {samples}.",
            matched.k
        );
    };
    let is_turned = gap < 0.0;
    let (better, worse) = if is_turned { (pass.as_str(), name) } else { (name, pass.as_str()) };
    let interval =
        matched.gap_interval.map(|(low, high)| if is_turned { (-high, -low) } else { (low, high) });
    let by = shown(Some(gap.abs()), interval, Unit::Points);
    let plain = |number: &str| number.replace('+', "");
    let range = by.range.as_deref().map(|range| format!(" (95 % interval {})", plain(range)));
    let by = format!("{} points{}", plain(&by.value), range.unwrap_or_default());
    match interval {
        _ if gap == 0.0 => format!("{at}, {name} and {pass} are equally good on average."),
        Some((low, _)) if low > 0.0 => format!("{at}, {better} is better than {worse} by {by}."),
        _ => {
            format!("{at}, {name} and {pass} cannot be told apart yet: {better} is ahead by {by}.")
        }
    }
}

/// The first repeat of each problem.
fn first_of<'b, 'a>(problems: &Problems<'b, 'a>) -> impl Iterator<Item = (&'b str, &'b Play<'a>)> {
    problems.iter().filter_map(|(task, plays)| Some((*task, *plays.values().next()?)))
}

/// What tokens buy: rounds of a run that asks or guesses, answers of the direct one, over the problems that both have.
fn budget_plot(
    name: &str,
    plays: &Problems<'_, '_>,
    rounds: u32,
    direct: &Problems<'_, '_>,
    matched: &Matched,
) -> Option<BudgetPlot> {
    let (currency, spent, sample) = (matched.currency, matched.interactive?, matched.sample?);
    let mut samples = samples(direct);
    samples.retain(|task, _| plays.contains_key(task));
    let common: Vec<(&str, &Play<'_>)> =
        first_of(plays).filter(|(task, _)| samples.contains_key(task)).collect();
    let point = |x: f64, right: &dyn Fn(&Play<'_>) -> Option<bool>| {
        let known = common.iter().filter_map(|(task, play)| Some((task, right(play)?)));
        Some(Point { x, n: None, ..Share::of(known).point(0)? })
    };
    let reached = |round: u32| {
        let spent = common.iter().map(|(_, play)| tokens_until(play, round, currency));
        point(mean_of_all(spent)?, &|play| solved_by(play, round))
    };
    let mut steps: Vec<Point> = (1..=rounds).filter_map(reached).collect();
    // Rounds after the end of all episodes cost and bring nothing.
    steps.dedup_by(|later, kept| later.x == kept.x);
    if steps.is_empty() {
        steps.extend(point(spent, &|play| play.right()));
    }
    let passes = pass_curve(&samples).into_iter().map(|one| Point {
        interval: one.first_interval,
        ..Point::at(f64::from(one.k) * sample, one.first)
    });
    let equal = matched.pass.zip(matched.gap).map(|(pass, gap)| EqualBudget {
        name: format!("{name} − pass@{}", matched.k),
        x: spent,
        one: pass + gap,
        other: pass,
        interval: matched.gap_interval,
    });
    let mut caption = caption("tokens");
    caption.title = format!("What tokens buy: {name} and pass@k");
    caption.about = format!(
        "Steps: rounds of the {name} run, by what the player had spent on a problem until their end. Line: 1, 2, … direct answers."
    );
    caption.columns[0].label = format!("{} a problem", currency.metric().label);
    Some(BudgetPlot {
        plot: caption.plot([Curve::new(name, steps), Curve::new("pass@k", passes)]),
        steps: vec![0],
        equal: equal.into_iter().collect(),
    })
}

/// Whether one of the first k samples is right; `None` if there are fewer, or that hangs on one without a score.
fn passes<'a>(samples: impl ExactSizeIterator<Item = &'a &'a Play<'a>>, k: u32) -> Option<bool> {
    let k = usize::try_from(k).ok().filter(|k| *k <= samples.len())?;
    let first: Vec<Option<bool>> = samples.take(k).map(|play| play.right()).collect();
    (first.contains(&Some(true)) || !first.contains(&None)).then(|| first.contains(&Some(true)))
}

/// Matches budgets over the problems that both runs have; the first repeat of an interactive run counts.
fn match_budgets(
    interactive: &Problems<'_, '_>,
    direct: &Problems<'_, '_>,
    profile: Profile,
) -> Vec<Matched> {
    let first = || first_of(interactive).filter_map(|(task, play)| Some((play, direct.get(task)?)));
    let match_one = |currency: Currency| {
        let spent = first().filter_map(|(play, samples)| {
            let of_samples = samples.values().map(|sample| tokens(sample, currency));
            Some((tokens(play, currency)?, mean_of_all(of_samples)?))
        });
        let (of_episodes, of_samples): (Vec<f64>, Vec<f64>) = spent.unzip();
        let problems = of_episodes.len();
        let (interactive, sample) = (mean(of_episodes), mean(of_samples));
        let ratio =
            interactive.zip(sample.filter(|sample| *sample > 0.0)).map(|(one, other)| one / other);
        let k = ratio.map_or(1, |ratio| matched_k(ratio, profile));
        let pairs = first().filter_map(|(play, samples)| {
            let passed = passes(samples.values(), k)?;
            Some((play.task.as_str(), play.summary.score?, f64::from(passed)))
        });
        let pairs: Vec<(&str, f64, f64)> = pairs.collect();
        let gap = differences(&pairs);
        Matched {
            currency,
            interactive,
            sample,
            ratio,
            k,
            problems,
            compared: pairs.len(),
            pass: mean(pairs.iter().map(|pair| pair.2)),
            gap: gap.as_ref().map(|gap| gap.difference),
            gap_interval: gap.and_then(|gap| gap.interval),
        }
    };
    Currency::ALL.map(match_one).into()
}

fn table(name: &str, matched: &[Matched]) -> Table {
    let row = |one: &Matched| {
        let n = if one.pass.is_some() { one.compared } else { one.problems };
        let k = Some(f64::from(one.k));
        let cells = [one.interactive, one.sample, one.ratio, k, one.pass, one.gap];
        TableRow::new(one.currency.metric().label, n, cells)
    };
    let mut caption = caption("budgets");
    caption.title = format!("Equal budgets: {name} and pass@k");
    name.clone_into(&mut caption.columns[0].label);
    caption.table(matched.iter().map(row))
}
