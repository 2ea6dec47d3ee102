//! Sets of built worlds that follow from their names: anyone who has the name can build them again, world for world.

use std::fmt;

use turnwise_core::benchmark::BuiltTasks;

use super::{Family, Order, Unbuilt, build, categories};
use crate::task::{Language, Tier, World};

/// The most worlds of a set.
pub const MOST: u32 = 2000;

const BUILT: &str = "built";
/// How names end: they are names of files.
const ENDING: &str = ".jsonl";
/// Stands for all tiers, which take turns.
const ALL: &str = "all";
/// Stands for both languages, which take turns.
const BOTH: &str = "both";
/// Stands for every family, or every category.
const ANY: &str = "any";

/// Which worlds make a set. Its name is written by `Display` and read by [`Recipe::read`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    pub seed: u64,
    /// The size class; `None` = easy, mid, hard, and again.
    pub tier: Option<Tier>,
    /// How many worlds, 1 to [`MOST`].
    pub count: u32,
    /// The language; `None` = three worlds in English, three in Chinese, and again.
    pub language: Option<Language>,
    /// Only this kind of question.
    pub family: Option<Family>,
    /// Only this category, one of [`categories`].
    pub category: Option<String>,
}

impl Recipe {
    /// The recipe of a name; `None` if the name is no recipe's, or not as this program writes it.
    pub fn read(name: &str) -> Option<Self> {
        let mut parts = name.strip_suffix(ENDING)?.split('-');
        let mut next = || parts.next();
        if next()? != BUILT {
            return None;
        }
        let seed = next()?.parse().ok()?;
        let tier = match next()? {
            ALL => None,
            // As the authors' code writes it, too.
            "medium" => Some(Tier::Mid),
            tier => Some(Tier::named(tier)?),
        };
        let count = next()?.parse().ok()?;
        let language = match next()? {
            BOTH => None,
            code => Some(Language::named(code)?),
        };
        let family = match next() {
            None | Some(ANY) => None,
            Some(name) => Some(Family::named(name)?),
        };
        let category = match next() {
            None | Some(ANY) => None,
            Some(part) => Some(categories().into_iter().find(|one| short(one) == part)?),
        };
        let recipe =
            Recipe { seed, tier, count, language, family, category: category.map(str::to_owned) };
        let is_ours = (1..=MOST).contains(&count) && recipe.to_string() == name;
        is_ours.then_some(recipe)
    }

    /// Some of its worlds: those of the lines from `from` on, counted from 0, at most `count` of them and none beyond the
    /// last. All slices together are the set, whatever their sizes.
    ///
    /// # Errors
    /// See [`build`].
    pub fn slice(&self, from: u32, count: u32) -> Result<Vec<World>, Unbuilt> {
        (from..self.count.min(from.saturating_add(count)))
            .map(|number| self.world(number))
            .collect()
    }

    /// One throw of the dice for one of its worlds; see [`throw`](super::throw).
    ///
    /// # Errors
    /// See [`build`].
    pub fn throw(&self, number: u32, throw: u32) -> Result<Option<World>, Unbuilt> {
        let mut world = super::throw(&self.order(number), throw)?;
        if let Some(world) = &mut world {
            world.line = number;
        }
        Ok(world)
    }

    /// Its worlds as tasks, built one after the other.
    pub fn into_tasks(self) -> BuiltTasks {
        let count = self.count;
        let (mut number, mut attempt) = (0, 0);
        let attempts = std::iter::from_fn(move || {
            if number == self.count {
                return None;
            }
            let thrown = self.throw(number, attempt);
            match thrown {
                Ok(None) => attempt += 1,
                Ok(Some(_)) => (number, attempt) = (number + 1, 0),
                Err(_) => number = self.count,
            }
            let task = thrown.map(|world| world.map(|world| world.to_core()));
            Some(task.map_err(|why| why.to_string()))
        });
        BuiltTasks { count, attempts: Box::new(attempts) }
    }

    fn world(&self, number: u32) -> Result<World, Unbuilt> {
        let mut world = build(&self.order(number))?.pop().expect("one world was ordered");
        world.line = number;
        Ok(world)
    }

    /// The order of one of its worlds, by its line, counted from 0.
    pub fn order(&self, number: u32) -> Order {
        let turn = number as usize;
        Order {
            seed: self.seed,
            first: number,
            count: 1,
            tier: self.tier.unwrap_or(Tier::ALL[turn % Tier::ALL.len()]),
            language: self.language.unwrap_or(match (turn / 3) % 2 {
                0 => Language::En,
                _ => Language::Zh,
            }),
            family: self.family,
            category: self.category.clone(),
        }
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tier = self.tier.map_or(ALL, Tier::name);
        let language = self.language.map_or(BOTH, Language::name);
        let (seed, count) = (self.seed, self.count);
        write!(f, "{BUILT}-{seed}-{tier}-{count}-{language}")?;
        if self.family.is_some() || self.category.is_some() {
            write!(f, "-{}", self.family.map_or(ANY, Family::name))?;
        }
        if let Some(category) = &self.category {
            write!(f, "-{}", short(category))?;
        }
        f.write_str(ENDING)
    }
}

/// A category as a part of a name.
fn short(category: &str) -> String {
    category.to_lowercase().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::super::super::task::{Worlds, lines, load};
    use super::*;

    fn recipe() -> Recipe {
        Recipe { seed: 7, tier: None, count: 14, language: None, family: None, category: None }
    }

    #[test]
    fn names_come_back() {
        let ratio = Some(Family::Ratio);
        let category = Some("Car Brand".to_owned());
        let all = [
            (recipe(), "built-7-all-14-both.jsonl"),
            (
                Recipe {
                    tier: Some(Tier::Hard),
                    language: Some(Language::Zh),
                    family: ratio,
                    ..recipe()
                },
                "built-7-hard-14-zh-ratio.jsonl",
            ),
            (
                Recipe { category: category.clone(), ..recipe() },
                "built-7-all-14-both-any-car_brand.jsonl",
            ),
            (
                Recipe { seed: u64::MAX, count: MOST, family: ratio, category, ..recipe() },
                "built-18446744073709551615-all-2000-both-ratio-car_brand.jsonl",
            ),
        ];
        for (recipe, name) in all {
            assert_eq!(recipe.to_string(), name);
            assert_eq!(Recipe::read(name), Some(recipe), "{name}");
        }
        for other in [
            "samples",
            "built-7-all-14-both",
            "built-07-all-14-both.jsonl",
            "built-7-all-0-both.jsonl",
            "built-7-all-2001-both.jsonl",
            "built-7-huge-14-both.jsonl",
            "built-7-all-14-both-any.jsonl",
            "built-7-all-14-both-ratio-boats.jsonl",
            "built-7-all-14-both-ratio-car_brand-more.jsonl",
        ] {
            assert_eq!(Recipe::read(other), None, "{other}");
        }
    }

    #[test]
    fn slices_are_the_set_whatever_their_sizes() {
        let recipe = recipe();
        let whole = recipe.slice(0, u32::MAX).expect("they can be built");
        assert_eq!(whole.len(), 14);
        let mut sliced = Vec::new();
        for (from, count) in [(0, 1), (1, 5), (6, 100)] {
            sliced.extend(recipe.slice(from, count).expect("they can be built"));
        }
        assert_eq!(sliced, whole);
        assert_eq!(recipe.slice(14, 3).expect("there are none"), []);
        let thrown: Vec<World> = (0..14)
            .map(|number| {
                let mut throws = (0..).map(|throw| recipe.throw(number, throw));
                let world = throws.find_map(|thrown| thrown.expect("dice fall well in time"));
                world.expect("some throw did")
            })
            .collect();
        assert_eq!(thrown, whole);
        // As a file they are the same worlds, tiers and languages in turn.
        let text = lines(&whole);
        let read: Worlds = load(text.as_bytes()).expect("it is a file of worlds");
        assert_eq!(read.worlds, whole);
        let kinds: Vec<_> =
            whole[..7].iter().map(|world| (world.tier(), world.language())).collect();
        use Language::{En, Zh};
        use Tier::{Easy, Hard, Mid};
        assert_eq!(
            kinds,
            [(Easy, En), (Mid, En), (Hard, En), (Easy, Zh), (Mid, Zh), (Hard, Zh), (Easy, En)]
        );
    }

    #[test]
    fn every_choice_can_be_built() {
        for family in Family::ALL {
            for tier in Tier::ALL {
                for category in categories() {
                    let recipe = Recipe {
                        tier: Some(tier),
                        count: 2,
                        family: Some(family),
                        category: Some(category.to_owned()),
                        ..recipe()
                    };
                    let built = recipe.slice(0, 2);
                    assert!(built.is_ok(), "{recipe}: {built:?}");
                }
            }
        }
    }
}
