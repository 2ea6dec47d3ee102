//! From what a person chose on `/play` to the table that is opened. Pure, but for the chance that is handed in.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise_shared::benchmark::TaskSource;
use turnwise_shared::benchmarks::paraworld::settings::Setting;
use turnwise_shared::benchmarks::paraworld::task::{Language, label};
use turnwise_shared::benchmarks::poker::policy::Policy;
use turnwise_shared::benchmarks::trust::strategy::Strategy;
use turnwise_shared::registry;
use turnwise_shared::seat::{Player, Seat};
use turnwise_shared::spec::{BadSpec, RandomSubset};
use turnwise_shared::standing::Attendance;
use turnwise_shared::task::TaskId;
use turnwise_shared::wire::EngineInfo;
use turnwise_shared::wire::budgets::Caps;
use turnwise_shared::wire::live::{Clock, LiveKind, OpenLive};

use crate::address::Config;
use crate::plan;
use crate::strings::play as words;

/// The game of cards.
pub const POKER: &str = "poker";
/// The game of trust.
pub const TRUST: &str = "trust";
/// Questions with a hidden context.
pub const INTERACTCOMP: &str = "interactcomp";
/// Questions about an invented future, and a search engine made of facts.
pub const PARAWORLD: &str = "paraworld";

/// Everything that can be played by a person, in the order in which it is offered.
pub const GAMES: [&str; 4] = [POKER, TRUST, INTERACTCOMP, PARAWORLD];

/// The longest name of a person, in signs; the server takes 60 bytes.
pub const LONGEST_NAME: u32 = 20;

/// Bots that sit against a person at a card table when nobody chose: all of them play to win, each in another way.
const OPPONENTS: [&str; 5] = [
    "tight-aggressive",
    "equity",
    "calling-station",
    "tight-aggressive",
    "random-legal",
];

/// Seconds of the time bank.
const BANK: u32 = 120;

/// Who sits against the person in the Trust Game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opponent {
    /// A rule of the population that chance chooses; it is told at the end.
    Hidden,
    /// Somebody who was chosen.
    Chosen(Player),
}

/// Which worlds are asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worlds {
    /// Those that chance chooses, perhaps of one language only.
    Random(Option<Language>),
    /// One sample.
    Chosen(TaskId),
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The benchmark's name.
    pub game: &'static str,
    /// Whether it counts.
    pub kind: LiveKind,
    /// Whether people are invited who agree that their play counts as that of people; whoever opens the table only watches then.
    pub attendance: Attendance,
    /// How long a decision may take.
    pub clock: Clock,
    /// Hands at a card table.
    pub hands: u32,
    /// What happens to stacks between hands.
    pub policy: Policy,
    /// Who else sits at a card table, from seat 2 on.
    pub others: Vec<Player>,
    /// Who sits opposite in the Trust Game.
    pub opponent: Opponent,
    /// With what probability a match goes on.
    pub delta: f64,
    /// How many questions are asked.
    pub questions: u32,
    /// In which language questions with a hidden context are asked; `None`: in any.
    pub language: Option<Language>,
    /// What the person is given in Mind-ParaWorld.
    pub setting: Setting,
    /// Which worlds are asked about there.
    pub worlds: Worlds,
    /// Who sits in the seats beside the player's, where somebody was chosen: the user, the engine, the grader.
    pub beside: BTreeMap<Seat, Player>,
    /// How many calls of models the table may make, if that is limited.
    pub calls: Option<u64>,
}

/// The clock for so many seconds a decision, with the usual bank; 0 = no clock.
pub fn clock_of(decision_seconds: u32) -> Clock {
    match decision_seconds {
        0 => Clock::NONE,
        _ => Clock {
            decision_seconds,
            bank_seconds: BANK,
        },
    }
}

impl Setup {
    /// What is played if nothing is chosen but the game.
    pub fn new(game: &'static str) -> Self {
        Setup {
            game,
            kind: LiveKind::Practice,
            attendance: Attendance::Unattended,
            clock: clock_of(match game {
                // There is much to read, and nobody else waits.
                INTERACTCOMP | PARAWORLD => 0,
                _ => 60,
            }),
            hands: 10,
            policy: Policy::ResetEveryHand,
            others: OPPONENTS
                .iter()
                .map(|name| Player::Bot((*name).to_owned()))
                .collect(),
            opponent: Opponent::Hidden,
            delta: 0.8,
            questions: 1,
            language: None,
            setting: Setting::Unguided,
            worlds: Worlds::Random(None),
            beside: BTreeMap::new(),
            calls: None,
        }
    }

    /// Whether a model sits somewhere.
    pub fn asks_models(&self) -> bool {
        let others: Vec<&Player> = match (self.game, &self.opponent) {
            (POKER, _) => self.others.iter().collect(),
            (TRUST, Opponent::Chosen(player)) => vec![player],
            (TRUST, Opponent::Hidden) => Vec::new(),
            _ => self.beside.values().collect(),
        };
        let is_model = |player: &&Player| matches!(player, Player::Model { .. });
        others.iter().any(is_model)
    }

    /// The seat of the person who opens the table.
    pub fn own_seat(&self) -> Seat {
        match self.game {
            INTERACTCOMP | PARAWORLD => Seat::new(Seat::PLAYER),
            _ => Seat::new("1"),
        }
    }

    /// As many others at a card table; those who come newly are bots.
    pub fn seat_others(&mut self, count: usize) {
        let usual = OPPONENTS.iter().cycle().skip(self.others.len());
        let more: Vec<Player> = usual
            .take(count.saturating_sub(self.others.len()))
            .map(|name| Player::Bot((*name).to_owned()))
            .collect();
        self.others.truncate(count);
        self.others.extend(more);
    }

    /// What the server is asked to open. `chance` answers with a number below the one that it is given.
    ///
    /// # Errors
    /// The first part that cannot be played, and how to mend it.
    pub fn table(
        &self,
        engines: &[EngineInfo],
        chance: impl FnOnce(usize) -> usize,
    ) -> Result<OpenLive, BadSpec> {
        let benchmark = registry::find(self.game)?;
        let samples = match benchmark.task_source() {
            TaskSource::File => Some(benchmark.samples()),
            TaskSource::Spec => None,
        };
        let mut config = Config::new(self.game);
        config.seed = 0;
        config.seats.insert(self.own_seat(), Player::Person);
        match self.game {
            POKER => self.card_table(&mut config),
            TRUST => self.match_of_two(&mut config, chance),
            _ => self.questions(&mut config, chance),
        }
        let mut spec = plan::chosen(&config, benchmark, samples.as_ref(), engines, None)?.spec;
        // It is mixed by everybody who sits down.
        spec.seed = 0;
        Ok(OpenLive {
            spec,
            title: words::run_title(benchmark.title()),
            kind: self.kind,
            clock: self.clock,
            attendance: self.attendance,
            caps: Caps {
                calls: self.calls.filter(|_| self.asks_models()),
                ..Caps::default()
            },
        })
    }

    fn card_table(&self, config: &mut Config) {
        config.participants = u32::try_from(self.others.len() + 1).ok();
        for (number, player) in (2..).zip(&self.others) {
            let seat = Seat::new(number.to_string());
            config.seats.insert(seat, player.clone());
        }
        set(config, "tables", json!(1));
        set(config, "hands", json!(self.hands));
        set(config, "policy", json!(self.policy));
    }

    fn match_of_two(&self, config: &mut Config, chance: impl FnOnce(usize) -> usize) {
        config.participants = Some(2);
        let player = match &self.opponent {
            Opponent::Chosen(player) => player.clone(),
            Opponent::Hidden => {
                let chosen = chance(Strategy::ALL.len()) % Strategy::ALL.len();
                Player::Bot(Strategy::ALL[chosen].to_string())
            }
        };
        config.seats.insert(Seat::new("2"), player);
        set(config, "repeats", json!(1));
        set(config, "swap", json!(false));
        set(config, "delta", json!(self.delta));
    }

    /// Questions with a hidden context, or of worlds.
    fn questions(&self, config: &mut Config, chance: impl FnOnce(usize) -> usize) {
        config.seats.extend(self.beside.clone());
        config.subset.random = Some(RandomSubset {
            count: self.questions,
            seed: chance(usize::from(u16::MAX)) as u64,
        });
        let language = match (self.game, &self.worlds) {
            (PARAWORLD, Worlds::Random(language)) => *language,
            (PARAWORLD, Worlds::Chosen(id)) => {
                config.subset.random = None;
                config.subset.ids = vec![id.clone()];
                None
            }
            _ => self.language,
        };
        if let Some(language) = language {
            let labels = &mut config.subset.labels;
            labels.insert(label::LANGUAGE.to_owned(), vec![language.code().to_owned()]);
        }
        if self.game == PARAWORLD {
            set(config, "setting", json!(self.setting));
        }
    }

    /// What the seats of the others are called on the page that opened the table; nothing where that is to be a surprise.
    pub fn names(&self) -> BTreeMap<Seat, String> {
        match self.game {
            POKER => (2..)
                .zip(&self.others)
                .filter_map(|(number, player)| {
                    Some((Seat::new(number.to_string()), short_name(player)?))
                })
                .collect(),
            _ => BTreeMap::new(),
        }
    }
}

/// What somebody is called in a few signs; a person has a name of its own.
pub fn short_name(player: &Player) -> Option<String> {
    match player {
        Player::Bot(name) => Some(name.clone()),
        Player::Model { model, .. } => {
            let last = model.rsplit('/').next().unwrap_or(model);
            Some(last.to_owned())
        }
        Player::Tape(_) | Player::Person => None,
    }
}

fn set(config: &mut Config, name: &str, value: Value) {
    config.settings.insert(name.to_owned(), value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::hash::Digest;
    use turnwise_shared::wire::Promise;

    fn engines() -> Vec<EngineInfo> {
        vec![EngineInfo {
            name: "local".into(),
            format: "local".to_owned(),
            promise: Promise::Stable,
            documents: Some(1),
            corpus: Some(Digest::of("documents")),
        }]
    }

    #[test]
    fn one_button_suffices_for_every_game() {
        for game in GAMES {
            let setup = Setup::new(game);
            let table = setup.table(&engines(), |below| below - 1).expect(game);
            assert_eq!(table.spec.seed, 0, "{game}: it is mixed later");
            let people: Vec<_> = table
                .spec
                .seats
                .iter()
                .filter(|(_, sitting)| sitting.player == Player::Person)
                .map(|(seat, _)| seat.clone())
                .collect();
            assert_eq!(people, [setup.own_seat()], "{game}");
        }
    }

    #[test]
    fn calls_of_models_are_limited_where_a_model_sits() {
        let mut setup = Setup::new(TRUST);
        setup.calls = Some(7);
        let calls = |setup: &Setup| {
            let table = setup.table(&[], |_| 0).expect("it can be played");
            table.caps.calls
        };
        assert_eq!(calls(&setup), None);
        setup.opponent = Opponent::Chosen("model:up/m".parse().expect("a player"));
        assert_eq!(calls(&setup), Some(7));
    }

    #[test]
    fn a_hidden_opponent_is_one_of_the_population() {
        let setup = Setup::new(TRUST);
        for chosen in 0..Strategy::ALL.len() {
            let table = setup.table(&[], |_| chosen).expect("it can be played");
            assert_eq!(table.spec.seats.len(), 2);
            let opponent = &table.spec.seats[&Seat::new("2")].player;
            let wanted = Player::Bot(Strategy::ALL[chosen].to_string());
            assert_eq!(*opponent, wanted);
        }
        assert_eq!(setup.names(), BTreeMap::new(), "it is a surprise");
    }

    #[test]
    fn a_world_is_chosen_or_drawn_and_nobody_but_bots_sits_beside_the_person() {
        let mut setup = Setup::new(PARAWORLD);
        let samples = registry::find(PARAWORLD).expect("a benchmark").samples();
        for (worlds, language) in [
            (Worlds::Random(None), None),
            (Worlds::Random(Some(Language::Zh)), Some("zh")),
            (Worlds::Chosen(TaskId::from("3")), None),
        ] {
            setup.worlds = worlds.clone();
            let spec = setup.table(&[], |_| 5).expect("it can be played").spec;
            let played = turnwise_shared::run::choose(&samples, &spec.subset).expect("one fits");
            assert_eq!(played.len(), 1);
            if let Some(language) = language {
                assert_eq!(played[0].labels["language"], language);
            }
            if let Worlds::Chosen(id) = worlds {
                assert_eq!(played[0].id, id);
            }
            assert_eq!(spec.settings["setting"], "C");
            let others: Vec<_> = spec
                .seats
                .values()
                .map(|sitting| sitting.player.to_string())
                .filter(|player| player != "person")
                .collect();
            assert_eq!(others, ["bot:facts", "bot:exact"]);
        }
        setup.setting = Setting::Oracle;
        let spec = setup.table(&[], |_| 0).expect("it can be played").spec;
        assert_eq!(spec.settings["setting"], "A");
    }

    #[test]
    fn questions_are_in_the_language_that_was_chosen() {
        let samples = registry::find(INTERACTCOMP).expect("it is there").samples();
        for language in [Language::En, Language::Zh] {
            let mut setup = Setup::new(INTERACTCOMP);
            (setup.language, setup.questions) = (Some(language), 3);
            let spec = setup
                .table(&engines(), |_| 5)
                .expect("it can be played")
                .spec;
            let played = turnwise_shared::run::choose(&samples, &spec.subset).expect("some fit");
            let is_in =
                |task: &turnwise_shared::task::Task| task.labels["language"] == language.code();
            assert!(played.len() > 1 && played.iter().all(is_in), "{language:?}");
        }
    }

    #[test]
    fn somebody_else_can_answer_search_or_grade() {
        for (game, seat, player) in [
            (INTERACTCOMP, "responder", "person"),
            (INTERACTCOMP, "grader", "model:up/m"),
            (PARAWORLD, "engine", "person"),
            (PARAWORLD, "judge", "model:up/m"),
        ] {
            let mut setup = Setup::new(game);
            let player: Player = player.parse().expect("a player");
            setup.beside.insert(Seat::new(seat), player.clone());
            let table = setup.table(&engines(), |_| 3).expect(game);
            assert_eq!(table.spec.seats[&Seat::new(seat)].player, player);
            assert!(
                !table.clock.runs(),
                "nobody is timed out unless that was chosen"
            );
        }
        assert_eq!(clock_of(60).bank_seconds, BANK);
    }

    #[test]
    fn a_card_table_has_as_many_as_were_chosen() {
        let mut setup = Setup::new(POKER);
        for others in [1, 9, 4] {
            setup.seat_others(others);
            assert_eq!(setup.others.len(), others);
            let table = setup.table(&[], |_| 0).expect("it can be played");
            assert_eq!(table.spec.seats.len(), others + 1);
        }
        assert_eq!(setup.names()[&Seat::new("3")], "equity");
    }
}
