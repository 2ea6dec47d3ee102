//! A question to a person, made ready for the screen: what stands large, what the controls are, and the text that each of
//! them sends. Every text is one that a model could have written, and goes through the same parser.

use std::collections::BTreeMap;

use serde_json::Value;
use turnwise_shared::benchmarks::paraworld::consult::Sheet;
use turnwise_shared::benchmarks::paraworld::settings::seat as world_seat;
use turnwise_shared::benchmarks::paraworld::task::Language;
use turnwise_shared::benchmarks::studio::prompts::variable;
use turnwise_shared::benchmarks::studio::work::{action, seat as studio_seat};
use turnwise_shared::prompt::{ActionForm, Expect, Role, Written};
use turnwise_shared::run::Question;
use turnwise_shared::scene::{Block, CardTable};
use turnwise_shared::seat::Seat;

use crate::strings::person as words;

/// What a question is answered with.
#[derive(Debug)]
pub enum Desk {
    /// One of a few words.
    Words(Vec<Word>),
    /// The page of a search engine that is made of facts.
    Engine(Box<Sheet>),
    /// The forms of what is expected.
    Forms(Expect),
}

/// A word that can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// What stands on its button.
    pub label: String,
    /// The key that says it, in lower case.
    pub key: String,
    /// What is said.
    pub text: String,
}

/// A part of what is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub title: String,
    /// The text.
    pub text: String,
    /// The language in which it is set; `None` = that of the page.
    pub lang: Option<&'static str>,
    /// Whether it is what the answer is about, and stands large.
    pub is_point: bool,
}

/// What a question is answered with.
pub fn desk(question: &Question) -> Desk {
    match &question.expect {
        Expect::Choice(choices) => {
            let said = choices.iter().map(|choice| {
                let key = match choice.as_str() {
                    "yes" => "y",
                    "no" => "n",
                    "i don't know" => "d",
                    _ => "",
                };
                (words::choice(choice), key.to_owned(), choice.clone())
            });
            Desk::Words(with_keys(said))
        }
        Expect::Actions(forms) => match verdicts(question, forms) {
            Some(verdicts) => Desk::Words(verdicts),
            None => Desk::Forms(question.expect.clone()),
        },
        Expect::Text if question.seat.as_str() == world_seat::ENGINE => {
            match Sheet::of(|name| question.part(name)) {
                Some(sheet) => Desk::Engine(Box::new(sheet)),
                None => Desk::Forms(Expect::Text),
            }
        }
        expect => Desk::Forms(expect.clone()),
    }
}

/// The verdicts of a judge, whose form has one field for one of two words.
fn verdicts(question: &Question, forms: &[ActionForm]) -> Option<Vec<Word>> {
    let [form] = forms else { return None };
    if question.seat.as_str() != world_seat::JUDGE || form.written != Written::Tag {
        return None;
    }
    let said = ["Correct", "Incorrect"].map(|verdict| {
        let key = verdict[..1].to_lowercase();
        (verdict.to_owned(), key, form.text(&[verdict.to_owned()]))
    });
    Some(with_keys(said))
}

/// Words with a key each: their own, else their number.
fn with_keys(said: impl IntoIterator<Item = (String, String, String)>) -> Vec<Word> {
    (1..)
        .zip(said)
        .map(|(number, (label, key, text)): (u32, _)| Word {
            label,
            key: if key.is_empty() {
                number.to_string()
            } else {
                key
            },
            text,
        })
        .collect()
}

/// An answer in a few words: what its button says, else that something was written.
pub fn said(question: &Question, text: &str) -> String {
    let word = match desk(question) {
        Desk::Words(words) => words.into_iter().find(|word| word.text == text),
        Desk::Engine(_) | Desk::Forms(_) => None,
    };
    word.map_or_else(|| words::WRITTEN.to_owned(), |word| word.label)
}

/// Whether the scene of the seat is drawn: a player, or whoever sits in a numbered seat of a game, follows the episode; everybody
/// else is asked one thing at a time.
pub fn draws_scene(question: &Question) -> bool {
    let seat = question.seat.as_str();
    let follows = seat == Seat::PLAYER || seat.parse::<u32>().is_ok();
    follows && !question.scene.blocks.is_empty()
}

/// The table at which a bet is asked for.
pub fn card_table(question: &Question) -> Option<&CardTable> {
    question.scene.blocks.iter().find_map(|block| match block {
        Block::CardTable(table) => Some(table),
        _ => None,
    })
}

/// With what the controls of a question begin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Begins {
    /// The action that is chosen; `None` for the first.
    pub action: Option<String>,
    /// What stands in fields, by the parameter's name.
    pub fields: BTreeMap<&'static str, String>,
}

/// Whoever changes a draft begins with the draft, and after a fault with what they had written.
pub fn begins(question: &Question) -> Begins {
    if question.seat.as_str() != studio_seat::EDITOR {
        return Begins::default();
    }
    let mine = question.messages.iter().rev();
    let mine = mine
        .filter(|message| message.role == Role::Assistant)
        .find_map(|message| edited(&message.text));
    let of = |action, text| Begins {
        action,
        fields: BTreeMap::from([(action::JSON, text)]),
    };
    match (question.part(variable::DRAFT), mine) {
        (Some(draft), _) => of(None, draft.to_owned()),
        (None, Some(text)) => of(Some(action::EDIT.to_owned()), text),
        (None, None) => Begins::default(),
    }
}

/// What somebody wrote as the changed draft, if that is what a reply says.
fn edited(reply: &str) -> Option<String> {
    let object = reply.get(reply.find('{')?..=reply.rfind('}')?)?;
    let said: Value = serde_json::from_str(object).ok()?;
    let is_edit = said["action"].as_str() == Some(action::EDIT);
    let text = said["params"][action::JSON].as_str();
    text.filter(|_| is_edit).map(str::to_owned)
}

/// What is shown above the controls. What the scene of a player shows already is left out, and facts that the controls list.
pub fn parts(question: &Question) -> Vec<Part> {
    let (in_scene, lists_facts) = (
        draws_scene(question),
        matches!(desk(question), Desk::Engine(_)),
    );
    let is_shown = |name: &str| match name {
        "fault" => true,
        "facts" => !in_scene && !lists_facts,
        _ => !in_scene,
    };
    let all: Vec<_> = question
        .parts
        .iter()
        .filter(|(name, text)| is_shown(name) && !text.trim().is_empty())
        .collect();
    let point = ["query", "predicted_answer", "prediction", "question"]
        .into_iter()
        .find(|name| all.iter().any(|(part, _)| part == name));
    all.into_iter()
        .map(|(name, text)| Part {
            title: words::part(name).map_or_else(|| name.replace('_', " "), str::to_owned),
            text: text.clone(),
            lang: (Language::of(text) == Language::Zh).then_some(Language::Zh.code()),
            is_point: point == Some(name.as_str()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::prompt::{Parameter, Rendered};
    use turnwise_shared::scene::Scene;

    fn question(seat: &str, expect: Expect, parts: &[(&str, &str)]) -> Question {
        Question {
            seat: Seat::new(seat),
            expect,
            messages: Vec::new(),
            parts: parts
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect(),
            scene: Scene::default(),
        }
    }

    fn keys(question: &Question) -> Vec<(String, String)> {
        let Desk::Words(all) = desk(question) else {
            panic!("it is answered with a word");
        };
        all.into_iter().map(|word| (word.key, word.text)).collect()
    }

    #[test]
    fn a_word_says_what_a_model_would_write() {
        let choices = ["yes", "no", "i don't know"].map(str::to_owned).to_vec();
        let responder = question("responder", Expect::Choice(choices), &[]);
        let pair = |key: &str, text: &str| (key.to_owned(), text.to_owned());
        assert_eq!(
            keys(&responder),
            [pair("y", "yes"), pair("n", "no"), pair("d", "i don't know")]
        );
        assert_eq!(said(&responder, "i don't know"), "I don't know");
        assert_eq!(said(&responder, "something else"), words::WRITTEN);
        let other = Expect::Choice(vec!["red".to_owned(), "blue".to_owned()]);
        assert_eq!(
            keys(&question("x", other, &[])),
            [pair("1", "red"), pair("2", "blue")]
        );
        let form = ActionForm {
            name: "answer".to_owned(),
            parameters: vec![Parameter {
                name: "verdict".to_owned(),
                hint: String::new(),
            }],
            written: Written::Tag,
        };
        let judge = question("judge", Expect::Actions(vec![form.clone()]), &[]);
        assert_eq!(
            keys(&judge),
            [
                pair("c", "<answer>Correct</answer>"),
                pair("i", "<answer>Incorrect</answer>")
            ]
        );
        let player = question("player", Expect::Actions(vec![form]), &[]);
        assert!(matches!(desk(&player), Desk::Forms(_)));
    }

    #[test]
    fn an_editor_begins_with_the_draft_and_nobody_else_does() {
        let parts = [("draft", "{\"text\": \"Q?\"}")];
        let of = |seat: &str| begins(&question(seat, Expect::Text, &parts));
        let editor = of("editor");
        assert_eq!(
            (editor.fields["json"].as_str(), editor.action),
            (parts[0].1, None)
        );
        assert_eq!(of("player"), Begins::default());
    }

    #[test]
    fn after_a_fault_an_editor_goes_on_with_what_was_written() {
        let typed = "{\"text\": \"Q";
        let edit = ActionForm {
            name: action::EDIT.to_owned(),
            parameters: vec![Parameter {
                name: action::JSON.to_owned(),
                hint: String::new(),
            }],
            written: Written::Action,
        };
        let mut again = question("editor", Expect::Text, &[("fault", "it ends too early")]);
        let mine = edit.text(&[typed.to_owned()]);
        again.messages = vec![
            Rendered::text(Role::User, "Decide."),
            Rendered::text(Role::Assistant, mine),
            Rendered::text(Role::User, "It ends too early."),
        ];
        let begins = begins(&again);
        assert_eq!(begins.action.as_deref(), Some(action::EDIT));
        assert_eq!(begins.fields["json"], typed);
    }

    #[test]
    fn an_engine_without_facts_is_answered_as_text() {
        let bare = question("engine", Expect::Text, &[("query", "q")]);
        assert!(matches!(desk(&bare), Desk::Forms(Expect::Text)));
        let parts = [
            ("question", "Q?"),
            ("facts", r#"{"a": "1"}"#),
            ("query", "a?"),
        ];
        let whole = question("engine", Expect::Text, &parts);
        let Desk::Engine(sheet) = desk(&whole) else {
            panic!("the facts are there");
        };
        assert_eq!(sheet.facts().len(), 1);
        let shown: Vec<_> = super::parts(&whole)
            .into_iter()
            .map(|part| (part.title, part.is_point))
            .collect();
        assert_eq!(
            shown,
            [("Question".to_owned(), false), ("Query".to_owned(), true)],
            "the facts stand among the controls"
        );
    }

    #[test]
    fn chinese_is_set_as_such_and_empty_parts_are_left_out() {
        let shown = parts(&question(
            "grader",
            Expect::Text,
            &[
                ("question", "他是谁？"),
                ("aliases", " "),
                ("predicted_answer", "Ada"),
            ],
        ));
        let marks: Vec<_> = shown
            .iter()
            .map(|part| (part.lang, part.is_point))
            .collect();
        assert_eq!(marks, [(Some("zh"), false), (None, true)]);
    }

    #[test]
    fn a_player_follows_the_scene_and_is_told_what_was_wrong() {
        let mut player = question(
            Seat::PLAYER,
            Expect::Text,
            &[("question", "Who?"), ("fault", "no action")],
        );
        assert!(!draws_scene(&player));
        assert_eq!(parts(&player).len(), 2);
        player.scene.blocks.push(Block::Text {
            heading: "Question".to_owned(),
            text: "Who?".to_owned(),
        });
        assert!(draws_scene(&player));
        let shown: Vec<_> = parts(&player).into_iter().map(|part| part.text).collect();
        assert_eq!(shown, ["no action"]);
    }
}
