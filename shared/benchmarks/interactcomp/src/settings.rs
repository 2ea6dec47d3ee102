//! The settings of a run of InteractComp (specification 3.1).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::mode::Mode;
use super::reading::ActionName;
use super::search::RESULTS;
use turnwise_core::spec::{BadSpec, Profile, Spec};
use turnwise_core::sweep::Point;
use turnwise_core::task::Task;

/// The most rounds that a run may have. Memory in the reference code loses its oldest entry beyond 100.
pub const MOST_ROUNDS: u32 = 100;

/// The most values of one sweep.
const MOST_POINTS: usize = 20;

/// The round limits of the paper's scaling study (specification 8, Table 4).
pub const SCALING: [u32; 3] = [5, 10, 20];

/// The minimum asks of the paper's forced study (specification 8, Table A2).
pub const FORCED: [u32; 5] = [2, 4, 6, 8, 10];

/// The round limit of the forced study. The paper does not state it; runs with up to 16.5 asks need one well above 10.
pub const FORCED_ROUNDS: u32 = 20;

/// The settings of a study over round limits: the same tasks with more and more time.
pub fn scaling(rounds: &[u32]) -> Value {
    json!({ "mode": Mode::Full, "rounds": rounds })
}

/// The settings of a study over minimum asks, with enough rounds for the most of them.
pub fn forced(min_asks: &[u32]) -> Value {
    let most = min_asks.iter().max().copied().unwrap_or(0);
    let rounds = FORCED_ROUNDS.max(most.saturating_add(1));
    json!({ "mode": Mode::ForcedAsk, "rounds": rounds, "min_asks": min_asks })
}

/// By what an episode of InteractComp goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// What the player may do.
    pub mode: Mode,
    /// The round limit K: K - 1 rounds with any action and one in which only an answer counts. Modes that only answer
    /// have one round whatever stands here.
    pub rounds: u32,
    /// The least number of asks M before an answer is accepted; binds in `forced_ask` only.
    pub min_asks: u32,
}

/// What a run can be told: the same, where a list of round limits or of minimum asks makes a [sweep](turnwise_core::sweep).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    mode: Mode,
    #[serde(default = "ten")]
    rounds: OneOrMany,
    #[serde(default = "five")]
    min_asks: OneOrMany,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "rounds and min_asks are whole numbers from 0 on, or lists of them")]
enum OneOrMany {
    One(u32),
    Many(Vec<u32>),
}

impl OneOrMany {
    fn values(&self) -> &[u32] {
        match self {
            OneOrMany::One(value) => std::slice::from_ref(value),
            OneOrMany::Many(values) => values,
        }
    }
}

fn ten() -> OneOrMany {
    OneOrMany::One(10)
}

fn five() -> OneOrMany {
    OneOrMany::One(5)
}

impl Default for Settings {
    fn default() -> Self {
        Settings { mode: Mode::Full, rounds: 10, min_asks: 5 }
    }
}

impl Settings {
    /// The settings of a spec: one, or one for each value of a sweep, in its order.
    ///
    /// # Errors
    /// If they cannot be read, or no episode can go by them; the field is named.
    pub fn of(spec: &Spec) -> Result<Vec<Self>, BadSpec> {
        let written = Written::read(spec)?;
        written.check()?;
        let mode = written.mode;
        let mut all = Vec::new();
        for rounds in written.rounds.values() {
            for min_asks in written.min_asks.values() {
                let settings = Settings { mode, rounds: *rounds, min_asks: *min_asks };
                settings.check(spec.profile)?;
                all.push(settings);
            }
        }
        Ok(all)
    }

    /// The settings by which a task is played: in a sweep those of the value that it is labelled with.
    ///
    /// # Errors
    /// As [`Settings::of`]; and if a task of a sweep has no label.
    pub fn at(spec: &Spec, task: &Task) -> Result<Self, BadSpec> {
        let all = Settings::of(spec)?;
        let Some(Point { setting, .. }) = points(spec).first().copied() else {
            return all.first().copied().ok_or_else(|| {
                BadSpec::new("settings", "no value is given; write a number or a list of them")
            });
        };
        let wanted = task.labels.get(setting);
        let is_wanted = |settings: &&Settings| {
            let value = match setting {
                ROUNDS => settings.rounds,
                _ => settings.min_asks,
            };
            wanted.is_some_and(|wanted| *wanted == value.to_string())
        };
        all.iter().find(is_wanted).copied().ok_or_else(|| {
            BadSpec::new(
                format!("settings.{setting}"),
                format!("the task {} is at no value of this sweep", task.id),
            )
        })
    }

    /// The rounds that are really played.
    pub fn limit(&self) -> u32 {
        if self.mode.has_one_round() { 1 } else { self.rounds }
    }

    fn check(&self, profile: Profile) -> Result<(), BadSpec> {
        if !(1..=MOST_ROUNDS).contains(&self.rounds) {
            return Err(BadSpec::new(
                "settings.rounds",
                format!("{} rounds are not possible; choose 1 to {MOST_ROUNDS}", self.rounds),
            ));
        }
        if self.mode == Mode::ForcedAsk && self.rounds < self.min_asks.saturating_add(1) {
            return Err(BadSpec::new(
                "settings.min_asks",
                format!(
                    "{} asks and an answer do not fit into {} rounds; give at least {} rounds or ask for fewer",
                    self.min_asks,
                    self.rounds,
                    self.min_asks.saturating_add(1)
                ),
            ));
        }
        if self.mode == Mode::AnswerOnlyWithContext && profile == Profile::Reference {
            return Err(BadSpec::new(
                "settings.mode",
                "answer_only_with_context is a variant of ours that the reference code does not have; use profile strict",
            ));
        }
        Ok(())
    }
}

impl Written {
    fn read(spec: &Spec) -> Result<Self, BadSpec> {
        Written::deserialize(&spec.settings)
            .map_err(|error| BadSpec::new("settings", error.to_string()))
    }

    /// Whether what is swept over binds, and can be told apart.
    fn check(&self) -> Result<(), BadSpec> {
        let (rounds, asks) = (self.rounds.values(), self.min_asks.values());
        for (name, values) in [(ROUNDS, rounds), (MIN_ASKS, asks)] {
            let bad = |problem: String| Err(BadSpec::new(format!("settings.{name}"), problem));
            if values.is_empty() || values.len() > MOST_POINTS {
                return bad(format!(
                    "a sweep has 1 to {MOST_POINTS} values, and here are {}",
                    values.len()
                ));
            }
            if let Some(twice) = (1..values.len()).find(|at| values[..*at].contains(&values[*at])) {
                return bad(format!("{} stands there twice", values[twice]));
            }
        }
        if rounds.len() > 1 && asks.len() > 1 {
            return Err(BadSpec::new(
                "settings.min_asks",
                "a run sweeps over round limits or over minimum asks, not over both; give one of them as a single number",
            ));
        }
        if rounds.len() > 1 && self.mode.has_one_round() {
            return Err(BadSpec::new(
                "settings.rounds",
                format!(
                    "the mode {} has one round, whatever the limit; there is nothing to sweep over",
                    self.mode
                ),
            ));
        }
        if asks.len() > 1 && self.mode != Mode::ForcedAsk {
            return Err(BadSpec::new(
                "settings.min_asks",
                format!(
                    "a minimum of asks binds in forced_ask only, and the mode is {}",
                    self.mode
                ),
            ));
        }
        Ok(())
    }
}

/// The label of a task of a sweep over round limits.
pub const ROUNDS: &str = "rounds";

/// The label of a task of a sweep over minimum asks.
pub const MIN_ASKS: &str = "min_asks";

/// The values that a spec sweeps over, in its order; none where it does not sweep, or cannot be read.
pub fn points(spec: &Spec) -> Vec<Point> {
    let Ok(written) = Written::read(spec) else {
        return Vec::new();
    };
    let of = |setting, mark, values: &OneOrMany| {
        let values = values.values().iter();
        let points = values.map(|value| Point { setting, mark, value: *value });
        points.collect::<Vec<_>>()
    };
    let mut points = of(ROUNDS, 'k', &written.rounds);
    if points.len() < 2 {
        points = of(MIN_ASKS, 'm', &written.min_asks);
    }
    match points.len() {
        0 | 1 => Vec::new(),
        _ => points,
    }
}

/// Whether the mode of a spec allows an action.
pub fn allows(spec: &Spec, action: ActionName) -> bool {
    Written::read(spec).is_ok_and(|written| written.mode.actions().contains(&action))
}

/// Checks what a spec says about search against what its mode needs.
///
/// # Errors
/// A search that is missing, or asks for another number of results than episodes do.
pub fn check_search(spec: &Spec, settings: &Settings) -> Result<(), BadSpec> {
    if settings.mode.actions().contains(&ActionName::Search)
        && spec.search.is_none()
        && spec.profile == Profile::Strict
    {
        return Err(BadSpec::new(
            "search",
            format!("the mode {} searches, and no engine is chosen; e.g. local", settings.mode),
        ));
    }
    match &spec.search {
        Some(search) if search.results != RESULTS => Err(BadSpec::new(
            "search.results",
            format!(
                "a search brings {RESULTS} results, and {} are not possible; write {RESULTS}",
                search.results
            ),
        )),
        _ => Ok(()),
    }
}

/// The settings as a board counts them: what does not bind in their mode is what it is by default, so that it divides no boards.
pub fn binding(settings: &Value) -> Value {
    let mut binding = settings.clone();
    let mode = binding.get("mode").and_then(|mode| Mode::deserialize(mode).ok());
    let (Some(mode), Some(members)) = (mode, binding.as_object_mut()) else {
        return binding;
    };
    let usual = Settings::default();
    let rounds = mode.has_one_round();
    let min_asks = mode != Mode::ForcedAsk;
    for (name, is_free, usual) in
        [(ROUNDS, rounds, usual.rounds), (MIN_ASKS, min_asks, usual.min_asks)]
    {
        if is_free || !members.contains_key(name) {
            members.insert(name.to_owned(), json!(usual));
        }
    }
    binding
}
