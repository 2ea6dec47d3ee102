//! The prompts of the studio, in our own wording, English and Chinese, and how requests are made from a pack.

use serde_json::json;

use super::pools::{EntityPair, field};
use super::record::Record;
use super::settings::Settings;
use super::work::{Asking, Request, action};
use turnwise_core::kit::dialogue::Dialogue;
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps};
use turnwise_paraworld::prompts::named;
use turnwise_paraworld::task::{Language, facts_json};

/// Names of variables that bots read.
pub mod variable {
    /// The pair, as JSON.
    pub const PAIR: &str = "pair";
    /// The level, 1 to 4.
    pub const LEVEL: &str = "level";
    pub const QUESTION: &str = "question";
    /// The facts, a JSON object.
    pub const FACTS: &str = "facts";
    pub const LANGUAGE: &str = "language";
    /// The first year.
    pub const FROM: &str = "from";
    /// The last year.
    pub const TO: &str = "to";
    /// A number that was drawn for this episode; no template shows it.
    pub const CHANCE: &str = "chance";
    /// What the machine found; empty if nothing.
    pub const FINDINGS: &str = "findings";
    /// What the editor is to decide on, as JSON.
    pub const DRAFT: &str = "draft";
}

/// Names of templates; those in Chinese end in `_zh`.
pub mod template {
    pub const QUESTIONER: &str = "questioner";
    pub const LAWGIVER: &str = "lawgiver";
    /// For what is wrong with a law.
    pub const AUDIT: &str = "audit";
    pub const ANSWER: &str = "answer";
    /// For whether two answers are the same.
    pub const COMPARE: &str = "compare";
    pub const EDITOR: &str = "editor";
    /// After a reply that could not be used.
    pub const REPAIR: &str = "repair";

    pub const ALL: [&str; 7] = [QUESTIONER, LAWGIVER, AUDIT, ANSWER, COMPARE, EDITOR, REPAIR];
}

/// The default pack, in our own wording.
pub fn default_pack() -> Pack {
    #[rustfmt::skip]
    let templates = templates!["../prompts/":
        "questioner", "lawgiver", "audit", "answer", "compare", "editor", "repair", "questioner_zh", "lawgiver_zh", "audit_zh",
        "answer_zh", "compare_zh", "editor_zh", "repair_zh",
    ];
    Pack::of("turnwise-worlds-1", templates)
}

/// Checks that a pack has what is asked with in a language.
///
/// # Errors
/// The first template that is missing.
pub fn check(pack: &Pack, language: Language) -> Result<(), BadSpec> {
    Ok(pack.check(template::ALL.map(|name| named(name, language)))?)
}

/// What requests of one pair are made from.
#[derive(Debug, Clone)]
pub struct Prompts {
    pub settings: Settings,
    pub pair: EntityPair,
    /// The number that was drawn for the episode.
    pub chance: u32,
}

impl Prompts {
    /// The request for an open part of a wave. `earlier` are the questions of the pair that stand already.
    pub fn ask(&self, asking: &Asking, record: &Record, earlier: &[&str], thread: ThreadId) -> Ask {
        let language = self.settings.language;
        let (name, variables) = self.variables(asking.request, record, earlier);
        let opening = Message::template(Role::User, &named(name, language), variables);
        let mut dialogue = Dialogue::new(asking.request.seat(), thread, [opening]);
        for back in &asking.back {
            if !back.said.trim().is_empty() {
                dialogue.said(&back.said);
            }
            let fault = [("fault", Variable::text(&back.fault))];
            dialogue.tell(&named(template::REPAIR, language), fault);
        }
        dialogue.ask(expect(asking.request, record))
    }

    fn variables(
        &self,
        request: Request,
        record: &Record,
        earlier: &[&str],
    ) -> (&'static str, Vec<(&'static str, Variable)>) {
        let [first, second] = self.pair.names(self.settings.language);
        let question = record.question.as_ref();
        let text = question.map_or("", |question| &question.text);
        let asked = (variable::QUESTION, Variable::text(text));
        let truth = record.law.as_ref().map_or("", |law| &law.answer_short);
        match request {
            Request::Question | Request::Law => {
                let mut variables = vec![
                    (variable::PAIR, Variable::field(field::PAIR)),
                    ("domain", Variable::text(&self.pair.domain)),
                    ("first", Variable::text(first)),
                    ("second", Variable::text(second)),
                    (variable::LEVEL, Variable::text(record.level.to_string())),
                    (variable::LANGUAGE, Variable::text(self.settings.language.name())),
                    (variable::FROM, Variable::text(self.settings.from.to_string())),
                    (variable::TO, Variable::text(self.settings.to.to_string())),
                    (variable::CHANCE, Variable::text(self.chance.to_string())),
                ];
                if request == Request::Question {
                    variables.push(("earlier", Variable::text(list(earlier))));
                    return (template::QUESTIONER, variables);
                }
                let outputs = question.map(|question| pretty(&json!(question.outputs)));
                variables.push(asked);
                variables.push(("outputs", Variable::text(outputs.unwrap_or_default())));
                (template::LAWGIVER, variables)
            }
            Request::Audit => {
                let facts = record.law.as_ref().map(|law| pretty(&json!(law.facts)));
                let laws = ("laws", Variable::text(facts.unwrap_or_default()));
                (template::AUDIT, vec![asked, laws, self.facts(record)])
            }
            Request::Answer(_) => (template::ANSWER, vec![asked, self.facts(record)]),
            Request::Compare(run) => {
                let answers = record.audit2.iter();
                let answer = answers.clone().find(|audit| audit.run == run);
                let answer = answer.map_or("", |audit| &audit.answer);
                let variables = vec![
                    asked,
                    ("truth", Variable::text(truth)),
                    ("answer", Variable::text(answer)),
                ];
                (template::COMPARE, variables)
            }
            Request::ReviewQuestion | Request::ReviewLaw | Request::LastLook => {
                let draft = match request {
                    Request::ReviewQuestion => pretty(&json!(record.question)),
                    _ => pretty(&json!(record.law)),
                };
                let answers = record.audit2.iter().map(|audit| audit.answer.as_str());
                let found = record.findings.iter().map(|found| found.detail.as_str());
                let variables = vec![
                    asked,
                    (variable::DRAFT, Variable::text(draft)),
                    ("answers", Variable::text(list(&answers.collect::<Vec<_>>()))),
                    (variable::FINDINGS, Variable::text(list(&found.collect::<Vec<_>>()))),
                ];
                (template::EDITOR, variables)
            }
        }
    }

    fn facts(&self, record: &Record) -> (&'static str, Variable) {
        let facts = record.law.as_ref().map(|law| law.plain_facts());
        let facts = dumps(&facts_json(&facts.unwrap_or_default()), Layout::Indented);
        (variable::FACTS, Variable::text(facts))
    }
}

/// What the editor may do: what the machine objects to cannot be let pass, and after the audits nothing is changed.
fn expect(request: Request, record: &Record) -> Expect {
    let form = |name: &str, parameters: &[(&str, &str)]| {
        ActionForm::new(name, Written::Action, parameters)
    };
    let accept = record.findings.is_empty().then(|| form(action::ACCEPT, &[]));
    let refuse = form(action::REFUSE, &[(action::REASON, "why it must not pass")]);
    let json = "a JSON object with the members to change, e.g. {\"text\": \"…\"}";
    match request {
        Request::ReviewQuestion | Request::ReviewLaw => {
            let edit = form(action::EDIT, &[(action::JSON, json)]);
            Expect::Actions(accept.into_iter().chain([edit, refuse]).collect())
        }
        Request::LastLook => Expect::Actions(accept.into_iter().chain([refuse]).collect()),
        _ => Expect::Text,
    }
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn list(items: &[&str]) -> String {
    let lines = items.iter().map(|item| format!("- {item}"));
    lines.collect::<Vec<_>>().join("\n")
}
