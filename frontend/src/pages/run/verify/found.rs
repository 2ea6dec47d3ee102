//! How far a check is, and what came of it.

use turnwise_shared::receipt::BadReceipts;
use turnwise_shared::verify::{Check, Wrong};

use crate::prelude::*;
use crate::strings::publishing as words;
use crate::{api, worker};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Going {
    Not,
    /// Receipts are being read: how many have been read.
    Receipts(usize),
    /// How many of how many transcripts have been checked.
    Transcripts(usize, usize),
    Stop,
}

#[derive(Debug, Clone)]
pub enum Verdict {
    /// All that was checked agrees.
    Agrees,
    /// It was stopped before something disagreed.
    Stopped,
    /// There is nothing by which it could be checked, and why.
    Nothing(String),
    /// Something is not what it says.
    Wrong(String),
    /// It could not be done.
    Trouble(ApiError),
}

/// What was found, in words.
#[derive(Debug, Clone)]
pub struct Found {
    pub verdict: Verdict,
    pub agreed: Vec<String>,
    pub withheld: Vec<String>,
    /// What was not checked.
    pub unchecked: Vec<String>,
    /// The keys under which receipts are signed.
    pub keys: Vec<String>,
}

impl Found {
    pub(super) fn blank(verdict: Verdict) -> Self {
        Found {
            verdict,
            agreed: Vec::new(),
            withheld: Vec::new(),
            unchecked: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// It could not even begin.
    pub fn not(problem: ApiError) -> Self {
        Found::blank(Verdict::Trouble(problem))
    }
}

pub(super) enum Ended {
    Stopped,
    /// There is nothing by which it could be checked.
    Nothing(String),
    /// Something is not what it says.
    Wrong(String),
    /// It could not be done.
    Trouble(ApiError),
}

impl From<ApiError> for Ended {
    fn from(problem: ApiError) -> Self {
        Ended::Trouble(problem)
    }
}

impl From<Wrong> for Ended {
    fn from(wrong: Wrong) -> Self {
        match wrong.check {
            Check::Imported => Ended::Nothing("It was imported from another system: there is nothing here by which it could be checked.".to_owned()),
            _ => Ended::Wrong(wrong.words()),
        }
    }
}

impl From<BadReceipts> for Ended {
    fn from(bad: BadReceipts) -> Self {
        Ended::Wrong(format!("{bad}."))
    }
}

/// Says how far it is, unless it is to stop or the page was left.
pub(super) fn say(going: RwSignal<Going>, now: Going) -> Result<(), Ended> {
    match going.try_get_untracked() {
        None | Some(Going::Stop) => Err(Ended::Stopped),
        Some(_) => {
            going.try_set(now);
            Ok(())
        }
    }
}

/// Computes the numbers of a whole run that is over here and compares them with the server's. Costs are left out: prices are the
/// server's.
pub(super) async fn numbers(
    id: &RunId,
    info: &RunInfo,
    only: Option<&EpisodeKey>,
    summaries: &[Arc<Summary>],
    found: &mut Found,
) -> Result<(), Ended> {
    if only.is_some() {
        return Ok(());
    }
    if !info.state.is_over() {
        found.unchecked.push("The numbers of the run: they change until it is over.".to_owned());
        return Ok(());
    }
    let here =
        worker::report(&info.spec, summaries, &MeasureOptions::default()).await.unwrap_or_default();
    let there = api::report(id).await?;
    match same_numbers(&here.headline, &there.headline) {
        Ok(0) => found.unchecked.push(
            "The numbers of the run: none of them could be computed here and at the server."
                .to_owned(),
        ),
        Ok(same) => found.agreed.push(words::numbers(same)),
        Err(label) => {
            return Err(Ended::Wrong(format!(
                "{label}: the number computed here is not the server's."
            )));
        }
    }
    Ok(())
}

/// How many numbers both have, all of them with the same value. Costs are left out.
///
/// # Errors
/// What the first number is called that only one of them has, or that differs.
fn same_numbers(here: &[Figure], there: &[Figure]) -> Result<usize, String> {
    let counted = |all: &[Figure]| -> Vec<(String, Option<f64>)> {
        let counted = all.iter().filter(|figure| figure.unit != Unit::Dollars);
        counted.map(|figure| (figure.label.clone(), figure.value)).collect()
    };
    let (here, there) = (counted(here), counted(there));
    let only_in = |one: &[(String, Option<f64>)], other: &[(String, Option<f64>)]| {
        let mut odd = one.iter().filter(|figure| !other.contains(figure));
        odd.next().map(|(label, _)| label.clone())
    };
    match only_in(&here, &there).or_else(|| only_in(&there, &here)) {
        Some(label) => Err(label),
        None => Ok(here.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(label: &str, value: Option<f64>, unit: Unit) -> Figure {
        Figure {
            key: label.to_owned(),
            label: label.to_owned(),
            value,
            interval: None,
            known: None,
            unit,
            about: String::new(),
        }
    }

    #[test]
    fn a_number_that_only_one_side_has_is_no_agreement() {
        let right = figure("Accuracy", Some(0.5), Unit::Fraction);
        let calls = figure("Calls", None, Unit::Count);
        let cost = figure("Cost", Some(1.0), Unit::Dollars);
        let both = [right.clone(), calls.clone()];
        assert_eq!(same_numbers(&both, &both), Ok(2));
        assert_eq!(same_numbers(std::slice::from_ref(&cost), &[]), Ok(0));
        assert_eq!(same_numbers(&[right.clone(), cost], std::slice::from_ref(&right)), Ok(1));
        let one = [right];
        assert_eq!(same_numbers(&both, &one), Err("Calls".to_owned()));
        assert_eq!(same_numbers(&one, &both), Err("Calls".to_owned()));
        let other = [figure("Accuracy", Some(0.6), Unit::Fraction), calls];
        assert_eq!(same_numbers(&both, &other), Err("Accuracy".to_owned()));
    }
}
