use std::collections::{BTreeMap, BTreeSet};

use super::super::task::{Language, Tier, World, lines, load};
use super::*;

fn order(seed: u64, tier: Tier, language: Language, count: u32) -> Order {
    Order { seed, first: 0, count, tier, language, family: None, category: None }
}

/// What the file of samples is built from: every category in both languages, tiers and families in turn.
fn built_samples() -> Vec<World> {
    let mut worlds = Vec::new();
    for (place, category) in categories().into_iter().enumerate() {
        for (language, shift) in [(Language::En, 0), (Language::Zh, 2)] {
            for (step, tier) in Tier::ALL.into_iter().enumerate() {
                let number = u32::try_from(worlds.len()).unwrap();
                let family = Family::ALL[(place + step + shift) % 5];
                let order = Order {
                    seed: 2026,
                    first: number,
                    count: 1,
                    tier,
                    language,
                    family: Some(family),
                    category: Some(category.to_owned()),
                };
                worlds.extend(build(&order).unwrap());
            }
        }
    }
    worlds
}

#[test]
fn samples_are_what_the_builder_builds_and_pass_their_checks() {
    let samples = sample().worlds;
    let built = built_samples();
    for (sample, built) in samples.iter().zip(&built) {
        assert_eq!(sample.line_text(), built.line_text());
    }
    assert!(samples.len() >= built.len() + 4);
    let mut tiers: BTreeMap<(Tier, Language), u32> = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for world in &samples {
        *tiers.entry((world.tier(), world.language())).or_default() += 1;
        kinds.insert(world.category.clone());
        let findings = check(world);
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{:?}: {findings:?}", world.index);
    }
    assert!(kinds.len() >= 6 && tiers.len() == 6 && tiers.values().all(|count| *count >= 4));
}

#[test]
fn a_thousand_worlds_pass_their_checks_and_are_all_different() {
    let mut seen = BTreeSet::new();
    let mut families: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..20 {
        for tier in Tier::ALL {
            for language in [Language::En, Language::Zh] {
                for world in build(&order(seed, tier, language, 9)).unwrap() {
                    assert_eq!((world.tier(), world.language()), (tier, language));
                    assert!((2..=30).contains(&world.facts.len()));
                    assert_eq!(check(&world), []);
                    let solution = solve(world.question(), &world.facts).unwrap();
                    assert_eq!(solution.answer, world.answer);
                    assert_eq!(solution.used.len(), world.facts.len());
                    // What has to differ: question, facts and answer; not the index.
                    let text: Vec<&str> = world
                        .facts
                        .iter()
                        .flat_map(|fact| [fact.key.as_str(), fact.value.as_str()])
                        .chain([world.question(), &world.answer])
                        .collect();
                    assert!(seen.insert(text.join("\n")), "a world was built twice");
                    let extra = world.extra.unwrap();
                    let family = extra.generator["family"].as_str().unwrap().to_owned();
                    *families.entry(family).or_default() += 1;
                }
            }
        }
    }
    assert_eq!(seen.len(), 1080);
    assert!(families.len() == 5 && families.values().all(|count| *count > 100), "{families:?}");
}

#[test]
fn a_world_depends_on_seed_number_tier_and_language_only() {
    let all = build(&order(7, Tier::Mid, Language::En, 5)).unwrap();
    let again = build(&order(7, Tier::Mid, Language::En, 5)).unwrap();
    assert_eq!(lines(&all), lines(&again));
    let fourth = Order { first: 3, ..order(7, Tier::Mid, Language::En, 1) };
    assert_eq!(build(&fourth).unwrap()[0].line_text(), all[3].line_text());
    let other = build(&order(8, Tier::Mid, Language::En, 5)).unwrap();
    assert!(all.iter().zip(&other).all(|(a, b)| a.line_text() != b.line_text()));
}

#[test]
fn every_family_can_be_built_in_every_category_and_tier() {
    for category in categories() {
        for family in Family::ALL {
            for tier in Tier::ALL {
                let order = Order {
                    family: Some(family),
                    category: Some(category.to_lowercase()),
                    ..order(1, tier, Language::Zh, 1)
                };
                let world = &build(&order).unwrap()[0];
                assert_eq!(world.category.as_deref(), Some(category));
                assert_eq!(world.tier(), tier);
            }
        }
    }
    let unknown =
        Order { category: Some("Submarine".into()), ..order(1, Tier::Easy, Language::En, 1) };
    assert!(matches!(build(&unknown), Err(Unbuilt::NoCategory { .. })));
}

/// A built world whose row was changed.
fn changed(change: impl Fn(String) -> String) -> Vec<Trouble> {
    let order = Order { family: Some(Family::Comparison), ..order(3, Tier::Easy, Language::En, 1) };
    let text = change(build(&order).unwrap()[0].line_text());
    let world = load(text.as_bytes()).unwrap().worlds.remove(0);
    check(&world).into_iter().map(|finding| finding.trouble).collect()
}

#[test]
fn the_check_finds_what_is_wrong() {
    assert_eq!(changed(|text| text), []);
    assert!(changed(|text| text.replacen(", by ", ", by 1", 1)).contains(&Trouble::OtherAnswer));
    let unreadable = changed(|text| text.replace("and by how much?", "and why?"));
    assert!(unreadable.contains(&Trouble::NotChecked(Unsolved::Unreadable)));
    let far = changed(|text| text.replace("the two", "the three"));
    assert!(far.contains(&Trouble::NotChecked(Unsolved::Unreadable)));
}

fn row(question: &str, answer: &str, facts: &[(&str, &str)]) -> World {
    let facts: Vec<String> =
        facts.iter().map(|(key, value)| format!("{key:?}: {value:?}")).collect();
    let text = format!(
        r#"{{"prompt": [{{"role": "user", "content": {question:?}}}], "answer": {answer:?}, "extra_info": {{"world_truth_info": {{"atomic_facts": {{{}}}}}}}}}"#,
        facts.join(", ")
    );
    load(text.as_bytes()).unwrap().worlds.remove(0)
}

fn troubles(world: &World) -> Vec<Trouble> {
    check(world).into_iter().map(|finding| finding.trouble).collect()
}

#[test]
fn ties_thresholds_and_rounding_edges_are_seen() {
    let two = "In 2030, which of the two bands Aa and Bb had the larger number of songs, and by how much?";
    let world = row(
        two,
        "Aa, by 1 songs",
        &[("Aa: songs in 2030", "100 songs"), ("Bb: songs in 2030", "99 songs")],
    );
    assert_eq!(troubles(&world), [Trouble::Unsafe(Hazard::NearTie)]);
    let world = row(
        two,
        "Aa, by 9 songs",
        &[("Aa: songs in 2030", "99 songs"), ("Bb: songs in 2030", "90 songs")],
    );
    assert_eq!(troubles(&world), []);
    let reach = "Consider the bands Aa and Bb. For how many of them was the number of songs in 2030 at least 90, and what is the sum for those that qualify?";
    let world = row(
        reach,
        "1; 90 songs together",
        &[("Aa: songs in 2030", "90 songs"), ("Bb: songs in 2030", "50 songs")],
    );
    assert_eq!(troubles(&world), [Trouble::Unsafe(Hazard::Threshold)]);
    let divide = "Take Aa in 2030 together. Divide the total number of songs by the total number of gigs. What is the result, rounded to two decimal places?";
    let facts = |songs| [("Aa: songs in 2030", songs), ("Aa: gigs in 2030", "8 gigs")];
    let world = row(divide, "1.13", &facts("9 songs"));
    assert_eq!(troubles(&world), [Trouble::Unsafe(Hazard::Rounding)]);
    let world = row(divide, "1.25", &facts("10 songs"));
    assert_eq!(troubles(&world), []);
    // A fact that is not needed, one that gives the answer away, and two with one value.
    let mut spare = vec![("Aa: fans in 2030", "1.25"), ("Aa: cost in 2030", "1.25")];
    spare.extend(facts("10 songs"));
    let found = troubles(&row(divide, "1.25", &spare));
    assert!(found.contains(&Trouble::Unnecessary("Aa: fans in 2030".into())));
    assert!(found.contains(&Trouble::AnswersAlone("Aa: fans in 2030".into())));
    assert!(found.iter().any(|trouble| matches!(trouble, Trouble::SameValue(..))));
    let missing = troubles(&row(divide, "1.25", &facts("10 songs")[..1]));
    assert!(
        missing.iter().any(|trouble| matches!(trouble, Trouble::NotChecked(Unsolved::Missing(_))))
    );
}

#[test]
fn bare_keys_of_imported_files_are_warnings() {
    let world = row(
        "哪支车队赢得了2031年蓝湖拉力赛？车手是谁？",
        "晨星车队，车手方回",
        &[("2031年蓝湖拉力赛冠军车队", "晨星车队"), ("车手", "方回")],
    );
    let findings = check(&world);
    assert!(findings.iter().all(|finding| finding.severity == Severity::Warning));
    let bare: Vec<&Trouble> = findings
        .iter()
        .map(|finding| &finding.trouble)
        .filter(|trouble| matches!(trouble, Trouble::BareKey(_)))
        .collect();
    assert_eq!(bare, [&Trouble::BareKey("车手".into())]);
}

#[test]
fn facts_that_cannot_be_reached_or_hang_in_a_circle_are_found() {
    let order = Order { family: Some(Family::Chain), ..order(5, Tier::Easy, Language::En, 1) };
    let world = build(&order).unwrap().remove(0);
    let links: Vec<&str> = world
        .extra
        .as_ref()
        .unwrap()
        .facts
        .iter()
        .filter(|note| !note.depends_on.is_empty())
        .map(|note| note.key.as_str())
        .collect();
    assert_eq!(links.len(), 2);
    // The first link leads elsewhere: what hung on it cannot be found any more.
    let first = &world.facts[0].value;
    let old = format!("\"{}\": \"{first}\"", world.facts[0].key);
    let new = format!("\"{}\": \"Somebody Else\"", world.facts[0].key);
    let text = world.line_text();
    assert!(text.contains(&old));
    let broken = load(text.replace(&old, &new).as_bytes()).unwrap().worlds.remove(0);
    let found = troubles(&broken);
    assert!(
        found.contains(&Trouble::Unreachable(links[0].to_owned()))
            || found.contains(&Trouble::Unreachable(links[1].to_owned())),
        "{found:?}"
    );
    assert!(
        found.iter().any(|trouble| matches!(trouble, Trouble::NotChecked(Unsolved::Missing(_))))
    );
}

fn term(name: &str, alias: &str) -> super::super::task::Term {
    super::super::task::Term { name: name.to_owned(), aliases: vec![alias.to_owned()] }
}

/// Thirteen made-up names, in English and Chinese.
fn names() -> Vec<super::super::task::Term> {
    [
        ("Ada Choir", "阿达合唱团"),
        ("Brick Lane Five", "砖巷五人组"),
        ("Copper Owls", "铜猫头鹰"),
        ("Dune Radio", "沙丘电台"),
        ("Elmtown", "榆镇"),
        ("Foxglove", "毛地黄"),
        ("Glass Harbour", "玻璃港"),
        ("Hollow Kites", "空心风筝"),
        ("Ivory Tram", "象牙电车"),
        ("Jade Wolves", "玉狼"),
        ("Kettle Drummers", "壶鼓手"),
        ("Lanternfish", "灯笼鱼"),
        ("Moss Parade", "苔藓游行"),
    ]
    .map(|(en, zh)| term(en, zh))
    .to_vec()
}

#[test]
fn given_names_keep_all_guarantees() {
    let names = Names::new([("band".to_owned(), names())]).unwrap();
    for language in [Language::En, Language::Zh] {
        for tier in Tier::ALL {
            let worlds = build_of(&order(3, tier, language, 12), Some(&names)).unwrap();
            for world in worlds {
                assert_eq!((world.tier(), world.language()), (tier, language));
                assert_eq!(check(&world), []);
                assert_eq!(world.category.as_deref(), Some("Band"));
                let extra = world.extra.unwrap();
                assert_eq!(extra.generator["names"], names.digest().to_string());
                let known = |entity: &super::super::task::Term| {
                    self::names().iter().any(|term| term.names().any(|name| *name == entity.name))
                };
                let invented = extra.entities.iter().filter(|entity| !known(entity));
                assert!(invented.count() <= 1, "only an index has an invented name");
                for entity in extra.entities.iter().filter(|entity| known(entity)) {
                    assert_eq!(Language::of(&entity.name), language);
                }
            }
        }
    }
}

#[test]
fn names_that_do_not_do_are_named() {
    let refused = |category: &str, names: Vec<_>| Names::new([(category.to_owned(), names)]);
    assert!(matches!(refused("Submarine", names()), Err(BadNames::NoCategory { .. })));
    for odd in ["Ada, Bert", "Salt and Pepper", "Studio 54", "盐和胡椒"] {
        let mut names = names();
        names.push(term("Nettle", odd));
        match refused("Band", names) {
            Err(BadNames::Sign { name, .. }) => assert_eq!(name, odd),
            other => panic!("{odd}: {other:?}"),
        }
    }
    // The last but one lies in another name, and so does not count.
    let mut few = names();
    few.truncate(11);
    few.push(term("Ada Choir of Elmtown", "Elmtowners"));
    let few = refused("Band", few).unwrap();
    let build = |language| build_of(&order(1, Tier::Easy, language, 1), Some(&few));
    for language in [Language::En, Language::Zh] {
        match build(language) {
            Err(Unbuilt::Names(BadNames::Few { found, .. })) => assert_eq!(found, 11),
            other => panic!("{other:?}"),
        }
    }
    let elsewhere =
        Order { category: Some("Car Brand".to_owned()), ..order(1, Tier::Easy, Language::En, 1) };
    let names = Names::new([("Band".to_owned(), names())]).unwrap();
    assert!(matches!(
        build_of(&elsewhere, Some(&names)),
        Err(Unbuilt::Names(BadNames::Few { found: 0, .. }))
    ));
}
