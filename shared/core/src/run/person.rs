//! What the person in a seat is asked, ready to be shown: what a model in the same seat would be sent, and nothing more.
//! How it is drawn is the screen's business.

use std::collections::BTreeSet;

use super::{Run, Ticket};
use crate::key::EpisodeKey;
use crate::prompt::{Ask, BadPrompt, Content, Expect, Pack, Rendered};
use crate::scene::Scene;
use crate::seat::{Seat, Viewer};
use crate::task::{Task, language};

/// A request as a person is shown it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub seat: Seat,
    /// What kind of reply is wanted.
    pub expect: Expect,
    /// What a model would be sent, word for word.
    pub messages: Vec<Rendered>,
    /// What was put into the templates of the messages, in the order in which it stands there: name and text; what comes
    /// several times stands where it comes last. All of it is part of [`Question::messages`]. So a person who is asked again
    /// still sees what the question is, and then what was wrong.
    pub parts: Vec<(String, String)>,
    /// What the seat sees of the episode.
    pub scene: Scene,
}

impl Question {
    /// The part with this name.
    pub fn part(&self, name: &str) -> Option<&str> {
        let found = self.parts.iter().find(|(part, _)| part == name);
        found.map(|(_, text)| text.as_str())
    }
}

impl Run {
    /// What a person is shown who is asked this. To be called when [`Action::Person`](super::Action::Person) has come.
    ///
    /// # Errors
    /// If the pack or the task cannot be filled in here.
    pub fn question(&self, ticket: &Ticket, ask: &Ask) -> Result<Question, BadPrompt> {
        let task = self
            .index
            .get(&ticket.episode)
            .map(|slot| &self.tasks[self.slots[*slot].task])
            .ok_or_else(|| BadPrompt::NoField { field: ticket.episode.to_string() })?;
        let pack = &self.table.pack;
        let scene = self
            .session(&ticket.episode)
            .map(|session| session.scene(&Viewer::Seat(ask.seat.clone())));
        Ok(Question {
            seat: ask.seat.clone(),
            expect: ask.expect.clone(),
            messages: pack.render(ask, task)?,
            parts: parts(pack, ask, task)?,
            scene: scene.unwrap_or_default(),
        })
    }

    /// The language of an episode's task, as a code (`en`); `None` where its set has none.
    pub fn language_of(&self, episode: &EpisodeKey) -> Option<String> {
        let slot = self.index.get(episode)?;
        language(&self.tasks[self.slots[*slot].task].labels)
    }

    /// The languages of the tasks that are played, as codes.
    pub fn languages(&self) -> BTreeSet<String> {
        let tasks = self.slots.iter().map(|slot| &self.tasks[slot.task]);
        tasks.filter_map(|task| language(&task.labels)).collect()
    }
}

/// What the templates of the messages show of their variables. Variables that they do not name are for bots alone.
pub fn parts(pack: &Pack, ask: &Ask, task: &Task) -> Result<Vec<(String, String)>, BadPrompt> {
    let mut parts: Vec<(String, String)> = Vec::new();
    for message in &ask.messages {
        let Content::Template { name, variables } = &message.content else {
            continue;
        };
        let template = pack.template_for(name, task)?;
        let mut placed: Vec<_> = variables
            .iter()
            .filter_map(|(name, value)| {
                let at = template.find(&format!("{{{name}}}"))?;
                Some((at, name.clone(), value.fill(task)?.to_owned()))
            })
            .collect();
        placed.sort();
        for (_, name, text) in placed {
            parts.retain(|(known, _)| *known != name);
            parts.push((name, text));
        }
    }
    Ok(parts)
}
