//! The default prompt pack, in our own wording, and how requests are made from a pack. Templates and variables are called so that the authors'
//! own texts can take their place.

use turnwise_core::day::Day;
use turnwise_core::json::object;
use turnwise_core::kit::judge::Asked;
use turnwise_core::prelude::*;
use turnwise_core::prompt::substitute;

use crate::memory::pretty;
use crate::reading::{Ranked, tool};
use crate::settings::{ANSWERER, Judging, READER, Settings};
use crate::tasks::field;

/// Names of the variables that bots read.
pub mod variable {
    pub const QUESTION: &str = "goal";
    pub const MEMORY: &str = "memory";
    pub const STEPS: &str = "max_iter_num";
    /// Player: the step that is planned, from 1.
    pub const STEP: &str = "step";
    pub const PAGES: &str = "max_webpage_num";
    /// Player and answerer: what an answer is based on.
    pub const FOUND: &str = "webpages";
    /// Reader: a piece of a page, and what it is asked.
    pub const PAGE: &str = "page";
    pub const ASKED: &str = "question";
    pub const REFERENCE: &str = "reference_answer";
    pub const CANDIDATE: &str = "candidate_answer";
}

/// What a field of a form is for.
pub const ADDRESS: &str = "an address";

/// What stands before what was done and found, as in the authors' program.
const MEMORY_LABEL: &str = "- Complete tasks:\n";

pub const PLAN: &str = "plan";
pub const RANK: &str = "rank";
pub const ANSWER: &str = "answer";

pub fn pack() -> Pack {
    let templates = templates!["../prompts/":
        "plan_en", "plan_zh", "plan_aware_en", "plan_aware_zh", "tools_en", "tools_zh", "date_en", "date_zh",
        "again_en", "again_zh", "read_en", "read_zh", "rank_en", "rank_zh", "answer_en", "answer_zh",
        "judge_en", "judge_zh", "judge_false_premise_en", "judge_false_premise_zh", "judge_unified_en", "judge_unified_zh",
    ];
    Pack::of("turnwise-infodeepseek-1", templates)
}

/// Makes the requests of an episode.
#[derive(Debug, Clone)]
pub struct Prompts {
    settings: Settings,
    question: String,
    tools: String,
    date: String,
}

impl Prompts {
    /// # Errors
    /// If the pack lacks a template.
    pub fn new(pack: &Pack, settings: &Settings, question: &str) -> Result<Self, BadSpec> {
        pack.check(self::pack().templates.keys())?;
        let code = settings.language.code();
        let day: Option<Day> = settings.date.parse().ok();
        let date = match day.as_ref().and_then(|day| Some((day.to_string(), day.weekday()?))) {
            Some((date, weekday)) => {
                let names = match code {
                    "zh" => ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"],
                    _ => [
                        "Monday",
                        "Tuesday",
                        "Wednesday",
                        "Thursday",
                        "Friday",
                        "Saturday",
                        "Sunday",
                    ],
                };
                let variables = [("date", date.as_str()), ("weekday", names[weekday])];
                substitute(pack.template(&format!("date_{code}"))?, &variables.into())
            }
            None => String::new(),
        };
        Ok(Prompts {
            settings: settings.clone(),
            question: question.to_owned(),
            tools: pack.template(&format!("tools_{code}"))?.to_owned(),
            date,
        })
    }

    fn template<'a>(
        &self,
        name: &str,
        variables: impl IntoIterator<Item = (&'a str, Variable)>,
    ) -> Message {
        let code = self.settings.language.code();
        // In the words of the authors' program.
        let (agent, about) = match code {
            "zh" => ("AI助手", "你能帮助人类解决他们的问题"),
            _ => ("AI Assistant", "You can help people solve their problems"),
        };
        let usual = [
            ("agent_name", Variable::text(agent)),
            ("agent_bio", Variable::text(about)),
            ("agent_instructions", Variable::text("")),
            ("current_date_and_time", Variable::text(&*self.date)),
            (variable::QUESTION, Variable::text(&*self.question)),
        ];
        Message::template(Role::User, &format!("{name}_{code}"), usual.into_iter().chain(variables))
    }

    /// The player plans step `step`, from 1. The sources are for a bot that knows them; no template shows them.
    pub fn plan(&self, memory: &str, step: u32) -> Message {
        let name = if self.settings.language.is_aware() { "plan_aware" } else { PLAN };
        let variables = [
            ("tool_specification", Variable::text(&*self.tools)),
            (variable::MEMORY, labelled(memory)),
            (variable::STEPS, Variable::text(self.settings.steps.to_string())),
            (variable::STEP, Variable::text(step.to_string())),
            (field::SOURCES, Variable::field(field::SOURCES)),
        ];
        self.template(name, variables)
    }

    pub fn rank(&self, memory: &str) -> Message {
        let variables = [
            (variable::MEMORY, labelled(memory)),
            (variable::PAGES, Variable::text(self.settings.pages.to_string())),
            (field::SOURCES, Variable::field(field::SOURCES)),
        ];
        self.template(RANK, variables)
    }

    /// An answer from what was found, from some pages, or from nothing: one prompt for all three.
    pub fn answer(&self, found: &str) -> Message {
        self.template(ANSWER, [(variable::FOUND, Variable::text(found))])
    }

    /// The same from what the player did and found.
    pub fn conclude(&self, memory: &str) -> Message {
        self.template(ANSWER, [(variable::FOUND, labelled(memory))])
    }

    /// The reply was of no use.
    pub fn again(&self, problem: &str) -> Message {
        let code = self.settings.language.code();
        let variables = [("problem", Variable::text(problem))];
        Message::template(Role::User, &format!("again_{code}"), variables)
    }

    /// The reader is given a piece of a page.
    pub fn read(&self, thread: ThreadId, title: &str, piece: &str, question: &str) -> Ask {
        let question = if question.is_empty() { &self.question } else { question };
        let variables = [
            ("title", Variable::text(title)),
            (variable::PAGE, Variable::text(piece)),
            (variable::ASKED, Variable::text(question)),
        ];
        let name = format!("read_{}", self.settings.language.code());
        let messages = vec![Message::template(Role::User, &name, variables)];
        Ask::new(READER, thread, messages, Expect::Text)
    }

    /// The answerer is given the first pages of the evidence.
    pub fn answer_from(&self, thread: ThreadId, pages: &[Ranked]) -> Ask {
        Ask::new(ANSWERER, thread, vec![self.answer(&evidence(pages))], Expect::Text)
    }
}

fn labelled(memory: &str) -> Variable {
    let label = if memory.is_empty() { "" } else { MEMORY_LABEL };
    Variable::text(format!("{label}{memory}"))
}

/// Pages as JSON.
pub fn evidence(pages: &[Ranked]) -> String {
    let page = |page: &Ranked| {
        object([("url", page.url.as_str().into()), ("content", page.content.as_str().into())])
    };
    pretty(&Json::List(pages.iter().map(page).collect()))
}

/// What the player may do in a step. A person fills it in; a model reads the same in words.
pub fn steps() -> Expect {
    let form = |name: &str, parameters: &[(&str, &str)]| {
        ActionForm::new(name, Written::Action, parameters)
    };
    let part = ("part", "of a long page; empty = the first");
    Expect::Actions(vec![
        form(tool::SEARCH, &[("text", "what to search for")]),
        form(
            tool::OPEN,
            &[("url", ADDRESS), ("question", "what it is to say; may be empty"), part],
        ),
        form(tool::TIME, &[("start_time", "e.g. 2024-01-31"), ("end_time", "e.g. 2024-02-29")]),
        form(tool::DONE, &[]),
    ])
}

/// The places of the evidence.
pub fn places(pages: u32) -> Expect {
    let names: Vec<String> = (1..=pages).map(|place| place.to_string()).collect();
    let parameters: Vec<_> = names.iter().map(|name| (name.as_str(), ADDRESS)).collect();
    Expect::Actions(vec![ActionForm::new(RANK, Written::Action, &parameters)])
}

/// The player's request, in the conversation of the attempts at one reply.
pub fn player(thread: ThreadId, messages: Vec<Message>, expect: Expect) -> Ask {
    Ask::new(Seat::PLAYER, thread, messages, expect)
}

/// What a judge is asked about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Judged {
    pub seat: &'static str,
    /// Which of the answers that differ.
    pub candidate: usize,
    pub answer: String,
    pub settings: JudgeSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct JudgeSettings {
    pub code: &'static str,
    pub judging: Judging,
    pub is_false_premise: bool,
    /// Conversations before those of judges.
    pub threads: u32,
}

/// Each request is a conversation of its own.
pub fn judge(judged: &Judged, asked: Asked) -> Ask {
    let JudgeSettings { code, judging, is_false_premise, threads } = judged.settings;
    let name = match (judging, is_false_premise) {
        (Judging::Unified, _) => "judge_unified",
        (Judging::Separate, true) => "judge_false_premise",
        (Judging::Separate, false) => "judge",
    };
    let (question, answer) = match code {
        "zh" => (field::QUESTION_ZH, field::ANSWER_ZH),
        _ => (field::QUESTION, field::ANSWER),
    };
    let variables = [
        ("query", Variable::field(question)),
        (variable::REFERENCE, Variable::field(answer)),
        (variable::CANDIDATE, Variable::text(&*judged.answer)),
    ];
    let messages = vec![Message::template(Role::User, &format!("{name}_{code}"), variables)];
    Ask::new(judged.seat, ThreadId(threads + asked.number), messages, Expect::choice(["yes", "no"]))
}
