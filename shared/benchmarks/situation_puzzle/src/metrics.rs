//! The numbers of a run (specification 1.d), from transcripts and summaries only.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnwise_core::kit::swept::Swept;
use turnwise_core::kit::turns::turns;
use turnwise_core::metrics::report::{Breakdown, Caption, Study};
use turnwise_core::metrics::scored::{self, extended};
use turnwise_core::metrics::spread::ratio;
use turnwise_core::prelude::*;

use crate::check::HEARD;
use crate::numbers::{ACCURACY, METRICS, TURNS, WITH_FINAL, WITHIN_BUDGET};
use crate::protocol::{ending, submitted, token};
use crate::reading::{Kind, Token};
use crate::settings::{Mode, ROUNDS, Settings};
use crate::tasks::LANGUAGE;

turnwise_core::captions! { "report.toml" }

type Scored<'a> = scored::Scored<'a, Numbers>;
type Play<'a> = scored::Play<'a, Numbers>;

/// The numbers of one episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Turns before the forced final; 0 in direct mode.
    pub budget: u32,
    /// Recorded turns; the forced final is one.
    pub turns: u32,
    /// The turn of the correct final answer; beyond the budget it is the forced final.
    pub solved_at: Option<u32>,
    /// Turns with a final answer on which the judge could not be read.
    pub undecided: Vec<u32>,
    pub questions: u32,
    pub finals: u32,
    pub wrong_finals: u32,
    pub format_errors: BTreeMap<String, u32>,
    /// The judge's answers to questions, by token.
    pub answers: BTreeMap<String, u32>,
    /// Turns that no reply of the judge decided.
    pub judge_invalid: u32,
}

impl Numbers {
    fn of(play: &Transcript) -> Self {
        let header = &play.header;
        let mut numbers = Numbers {
            budget: Settings::at(&header.spec, &header.task.labels)
                .map_or(0, |settings| settings.turns()),
            ..Numbers::default()
        };
        for taken in turns(play) {
            numbers.turns = taken.turn.index;
            if let Some(fault) = &taken.turn.reading.fault {
                *numbers.format_errors.entry(fault.class.clone()).or_default() += 1;
            }
            let (Some(kind), Some(_)) = (submitted(&taken), taken.came) else {
                continue;
            };
            match kind {
                Kind::Question => numbers.questions += 1,
                Kind::Final | Kind::ForcedFinal => numbers.finals += 1,
            }
            match token(&taken) {
                None => {
                    numbers.judge_invalid += 1;
                    let is_final = kind != Kind::Question;
                    numbers.undecided.extend(is_final.then_some(taken.turn.index));
                }
                Some(Token::Correct) => numbers.solved_at = Some(taken.turn.index),
                Some(Token::Incorrect) => numbers.wrong_finals += 1,
                Some(token) => *numbers.answers.entry(token.name().to_owned()).or_default() += 1,
            }
        }
        numbers
    }

    /// Whether it was solved by turn `last`; `None` where an unreadable judge leaves it open.
    fn solved_by(&self, last: u32) -> Option<bool> {
        match self.solved_at {
            Some(turn) if turn <= last => Some(true),
            _ if self.undecided.iter().any(|turn| *turn <= last) => None,
            _ => Some(false),
        }
    }

    /// Whether an action within the budget solved it; in direct mode the only answer.
    fn within_budget(&self) -> Option<bool> {
        self.solved_by(self.budget.max(1))
    }

    /// Whether the forced final, or any action before it, solved it.
    fn with_final(&self) -> Option<bool> {
        self.solved_by(self.budget + 1)
    }

    fn solved(&self, profile: Profile) -> Option<bool> {
        match profile {
            Profile::Strict => self.within_budget(),
            Profile::Reference => self.with_final(),
        }
    }
}

pub fn measure(play: &Transcript) -> Measured {
    let numbers = Numbers::of(play);
    let outcome = play.outcome().filter(|outcome| outcome.is_complete());
    let answer = outcome.and_then(|outcome| outcome.result["answer"].as_str());
    // Where the judge alone was heard nothing could be solved.
    let played = outcome.filter(|outcome| outcome.ending != HEARD);
    let solved = played.and_then(|_| numbers.solved(play.header.spec.profile));
    let answer = answer.filter(|answer| !answer.is_empty()).map(str::to_owned);
    Measured::of(solved.map(|solved| f64::from(u8::from(solved))), answer, &numbers)
}

/// Over the episodes that have ended.
fn solved(scored: &Scored<'_>, solved: impl Fn(&Numbers) -> Option<bool>) -> Share {
    scored.share(|play| solved(&play.numbers).filter(|_| play.summary.complete))
}

/// Mean recorded turns of the episodes that `solved` counts.
fn average_turns(scored: &Scored<'_>, solved: impl Fn(&Numbers) -> Option<bool>) -> Option<f64> {
    scored.mean(|play| {
        let counts = play.summary.complete && solved(&play.numbers) == Some(true);
        counts.then(|| f64::from(play.numbers.turns))
    })
}

fn record(scored: &Scored<'_>, profile: Profile) -> Value {
    let n = scored.n();
    let within = solved(scored, Numbers::within_budget);
    let with_final = solved(scored, Numbers::with_final);
    let finals = scored.sum(|numbers| numbers.finals);
    let unread = scored.sum(|numbers| saturated(numbers.undecided.len()));
    let questions = scored.sum(|numbers| numbers.questions);
    let wrong = scored.sum(|numbers| numbers.wrong_finals);
    let format_errors = scored.counts(|play| &play.numbers.format_errors);
    let errors: u64 = format_errors.values().sum();
    let unheard = scored.sum(|numbers| numbers.judge_invalid);
    let more = json!({
        "accuracy_within_budget": within.value,
        "accuracy_within_budget_interval": within.interval,
        "accuracy_with_final": with_final.value,
        "accuracy_with_final_interval": with_final.interval,
        "average_turns": average_turns(scored, |numbers| numbers.solved(profile)),
        "average_turns_within_budget": average_turns(scored, Numbers::within_budget),
        "average_turns_with_final": average_turns(scored, Numbers::with_final),
        "questions": ratio(questions, n),
        "finals": ratio(finals, n),
        "wrong_finals": ratio(wrong, finals - unread),
        "format_error_rate": ratio(errors, scored.sum(|numbers| numbers.turns)),
        "format_errors": format_errors,
        "judge_answers": scored.counts(|play| &play.numbers.answers),
        "judge_invalid_rate": ratio(unheard, questions + finals),
        "flags": scored.counts(|play| &play.summary.flags),
        "outcomes": scored.counts(|play| [(play.ending(), &1)]),
    });
    extended(scored.record(), more)
}

/// Solved by turn t, for every t of the episodes with the largest budget that have ended. A final answer on which the judge could
/// not be read solved nothing, and the game went on: the same episodes are behind every point. `None` where nothing may be asked.
fn prefix_curve(scored: &Scored<'_>) -> Option<(u32, Curve)> {
    let budgets = scored.plays.iter().map(|play| play.numbers.budget);
    let budget = budgets.max().filter(|budget| *budget > 0)?;
    let is_longest = |play: &Play<'_>| {
        // An episode that only tests the judge has no player.
        play.numbers.budget == budget && play.summary.complete && play.ending() != HEARD
    };
    let points = (1..=budget).filter_map(|turn| {
        let is_solved = |play: &Play<'_>| play.numbers.solved_by(turn).unwrap_or(false);
        scored.share(|play| is_longest(play).then(|| is_solved(play))).point(turn)
    });
    let name =
        format!("solved by turn t of the {budget}-turn episodes (prefix, not runs of their own)");
    Some((budget, Curve::new(name, points)))
}

/// The numbers of a run. Rates are fractions; `n` counts every episode that is given.
pub fn report(spec: &Spec, episodes: &[&Summary]) -> Report {
    let points = Settings::SCHEMA.points(&spec.settings);
    let scored = Scored::of_sweep(episodes, &points);
    let mut record = record(&scored, spec.profile);
    let prefix = prefix_curve(&scored);
    record["mode"] = spec.settings["mode"].clone();
    record["prefix_curve"] = json!(prefix.as_ref().map(|(_, curve)| &curve.points));
    let sweep = sweep_of(spec, &scored);
    let study = (!sweep.is_empty()).then(|| {
        record["swept"] = json!(ROUNDS);
        record["sweep"] = json!(sweep);
        study(&sweep, prefix.as_ref().map(|(_, curve)| curve.clone()))
    });
    let plot = |(budget, curve)| {
        let about = format!(
            "The prefix curve of the {budget}-turn episodes. It is not a sweep: a player that is told of fewer turns plays \
             differently."
        );
        Caption { about, ..caption("prefix") }.plot([curve])
    };
    let by_language = scored.parts(|play| play.label(LANGUAGE));
    let by_language = by_language.into_iter().map(|(name, part)| (name, part.accuracy()));
    let mut report = Report {
        breakdowns: vec![Breakdown::of(LANGUAGE, by_language)],
        plots: prefix.map(plot).into_iter().collect(),
        remarks: remarks(&record),
        study,
        ..Report::of(METRICS, record)
    };
    // The other reading of "solved" stands beside the headline.
    let hidden = match (spec.profile, spec.settings["mode"] == json!(Mode::Direct)) {
        (_, true) => &[WITH_FINAL.key, WITHIN_BUDGET.key][..],
        (Profile::Strict, _) => &[WITHIN_BUDGET.key],
        (Profile::Reference, _) => &[WITH_FINAL.key],
    };
    report.headline.retain(|figure| !hidden.contains(&figure.key.as_str()));
    match report.study {
        Some(_) => report.by_value(&ACCURACY, |turns| format!("{turns} turns")),
        None => report,
    }
}

/// The record of each value of the budget sweep.
fn sweep_of(spec: &Spec, scored: &Scored<'_>) -> Vec<Value> {
    let mut values: Vec<u32> =
        Settings::SCHEMA.points(&spec.settings).iter().map(|point| point.value).collect();
    values.sort_unstable();
    let mut parts = scored.by_value(ROUNDS);
    let at = |value: u32| {
        let mut record = record(&parts.remove(&value).unwrap_or_default(), spec.profile);
        record[ROUNDS] = json!(value);
        record
    };
    values.into_iter().map(at).collect()
}

/// The budget sweep: the same puzzles with each number of turns, and the prefix curve of the longest beside it.
fn study(sweep: &[Value], prefix: Option<Curve>) -> Study {
    let swept = Swept { setting: ROUNDS, records: sweep };
    let runs = swept.curve("runs at each budget", &ACCURACY);
    let Caption { title, about, .. } = caption("study");
    let mut table = caption("by_budget");
    for (at, number) in [(3, WITH_FINAL), (4, TURNS)] {
        number.about.clone_into(&mut table.columns[at].about);
    }
    let keys =
        [ACCURACY.key, "accuracy_interval.0", "accuracy_interval.1", WITH_FINAL.key, TURNS.key];
    let columns: Vec<(&str, Column)> = keys.into_iter().zip(table.columns).collect();
    Study {
        title,
        about,
        plots: vec![caption("budgets").plot(std::iter::once(runs).chain(prefix))],
        published: Vec::new(),
        published_about: "The paper draws accuracy over 5 to 20 turns; the values of that figure are not available.".to_owned(),
        table: swept.table(&table.title, &table.about, &table.by, &columns),
    }
}

fn remarks(record: &Value) -> Vec<String> {
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let n = count(&record["n"]);
    let mut remarks = Vec::new();
    let errors = count(&record["outcomes"][ending::ERROR]);
    if errors > 0 {
        remarks.push(format!(
            "{errors} of {n} episodes ended because a seat said nothing nine times; they count as unsolved. The authors' \
             program stops the run there."
        ));
    }
    remarks
}
