//! Does the rule-based engine of Mind-ParaWorld understand queries by authors who have not seen its matcher?
//!
//! Three sets of queries, each with what it asks for by the specification (section 4.2) and ARCHITECTURE.md (rule 38). Targets
//! per language: recall 0.95, precision 0.98, at most 1 % of compounds hit.
//!
//! # The first set
//!
//! `phrasings.jsonl` is for the sample worlds.
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
//! A name with nothing asked is bare in this file, and a miss in the engine, which takes rule 38 of ARCHITECTURE.md at its word; no
//! target depends on it.
//!
//! # The held-out set
//!
//! `heldout.jsonl` is by a second author, who had read neither the matcher nor the pools nor the first set,
//! for 48 fresh, unseen worlds (`worlds build`, seeds 977 and 978).
//!
//! First result, 2026-11-21, with the engine as the first set had left it, before anything was mended for this one. These
//! are the independent figures of that engine:
//!
//! | | recall | less the keys' own texts | precision | compounds hit | misses hit |
//! |---|---|---|---|---|---|
//! | English | 322/331 = 0.973 | 317/326 = 0.972 | 322/325 = 0.991 | 2/75 = 0.027 | 1/75 |
//! | Chinese | 297/300 = 0.990 | 272/275 = 0.989 | 297/298 = 0.997 | 1/73 = 0.014 | 0/73 |
//!
//! The third column leaves out what is a key but for case, punctuation and endings; 24 Chinese queries are a key's very text
//! (without them 273/276). Recall and precision meet their targets, compounds hit do not. 927 pages: no leak. Of compounds 68/75 and 64/73 were
//! taken for compounds. What it hardly measures: it has next to no typos, no traditional characters and nothing bare, and
//! only 59 of its 631 hits leave the year out.
//!
//! Later figures are no longer independent here either. The same day, after the disagreements had been read and the engine
//! had learnt traditional characters, what a rule gives in other words (`what is a store worth`), second parts of names
//! (`Orvane Moon` is not `Orvane Choir`), nouns after what is known (`patent lawsuits`), thresholds and sums, relations gone
//! along twice, and questions joined with something unknown (`headcount and revenue`):
//!
//! | | recall | precision | compounds hit | compounds taken for compound |
//! |---|---|---|---|---|
//! | held-out, English | 331/331 | 331/331 | 0/75 | 73/75 |
//! | held-out, Chinese | 299/300 | 299/299 | 0/73 | 71/73 |
//! | first, English | 738/746 = 0.989 | 738/738 | 0/101 | 99/101 |
//! | first, Chinese | 772/776 = 0.995 | 772/772 | 0/95 | 92/95 |
//!
//! The four held-out compounds left name an attribute alone; they are judged too bare, which a page reports as compound, too.
//! Known to be weak still: a Chinese name of four characters with one wrong (five misses in both sets: `门漂销量`; taking them
//! would take `门店销量` as well), a second name that is in no list and written small, sums over `all bands` (a miss), and a
//! single Chinese noun that makes what is known something else and is in no list.
//!
//! # The third set
//!
//! `third.jsonl` is by a third author, who had read these figures and what is said here to be weak, but neither
//! the matcher nor its lists of words, and of the other sets eleven lines; for 31 fresh, unseen worlds (`worlds build`, seed
//! 40417). It asks for part of their facts, as a player would type it: whole questions, bare words, short names, and in
//! compounds totals, averages, rankings and second hops.
//!
//! First result, 2026-11-23, and the only one: nothing has been mended for this set. These are the independent figures of
//! the engine as it is:
//!
//! | | recall | less the keys' own texts | precision | compounds hit | misses hit |
//! |---|---|---|---|---|---|
//! | English | 115/116 = 0.991 | 113/114 = 0.991 | 115/116 = 0.991 | 0/75 | 1/46 |
//! | Chinese | 93/94 = 0.989 | 86/87 = 0.989 | 93/93 | 0/64 | 0/35 |
//!
//! All targets are met. 430 pages: no leak. What went wrong: `staff members` and `卖了多少张票` were not understood, `showrooms
//! in Germany` was taken for all showrooms; three sums over every brand were taken for misses, two misses with an `average` or
//! a `best` for compounds. It has no typos, no traditional characters and nothing bare.
#![allow(
    clippy::disallowed_macros,
    reason = "the core prints nothing; these tests print what they found"
)]

mod pages;
mod sets;

use std::collections::BTreeMap;

use turnwise_paraworld::engine::{Class, Engine, Judgement, Reason};
use turnwise_paraworld::task::{Language, World};

use sets::{Expected, Phrasing, Set};

/// The targets (ARCHITECTURE.md, rule 38).
const RECALL: f64 = 0.95;
const PRECISION: f64 = 0.98;
const COMPOUNDS_HIT: f64 = 0.01;

/// What came of the phrasings of one group.
#[derive(Default)]
struct Tally {
    wanted_hits: u32,
    right_hits: u32,
    judged_hits: u32,
    /// Of the wanted and right hits, those whose query is the text of a key.
    keys: u32,
    /// By what was expected and what it was taken for.
    classes: BTreeMap<(Expected, Class), u32>,
}

impl Tally {
    fn add(&mut self, expected: Expected, judgement: Judgement, right_fact: bool) {
        let class = judgement.class;
        self.wanted_hits += u32::from(expected == Expected::Hit);
        self.judged_hits += u32::from(class == Class::Hit);
        self.right_hits +=
            u32::from(expected == Expected::Hit && class == Class::Hit && right_fact);
        self.keys += u32::from(expected == Expected::Hit && judgement.reason == Reason::Key);
        *self.classes.entry((expected, class)).or_default() += 1;
    }

    fn recall(&self) -> f64 {
        share(self.right_hits, self.wanted_hits)
    }

    /// Of the queries that are not the text of a key.
    fn recall_without_keys(&self) -> f64 {
        share(self.right_hits - self.keys, self.wanted_hits - self.keys)
    }

    fn precision(&self) -> f64 {
        share(self.right_hits, self.judged_hits)
    }

    fn of(&self, expected: Expected) -> u32 {
        let counts = self.classes.iter();
        let of = counts.filter(|((wanted, _), _)| *wanted == expected);
        of.map(|(_, count)| count).sum()
    }

    /// The share of what was expected that was taken for this.
    fn taken(&self, expected: Expected, class: Class) -> f64 {
        let taken = self.classes.get(&(expected, class)).copied();
        share(taken.unwrap_or(0), self.of(expected))
    }

    fn shares(&self) -> String {
        let (right, wanted, judged) = (self.right_hits, self.wanted_hits, self.judged_hits);
        format!(
            "recall {right}/{wanted} = {:.4}, precision {right}/{judged} = {:.4}",
            self.recall(),
            self.precision()
        )
    }

    fn print(&self, name: &str) {
        println!("{name}: {:?}", self.classes);
        for expected in Expected::ALL {
            println!(
                "{name}: {expected:?} taken for what it is {:.4} of {}, for a hit {:.4}",
                self.taken(expected, expected.class()),
                self.of(expected),
                self.taken(expected, Class::Hit)
            );
        }
        println!(
            "{name}: {}, without {} keys recall {:.4}",
            self.shares(),
            self.keys,
            self.recall_without_keys()
        );
    }
}

fn share(part: u32, whole: u32) -> f64 {
    f64::from(part) / f64::from(whole.max(1))
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
    let mut groups = vec![format!("category {}", world.category.as_deref().unwrap_or("none"))];
    groups.extend(manner.map(str::to_owned));
    groups
}

#[test]
fn the_files_cover_what_they_should() {
    // How often a fact is asked for at least, and how many queries of each other kind there are in each language.
    let wanted = [
        (Set::first(), 4, [60, 60, 10]),
        (Set::held_out(), 1, [60, 60, 0]),
        // Of the third part only is asked for.
        (Set::third(), 0, [60, 30, 0]),
    ];
    for (set, times, [compounds, misses, bare]) in wanted {
        let mut facts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        let mut kinds: BTreeMap<(&str, Expected), u32> = BTreeMap::new();
        for phrasing in &set.phrasings {
            let place = set.place(phrasing);
            let world = &set.worlds[place];
            assert_eq!(phrasing.fact.is_some(), phrasing.expect == Expected::Hit);
            if let Some(fact) = phrasing.fact {
                assert!(fact < world.facts.len(), "{}", phrasing.query);
                *facts.entry((place, fact)).or_default() += 1;
            }
            *kinds.entry((world.language().name(), phrasing.expect)).or_default() += 1;
        }
        let all: usize = set.worlds.iter().map(|world| world.facts.len()).sum();
        assert!(times == 0 || facts.len() == all, "every fact is asked for");
        assert!(facts.values().all(|count| *count >= times));
        for language in ["en", "zh"] {
            let count = |expected| kinds.get(&(language, expected)).copied().unwrap_or(0);
            assert!(count(Expected::Compound) >= compounds);
            assert!(count(Expected::Miss) >= misses);
            assert!(count(Expected::Bare) >= bare);
        }
    }
}

#[test]
fn phrasings_of_somebody_else_are_understood() {
    let mut missed = Vec::new();
    for set in Set::all() {
        for (language, tally) in measure(&set) {
            let (name, code) = (set.name, language.name());
            tally.print(&format!("{name} {code}"));
            let compound_hits = tally.taken(Expected::Compound, Class::Hit);
            if tally.recall() < RECALL {
                missed.push(format!("{name} {code}: recall"));
            }
            if tally.precision() < PRECISION {
                missed.push(format!("{name} {code}: precision"));
            }
            if compound_hits > COMPOUNDS_HIT {
                missed.push(format!("{name} {code}: compounds hit"));
            }
        }
    }
    assert!(missed.is_empty(), "targets missed: {missed:?}");
}

/// What the engine makes of a set. Every disagreement is printed, and the figures of every group.
fn measure(set: &Set) -> BTreeMap<Language, Tally> {
    let engines: Vec<Engine<'_>> = set.worlds.iter().map(Engine::new).collect();
    let mut languages: BTreeMap<Language, Tally> = BTreeMap::new();
    let mut all_groups: BTreeMap<(Language, String), Tally> = BTreeMap::new();
    for phrasing in &set.phrasings {
        let place = set.place(phrasing);
        let world = &set.worlds[place];
        let judgement = engines[place].judge(&phrasing.query);
        let expected = phrasing.expect;
        let right_fact = judgement.fact == phrasing.fact;
        if judgement.class != expected.class() || !right_fact {
            println!(
                "[{} {} {}] {:?}: expected {expected:?} {:?}, judged {:?} {:?} ({:?}){}",
                set.name,
                world.language().name(),
                phrasing.world,
                phrasing.query,
                phrasing.fact,
                judgement.class,
                judgement.fact,
                judgement.reason,
                phrasing.note.as_ref().map_or(String::new(), |note| format!(" - {note}")),
            );
        }
        let language = languages.entry(world.language()).or_default();
        language.add(expected, judgement, right_fact);
        for group in groups(world, phrasing) {
            let group = all_groups.entry((world.language(), group)).or_default();
            group.add(expected, judgement, right_fact);
        }
    }
    for ((language, group), tally) in &all_groups {
        println!("{} {} {group}: {}", set.name, language.name(), tally.shares());
    }
    languages
}
