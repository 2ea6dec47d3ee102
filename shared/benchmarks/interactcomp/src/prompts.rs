//! The prompts of InteractComp: our default pack, and how requests are made from a pack (specification 4).

use std::collections::BTreeMap;

use super::mode::Mode;
use super::reading::ActionName;
use super::settings::Settings;
use turnwise_core::prelude::*;
use turnwise_core::prompt::substitute;

/// Names of the task's fields.
pub mod field {
    pub const QUESTION: &str = "question";
    /// What only the responder knows.
    pub const CONTEXT: &str = "context";
    /// The truth; only the grader sees it.
    pub const ANSWER: &str = "answer";
    /// Other names of the truth, one a line; only `bot:exact` reads them.
    pub const ALIASES: &str = "aliases";
}

/// The default pack, in our own wording.
pub fn default_pack() -> Pack {
    #[rustfmt::skip]
    let templates = templates!["../prompts/":
        "system", "asking", "act", "final", "repair", "constraints", "feedback_invalid", "feedback_early",
        "action_answer", "action_search", "action_ask", "responder", "grader",
    ];
    Pack {
        name: "turnwise-interactcomp-1".to_owned(),
        templates: templates
            .into_iter()
            .map(|(name, text)| (name.to_owned(), as_stored(name, text).to_owned()))
            .collect(),
    }
}

/// A template of a file as a pack holds it: blocks of actions without the line break that ends every file, because they
/// are joined by blank lines.
pub fn as_stored<'a>(name: &str, file: &'a str) -> &'a str {
    if name.starts_with("action_") { file.strip_suffix('\n').unwrap_or(file) } else { file }
}

/// A pack made ready for one episode: the texts that do not change within it.
#[derive(Debug, Clone)]
pub struct Prompts {
    actions: Vec<(ActionName, String)>,
    asking: String,
    invalid: String,
    early: String,
    constraints: String,
}

impl Prompts {
    /// Takes from a pack what an episode needs. Where a user's own pack lacks a template that the paper does not print, ours
    /// stands in.
    ///
    /// # Errors
    /// If a template is missing that nothing can stand in for.
    pub fn new(pack: &Pack, settings: &Settings, profile: Profile) -> Result<Self, BadSpec> {
        let ours = default_pack();
        let text =
            |name: &str| pack.template(name).or_else(|_| ours.template(name)).map(str::to_owned);
        pack.check(["system", "act", "final", "responder", "grader"])?;
        let actions = settings
            .mode
            .actions()
            .iter()
            .map(|action| {
                // The block stands as the pack has it: the paper's own block about asking ends with a line break.
                Ok((*action, text(&format!("action_{action}"))?))
            })
            .collect::<Result<_, BadSpec>>()?;
        // The reference code shows its block about asking in every mode, also where nothing can be asked.
        let shows_asking =
            profile == Profile::Reference || settings.mode.actions().contains(&ActionName::Ask);
        Ok(Prompts {
            actions,
            asking: if shows_asking { text("asking")? } else { String::new() },
            invalid: text("feedback_invalid")?.trim_end().to_owned(),
            early: text("feedback_early")?.trim_end().to_owned(),
            constraints: text("constraints")?.trim_end().to_owned(),
        })
    }

    /// The question as the player is shown it: decorated in two modes (specification 3.2).
    pub fn question(&self, task: &Task, settings: &Settings) -> Result<String, BadSpec> {
        let question = task.text(field::QUESTION)?;
        match settings.mode {
            mode if mode.shows_context() => match task.text(field::CONTEXT)? {
                "" => Ok(question.to_owned()),
                context => Ok(format!("CONTEXT:\n{context}\n\nQUESTION:\n{question}")),
            },
            Mode::ForcedAsk => {
                let least = settings.min_asks.to_string();
                let constraints =
                    substitute(&self.constraints, &BTreeMap::from([("min_asks", least.as_str())]));
                Ok(format!("{constraints}\n\nQUESTION:\n{question}"))
            }
            _ => Ok(question.to_owned()),
        }
    }

    /// The remark after an invalid reply.
    pub fn invalid(&self) -> String {
        let names: Vec<_> = self.actions.iter().map(|(action, _)| action.name()).collect();
        substitute(&self.invalid, &BTreeMap::from([("actions", names.join(", ").as_str())]))
    }

    /// The remark after an answer that came too early.
    pub fn early(&self, min_asks: u32, asked: u32) -> String {
        let (least, asked) = (min_asks.to_string(), asked.to_string());
        substitute(
            &self.early,
            &BTreeMap::from([("min_asks", least.as_str()), ("asked", asked.as_str())]),
        )
    }

    /// The request for the next action.
    pub fn act(&self, thread: ThreadId, view: &View<'_>) -> Ask {
        let last = [
            ("last_action", Variable::text(view.last_action)),
            ("last_observation", Variable::text(view.last_observation)),
        ];
        let user = view.message("act", last);
        let allowed: Vec<_> = self.actions.iter().map(|(action, _)| *action).collect();
        self.ask_player(thread, view, &allowed, user)
    }

    /// The request for the final answer.
    pub fn last(&self, thread: ThreadId, view: &View<'_>) -> Ask {
        self.ask_player(thread, view, &[ActionName::Answer], view.message("final", []))
    }

    /// The one further request when the final reply was no answer (`strict` only).
    pub fn repair(&self, thread: ThreadId, view: &View<'_>, fault: &str) -> Ask {
        let user = view.message("repair", [("fault", Variable::text(fault))]);
        self.ask_player(thread, view, &[ActionName::Answer], user)
    }

    fn ask_player(
        &self,
        thread: ThreadId,
        view: &View<'_>,
        allowed: &[ActionName],
        user: Message,
    ) -> Ask {
        let blocks: Vec<_> = self
            .actions
            .iter()
            .filter(|(action, _)| allowed.contains(action))
            .map(|(_, block)| block.as_str())
            .collect();
        let system = Message::template(
            Role::System,
            "system",
            [
                ("actions", Variable::text(blocks.join("\n\n"))),
                ("asking", Variable::text(self.asking.as_str())),
                ("question", Variable::text(view.question)),
            ],
        );
        let expect = Expect::Actions(allowed.iter().copied().map(form).collect());
        Ask::new(Seat::PLAYER, thread, vec![system, user], expect)
    }
}

/// What a request to the player shows of the episode.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub question: &'a str,
    /// The memory text (specification 3.5).
    pub memory: &'a str,
    /// The name of the last action that was carried out; empty before the first.
    pub last_action: &'a str,
    /// The remark about the last reply, else what the last action brought.
    pub last_observation: &'a str,
    /// The round, from 1.
    pub round: u32,
    pub limit: u32,
}

impl View<'_> {
    fn message<const N: usize>(&self, template: &str, more: [(&str, Variable); N]) -> Message {
        let shown = [
            ("memory", Variable::text(self.memory)),
            ("question", Variable::text(self.question)),
            ("round_info", Variable::text(self.round_info())),
        ];
        Message::template(Role::User, template, shown.into_iter().chain(more))
    }

    pub fn round_info(&self) -> String {
        format!("{}/{}", self.round.min(self.limit), self.limit)
    }
}

/// The request to the user who knows the context.
pub fn ask_responder(thread: ThreadId, question: &str) -> Ask {
    let variables =
        [("context", Variable::field(field::CONTEXT)), ("question", Variable::text(question))];
    let messages = vec![Message::template(Role::User, "responder", variables)];
    Ask::new(Seat::RESPONDER, thread, messages, Expect::choice(["yes", "no", "i don't know"]))
}

/// The request to the grader: the bare question, the prediction and the truth.
pub fn ask_grader(thread: ThreadId, prediction: &str) -> Ask {
    let variables = [
        ("question", Variable::field(field::QUESTION)),
        ("predicted_answer", Variable::text(prediction)),
        ("correct_answer", Variable::field(field::ANSWER)),
        ("aliases", Variable::field(field::ALIASES)),
    ];
    let messages = vec![Message::template(Role::User, "grader", variables)];
    Ask::new(Seat::GRADER, thread, messages, Expect::choice(["yes", "no"]))
}

/// An action as a form, with the hints that stand in our action blocks.
pub fn form(action: ActionName) -> ActionForm {
    let hints: &[(&str, &str)] = match action {
        ActionName::Answer => &[
            ("answer", "the answer alone, short and exact"),
            ("confidence", "how sure you are, 0 to 100"),
        ],
        ActionName::Search => &[("query", "what to look for")],
        ActionName::Ask => &[("question", "a question that yes or no can answer")],
    };
    ActionForm::new(action.name(), Written::Action, hints)
}
