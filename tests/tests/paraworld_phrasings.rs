//! Does the rule-based engine of Mind-ParaWorld understand what somebody types who has not seen its matcher?
//!
//! `data/paraworld-phrasings.jsonl` holds queries for the sample worlds, each with what it asks for by the specification
//! (section 4.2) and `decisions.md` 38. Targets per language: recall 0.95, precision 0.98, at most 1 % of compounds hit.
//!
//! First result, 2026-11-21, before anything was mended; the author had not read the matcher, only (for all categories but
//! the bands and the six worlds written by hand) the builder's lists of other names of attributes. This is the honest figure:
//!
//! | | recall | precision | compounds hit | misses hit | taken for bare |
//! |---|---|---|---|---|---|
//! | English | 642/746 = 0.861 | 642/659 = 0.974 | 1/101 = 0.010 | 14/95 | 7/36 |
//! | Chinese | 674/776 = 0.869 | 674/680 = 0.991 | 2/95 = 0.021 | 3/93 | 6/33 |
//!
//! Of queries with a typo 11/46 and 9/17 were hit; without a year, where one fact only fits, all 67; in traditional
//! characters none of 4. 1,975 pages: no leak.
//!
//! Later figures are no longer independent: the matcher was mended after the disagreements had been read. The same day, with
//! groups of synonyms, slips of the pen, Chinese names read over characters that say nothing, words for other measures, and
//! conjunctions that part two questions: English recall 735/746 = 0.985, precision 735/736; Chinese recall 768/776 = 0.990,
//! precision 768/768; no compound hit in either. What they overstate: of 90 further phrasings that the same author wrote
//! after the mending, and which nothing was fitted to, 64 of 72 were hit (0.89) and 5 of 18 near misses, too.
//!
//! A name with nothing asked is bare in this file, and a miss in the engine, which takes `decisions.md` 38 at its word; no
//! target depends on it.

use std::collections::BTreeMap;

use serde::Deserialize;
use turnwise_shared::benchmarks::paraworld::engine::{Class, Engine, Page, leaks};
use turnwise_shared::benchmarks::paraworld::task::{Language, World};
use turnwise_shared::benchmarks::paraworld::worlds::sample;

const FILE: &str = include_str!("../data/paraworld-phrasings.jsonl");

/// One query with what it should be taken for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrasing {
    /// [`World::index`].
    world: i64,
    query: String,
    expect: Expected,
    /// The place of the fact in its world; only of a hit.
    fact: Option<usize>,
    note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Expected {
    Hit,
    Miss,
    Compound,
    Bare,
}

impl Expected {
    fn class(self) -> Class {
        match self {
            Expected::Hit => Class::Hit,
            Expected::Miss => Class::Miss,
            Expected::Compound => Class::Compound,
            Expected::Bare => Class::TooBare,
        }
    }
}

/// What came of the phrasings of one group.
#[derive(Default)]
struct Tally {
    wanted_hits: u32,
    right_hits: u32,
    judged_hits: u32,
    /// By what was expected and what it was taken for.
    classes: BTreeMap<(Expected, Class), u32>,
}

impl Tally {
    fn add(&mut self, expected: Expected, class: Class, right_fact: bool) {
        self.wanted_hits += u32::from(expected == Expected::Hit);
        self.judged_hits += u32::from(class == Class::Hit);
        self.right_hits +=
            u32::from(expected == Expected::Hit && class == Class::Hit && right_fact);
        *self.classes.entry((expected, class)).or_default() += 1;
    }

    fn recall(&self) -> f64 {
        share(self.right_hits, self.wanted_hits)
    }

    fn precision(&self) -> f64 {
        share(self.right_hits, self.judged_hits)
    }

    fn of(&self, expected: Expected) -> u32 {
        let mut counts = self.classes.iter();
        let mut sum = 0;
        for (_, count) in counts
            .by_ref()
            .filter(|((wanted, _), _)| *wanted == expected)
        {
            sum += count;
        }
        sum
    }

    /// The share of what was expected that was taken for this.
    fn taken(&self, expected: Expected, class: Class) -> f64 {
        let taken = self.classes.get(&(expected, class)).copied();
        share(taken.unwrap_or(0), self.of(expected))
    }
}

fn share(part: u32, whole: u32) -> f64 {
    f64::from(part) / f64::from(whole.max(1))
}

fn phrasings() -> Vec<Phrasing> {
    FILE.lines()
        .map(|line| serde_json::from_str(line).expect("a phrasing"))
        .collect()
}

fn world_of<'a>(worlds: &'a [World], phrasing: &Phrasing) -> &'a World {
    let mut worlds = worlds.iter();
    worlds
        .find(|world| world.index == Some(phrasing.world))
        .expect("a sample world")
}

/// The groups a phrasing counts in, beside its language.
fn groups(world: &World, phrasing: &Phrasing) -> Vec<String> {
    let manner = match phrasing.note.as_deref() {
        _ if phrasing.expect != Expected::Hit => None,
        Some(note) if note.contains("typo") || note.contains("错字") => Some("with a typo"),
        Some("繁体") => Some("in traditional characters"),
        Some("汉字年份" | "两位年份") => Some("year written otherwise"),
        Some("no year") => Some("without a year"),
        _ => Some("plain"),
    };
    let mut groups = vec![format!(
        "category {}",
        world.category.as_deref().unwrap_or("none")
    )];
    groups.extend(manner.map(str::to_owned));
    groups
}

#[test]
fn the_file_covers_what_it_should() {
    let worlds = sample().worlds;
    let mut facts: BTreeMap<(i64, usize), u32> = BTreeMap::new();
    let mut kinds: BTreeMap<(&str, Expected), u32> = BTreeMap::new();
    for phrasing in phrasings() {
        let world = world_of(&worlds, &phrasing);
        assert_eq!(phrasing.fact.is_some(), phrasing.expect == Expected::Hit);
        if let Some(fact) = phrasing.fact {
            assert!(fact < world.facts.len(), "{}", phrasing.query);
            *facts.entry((phrasing.world, fact)).or_default() += 1;
        }
        *kinds
            .entry((world.language().code(), phrasing.expect))
            .or_default() += 1;
    }
    let all: usize = worlds.iter().map(|world| world.facts.len()).sum();
    assert_eq!(facts.len(), all, "every fact is asked for");
    assert!(facts.values().all(|count| *count >= 4));
    for language in ["en", "zh"] {
        assert!(kinds[&(language, Expected::Compound)] >= 60);
        assert!(kinds[&(language, Expected::Miss)] >= 60);
        assert!(kinds[&(language, Expected::Bare)] >= 10);
    }
}

#[test]
fn phrasings_of_somebody_else_are_understood() {
    let worlds = sample().worlds;
    let engines: BTreeMap<Option<i64>, Engine<'_>> = worlds
        .iter()
        .map(|world| (world.index, Engine::new(world)))
        .collect();
    let mut languages: BTreeMap<Language, Tally> = BTreeMap::new();
    let mut all_groups: BTreeMap<(Language, String), Tally> = BTreeMap::new();
    for phrasing in phrasings() {
        let world = world_of(&worlds, &phrasing);
        let judgement = engines[&world.index].judge(&phrasing.query);
        let expected = phrasing.expect;
        let right_fact = judgement.fact == phrasing.fact;
        if judgement.class != expected.class() || !right_fact {
            println!(
                "[{} {}] {:?}: expected {expected:?} {:?}, judged {:?} {:?} ({:?}){}",
                world.language().code(),
                phrasing.world,
                phrasing.query,
                phrasing.fact,
                judgement.class,
                judgement.fact,
                judgement.reason,
                phrasing
                    .note
                    .as_ref()
                    .map_or(String::new(), |note| format!(" - {note}")),
            );
        }
        let language = languages.entry(world.language()).or_default();
        language.add(expected, judgement.class, right_fact);
        for group in groups(world, &phrasing) {
            let group = all_groups.entry((world.language(), group)).or_default();
            group.add(expected, judgement.class, right_fact);
        }
    }
    for ((language, group), tally) in &all_groups {
        println!(
            "{} {group}: recall {}/{} = {:.4}, precision {}/{} = {:.4}",
            language.code(),
            tally.right_hits,
            tally.wanted_hits,
            tally.recall(),
            tally.right_hits,
            tally.judged_hits,
            tally.precision()
        );
    }
    let mut missed = Vec::new();
    for (language, tally) in &languages {
        let code = language.code();
        println!("{code}: {:?}", tally.classes);
        for expected in [
            Expected::Hit,
            Expected::Miss,
            Expected::Compound,
            Expected::Bare,
        ] {
            println!(
                "{code}: {expected:?} taken for what it is {:.4} of {}, for a hit {:.4}",
                tally.taken(expected, expected.class()),
                tally.of(expected),
                tally.taken(expected, Class::Hit)
            );
        }
        let compound_hits = tally.taken(Expected::Compound, Class::Hit);
        println!(
            "{code}: recall {}/{} = {:.4}, precision {}/{} = {:.4}, compounds hit {compound_hits:.4}",
            tally.right_hits,
            tally.wanted_hits,
            tally.recall(),
            tally.right_hits,
            tally.judged_hits,
            tally.precision()
        );
        if tally.recall() < 0.95 {
            missed.push(format!("{code}: recall"));
        }
        if tally.precision() < 0.98 {
            missed.push(format!("{code}: precision"));
        }
        if compound_hits > 0.01 {
            missed.push(format!("{code}: compounds hit"));
        }
    }
    assert!(missed.is_empty(), "targets missed: {missed:?}");
}

/// Text without what the specification's `norm` drops, as far as our values need it.
fn plain(text: &str) -> String {
    let characters: Vec<char> = text.to_lowercase().chars().collect();
    let digit = |place: Option<usize>| {
        place
            .and_then(|place| characters.get(place))
            .is_some_and(char::is_ascii_digit)
    };
    let kept = characters.iter().enumerate().filter(|(place, character)| {
        let between = digit(place.checked_sub(1)) && digit(Some(place + 1));
        !(matches!(character, '"' | '“' | '”') || **character == ',' && between)
    });
    kept.map(|(_, character)| *character).collect()
}

/// The sentences of a text.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let split = text.split(['。', '！', '？', '\n', '!', '?', '；', ';']);
    split.flat_map(|part| part.split(". "))
}

/// The whole numbers in a text, commas dropped.
fn numbers(text: &str) -> Vec<String> {
    let text = plain(text);
    let parts = text.split(|character: char| !character.is_ascii_digit());
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A second opinion on leaks, without the engine's own: the value's text, or its number in a sentence that names the entity.
fn tells(page: &Page, value: &str, entity: &str, known: &[&str]) -> bool {
    let (value, entity) = (plain(value), plain(entity));
    if known.iter().any(|known| plain(known).contains(&value)) {
        return false;
    }
    let known_numbers: Vec<String> = known.iter().flat_map(|known| numbers(known)).collect();
    let of_value = numbers(&value);
    page.search_result.iter().any(|result| {
        let text = format!("{}\n{}", result.title, result.content);
        plain(&text).contains(&value)
            || sentences(&text).any(|sentence| {
                let here = numbers(sentence);
                plain(sentence).contains(&entity)
                    && of_value.first().is_some_and(|number| {
                        here.contains(number) && !known_numbers.contains(number)
                    })
            })
    })
}

#[test]
fn pages_tell_the_fact_that_was_hit_and_nothing_else() {
    let worlds = sample().worlds;
    let engines: Vec<Engine<'_>> = worlds.iter().map(Engine::new).collect();
    let (mut pages, mut wrong) = (0, Vec::new());
    for phrasing in phrasings() {
        let place = worlds
            .iter()
            .position(|world| world.index == Some(phrasing.world));
        let place = place.expect("a sample world");
        let (world, engine) = (&worlds[place], &engines[place]);
        let (judgement, page) = (engine.judge(&phrasing.query), engine.page(&phrasing.query));
        pages += 1;
        let mut trouble = |what: String| wrong.push(format!("{:?}: {what}", phrasing.query));
        let key = judgement.fact.map(|fact| world.facts[fact].key.clone());
        if page.class != judgement.class
            || page.hit != (judgement.class == Class::Hit)
            || page.matched_fact_keys != Vec::from_iter(key)
            || (page.is_compound_query && page.hit)
        {
            trouble("page and judgement differ".to_owned());
        }
        if page.search_result.len() != 4 {
            trouble(format!("{} results", page.search_result.len()));
        }
        let texts = || {
            page.search_result
                .iter()
                .flat_map(|result| [&result.title, &result.content])
        };
        let mut known = vec![world.question(), world.engine_question(), &phrasing.query];
        known.extend(world.facts.iter().map(|fact| fact.key.as_str()));
        let told = judgement.fact.map(|fact| world.facts[fact].value.as_str());
        if let Some(told) = told {
            let told = plain(told);
            if !page
                .search_result
                .iter()
                .any(|result| plain(&result.content).contains(&told))
            {
                trouble("I6: the value is not told".to_owned());
            }
        }
        // What a hit may tell is no leak, wherever else it stands.
        let known: Vec<&str> = known.into_iter().chain(told).collect();
        let notes = world.extra.as_ref();
        for (place, fact) in world.facts.iter().enumerate() {
            if judgement.fact == Some(place) {
                continue;
            }
            let entity = notes
                .and_then(|extra| extra.fact(&fact.key)?.entity.as_deref())
                .expect("samples say what their facts are about");
            if texts().any(|text| leaks(text, &fact.value, known.iter().copied())) {
                trouble(format!("I7/I8: leaks fact {place}"));
            } else if tells(&page, &fact.value, entity, &known) {
                trouble(format!("I7/I8, second opinion: tells fact {place}"));
            }
        }
        let answers = [Some(world.answer.as_str()), world.final_answer.as_deref()];
        for answer in answers.into_iter().flatten() {
            let told = texts().any(|text| plain(text).contains(&plain(answer)));
            if told || texts().any(|text| leaks(text, answer, known.iter().copied())) {
                trouble("I7/I8: leaks the answer".to_owned());
            }
        }
    }
    for line in &wrong {
        println!("{line}");
    }
    println!("{pages} pages, {} troubles", wrong.len());
    assert!(wrong.is_empty());
}
