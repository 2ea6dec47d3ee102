//! An episode (specification 2.b): in each round the player writes its page and asks the judge one question; after the last it
//! writes the final page, which the grading scores.

use serde_json::json;
use turnwise_core::effect::{Job, Made, RenderProfile, Tool};
use turnwise_core::kit::judge::{Judge, heard};
use turnwise_core::parse;
use turnwise_core::prelude::*;
use turnwise_core::scene::Gauge;

use crate::prompts::{self, Question, Shown};
use crate::reading::{self, Answer, Attempt};
use crate::settings::{JUDGE, Mode, SUMMARIZER, Settings};
use crate::tasks::{self, field};

pub mod ending {
    pub const WRITTEN: &str = "written";
    pub const DESCRIBED: &str = "described";
    /// The Summarizer wrote no description: no score.
    pub const NOT_DESCRIBED: &str = "not_described";
}

/// Flags; faults of messages are flags by their class, too.
pub mod flag {
    pub const JUDGE_INVALID: &str = "judge_invalid";
    /// The page needed too much time or memory; the page before stays.
    pub const UNRENDERABLE: &str = "unrenderable";
    pub const DESCRIPTION_CUT: &str = "description_cut";
}

/// How often judge and Summarizer are asked for one reply, the first time included.
pub const ATTEMPTS: u32 = 2;
/// The page while there is none.
const BLANK: &str = "<!doctype html><html></html>";
/// The most characters of a message that the player is shown again.
const SHOWN_AGAIN: usize = reading::MOST_HTML + 4_000;
/// The most characters of a question in a sentence.
const SENTENCE: usize = 200;
const PLAYER_THREAD: ThreadId = ThreadId(1);

/// The running episode of a task.
pub struct Play {
    out: Outbox,
    settings: Settings,
    size: (u32, u32),
    description: String,
    summarizer: Judge<()>,
    judge: Judge<Question>,
    /// The round that is under way, from 1; beyond the last it is the final page.
    round: u32,
    /// Messages to and from the player, round by round.
    said: Vec<[Message; 2]>,
    /// The message to it that is under way.
    asked: Message,
    answers: Vec<&'static str>,
    /// The question that waits for the page to be rendered, and what was wrong with the player's message.
    question: Option<String>,
    problem: String,
    /// The page as it was rendered last; `None` while nothing was.
    page: Option<Shown>,
    /// Whether a page is rendered now, and whether it is the player's own.
    rendering: Option<bool>,
    shown: Vec<Block>,
}

impl Play {
    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If settings, pack or task do not fit.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::at(spec, &task.labels)?;
        pack.check(prompts::pack().templates.keys())?;
        let bad = |problem: String| BadSpec::new("tasks", problem);
        let size = tasks::size(task)
            .ok_or_else(|| bad(format!("task {} has no label {:?}", task.id, tasks::SIZE)))?;
        let description = task.field(field::DESCRIPTION).unwrap_or_default().to_owned();
        if description.is_empty() && !settings.describes() {
            return Err(bad(format!(
                "the target of task {} has no description; use a live one, or freeze one into the set",
                task.id
            )));
        }
        let mut play = Play {
            out: Outbox::default(),
            settings,
            size,
            description,
            summarizer: Judge::new(ATTEMPTS, prompts::summarizer),
            judge: Judge::new(ATTEMPTS, prompts::judge),
            round: 0,
            said: Vec::new(),
            asked: prompts::turn(1, settings.rounds, &[], ""),
            answers: Vec::new(),
            question: None,
            problem: String::new(),
            page: None,
            rendering: None,
            shown: Vec::new(),
        };
        match settings.describes() {
            true => play.summarizer.ask((), &mut play.out),
            false => play.next_round(),
        }
        Ok(play)
    }

    fn is_final(&self) -> bool {
        self.round > self.settings.rounds
    }

    fn next_round(&mut self) {
        self.round += 1;
        let problem = std::mem::take(&mut self.problem);
        self.asked = prompts::turn(self.round, self.settings.rounds, &self.answers, &problem);
        let shown = self.settings.history.map_or(self.said.len(), |last| last as usize);
        let from = self.said.len().saturating_sub(shown);
        let rules = prompts::rules(&self.description, self.size, self.settings.rounds);
        let earlier = self.said[from..].iter().flatten().cloned();
        let messages = std::iter::once(rules).chain(earlier).chain([self.asked.clone()]).collect();
        self.out.ask(prompts::player(PLAYER_THREAD, messages));
    }

    fn summarizer_said(&mut self, text: &str) {
        let (description, omits) = reading::description(text);
        let found = (!description.is_empty()).then_some(description);
        let Some(((), found)) = self.summarizer.said(found, &mut self.out) else {
            return;
        };
        let Some(description) = found else {
            let fault = Fault::new("no_description", "the reply has no text");
            self.out.turn(0, TurnKind::Invalid, "describes nothing", fault.into());
            return self.out.finish(ending::NOT_DESCRIBED, json!({}));
        };
        self.description = description.chars().take(tasks::MOST_DESCRIPTION).collect();
        let reading = Reading::applied(json!({ "description": self.description, "omits": omits }));
        self.out.turn(0, TurnKind::Move, "describes the target", reading);
        if self.description.len() < description.len() {
            self.out.flag(flag::DESCRIPTION_CUT, json!(null));
        }
        match self.settings.mode {
            Mode::Play => self.next_round(),
            Mode::Describe => {
                let result = json!({ "description": self.description, "omits": omits });
                self.out.finish(ending::DESCRIBED, result);
            }
        }
    }

    fn player_said(&mut self, text: &str) {
        let Attempt { html, question } = Attempt::read(text);
        let mut again: String = parse::said(text).trim().chars().take(SHOWN_AGAIN).collect();
        if again.is_empty() {
            // Services refuse messages without text.
            again.push('…');
        }
        self.said.push([self.asked.clone(), Message::said(again)]);
        let due = (!self.is_final()).then_some(question);
        let faults = [html.as_ref().err(), due.as_ref().and_then(|asked| asked.as_ref().err())];
        let faults: Vec<Fault> = faults.into_iter().flatten().cloned().collect();
        let asked = due.and_then(Result::ok);
        let reading = Reading {
            fault: faults.first().cloned(),
            ..Reading::applied(json!({
                "html": html.as_ref().ok().map(Digest::of),
                "question": asked,
            }))
        };
        let (kind, sentence) = match (&asked, self.is_final()) {
            (_, true) if html.is_err() => (TurnKind::Invalid, "writes no final page".to_owned()),
            (_, true) => (TurnKind::Answer, "writes the final page".to_owned()),
            (Some(question), false) => (TurnKind::Ask, question.chars().take(SENTENCE).collect()),
            (None, false) => (TurnKind::Invalid, "asks nothing".to_owned()),
        };
        let block = asked.as_ref().unwrap_or(&sentence);
        self.shown.push(Block::act(Seat::PLAYER, kind, block));
        self.out.turn(self.round, kind, sentence, reading);
        for fault in &faults {
            self.out.flag(&fault.class, json!(fault.detail));
        }
        let problems: Vec<_> = faults.iter().map(|fault| fault.detail.as_str()).collect();
        self.problem = problems.join("; ");
        self.question = asked;
        match html {
            Ok(html) => self.render(html, true),
            Err(_) => self.goes_on(),
        }
    }

    fn render(&mut self, html: String, is_own: bool) {
        let (width, height) = self.size;
        self.rendering = Some(is_own);
        let job = Job { html, width, height, profile: RenderProfile::Render1 };
        self.out.request(Effect::Use(Tool::Render(job)));
    }

    /// The page is what it is: the judge is asked about it, or it is final.
    fn goes_on(&mut self) {
        match (&self.page, self.question.take()) {
            (Some(page), _) if self.is_final() => {
                let Shown { picture, layout } = page;
                let result = json!({ "picture": picture, "layout": layout });
                self.out.finish(ending::WRITTEN, result);
            }
            (Some(page), Some(text)) => {
                let shown = page.clone();
                self.judge.ask(Question { text, shown }, &mut self.out);
            }
            (None, question) if question.is_some() || self.is_final() => {
                self.question = question;
                self.render(BLANK.to_owned(), false);
            }
            _ => self.answered(Answer::Invalid, None),
        }
    }

    fn judge_said(&mut self, text: &str) {
        let Some((_, answer)) = self.judge.said(Answer::read(text), &mut self.out) else {
            return;
        };
        if answer.is_none() {
            self.out.flag(flag::JUDGE_INVALID, json!(null));
        }
        let unread = || Fault::new(flag::JUDGE_INVALID, "the reply says neither yes nor no");
        let reading = heard(Some(text), answer.map(Answer::name), unread);
        self.answered(answer.unwrap_or(Answer::Invalid), Some(reading));
    }

    /// `reading` is of the judge's reply, where it was asked.
    fn answered(&mut self, answer: Answer, reading: Option<Reading>) {
        let tone = match answer {
            Answer::Yes => Tone::Positive,
            Answer::No => Tone::Negative,
            Answer::Invalid => Tone::Failed,
        };
        self.out.note(Observation {
            reading,
            ..Observation::new(self.out.turns(), tone, answer.name())
        });
        self.shown.push(Block::came(tone, answer.name()));
        self.answers.push(answer.name());
        self.next_round();
    }
}

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, seat: &str, said: Said) {
        match seat {
            JUDGE => self.judge_said(said.words()),
            SUMMARIZER => self.summarizer_said(said.words()),
            _ => self.player_said(said.words()),
        }
    }

    fn made_by_tool(&mut self, made: Made) {
        if let Made::Picture(made) = made {
            let picture = made.picture.to_string();
            self.page = Some(Shown { picture, layout: made.layout });
        }
        self.rendering = None;
        self.goes_on();
    }

    fn failed(&mut self, failure: Failure) {
        let is_own = self.rendering.take();
        let is_the_page = failure.class == FailureClass::Rejected;
        match is_own {
            Some(true) if is_the_page => {
                self.out.flag(flag::UNRENDERABLE, json!(failure.message));
                self.problem = format!("the page could not be rendered: {}", failure.message);
                self.goes_on();
            }
            _ => self.out.fail(&failure),
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let mut blocks = vec![Block::text("Description", &self.description)];
        blocks.extend(self.shown.iter().cloned());
        let page = self.page.as_ref().and_then(|page| page.picture.parse().ok());
        blocks
            .extend(page.map(|picture| Block::Picture { label: "Your page".to_owned(), picture }));
        blocks.extend(self.out.outcome().map(|outcome| Block::end(&outcome.ending, "")));
        let left = (self.settings.rounds + 1).saturating_sub(self.round.max(1));
        Scene {
            blocks,
            gauges: vec![Gauge::new("rounds", left, self.settings.rounds)],
            awaits: self.out.awaits(viewer),
        }
    }
}
