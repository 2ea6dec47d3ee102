//! Which pairs are drawn.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Domains `D0`, `D1`, … with this many names each.
fn pools(sizes: &[usize]) -> Vec<Pool> {
    let pool = |(domain, size): (usize, &usize)| Pool {
        domain: format!("D{domain}"),
        entities: (0..*size)
            .map(|entity| Term { name: format!("E{domain}x{entity}"), aliases: Vec::new() })
            .collect(),
    };
    sizes.iter().enumerate().map(pool).collect()
}

fn counts(pairs: &[EntityPair], domains: usize) -> Vec<usize> {
    let of = |domain: usize| {
        let name = format!("D{domain}");
        pairs.iter().filter(|pair| pair.domain == name).count()
    };
    (0..domains).map(of).collect()
}

/// Specification 3.1: 26 for each of 19 domains, and one more for six of them.
#[test]
fn the_quota_of_nineteen_domains() {
    let pools = pools(&[40; 19]);
    let drawn = pairs(&pools, 500, 1);
    assert_eq!(drawn.len(), 500);
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for count in counts(&drawn, 19) {
        *sizes.entry(count).or_default() += 1;
    }
    assert_eq!(sizes, BTreeMap::from([(26, 13), (27, 6)]));
    // Which six follows from the seed.
    let six = |seed| {
        let counts = counts(&pairs(&pools, 500, seed), 19);
        (0..19).filter(|domain| counts[*domain] == 27).collect::<Vec<_>>()
    };
    assert_ne!(six(1), six(2));
    assert_eq!(six(1), six(1));
}

#[test]
fn small_domains_give_all_they_have_and_the_others_top_up_in_a_balanced_way() {
    // 3 names hold 3 pairs, 1 name none; the missing ones are shared by the two that have room.
    let pools = pools(&[3, 1, 30, 30]);
    let drawn = pairs(&pools, 40, 7);
    let counts = counts(&drawn, 4);
    assert_eq!(drawn.len(), 40);
    assert_eq!((counts[0], counts[1]), (3, 0));
    assert_eq!(counts[2] + counts[3], 37);
    assert!(counts[2].abs_diff(counts[3]) == 1, "{counts:?}");
}

#[test]
fn no_more_pairs_than_there_are() {
    let pools = pools(&[4, 3, 2]);
    assert_eq!(pairs(&pools, 500, 1).len(), 6 + 3 + 1);
    assert_eq!(pairs(&pools, 0, 1), []);
    assert_eq!(pairs(&[], 10, 1), []);
    assert_eq!(pairs(&self::pools(&[1]), 10, 1), []);
}

#[test]
fn no_pair_is_drawn_twice_and_none_is_an_entity_with_itself() {
    for seed in 0..20 {
        let drawn = pairs(&pools(&[12, 5, 9]), 100, seed);
        let mut seen = BTreeSet::new();
        let mut ids = BTreeSet::new();
        for pair in &drawn {
            let mut names = pair.entities.each_ref().map(|term| term.name.clone());
            names.sort();
            assert_ne!(names[0], names[1]);
            assert!(seen.insert(names), "a pair was drawn twice");
            assert!(ids.insert(pair.pair_id.clone()), "an id stands for two pairs");
            assert_eq!(pair.seed, seed);
        }
    }
}

#[test]
fn every_pair_of_a_domain_can_be_drawn() {
    let drawn = pairs(&pools(&[6]), 15, 3);
    assert_eq!(drawn.len(), 15);
    for names in 2..9 {
        let all = (0..names * (names - 1) / 2).map(|number| places(number, names));
        let all: BTreeSet<_> = all.collect();
        assert_eq!(all.len(), names * (names - 1) / 2);
        assert!(all.iter().all(|(first, second)| first < second && *second < names));
    }
}

#[test]
fn the_seed_decides_which_and_ids_follow_from_names() {
    let pools = pools(&[30, 30]);
    let (one, again, other) = (pairs(&pools, 20, 1), pairs(&pools, 20, 1), pairs(&pools, 20, 2));
    assert_eq!(one, again);
    assert_ne!(one, other);
    let ids: BTreeMap<String, [Term; 2]> =
        one.iter().map(|pair| (pair.pair_id.clone(), pair.entities.clone())).collect();
    for pair in &other {
        if let Some(entities) = ids.get(&pair.pair_id) {
            assert_eq!(entities, &pair.entities);
        }
    }
}

#[test]
fn a_pair_records_the_hash_of_its_pool() {
    let mut pools = pools(&[4, 4]);
    let before = pairs(&pools, 12, 1);
    pools[1].entities[0].aliases.push("another name".to_owned());
    let after = pairs(&pools, 12, 1);
    let hashes = |pairs: &[EntityPair], domain: &str| -> BTreeSet<Digest> {
        let of = pairs.iter().filter(|pair| pair.domain == domain);
        of.map(|pair| pair.pool_hash).collect()
    };
    assert_eq!(hashes(&before, "D0"), hashes(&after, "D0"));
    assert_ne!(hashes(&before, "D1"), hashes(&after, "D1"));
    assert_eq!(hashes(&before, "D0"), BTreeSet::from([Digest::of_value(&pools[0])]));
}

#[test]
fn a_file_says_pools_and_how_many_pairs() {
    let file = "\u{feff}{\"sampling\": {\"pairs\": 2, \"seed\": 9}}\n\n\
        {\"domain\": \"Choir\", \"entities\": [\"Ada\", {\"name\": \"Bea\", \"aliases\": [\"B\"]}, \"Cyd\"]}\n";
    let read = read("pools.jsonl", file.as_bytes()).unwrap();
    assert_eq!(read.sampling, Sampling { pairs: 2, seed: 9 });
    assert_eq!(read.pools[0].entities[1].aliases, ["B"]);
    let set = read.to_task_set("pools.jsonl");
    assert_eq!(set.tasks.len(), 2);
    let pair = of_task(&set.tasks[0]).unwrap();
    assert_eq!(set.tasks[0].id.0, pair.pair_id);
    assert_eq!(set.tasks[0].labels[field::DOMAIN], "Choir");
    assert!(pair.pair_id.starts_with("choir-"));
    // Without a head 500 pairs of seed 1 are meant.
    let plain = super::read("p", b"{\"domain\": \"D\", \"entities\": [\"a\", \"b\"]}").unwrap();
    assert_eq!(plain.sampling, Sampling::default());
    assert_eq!(plain.pairs().len(), 1);
}

#[test]
fn a_file_that_cannot_be_used_says_where_and_why() {
    let good = r#"{"domain": "D", "entities": ["a", "b"]}"#;
    for (file, says) in [
        (String::new(), "no domain has two names"),
        (r#"{"domain": "D", "entities": ["a"]}"#.to_owned(), "no domain has two names"),
        (format!("{good}\n{good}"), "row 2: the domain \"D\" stands there twice"),
        (r#"{"domain": "D", "entities": ["a", " A"]}"#.to_owned(), "stands there twice"),
        (r#"{"domain": "D", "entities": ["a", " "]}"#.to_owned(), "blank"),
        (r#"{"domain": " ", "entities": ["a", "b"]}"#.to_owned(), "the domain is blank"),
        (r#"{"domain": "D", "names": ["a", "b"]}"#.to_owned(), "row 1"),
        (format!("{good}\n{{\"sampling\": {{\"pairs\": 5}}}}"), "in front of the first domain"),
        ("{\"sampling\": {\"pairs\": 0}}".to_owned(), "draw 1 to"),
        ("not JSON".to_owned(), "row 1: it is not JSON"),
    ] {
        let error = read("file", file.as_bytes()).unwrap_err().message;
        assert!(error.contains(says), "{file}: {error}");
    }
}

#[test]
fn names_come_in_the_language_of_the_run() {
    let term = |name: &str, aliases: &[&str]| Term {
        name: name.to_owned(),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
    };
    let pair = EntityPair {
        pair_id: "x".to_owned(),
        domain: "D".to_owned(),
        entities: [term("Ada Choir", &["Ada", "艾达合唱团"]), term("Bea", &[])],
        seed: 1,
        pool_hash: Digest::of(""),
    };
    assert_eq!(pair.names(Language::En), ["Ada Choir", "Bea"]);
    assert_eq!(pair.names(Language::Zh), ["艾达合唱团", "Bea"]);
}
