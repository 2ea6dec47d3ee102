//! The prompts of Mind-ParaWorld: our default pack, and how the player is asked from a pack (specification 5.2).
//!
//! Every template of the player but the question has an English and a Chinese form, `NAME` and `NAME_zh`; the world's
//! language chooses.

use std::collections::BTreeMap;

use super::reading::syntax::TOOL;
use super::settings::{Engines, Setting, Settings};
use super::task::{Fact, Language, World, field};
use super::window;
use turnwise_core::prelude::*;
use turnwise_core::prompt::{Content, substitute};

/// Variables of the player's request that no template prints: only built-in players read them (ARCHITECTURE.md, rule 40).
pub mod variable {
    pub const WORLD: &str = "world";
    /// What the player has done so far: [`Record`](super::super::bots::Record) as JSON.
    pub const RECORD: &str = "record";
}

/// Templates that come in two languages: English has no ending, Chinese has `_zh`.
macro_rules! both {
    ($folder:literal: $($name:literal),* $(,)?) => {
        [$(
            ($name, include_str!(concat!($folder, $name, ".txt"))),
            (concat!($name, "_zh"), include_str!(concat!($folder, $name, "_zh.txt"))),
        )*]
    };
}

/// The name in a language of a template that comes in two.
pub fn named(name: &str, language: Language) -> String {
    match language {
        Language::En => name.to_owned(),
        Language::Zh => format!("{name}_zh"),
    }
}

/// The default pack, in our own wording.
pub fn default_pack() -> Pack {
    #[rustfmt::skip]
    let templates = both!["../prompts/":
        "system", "guidance", "few_shot", "oracle", "facts", "control", "reminder", "reminder_last", "dropped",
        "engine_system", "engine", "engine_again", "engine_reference_system", "engine_reference",
        "judge_system", "judge", "judge_again",
    ];
    let question = templates!["../prompts/": "question"];
    Pack::of("turnwise-paraworld-1", templates.into_iter().chain(question))
}

/// A message of the conversation, with what it counts for in the window.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub message: Message,
    /// Its characters once it is rendered.
    pub size: u64,
}

impl Line {
    /// A text as it is.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        let text = text.into();
        Line { size: window::size(&text), message: Message::text(role, text) }
    }
}

/// A pack made ready for one episode.
#[derive(Debug, Clone)]
pub struct Prompts {
    /// System message and question, or whatever the conversation begins with.
    pub opening: Vec<Line>,
    /// The question as the player reads it.
    pub question: String,
    /// What the player is told when it did neither search nor answer.
    pub reminder: Line,
    /// The same as a text.
    pub reminder_text: String,
    /// What the player is told before its last turn (`strict`).
    pub last: Line,
    dropped: (String, String),
    can_search: bool,
}

impl Prompts {
    /// Takes from a pack what an episode needs.
    ///
    /// # Errors
    /// If a template or the question is missing, or a template would show the player what only bots may read.
    pub fn new(
        pack: &Pack,
        settings: &Settings,
        profile: Profile,
        world: &World,
        task: &Task,
    ) -> Result<Self, BadSpec> {
        let making = Making { pack, settings, profile, world, task };
        let reminder_text = making.text("reminder")?.to_owned();
        let dropped = making.name("dropped");
        Ok(Prompts {
            opening: making.opening()?,
            question: world.question().to_owned(),
            reminder: making.line(Message::template(Role::User, &making.name("reminder"), []))?,
            reminder_text,
            last: making.line(Message::template(Role::User, &making.name("reminder_last"), []))?,
            dropped: (dropped, making.text("dropped")?.to_owned()),
            can_search: settings.setting.searches(),
        })
    }

    /// The message that says how many turns were left out (`strict`).
    pub fn dropped(&self, turns: usize) -> Line {
        let turns = turns.to_string();
        let (name, template) = &self.dropped;
        let text = substitute(template, &BTreeMap::from([("dropped", turns.as_str())]));
        Line {
            size: window::size(&text),
            message: Message::template(Role::User, name, [("dropped", Variable::text(turns))]),
        }
    }

    /// The request for the next message of the player, or for its last. `record` is for bots alone.
    pub fn ask(&self, mut messages: Vec<Message>, record: &str, is_last: bool) -> Ask {
        for message in &mut messages {
            if let Content::Template { variables, .. } = &mut message.content
                && variables.contains_key(variable::WORLD)
            {
                variables.insert(variable::RECORD.to_owned(), Variable::text(record));
            }
        }
        let searches = self.can_search && !is_last;
        let forms = searches.then(form_to_search).into_iter().chain([form_to_answer()]);
        Ask::new(Seat::PLAYER, ThreadId(1), messages, Expect::Actions(forms.collect()))
    }
}

struct Making<'a> {
    pack: &'a Pack,
    settings: &'a Settings,
    profile: Profile,
    world: &'a World,
    task: &'a Task,
}

impl Making<'_> {
    /// The name of a template in the world's language.
    fn name(&self, base: &str) -> String {
        named(base, self.world.language())
    }

    fn text(&self, base: &str) -> Result<&str, BadSpec> {
        Ok(self.pack.template(&self.name(base))?)
    }

    fn line(&self, message: Message) -> Result<Line, BadSpec> {
        let ask = Ask::new(Seat::PLAYER, ThreadId(1), vec![message.clone()], Expect::Text);
        let rendered = self.pack.render(&ask, self.task)?;
        Ok(Line { size: rendered.iter().map(|text| window::size(&text.text)).sum(), message })
    }

    fn opening(&self) -> Result<Vec<Line>, BadSpec> {
        let system = self.system()?;
        let question = self.question()?;
        let before = match self.profile {
            Profile::Reference if self.settings.setting != Setting::Oracle => {
                self.before_the_question()
            }
            _ => Vec::new(),
        };
        let own_system = matches!(before.first(), Some(line) if line.message.role == Role::System);
        Ok(match self.settings.engines {
            // A system message of the prompt stays, and ours is not sent.
            Engines::Api if own_system => before.into_iter().chain([question]).collect(),
            // It is overwritten.
            _ => std::iter::once(system)
                .chain(before.into_iter().skip(usize::from(own_system)))
                .chain([question])
                .collect(),
        })
    }

    fn system(&self) -> Result<Line, BadSpec> {
        let plain = |base: &str| self.line(Message::template(Role::System, &self.name(base), []));
        let setting = self.settings.setting;
        let own = match setting {
            Setting::Oracle => return plain("oracle"),
            Setting::Control => return plain("control"),
            Setting::Custom => self.world.system.as_ref().or(self.settings.system.as_ref()),
            _ => self.world.system.as_ref(),
        };
        if let Some(own) = own {
            return Ok(Line::text(Role::System, own));
        }
        let guidance = match setting {
            Setting::Guidance => self.text("guidance")?,
            Setting::FewShot => self.text("few_shot")?,
            _ => "",
        };
        self.line(Message::template(
            Role::System,
            &self.name("system"),
            [("guidance", Variable::text(guidance))],
        ))
    }

    /// What stands in the world's prompt before its question.
    fn before_the_question(&self) -> Vec<Line> {
        let prompt = &self.world.prompt;
        let question = prompt.iter().rposition(|message| message.role == "user");
        prompt[..question.unwrap_or(0)]
            .iter()
            .map(|message| {
                let role = match message.role.as_str() {
                    "system" => Role::System,
                    "assistant" => Role::Assistant,
                    _ => Role::User,
                };
                Line::text(role, message.content.as_str())
            })
            .collect()
    }

    fn question(&self) -> Result<Line, BadSpec> {
        let mut variables = vec![
            ("question", Variable::field(field::QUESTION)),
            (variable::WORLD, Variable::field(field::ROW)),
        ];
        let name = match self.settings.setting {
            Setting::Oracle => {
                variables.push(("facts", Variable::text(facts_block(&self.world.facts))));
                self.name("facts")
            }
            _ => "question".to_owned(),
        };
        let template = self.pack.template(&name)?;
        for hidden in [variable::WORLD, variable::RECORD] {
            if template.contains(&format!("{{{hidden}}}")) {
                return Err(BadSpec::new(
                    "pack",
                    format!(
                        "the template {name:?} shows the player {{{hidden}}}, which is for bots alone; leave it out"
                    ),
                ));
            }
        }
        self.line(Message::template(Role::User, &name, variables))
    }
}

/// The facts as setting A shows them: numbered from 1, by the code points of their keys, with a full-width colon.
pub fn facts_block(facts: &[Fact]) -> String {
    let mut sorted: Vec<&Fact> = facts.iter().collect();
    sorted.sort_by(|one, two| one.key.cmp(&two.key));
    let lines = (1_usize..)
        .zip(sorted)
        .map(|(number, fact)| format!("{number}. {}：{}", fact.key, fact.value));
    lines.collect::<Vec<_>>().join("\n")
}

/// A search as a form.
pub fn form_to_search() -> ActionForm {
    let written = Written::Call { tool: TOOL.to_owned() };
    ActionForm::new("search", written, &[("query", "what is searched for")])
}

/// The final answer as a form.
pub fn form_to_answer() -> ActionForm {
    let hint = "the final answer; it ends the episode";
    ActionForm::new("answer", Written::Tag, &[("answer", hint)])
}
