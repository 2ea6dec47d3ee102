//! Which parameters a model takes: what is known of formats and families, and what services have refused.
//!
//! The table goes by the model's name alone. A rule names a model **exactly**, or a **family** (`gpt-5*`): the name itself, or the
//! name followed by `-`, `@` or `:` (a size, a date, a variant). So `gpt-5*` covers `gpt-5-mini` and `gpt-5-2025-08-07`, but neither
//! `gpt-5.1` nor `my-gpt-5`. The first rule that fits holds. A model that no rule names is sent everything that its format has;
//! if it refuses a parameter, that is learnt from its answer ([`super::errors::refused_parameter`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex};

use serde::Deserialize;
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Departure;

use Parameter::{
    Effort as EffortOf, Form, MaxTokens, Order, Pieces, Seed, Stop, StreamOptions, System,
    Temperature, ThinkingTokens, TopP, Version, Whole,
};

/// Something that a model can refuse. Of two that do not go together the later one is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// [`Sampling::max_tokens`]; never left out, but OpenAI has two names for it.
    MaxTokens,
    /// A place for the rules apart from the conversation; without one they go into its first message.
    System,
    /// Messages in any order of roles; without it those of one side that follow each other go as one.
    Order,
    /// The version of the service's interface that the address names.
    Version,
    /// Being asked for the whole answer at once; without it a stream is asked for.
    Whole,
    /// Being asked for a stream; without it the whole answer is asked for.
    Pieces,
    /// Being asked for an account of tokens at the end of a stream.
    StreamOptions,
    /// [`Sampling::temperature`]
    Temperature,
    /// [`Sampling::effort`]
    Effort,
    /// [`Sampling::form`]
    Form,
    /// [`Sampling::stop`]
    Stop,
    /// [`Sampling::top_p`]
    TopP,
    /// [`Sampling::seed`]
    Seed,
    /// [`Sampling::thinking_tokens`]
    ThinkingTokens,
}

impl Parameter {
    /// Its name in a record.
    pub fn name(self) -> &'static str {
        match self {
            MaxTokens => "max_tokens",
            System => "system",
            Order => "role_order",
            Version => "version",
            Whole | Pieces => "stream",
            StreamOptions => "stream_options",
            Temperature => "temperature",
            EffortOf => "effort",
            Form => "form",
            Stop => "stop",
            TopP => "top_p",
            Seed => "seed",
            ThinkingTokens => "thinking_tokens",
        }
    }

    /// Whether it is a field of a sampling, and not a way in which a request is sent.
    fn is_of_sampling(self) -> bool {
        !matches!(self, System | Order | Version | Whole | Pieces | StreamOptions)
    }

    /// The parameters that a sampling has.
    pub fn chosen(sampling: &Sampling) -> BTreeSet<Parameter> {
        let all = [
            (MaxTokens, sampling.max_tokens.is_some()),
            (Temperature, sampling.temperature.is_some()),
            (EffortOf, sampling.effort.is_some()),
            (Form, sampling.form != ReplyForm::Text),
            (Stop, !sampling.stop.is_empty()),
            (TopP, sampling.top_p.is_some()),
            (Seed, sampling.seed.is_some()),
            (ThinkingTokens, sampling.thinking_tokens.is_some()),
        ];
        all.into_iter()
            .filter_map(|(parameter, is_chosen)| is_chosen.then_some(parameter))
            .collect()
    }

    /// Takes it out of a sampling.
    fn leave_out(self, sampling: &mut Sampling) {
        match self {
            MaxTokens | System | Order | Version | Whole | Pieces | StreamOptions => {}
            Temperature => sampling.temperature = None,
            EffortOf => sampling.effort = None,
            Form => sampling.form = ReplyForm::Text,
            Stop => sampling.stop.clear(),
            TopP => sampling.top_p = None,
            Seed => sampling.seed = None,
            ThinkingTokens => sampling.thinking_tokens = None,
        }
    }
}

/// What is known of some models. `tables.toml` explains the fields.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rule {
    names: Vec<String>,
    refuses: Vec<Parameter>,
    refuses_while_thinking: Vec<Parameter>,
    not_both: Vec<(Parameter, Parameter)>,
    pub thinks_by_effort: bool,
    pub usual_tokens: Option<u32>,
}

/// What is known of a wire format and its models. `tables.toml` explains the fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    lacks: Vec<Parameter>,
    efforts: Vec<Effort>,
    hottest: f64,
    blind: Vec<String>,
    sees: Vec<String>,
    names: BTreeMap<Parameter, Vec<String>>,
    rules: Vec<Rule>,
    #[serde(default)]
    others: Rule,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    guesses: Vec<(Parameter, Vec<String>)>,
    pub openai: Table,
    pub anthropic: Table,
    pub gemini: Table,
}

/// What is known of all wire formats.
pub static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    toml::from_str(include_str!("capabilities/tables.toml"))
        .expect("a test reads the tables that are part of the program")
});

/// Whether a name of the tables is that of a model, or of its family.
fn fits(name: &str, model: &str) -> bool {
    match name.strip_suffix('*') {
        None => model == name,
        Some(family) => model
            .strip_prefix(family)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '@', ':'])),
    }
}

fn fits_any(names: &[String], model: &str) -> bool {
    names.iter().any(|name| fits(name, model))
}

/// A sampling as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// What is left of it.
    pub sampling: Sampling,
    /// What it was refused before, or will be.
    pub refused: BTreeSet<Parameter>,
    /// What was left out, and why.
    pub departures: Vec<Departure>,
    /// The most tokens of a reply that the service takes, where it has said so.
    pub most_tokens: Option<u32>,
}

impl Settled {
    /// Whether the model takes it, as far as is known.
    pub fn takes(&self, parameter: Parameter) -> bool {
        !self.refused.contains(&parameter)
    }

    /// Leaves out something that this very request cannot have.
    pub fn leave_out(&mut self, parameter: Parameter) {
        parameter.leave_out(&mut self.sampling);
        self.depart(parameter, Departed::NotTaken);
    }

    /// A reply may have `most` tokens, and no more.
    pub fn limit_tokens(&mut self, most: u32) {
        self.most_tokens = Some(most);
        if self.sampling.max_tokens.is_some_and(|chosen| chosen > most) {
            self.sampling.max_tokens = Some(most);
            self.depart(MaxTokens, Departed::Lowered(most.into()));
        }
    }

    pub fn depart(&mut self, parameter: Parameter, how: Departed) {
        self.departures.push(Departure { parameter: parameter.name().to_owned(), how });
    }
}

impl Table {
    /// What is known of a model.
    pub fn rule(&self, model: &str) -> &Rule {
        self.rules.iter().find(|rule| fits_any(&rule.names, model)).unwrap_or(&self.others)
    }

    /// Whether a model sees pictures; `None` if that is not known.
    pub fn sees_pictures(&self, model: &str) -> Option<bool> {
        match fits_any(&self.blind, model) {
            true => Some(false),
            false => fits_any(&self.sees, model).then_some(true),
        }
    }

    /// By which words an error of the service names a parameter, in lower case.
    pub fn names(&self, parameter: Parameter) -> Vec<&str> {
        self.names.get(&parameter).into_iter().flatten().map(String::as_str).collect()
    }

    /// What a model is never sent, whatever is chosen: the format has no place for it, the model is known not to take it, or has
    /// refused it.
    pub fn left_out(&self, model: &str, learnt: &BTreeSet<Parameter>) -> BTreeSet<Parameter> {
        let rule = self.rule(model);
        let all = self.lacks.iter().chain(&rule.refuses).chain(learnt);
        all.copied()
            .filter(|parameter| parameter.is_of_sampling() && *parameter != MaxTokens)
            .collect()
    }

    /// What of a sampling is sent to a model that has refused some of it already.
    pub fn settle(&self, model: &str, chosen: &Sampling, learnt: &BTreeSet<Parameter>) -> Settled {
        let rule = self.rule(model);
        let mut settled = Settled {
            sampling: chosen.clone(),
            refused: learnt.iter().chain(&rule.refuses).copied().collect(),
            departures: Vec::new(),
            most_tokens: None,
        };
        for parameter in Parameter::chosen(chosen) {
            let how = match parameter {
                MaxTokens => continue,
                _ if self.lacks.contains(&parameter) || rule.refuses.contains(&parameter) => {
                    Departed::NotTaken
                }
                EffortOf if chosen.effort.is_some_and(|it| !self.efforts.contains(&it)) => {
                    Departed::NotTaken
                }
                Temperature if chosen.temperature.is_some_and(|it| it > self.hottest) => {
                    Departed::NotTaken
                }
                _ if learnt.contains(&parameter) => Departed::Refused,
                _ => continue,
            };
            parameter.leave_out(&mut settled.sampling);
            settled.depart(parameter, how);
        }
        for (one, other) in &rule.not_both {
            let chosen = Parameter::chosen(&settled.sampling);
            if chosen.contains(one) && chosen.contains(other) {
                settled.leave_out(*one.max(other));
            }
        }
        if thinks(&settled.sampling) {
            for parameter in &rule.refuses_while_thinking {
                if Parameter::chosen(&settled.sampling).contains(parameter) {
                    settled.leave_out(*parameter);
                }
            }
        }
        settled
    }
}

/// Whether a sampling asks a model to reason.
fn thinks(sampling: &Sampling) -> bool {
    sampling.thinking_tokens.is_some_and(|most| most > 0)
        || sampling.effort.is_some_and(|effort| effort != Effort::None)
}

/// What is known of a model by what its service refused.
#[derive(Debug, Clone, Default)]
pub struct Lesson {
    /// What it does not take.
    pub refused: BTreeSet<Parameter>,
    /// The most tokens that a reply may have.
    pub most_tokens: Option<u32>,
    /// How often leaving things out that no refusal named was in vain.
    pub in_vain: u32,
}

/// What models have refused since the program was started.
#[derive(Debug, Default)]
pub struct Learnt(Mutex<BTreeMap<String, Lesson>>);

impl Learnt {
    /// What is known of a model.
    pub fn of(&self, model: &str) -> Lesson {
        let all = self.0.lock().unwrap_or_else(|broken| broken.into_inner());
        all.get(model).cloned().unwrap_or_default()
    }

    fn with<T>(&self, model: &str, change: impl FnOnce(&mut Lesson) -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(|broken| broken.into_inner());
        change(all.entry(model.to_owned()).or_default())
    }

    /// A model has refused a parameter; says whether that is new.
    pub fn learn(&self, model: &str, parameter: Parameter) -> bool {
        self.with(model, |lesson| lesson.refused.insert(parameter))
    }

    /// Replies of a model may have `most` tokens.
    pub fn limit_tokens(&self, model: &str, most: u32) {
        self.with(model, |lesson| {
            lesson.most_tokens = Some(lesson.most_tokens.map_or(most, |known| known.min(most)));
        });
    }

    /// Leaving these out did not help, so it was not they that the model refused.
    pub fn forget(&self, model: &str, parameters: &[Parameter]) {
        self.with(model, |lesson| {
            lesson.refused.retain(|parameter| !parameters.contains(parameter));
        });
    }

    /// Nothing that was left out by guess did help.
    pub fn in_vain(&self, model: &str) {
        self.with(model, |lesson| lesson.in_vain += 1);
    }
}

/// How many parameters are left out by guess, one after the other, before a refusal is believed.
const GUESSES: u32 = 3;

/// What is left out of one call because a service refused it and named nothing that was sent. It begins with what the refusal seems
/// to speak of; a refusal in the same words says that the guess was wrong.
#[derive(Debug, Default)]
pub struct Guesses {
    /// What is left out now.
    pub left_out: BTreeSet<Parameter>,
    kept: BTreeSet<Parameter>,
    tried: BTreeSet<Parameter>,
    made: u32,
    said: Option<String>,
}

impl Guesses {
    /// The next guess at what was refused in these words, all in lower case; says whether there is one. Where a refusal names something
    /// (`named`), only what goes by that name is meant.
    pub fn next(&mut self, said: &str, named: &str, sent: &Sampling) -> bool {
        match self.said.as_deref() {
            Some(before) if before != said => self.kept.clone_from(&self.left_out),
            _ => self.left_out.clone_from(&self.kept),
        }
        self.said = Some(said.to_owned());
        let chosen = Parameter::chosen(sent);
        let open = TABLES.guesses.iter().filter(|(parameter, meanings)| {
            let may_be_meant =
                named.is_empty() || meanings.iter().any(|meaning| named.contains(meaning.as_str()));
            may_be_meant && chosen.contains(parameter) && !self.tried.contains(parameter)
        });
        let speaks = |meanings: &[String]| {
            meanings.iter().filter(|meaning| said.contains(meaning.as_str())).count()
        };
        let next = open
            .rev()
            .max_by_key(|(_, meanings)| speaks(meanings))
            .map(|(parameter, _)| *parameter);
        self.made += 1;
        match next {
            _ if self.made > GUESSES => return false,
            Some(next) => {
                self.tried.insert(next);
                self.left_out.insert(next);
            }
            // Each alone was not enough; together they may be.
            None if self.tried.len() > 1 && self.left_out != self.tried => {
                self.left_out.clone_from(&self.tried)
            }
            None => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests;
