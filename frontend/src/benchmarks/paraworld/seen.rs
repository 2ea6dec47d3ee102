//! What a person sees of a world, from the scene and the request of the seat. Pure.

use turnwise_shared::evidence::ShownResult;
use turnwise_shared::prompt::Rendered;
use turnwise_shared::wire::live::LastEpisode;

use super::words;
use crate::prelude::*;

/// Something that was searched for, and what came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched {
    /// From 1.
    pub number: usize,
    pub query: String,
    pub back: Back,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Back {
    Nothing,
    Results(Vec<ShownResult>),
    /// Something that is no page of results, e.g. an error.
    Text(String),
}

/// The searches of a scene, in their order. Several may wait at once; pages come in the order of the searches.
pub fn searches(scene: &Scene) -> Vec<Searched> {
    let mut all: Vec<Searched> = Vec::new();
    for block in &scene.blocks {
        let back = match block {
            Block::Act { kind: TurnKind::Search, text, .. } => {
                all.push(Searched {
                    number: all.len() + 1,
                    query: text.clone(),
                    back: Back::Nothing,
                });
                continue;
            }
            Block::Results { results, .. } => Back::Results(results.clone()),
            Block::Observation { text, .. } => Back::Text(text.clone()),
            _ => continue,
        };
        let waiting = all.iter_mut().find(|search| search.back == Back::Nothing);
        if let Some(search) = waiting {
            search.back = back;
        }
    }
    all
}

/// The last message of the rules to the player, if that is the newest thing on the page.
pub fn remark(scene: &Scene) -> Option<String> {
    match scene.blocks.last()? {
        Block::Remark { text } => Some(text.clone()),
        _ => None,
    }
}

pub fn question(scene: &Scene) -> Option<String> {
    scene.blocks.iter().find_map(|block| match block {
        Block::Text { text, .. } => Some(text.clone()),
        _ => None,
    })
}

/// What stands in the player's last message before anything was said: without a tool the facts stand there, too. Lines that
/// are nothing but a tag mean something to models only.
pub fn opening(messages: &[Rendered]) -> Option<String> {
    let mut users = messages.iter().rev();
    let user = users.find(|message| message.role == Role::User)?;
    let is_tag = |line: &&str| {
        let line = line.trim();
        line.starts_with('<') && line.ends_with('>') && !line.contains(' ')
    };
    let lines: Vec<&str> = user.text.lines().filter(|line| !is_tag(line)).collect();
    Some(lines.join("\n"))
}

/// What is shown of the world before this one: in practice how many searches found a fact, else only that it is over.
pub fn before(last: &LastEpisode) -> String {
    let tones = last.reveal.as_ref().map(|scene| {
        let all = scene.blocks.iter();
        all.filter_map(|block| match block {
            Block::Results { tone, .. } | Block::Observation { tone, .. } => Some(*tone),
            _ => None,
        })
        .collect::<Vec<_>>()
    });
    match tones {
        Some(tones) => {
            let hits = tones.iter().filter(|tone| **tone == Tone::Positive).count();
            words::world_over_practice(last.episode, hits, tones.len())
        }
        None => words::world_over(last.episode),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::seat::Seat;

    fn act(query: &str) -> Block {
        Block::Act { seat: Seat::new(Seat::PLAYER), kind: TurnKind::Search, text: query.to_owned() }
    }

    #[test]
    fn pages_belong_to_their_searches() {
        let result =
            ShownResult { title: "T".to_owned(), text: "t".to_owned(), date: None, address: None };
        let tone = Tone::Neutral;
        let scene = Scene {
            blocks: vec![
                Block::Text { heading: "Question".to_owned(), text: "Why?".to_owned() },
                act("one"),
                act("two"),
                Block::Results { tone, results: vec![result.clone()] },
                Block::Observation { tone, text: "Error: no".to_owned() },
                act("three"),
                Block::Remark { text: "Go on.".to_owned() },
            ],
            ..Scene::default()
        };
        let back: Vec<_> = searches(&scene)
            .into_iter()
            .map(|search| (search.number, search.query, search.back))
            .collect();
        assert_eq!(
            back,
            [
                (1, "one".to_owned(), Back::Results(vec![result])),
                (2, "two".to_owned(), Back::Text("Error: no".to_owned())),
                (3, "three".to_owned(), Back::Nothing),
            ]
        );
        assert_eq!(question(&scene).as_deref(), Some("Why?"));
        assert_eq!(remark(&scene).as_deref(), Some("Go on."));
    }

    #[test]
    fn between_worlds_only_practice_tells_what_was_found() {
        let came = |tone| Block::Observation { tone, text: String::new() };
        let scene = Scene {
            blocks: [Tone::Positive, Tone::Unknown, Tone::Positive].map(came).to_vec(),
            ..Scene::default()
        };
        let mut last = LastEpisode { episode: 2, scene: scene.clone(), reveal: None };
        assert!(!before(&last).contains("of 3"), "{}", before(&last));
        last.reveal = Some(scene);
        assert!(before(&last).contains("2 of 3"), "{}", before(&last));
    }

    #[test]
    fn a_person_reads_the_facts_without_tags() {
        let message = |role, text: &str| Rendered::text(role, text);
        let messages = [
            message(Role::System, "Rules."),
            message(Role::User, "<facts>\n1. a：<b> c\n</facts>\nWhy?"),
        ];
        assert_eq!(opening(&messages).as_deref(), Some("1. a：<b> c\nWhy?"));
    }
}
