//! A conversation with a seat: what it was sent and what it said, all of which the next request shows.

use crate::prompt::{Ask, Content, Expect, Message, Role, ThreadId, Variable};
use crate::seat::Seat;

#[derive(Debug, Clone)]
pub struct Dialogue {
    seat: Seat,
    thread: ThreadId,
    messages: Vec<Message>,
}

impl Dialogue {
    /// A conversation that begins with these messages.
    pub fn new(
        seat: impl Into<Seat>,
        thread: ThreadId,
        opening: impl IntoIterator<Item = Message>,
    ) -> Self {
        Dialogue { seat: seat.into(), thread, messages: opening.into_iter().collect() }
    }

    /// Adds a message to the seat: a template of the pack.
    pub fn tell<'a>(
        &mut self,
        template: &str,
        variables: impl IntoIterator<Item = (&'a str, Variable)>,
    ) {
        self.messages.push(Message::template(Role::User, template, variables));
    }

    /// Further messages, oldest first.
    pub fn extend(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.messages.extend(messages);
    }

    /// The seat said something, and is shown it again.
    pub fn said(&mut self, text: impl Into<String>) {
        self.messages.push(Message::said(text));
    }

    /// Takes the last message back: it was never answered.
    pub fn take_back(&mut self) {
        self.messages.pop();
    }

    /// Gives a variable another value, in each message that has it.
    pub fn set(&mut self, name: &str, value: &Variable) {
        for message in &mut self.messages {
            if let Content::Template { variables, .. } = &mut message.content
                && let Some(variable) = variables.get_mut(name)
            {
                variable.clone_from(value);
            }
        }
    }

    /// The request for what the seat says next.
    pub fn ask(&self, expect: Expect) -> Ask {
        Ask::new(self.seat.clone(), self.thread, self.messages.clone(), expect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_shows_all_that_was_told_and_said() {
        let due = |due: &str| [("due", Variable::text(due))];
        let opening = Message::template(Role::User, "start", due("move"));
        let mut dialogue = Dialogue::new("judge", ThreadId(2), [opening]);
        dialogue.said("Yes");
        dialogue.tell("again", []);
        dialogue.take_back();
        dialogue.tell("last", due("move"));
        dialogue.set("due", &Variable::text("final"));
        dialogue.set("other", &Variable::text("nowhere"));
        let messages = vec![
            Message::template(Role::User, "start", due("final")),
            Message::said("Yes"),
            Message::template(Role::User, "last", due("final")),
        ];
        let wanted = Ask::new("judge", ThreadId(2), messages, Expect::Text);
        assert_eq!(dialogue.ask(Expect::Text), wanted);
    }
}
