//! Who is asked, and what is said: a player, a responder and a grader of InteractComp and players of games that follow from a hash.
//!
//! They know nothing and mean nothing, but they behave like models: they reason before they act, forget the fence around
//! their JSON, name actions that do not exist, and answer after four to twelve turns.

pub mod link;
mod paraworld;
mod studio;

use serde_json::{Value, json};
use turnwise_shared::benchmark::{Dice, Prompt};
use turnwise_shared::hash::Digest;
use turnwise_shared::prompt::{Pack, Rendered, Role};
use turnwise_shared::registry::BENCHMARKS;
use turnwise_shared::seat::{Sampling, Seat};
use turnwise_shared::wire::ModelCall;

use super::chance::Chance;

/// The part that a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Player,
    /// A player of the Trust Game. The first rounds of many matches ask alike, so what it says follows from the request
    /// alone, however often it was made.
    Mover,
    /// A player of poker; as for the Trust Game, the same request gets the same reply.
    Better,
    /// Somebody who makes worlds in the studio. All repeats of an audit ask alike at the same time.
    Maker,
    /// A player of Mind-ParaWorld, its engine, its judge. The same request gets the same reply.
    Searcher,
    Engine,
    Judge,
    Responder,
    Grader,
    /// A seat whose benchmark says what a scripted model replies. The same request gets the same reply.
    Declared,
    /// Somebody tries the connection.
    Probe,
}

impl Part {
    /// Whether the same request always gets the same reply, because several are made at the same time.
    pub fn repeats_itself(self) -> bool {
        matches!(
            self,
            Part::Mover
                | Part::Better
                | Part::Maker
                | Part::Searcher
                | Part::Engine
                | Part::Judge
                | Part::Declared
        )
    }

    pub fn name(self) -> &'static str {
        match self {
            Part::Player => "player",
            Part::Mover => "mover",
            Part::Better => "better",
            Part::Maker => "maker",
            Part::Searcher => "searcher",
            Part::Engine => "engine",
            Part::Judge => "judge",
            Part::Responder => "responder",
            Part::Grader => "grader",
            Part::Declared => "declared",
            Part::Probe => "probe",
        }
    }
}

/// What is said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    pub text: String,
    pub reasoning: Option<String>,
}

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Request {
    pub part: Part,
    /// Role and text of each message.
    messages: Vec<(String, String)>,
    model: String,
}

impl Request {
    /// `None` if it is no request that somebody here could play.
    pub fn read(body: &Value) -> Option<Self> {
        let messages: Vec<(String, String)> = body["messages"]
            .as_array()?
            .iter()
            .map(|message| {
                let text = |field: &str| message[field].as_str().map(str::to_owned);
                Some((text("role")?, text("content")?))
            })
            .collect::<Option<_>>()?;
        Some(Request {
            part: part(&messages)?,
            messages,
            model: body["model"].as_str()?.to_owned(),
        })
    }

    /// The same for the same messages to the same model, streamed or not.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&json!([self.model, self.messages]))
    }

    /// Signs in all messages.
    pub fn length(&self) -> usize {
        self.messages
            .iter()
            .map(|(_, text)| text.chars().count())
            .sum()
    }

    /// Plays the part.
    pub fn play(&self, chance: &Chance) -> Words {
        let text = match self.part {
            Part::Player => self.act(chance),
            Part::Mover => move_of(chance).to_owned(),
            Part::Better => bet(chance),
            Part::Maker => studio::make(&self.messages[0].1, chance),
            Part::Searcher => paraworld::search(&self.messages, chance),
            Part::Engine => paraworld::engine(&self.messages, chance),
            Part::Judge => paraworld::judge(chance).to_owned(),
            Part::Responder => respond(chance).to_owned(),
            Part::Grader => grade(chance).to_owned(),
            Part::Declared => declared(&self.messages, chance).unwrap_or_default(),
            Part::Probe => "ready".to_owned(),
        };
        let reasoning = chance
            .happens("reasoning", 0.1)
            .then(|| "First the question itself, then what is left of it.".to_owned());
        Words { text, reasoning }
    }

    fn act(&self, chance: &Chance) -> String {
        let system = self.text("system");
        let question = after_last(system, "## Question\n").trim();
        let (round, limit) = round(self.text("user"));
        let may = |action: &str| system.contains(&format!("Action: {action}\n"));
        if chance.happens("invalid", 0.04) {
            return invalid(chance).to_owned();
        }
        // How long an episode goes follows from its question, so all its requests agree on it.
        let length = 4 + Chance::new([question.as_bytes()]).number("length", 7);
        let explores: Vec<&str> = ["search", "ask"]
            .into_iter()
            .filter(|action| may(action))
            .collect();
        let action = if explores.is_empty() || round >= length.min(limit) {
            json!({ "action": "answer", "params": {
                "answer": guess(question, chance),
                "confidence": chance.number("confidence", 101).to_string(),
            } })
        } else if chance.one("action", &explores) == "search" {
            json!({ "action": "search", "params": { "query": query(question, chance) } })
        } else {
            json!({ "action": "ask", "params": { "question": doubt(question, chance) } })
        };
        dressed(&action, chance)
    }

    /// The newest message of a role.
    fn text(&self, wanted: &str) -> &str {
        self.messages
            .iter()
            .rev()
            .find(|(role, _)| role == wanted)
            .map_or("", |(_, text)| text)
    }
}

/// A move of the Trust Game, now and then with words around it, with both words, or with none.
fn move_of(chance: &Chance) -> &'static str {
    if chance.happens("invalid", 0.06) {
        return chance.one("which", &["I would not DEFECT, so COOPERATE.", "I pass."]);
    }
    chance.one(
        "move",
        &[
            "COOPERATE",
            "COOPERATE",
            "**COOPERATE**",
            "cooperate",
            "DEFECT",
            "<think>They took it.</think>DEFECT",
        ],
    )
}

/// A decision in poker: now and then in a fence, illegal, or no decision at all.
fn bet(chance: &Chance) -> String {
    if chance.happens("invalid", 0.06) {
        return chance
            .one("which", &["I fold.", "{\"action\": \"PASS\"}", ""])
            .to_owned();
    }
    let action = chance.one(
        "action",
        &[
            "FOLD", "FOLD", "CALL", "CALL", "CHECK", "RAISE", "bet", "ALL_IN",
        ],
    );
    let amount = match action {
        "RAISE" | "bet" => 100 + 50 * chance.number("amount", 30),
        _ => 0,
    };
    let reply = json!({ "action": action, "amount": amount, "reasoning": "It feels right." });
    if chance.happens("fence", 0.2) {
        format!("```json\n{reply}\n```")
    } else {
        reply.to_string()
    }
}

/// How the system prompt of a custom player of Mind-ParaWorld begins.
const CUSTOM: &str = "Search and answer.";

/// Prompts are known by how their templates begin.
fn part(messages: &[(String, String)]) -> Option<Part> {
    let (_, first) = messages.first()?;
    let begins = |pack: &Pack, template: &str| {
        let text = pack.template(template).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default();
        !line.is_empty() && first.starts_with(line)
    };
    let known = BENCHMARKS.iter().find_map(|benchmark| {
        let pack = benchmark.pack();
        [
            ("system", Part::Player),
            ("system_bold", Part::Better),
            ("system_neutral", Part::Better),
            ("responder", Part::Responder),
            ("grader", Part::Grader),
            ("oracle", Part::Searcher),
            ("control", Part::Searcher),
            ("engine_system", Part::Engine),
            ("engine_reference_system", Part::Engine),
            ("judge_system", Part::Judge),
            ("questioner", Part::Maker),
            ("lawgiver", Part::Maker),
            ("audit", Part::Maker),
            ("answer", Part::Maker),
            ("compare", Part::Maker),
            ("editor", Part::Maker),
        ]
        .into_iter()
        .find_map(|(template, part)| {
            // Mind-ParaWorld speaks two languages.
            let chinese = format!("{template}_zh");
            (begins(&pack, template) || begins(&pack, &chinese)).then_some(part)
        })
        .map(|part| match (part, benchmark.name()) {
            (Part::Player, "trust") => Part::Mover,
            (Part::Player, "paraworld") => Part::Searcher,
            (part, _) => part,
        })
    });
    known
        .or_else(|| first.starts_with(CUSTOM).then_some(Part::Searcher))
        .or_else(|| declared(messages, &Chance::new([])).map(|_| Part::Declared))
        .or_else(|| {
            first
                .contains("test of the connection")
                .then_some(Part::Probe)
        })
}

/// What a benchmark says that a scripted model replies. The first one is left out: it goes by the seat alone, which no request names.
fn declared(messages: &[(String, String)], chance: &Chance) -> Option<String> {
    let rendered = messages.iter().map(|(role, text)| {
        let role = match role.as_str() {
            "assistant" => Role::Assistant,
            "system" => Role::System,
            _ => Role::User,
        };
        Rendered::text(role, text)
    });
    let mut call = ModelCall {
        provider: String::new(),
        model: String::new(),
        seat: Seat::new(""),
        messages: rendered.collect(),
        sampling: Sampling::default(),
    };
    let mut rolls = 0;
    let mut roll = |below: u32| {
        rolls += 1;
        let number = chance.number(&format!("declared {rolls}"), below.into());
        u32::try_from(number).unwrap_or_default()
    };
    let mut dice = Dice::new(&mut roll);
    let others = BENCHMARKS.get(1..).unwrap_or_default();
    others.iter().rev().find_map(|benchmark| {
        benchmark.seats().iter().find_map(|info| {
            call.seat = Seat::new(info.seat);
            benchmark.scripted(&Prompt::of(&call), &mut dice)
        })
    })
}

/// `Round 3/10`, as the last line of that kind says.
fn round(text: &str) -> (u64, u64) {
    text.lines()
        .rev()
        .find_map(|line| {
            let (round, limit) = line.trim().strip_prefix("Round ")?.split_once('/')?;
            Some((round.parse().ok()?, limit.parse().ok()?))
        })
        .unwrap_or((1, 1))
}

fn after_last<'a>(text: &'a str, mark: &str) -> &'a str {
    text.rsplit_once(mark).map_or(text, |(_, after)| after)
}

fn is_chinese(text: &str) -> bool {
    text.chars()
        .any(|sign| ('\u{4e00}'..='\u{9fff}').contains(&sign))
}

/// A few words of the question that follow each other.
fn words(question: &str, chance: &Chance, label: &str, count: usize) -> String {
    let parts: Vec<String> = if is_chinese(question) {
        question
            .chars()
            .filter(|sign| sign.is_alphanumeric())
            .map(String::from)
            .collect()
    } else {
        question.split_whitespace().map(str::to_owned).collect()
    };
    let space = if is_chinese(question) { "" } else { " " };
    let count = if is_chinese(question) {
        count * 2
    } else {
        count
    };
    let last = parts.len().saturating_sub(count) as u64;
    let from = usize::try_from(chance.number(label, last + 1)).expect("an index");
    parts
        .into_iter()
        .skip(from)
        .take(count)
        .collect::<Vec<_>>()
        .join(space)
}

fn query(question: &str, chance: &Chance) -> String {
    words(question, chance, "query", 4)
}

fn doubt(question: &str, chance: &Chance) -> String {
    let about = words(question, chance, "doubt", 3);
    if is_chinese(question) {
        format!("它和“{about}”有关吗？")
    } else {
        let year = 1800 + chance.number("year", 220);
        let forms = [
            format!("Is it about \"{about}\"?"),
            format!("Was it there before {year}?"),
            "Is it in Europe?".to_owned(),
            "Does it have a bird in its emblem?".to_owned(),
        ];
        chance.one("form of doubt", &forms)
    }
}

fn guess(question: &str, chance: &Chance) -> String {
    words(question, chance, "guess", 2)
}

/// An action as a model writes it down.
fn dressed(action: &Value, chance: &Chance) -> String {
    match chance.number("dress", 5) {
        0 => action.to_string(),
        1 => format!("```json\n{action:#}\n```"),
        2 => format!("The evidence is thin so far.\n\n```json\n{action}\n```"),
        3 => format!("Here is what I do next: {action}\nThat should help."),
        _ => {
            format!("<think>There may be {{several}} of them.</think>\n```json\n{action:#}\n```\n")
        }
    }
}

fn invalid(chance: &Chance) -> &'static str {
    chance.one(
        "form of invalid",
        &[
            "I should look into this more closely before I act.",
            r#"{"action": "browse", "params": {"url": "https://example.org/"}}"#,
            r#"{"action": "search", "params": {"query": "an unfinished"#,
            r#"{"action": "ask", "params": {"text": "is this the right name?"}}"#,
            "",
        ],
    )
}

fn respond(chance: &Chance) -> &'static str {
    chance.one(
        "responder",
        &[
            "yes",
            "yes",
            "Yes.",
            "no",
            "no",
            "No. The context says otherwise.",
            "i don't know",
            "I don’t know.",
            "i don't know",
            "This can be seen in several ways.",
        ],
    )
}

fn grade(chance: &Chance) -> &'static str {
    if chance.happens("unreadable", 0.03) {
        return "It is hard to tell.";
    }
    chance.one(
        "grader",
        &["yes", "Yes.", "**yes**", "no", "no", "no", "No.", "no"],
    )
}
