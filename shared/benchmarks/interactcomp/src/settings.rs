//! The settings of a run of InteractComp (specification 3.1).

use serde_json::{Value, json};

use super::mode::Mode;
use super::reading::ActionName;
use super::search::RESULTS;
use turnwise_core::benchmark::schema::{Card, Preset, card};
use turnwise_core::prelude::*;

/// The most rounds that a run may have. Memory in the reference code loses its oldest entry beyond 100.
pub const MOST_ROUNDS: u32 = 100;

/// The round limits of the paper's scaling study (specification 8, Table 4).
pub const SCALING: [u32; 3] = [5, 10, 20];

/// The minimum asks of the paper's forced study (specification 8, Table A2).
pub const FORCED: [u32; 5] = [2, 4, 6, 8, 10];

/// The round limit of the forced study. The paper does not state it; runs with up to 16.5 asks need one well above 10.
pub const FORCED_ROUNDS: u32 = 20;

/// How many questions the paper's studies have.
const QUESTIONS: u32 = 50;

/// The setting, and the label of a task of a sweep over round limits.
pub const ROUNDS: &str = "rounds";

/// The setting, and the label of a task of a sweep over minimum asks.
pub const MIN_ASKS: &str = "min_asks";

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

settings! {
    Schema {
        presets: &[
            Preset {
                id: "scaling-study",
                label: "Scaling study",
                sweeps: ROUNDS,
                settings: || scaling(&SCALING),
                tasks: QUESTIONS,
            },
            Preset {
                id: "forced-study",
                label: "Forced-asking study",
                sweeps: MIN_ASKS,
                settings: || forced(&FORCED),
                tasks: QUESTIONS,
            },
        ],
        ..Schema::new("What the player may do", &[])
    };
    /// By what an episode of InteractComp goes.
    #[derive(Copy, Eq)]
    pub struct Settings {
        mode: Mode = Mode::Full
            => entry("What the player may do", "", Holds::Cards(MODES)),
        /// The round limit K: K - 1 rounds with any action and one in which only an answer counts. Modes that only answer
        /// have one round whatever stands here.
        rounds: u32 = 10 => entry(
            "Rounds at most",
            "separate values with commas to compare several",
            Holds::Sweep(1, MOST_ROUNDS as u64),
        )
        .marked('k')
        .binds(|chosen| Mode::of(chosen).is_none_or(|mode| !mode.has_one_round())),
        /// The least number of asks M before an answer is accepted; binds in `forced_ask` only.
        min_asks: u32 = 5 => entry(
            "Questions before an answer counts",
            "in the mode forced_ask; separate values with commas to compare several",
            Holds::Sweep(0, MOST_ROUNDS as u64 - 1),
        )
        .marked('m')
        .binds(|chosen| Mode::of(chosen) == Some(Mode::ForcedAsk)),
    }
}

const S: (&str, &str) = ("k-search r-full", "S");
const A: (&str, &str) = ("k-ask r-yes", "A");
const N: (&str, &str) = ("k-ask r-no", "A");
const E: (&str, &str) = ("k-answer", "=");

/// The six modes of the specification and one of our own, the usual first.
const MODES: &[Card] = &[
    card(
        "full",
        "Everything",
        "Search, ask the user, or answer, in any order: the benchmark proper.",
        &[S, A, S, N, E],
    ),
    card(
        "search_only",
        "Search only",
        "Nobody can be asked; searching does not tell the look-alikes apart.",
        &[S, S, S, E],
    ),
    card(
        "ask_only",
        "Ask only",
        "Ask the user or answer from memory; nothing can be looked up.",
        &[A, N, A, E],
    ),
    card(
        "answer_only",
        "Answer at once",
        "One round and no tools: what the model knows by itself.",
        &[E],
    ),
    card(
        "full_with_context",
        "With context",
        "Everything, and the hidden context stands before the question: the ceiling.",
        &[S, E],
    ),
    card(
        "forced_ask",
        "Forced to ask",
        "Answers are refused before a minimum of questions to the user.",
        &[A, N, A, A, E],
    ),
    Card {
        is_usual: false,
        ..card(
            "answer_only_with_context",
            "Answer at once, with context",
            "A variant of ours: one round, and the hidden context is shown.",
            &[E],
        )
    },
];

impl Settings {
    /// The settings of a spec: one, or one for each value of a sweep, in its order.
    ///
    /// # Errors
    /// If they cannot be read, or no episode can go by them; the field is named.
    pub fn of(spec: &Spec) -> Result<Vec<Self>, BadSpec> {
        let all: Vec<Self> = Self::SCHEMA.swept(spec)?;
        all.iter().try_for_each(|settings| settings.check(spec.profile))?;
        Ok(all)
    }

    /// The settings by which a task is played: in a sweep those of the value that it is labelled with.
    ///
    /// # Errors
    /// As [`Settings::of`]; and if a task of a sweep has no label.
    pub fn at(spec: &Spec, task: &Task) -> Result<Self, BadSpec> {
        let settings: Self = Self::SCHEMA.at(spec, &task.labels)?;
        settings.check(spec.profile)?;
        Ok(settings)
    }

    /// The rounds that are really played.
    pub fn limit(&self) -> u32 {
        if self.mode.has_one_round() { 1 } else { self.rounds }
    }

    fn check(&self, profile: Profile) -> Result<(), BadSpec> {
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

/// Whether the mode of a spec allows an action.
pub fn allows(spec: &Spec, action: ActionName) -> bool {
    Settings::of(spec).is_ok_and(|all| all.iter().any(|one| one.mode.actions().contains(&action)))
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
