//! A conversation as services want it that keep the rules apart and take turns strictly: Anthropic and Gemini.

use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Rendered;

/// A conversation: the rules, and turns by turns.
#[derive(Debug, PartialEq)]
pub struct Dialogue<'a> {
    /// The rules: the system's messages with which it begins, an empty line between them.
    pub system: Option<String>,
    /// What was said, one side after the other.
    pub turns: Vec<Turn<'a>>,
}

/// What one side says before the other speaks again.
#[derive(Debug, PartialEq)]
pub struct Turn<'a> {
    pub by: Side,
    /// What is said: at least one part.
    pub parts: Vec<ContentPart<'a>>,
}

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    User,
    Model,
}

/// A part of a turn.
#[derive(Debug, PartialEq)]
pub enum ContentPart<'a> {
    /// A text; never empty, for these services refuse empty ones.
    Text(&'a str),
    Picture(&'a PictureRef),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Into a place of their own.
    Apart,
    /// Into the first turn, for models that have no such place.
    Within,
}

impl<'a> Dialogue<'a> {
    /// Arranges messages. A system's message after the first turn is said by the user at its place; messages of the same
    /// side follow each other in one turn; what is empty is left out. Where there is nothing but rules, the user says them.
    pub fn new(messages: &'a [Rendered], rules: Rules) -> Self {
        let leading = messages.iter().take_while(|message| message.role == Role::System).count();
        let (system, rest) = messages.split_at(leading);
        let (system, rest) = match rules {
            Rules::Apart if !rest.is_empty() => (system, rest),
            Rules::Apart | Rules::Within => (&[][..], messages),
        };
        let mut turns: Vec<Turn<'a>> = Vec::new();
        for message in rest {
            let by = match message.role {
                Role::Assistant => Side::Model,
                Role::System | Role::User => Side::User,
            };
            let text = (!message.text.is_empty()).then_some(ContentPart::Text(&message.text));
            let pictures = message.pictures.iter().map(ContentPart::Picture);
            let parts: Vec<_> = text.into_iter().chain(pictures).collect();
            match turns.last_mut() {
                _ if parts.is_empty() => {}
                Some(last) if last.by == by => last.parts.extend(parts),
                _ => turns.push(Turn { by, parts }),
            }
        }
        let texts: Vec<_> = system
            .iter()
            .map(|message| message.text.as_str())
            .filter(|text| !text.is_empty())
            .collect();
        Dialogue { system: (!texts.is_empty()).then(|| texts.join("\n\n")), turns }
    }
}

/// Whether any message is the system's.
pub fn has_rules(messages: &[Rendered]) -> bool {
    messages.iter().any(|message| message.role == Role::System)
}

/// Whether one side speaks twice before the other does, beyond the rules at the beginning, or a later message is the system's.
pub fn repeats_a_side(messages: &[Rendered]) -> bool {
    let rest = messages.iter().skip_while(|message| message.role == Role::System);
    let sides: Vec<Role> = rest.map(|message| message.role).collect();
    sides.contains(&Role::System) || sides.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use Role::{Assistant, System, User};

    /// A conversation in a line: `rules | > user + user | < model`.
    fn shown(messages: &[(Role, &str)], rules: Rules) -> String {
        let messages: Vec<_> =
            messages.iter().map(|(role, text)| Rendered::text(*role, *text)).collect();
        let dialogue = Dialogue::new(&messages, rules);
        let turns = dialogue.turns.iter().map(|turn| {
            let parts: Vec<_> = turn
                .parts
                .iter()
                .map(|part| match part {
                    ContentPart::Text(text) => *text,
                    ContentPart::Picture(_) => "(picture)",
                })
                .collect();
            let by = match turn.by {
                Side::User => '>',
                Side::Model => '<',
            };
            format!("{by} {}", parts.join(" + "))
        });
        let all: Vec<_> = dialogue.system.clone().into_iter().chain(turns).collect();
        all.join(" | ").replace("\n\n", "//")
    }

    #[test]
    fn sides_take_turns() {
        use Rules::{Apart, Within};
        for (messages, rules, expected) in [
            (&[(System, "a"), (User, "b")][..], Apart, "a | > b"),
            (&[(System, "a"), (System, "b"), (User, "c")], Apart, "a//b | > c"),
            (&[(System, "a"), (User, "b")], Within, "> a + b"),
            (&[(System, "a")], Apart, "> a"),
            (
                &[(User, "a"), (User, "b"), (Assistant, "c"), (System, "d"), (User, "e")],
                Apart,
                "> a + b | < c | > d + e",
            ),
            (&[(User, "a"), (Assistant, ""), (User, "b")], Apart, "> a + b"),
            (&[(Assistant, "a"), (User, "b")], Apart, "< a | > b"),
        ] {
            assert_eq!(shown(messages, rules), expected, "{messages:?}");
        }
    }
}
