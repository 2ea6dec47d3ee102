//! What a run will do at most: how many episodes, and how many calls of whom.

use std::collections::BTreeMap;

use crate::benchmark::Benchmark;
use crate::effect::SEARCH;
use crate::seat::{Player, Seat, Sitting};
use crate::spec::{BadSpec, Spec};
use crate::sweep;
use crate::task::TaskSet;

/// The name under which calls of all models are counted together.
pub const MODELS: &str = "models";

/// What a run will do at most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Estimate {
    pub tasks: usize,
    pub plays: u64,
    /// The most calls that each seat with a model, and the search engine, can get in the whole run; bots and recordings cost
    /// nothing and are left out. Attempts after a failure of the service are not counted.
    pub most_calls: BTreeMap<String, u64>,
}

/// What the run of a spec will do at most.
///
/// # Errors
/// If the subset fits no task.
pub fn estimate(
    spec: &Spec,
    benchmark: &dyn Benchmark,
    tasks: &TaskSet,
) -> Result<Estimate, BadSpec> {
    let played = sweep::tasks(benchmark, spec, tasks)?;
    let plays = played.len() as u64 * u64::from(spec.repeats);
    let most_calls = match benchmark.participants() {
        Some(_) => together(spec, plays),
        None => {
            let calls = |task| benchmark.most_calls(spec, task);
            let plays: Vec<Vec<Calls>> = played.iter().map(calls).collect::<Result<_, _>>()?;
            by_role(spec, &plays)
        }
    };
    Ok(Estimate { tasks: played.len(), plays, most_calls })
}

/// Of a game: who is asked how often is the game's business; together all models never get more than the budget.
fn together(spec: &Spec, plays: u64) -> BTreeMap<String, u64> {
    let mut seats = spec.seats.values();
    match seats.any(is_model) {
        true => {
            let calls = u64::from(spec.budget.calls).saturating_mul(plays);
            BTreeMap::from([(MODELS.to_owned(), calls)])
        }
        false => BTreeMap::new(),
    }
}

/// The most calls of a role in one episode.
type Calls = (&'static str, u32);

/// The sum over all episodes and repeats for the roles whose calls may cost something; no episode has more calls than its budget.
fn by_role(spec: &Spec, plays: &[Vec<Calls>]) -> BTreeMap<String, u64> {
    let costs = |who: &str| match spec.seats.get(&Seat::new(who)) {
        Some(sitting) => is_model(sitting),
        None => who == SEARCH && spec.search.is_some() && !is_recorded(spec),
    };
    let mut most_calls = BTreeMap::new();
    for (who, calls) in plays.iter().flatten() {
        if *calls > 0 && costs(who) {
            let calls = u64::from((*calls).min(spec.budget.calls)) * u64::from(spec.repeats);
            let sum: &mut u64 = most_calls.entry((*who).to_owned()).or_default();
            *sum = sum.saturating_add(calls);
        }
    }
    most_calls
}

fn is_model(sitting: &Sitting) -> bool {
    matches!(sitting.player, Player::Model { .. })
}

/// Whether a recording sits in the player's seat; it answers its searches, too.
fn is_recorded(spec: &Spec) -> bool {
    spec.seats
        .get(&Seat::new(Seat::PLAYER))
        .is_some_and(|sitting| matches!(sitting.player, Player::Recording(_)))
}
