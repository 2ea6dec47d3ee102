//! The sets of phrasings with their worlds.

use serde::Deserialize;
use turnwise_paraworld::engine::Class;
use turnwise_paraworld::task::{World, load};
use turnwise_paraworld::worlds::sample;

const FIRST: &str = include_str!("phrasings.jsonl");
const HELD_OUT: &str = include_str!("heldout.jsonl");
const HELD_OUT_WORLDS: [&str; 2] =
    [include_str!("heldout-worlds-en.jsonl"), include_str!("heldout-worlds-zh.jsonl")];

const THIRD: &str = include_str!("third.jsonl");
const THIRD_WORLDS: [&str; 2] =
    [include_str!("third-worlds-en.jsonl"), include_str!("third-worlds-zh.jsonl")];

/// One query with what it should be taken for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrasing {
    /// The language of the world, where two worlds have the same number.
    lang: Option<String>,
    /// [`World::index`].
    pub world: i64,
    pub query: String,
    pub expect: Expected,
    /// The place of the fact in its world; only of a hit.
    pub fact: Option<usize>,
    pub note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    Hit,
    Miss,
    Compound,
    Bare,
}

impl Expected {
    pub const ALL: [Expected; 4] =
        [Expected::Hit, Expected::Miss, Expected::Compound, Expected::Bare];

    pub fn class(self) -> Class {
        match self {
            Expected::Hit => Class::Hit,
            Expected::Miss => Class::Miss,
            Expected::Compound => Class::Compound,
            Expected::Bare => Class::TooBare,
        }
    }
}

/// What one author wrote about one set of worlds.
pub struct Set {
    pub name: &'static str,
    pub worlds: Vec<World>,
    pub phrasings: Vec<Phrasing>,
}

impl Set {
    pub fn first() -> Self {
        Set::of("first", sample().worlds, FIRST)
    }

    /// By a second author, for unseen worlds.
    pub fn held_out() -> Self {
        Set::of("held-out", worlds(HELD_OUT_WORLDS), HELD_OUT)
    }

    /// By a third author, for unseen worlds.
    pub fn third() -> Self {
        Set::of("third", worlds(THIRD_WORLDS), THIRD)
    }

    pub fn all() -> [Self; 3] {
        [Set::first(), Set::held_out(), Set::third()]
    }

    fn of(name: &'static str, worlds: Vec<World>, file: &str) -> Self {
        let phrasings =
            file.lines().map(|line| serde_json::from_str(line).expect("a phrasing")).collect();
        Set { name, worlds, phrasings }
    }

    /// The place in [`Set::worlds`] of the world that a phrasing is for.
    pub fn place(&self, phrasing: &Phrasing) -> usize {
        let mut worlds = self.worlds.iter();
        let place = worlds.position(|world| {
            let lang = phrasing.lang.as_deref();
            world.index == Some(phrasing.world)
                && lang.is_none_or(|lang| lang == world.language().name())
        });
        place.expect("a world of the set")
    }
}

fn worlds(files: [&str; 2]) -> Vec<World> {
    let worlds = files.iter().flat_map(|file| load(file.as_bytes()).expect("worlds").worlds);
    worlds.collect()
}
