//! What a run will do at most: how many plays, and how many calls of whom.

use std::collections::BTreeMap;

use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::benchmarks::interactcomp::reading::ActionName;
use turnwise_shared::benchmarks::interactcomp::settings::Settings;
use turnwise_shared::benchmarks::paraworld::{self, ParaWorld};
use turnwise_shared::benchmarks::studio::{self, Studio};
use turnwise_shared::seat::{Player, Seat, Sitting};
use turnwise_shared::spec::{BadSpec, Profile, Spec};
use turnwise_shared::sweep;
use turnwise_shared::task::{Task, TaskSet};

/// The name under which searches are counted.
pub const SEARCH: &str = "search";

/// The name under which calls of all models are counted together.
pub const MODELS: &str = "models";

/// What a run will do at most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Tasks that are played.
    pub tasks: usize,
    /// Plays: tasks times repeats.
    pub plays: u64,
    /// The most calls that each seat with a model, and the search engine, can get in the whole run; bots and tapes cost
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
        None => by_role(spec, &of_plays(spec, benchmark, &played)?),
    };
    Ok(Estimate {
        tasks: played.len(),
        plays,
        most_calls,
    })
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

/// The most calls of a role in one play.
type Calls = (&'static str, u32);

/// The sum over all plays and repeats for the roles whose calls may cost something; no play has more calls than its budget.
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

/// What one play of each of these tasks needs at most.
fn of_plays(
    spec: &Spec,
    benchmark: &dyn Benchmark,
    played: &[Task],
) -> Result<Vec<Vec<Calls>>, BadSpec> {
    let name = benchmark.name();
    if name == ParaWorld.name() {
        let settings = paraworld::settings::Settings::of(spec)?;
        let calls = |task| most_calls_of_a_world(spec, &settings, task).to_vec();
        Ok(played.iter().map(calls).collect())
    } else if name == Studio.name() {
        let settings = studio::settings::Settings::of(spec)?;
        Ok(vec![most_calls_of_a_pair(&settings).to_vec(); played.len()])
    } else {
        let calls = |task| most_calls_of_a_play(spec, task);
        played.iter().map(calls).collect()
    }
}

fn is_model(sitting: &Sitting) -> bool {
    matches!(sitting.player, Player::Model { .. })
}

/// Whether a recording sits in the player's seat; it answers its searches, too.
fn is_recorded(spec: &Spec) -> bool {
    spec.seats
        .get(&Seat::new(Seat::PLAYER))
        .is_some_and(|sitting| matches!(sitting.player, Player::Tape(_)))
}

/// InteractComp, specification 3: four replies a round before the fourth strike ends the episode, in the last round an answer
/// and a repair (`strict`); three attempts at an episode (`reference`); an unreadable responder or grader is asked twice more
/// (`strict`).
fn most_calls_of_a_play(spec: &Spec, task: &Task) -> Result<Vec<Calls>, BadSpec> {
    let settings = Settings::at(spec, task)?;
    let actions = settings.mode.actions();
    let open_rounds = settings.limit() - 1;
    let allows = |action: ActionName| u32::from(actions.contains(&action));
    let (attempts, last, again) = match spec.profile {
        Profile::Strict => (1, 2, 3),
        Profile::Reference => (3, 1, 1),
    };
    Ok(vec![
        (Seat::PLAYER, attempts * (4 * open_rounds + last)),
        (
            Seat::RESPONDER,
            attempts * open_rounds * again * allows(ActionName::Ask),
        ),
        (SEARCH, attempts * open_rounds * allows(ActionName::Search)),
        (Seat::GRADER, again),
    ])
}

/// The world studio, specification 3.5: every question is asked for, answered by a law (and its repairs) and audited; each of
/// these again after a reply that could not be read.
fn most_calls_of_a_pair(settings: &studio::settings::Settings) -> [Calls; 3] {
    use studio::work::seat;
    let each = settings.questions * (1 + studio::settings::RETRIES);
    [
        (seat::QUESTIONER, each),
        (seat::LAWGIVER, each * (1 + settings.repairs)),
        (seat::AUDITOR, each * (1 + settings.audits)),
    ]
}

/// Mind-ParaWorld, specification 4.4, 5.4 and 7: one message a turn; the engine is asked up to three times for a search
/// (`strict`) or five (`reference`), and where calls run side by side only the budget bounds them; each vote of the judge has
/// two attempts (`strict`) or three.
fn most_calls_of_a_world(
    spec: &Spec,
    settings: &paraworld::settings::Settings,
    task: &Task,
) -> [Calls; 3] {
    use paraworld::settings::seat;
    use paraworld::task::{field, of_task};
    // Few worlds bring a limit, and only those need to be read.
    let own = task
        .field(field::ROW)
        .is_some_and(|row| row.contains("\"max_turns\""));
    let world = own.then(|| of_task(task)).flatten();
    let turns = match (&world, settings.setting.searches()) {
        (_, false) => 1,
        (Some(world), true) => settings.limit(world),
        (None, true) => settings.turns,
    };
    let (attempts, readings) = match spec.profile {
        Profile::Strict => (3, 2),
        Profile::Reference => (5, 3),
    };
    let searches = match (settings.setting.searches(), settings.parallel) {
        (false, _) => 0,
        (true, false) => turns.saturating_mul(attempts),
        (true, true) => u32::MAX,
    };
    [
        (Seat::PLAYER, turns),
        (seat::ENGINE, searches),
        (seat::JUDGE, settings.votes * readings),
    ]
}
