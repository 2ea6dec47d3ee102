//! The prompts of Mind-ParaWorld: our default pack, and how the player is asked from a pack (specification 5.2).
//!
//! Every template of the player but the question has an English and a Chinese form, `NAME` and `NAME_zh`; the world's
//! language chooses.

use std::collections::BTreeMap;

use super::reading::syntax::TOOL;
use super::settings::{Engines, Setting, Settings};
use super::task::{Fact, Language, World, field};
use super::{consult, judging, window};
use turnwise_core::prompt::{
    ActionForm, Ask, Content, Expect, Message, Pack, Parameter, Role, ThreadId, Variable, Written,
    substitute,
};
use turnwise_core::seat::Seat;
use turnwise_core::spec::{BadSpec, Profile};
use turnwise_core::task::Task;

/// Variables of the player's request that no template prints: only built-in players read them (ARCHITECTURE.md, rule 40).
pub mod variable {
    /// The whole row of the world.
    pub const WORLD: &str = "world";
    /// What the player has done so far: [`Record`](super::super::bots::Record) as JSON.
    pub const RECORD: &str = "record";
}

/// Templates that come in two languages.
macro_rules! both {
    ($($name:literal),*) => {
        [$(
            ($name, include_str!(concat!("../prompts/", $name, ".txt"))),
            (concat!($name, "_zh"), include_str!(concat!("../prompts/", $name, "_zh.txt"))),
        )*]
    };
}

/// What the player is told.
const PLAYER: [(&str, &str); 18] = both!(
    "system",
    "guidance",
    "few_shot",
    "oracle",
    "facts",
    "control",
    "reminder",
    "reminder_last",
    "dropped"
);

/// The default pack, in our own wording.
pub fn default_pack() -> Pack {
    let question = ("question", include_str!("../prompts/question.txt"));
    let templates = PLAYER
        .into_iter()
        .chain([question])
        .chain(consult::TEMPLATES.iter().copied())
        .chain(judging::TEMPLATES.iter().copied());
    Pack {
        name: "turnwise-paraworld-1".to_owned(),
        templates: templates
            .map(|(name, file)| {
                let text = file.strip_suffix('\n').unwrap_or(file);
                (name.to_owned(), text.to_owned())
            })
            .collect(),
    }
}

/// A message of the conversation, with what it counts for in the window.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The message.
    pub message: Message,
    /// Its characters once it is rendered.
    pub size: u64,
}

impl Line {
    /// A text as it is.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        let text = text.into();
        Line {
            size: window::size(&text, 0),
            message: Message { role, content: Content::Text(text) },
        }
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
            size: window::size(&text, 0),
            message: Message::template(Role::User, name, [("dropped", Variable::text(turns))]),
        }
    }

    /// The request for the next message of the player. `record` is for bots alone.
    pub fn ask(&self, mut messages: Vec<Message>, record: &str, turns: Turns) -> Ask {
        for message in &mut messages {
            if let Content::Template { variables, .. } = &mut message.content
                && variables.contains_key(variable::WORLD)
            {
                variables.insert(variable::RECORD.to_owned(), Variable::text(record));
            }
        }
        let answers = [form_to_answer()];
        let forms = match turns {
            Turns::Several if self.can_search => {
                [form_to_search()].into_iter().chain(answers).collect()
            }
            _ => answers.into(),
        };
        Ask {
            seat: Seat::new(Seat::PLAYER),
            thread: ThreadId(1),
            messages,
            expect: Expect::Actions(forms),
        }
    }
}

/// Whether there is another turn after the one that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turns {
    /// There is.
    Several,
    /// It is the last.
    Last,
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
        match self.world.language() {
            Language::En => base.to_owned(),
            Language::Zh => format!("{base}_zh"),
        }
    }

    fn text(&self, base: &str) -> Result<&str, BadSpec> {
        self.pack.template(&self.name(base)).map_err(|bad| BadSpec::new("pack", bad.to_string()))
    }

    fn line(&self, message: Message) -> Result<Line, BadSpec> {
        let ask = Ask {
            seat: Seat::new(Seat::PLAYER),
            thread: ThreadId(1),
            messages: vec![message.clone()],
            expect: Expect::Text,
        };
        let rendered = self
            .pack
            .render(&ask, self.task)
            .map_err(|bad| BadSpec::new("pack", bad.to_string()))?;
        Ok(Line { size: rendered.iter().map(|text| window::size(&text.text, 0)).sum(), message })
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
        let template =
            self.pack.template(&name).map_err(|bad| BadSpec::new("pack", bad.to_string()))?;
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
        self.line(Message {
            role: Role::User,
            content: Content::Template {
                name,
                variables: variables
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect(),
            },
        })
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
    ActionForm {
        name: "search".to_owned(),
        parameters: vec![Parameter {
            name: "query".to_owned(),
            hint: "what is searched for".to_owned(),
        }],
        written: Written::Call { tool: TOOL.to_owned() },
    }
}

/// The final answer as a form.
pub fn form_to_answer() -> ActionForm {
    ActionForm {
        name: "answer".to_owned(),
        parameters: vec![Parameter {
            name: "answer".to_owned(),
            hint: "the final answer; it ends the episode".to_owned(),
        }],
        written: Written::Tag,
    }
}
