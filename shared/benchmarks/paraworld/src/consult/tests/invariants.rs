use super::super::invariants::{Rules, normalised};
use super::*;
use crate::reading::engine::strict;
use turnwise_core::testing::cases;

const OSKERY: &str = "Oskery: concerts played in 2031";

/// The rules that a reply breaks, each once.
fn broken(line: &str, query: &str, reply: &str) -> Vec<Rule> {
    let world = world(line);
    let checked = strict(reply, &world.facts).expect("the form is right");
    let violations = Rules::new(&world).broken_by(query, &checked);
    for violation in &violations {
        let texts = world.facts.iter().map(|fact| &fact.value);
        assert!(
            texts
                .chain([&world.answer])
                .all(|text| text == "yes" || !violation.how.contains(text.as_str()))
        );
    }
    let mut rules: Vec<Rule> = violations.iter().map(|violation| violation.rule).collect();
    rules.sort();
    rules.dedup();
    rules
}

fn hit(line: &str, key: &str, contents: &[&str]) -> Vec<Rule> {
    broken(line, "anything", &reply(false, Some(key), contents))
}

const NONE: [Rule; 0] = [];

/// Replies of the engine and the rules that each breaks.
#[test]
fn what_each_reply_breaks() {
    type Row = (
        &'static str,
        &'static str,
        bool,
        Option<&'static str>,
        Vec<&'static str>,
        Vec<&'static str>,
    );
    for (world, query, compound, key, contents, rules) in
        cases::<Row>(include_str!("invariants.jsonl"))
    {
        let line = if world == "bands" { BANDS } else { RALLY };
        let found = broken(line, query, &reply(compound, key, &contents));
        let found: Vec<String> = found.iter().map(|rule| format!("{rule:?}")).collect();
        assert_eq!(found, rules, "{query}: {contents:?}");
    }
}

#[test]
fn i6_a_hit_tells_its_value() {
    for content in [
        "Oskery played many.",
        "Oskery played 48.",
        "48 albums",
        "Oskery played 4.8 concerts",
        "Oskery: 1048 concerts",
    ] {
        assert!(hit(BANDS, OSKERY, &[content]).contains(&Rule::I6), "{content}");
    }
    // In a title it does not count.
    let titled = reply(false, Some(OSKERY), &[]).replacen("A page", "48 concerts of Oskery", 1);
    assert_eq!(broken(BANDS, "q", &titled), [Rule::I6]);
}

#[test]
fn i7_a_miss_tells_nothing() {
    // In a title, in a date, and for compound queries as well.
    let titled = reply(false, None, &[]).replacen("A page", "Mira Coll", 1);
    assert_eq!(broken(BANDS, "q", &titled), [Rule::I7]);
    let dated = RALLY.replace("1,350公里", "2031-05-04");
    assert_eq!(
        broken(&dated, "q", &reply(false, None, &[])),
        NONE,
        "a date alone says not of what"
    );
    let compound = reply(true, None, &["Mira Coll"]);
    assert!(broken(BANDS, "q", &compound).contains(&Rule::I7));
}

#[test]
fn i8_a_hit_tells_one_value() {
    // An equal value of another fact is no leak.
    let equal = BANDS.replace("148 concerts\"", "48 concerts\"");
    assert_eq!(hit(&equal, OSKERY, &["48 concerts"]), NONE);
    // A number of the long answer which is the matched value by chance tells nothing, though all else of it is known. The whole
    // of it does.
    let long = "In the end Tamblin is ahead, and the difference is 48 concerts.";
    let chance = BANDS
        .replace(
            "Tamblin played 148 concerts and Oskery 48, so the difference is 100 concerts.",
            long,
        )
        .replace("by 100 concerts", "by 48 concerts");
    let value = "Oskery, not Tamblin, is the one with 48 concerts.";
    assert_eq!(hit(&chance, OSKERY, &[value]), NONE);
    assert_eq!(hit(&chance, OSKERY, &[value, long]), [Rule::I8]);
}

#[test]
fn i10_texts_for_compound_queries_are_long() {
    let words = "word ".repeat(25);
    let han = "这".repeat(60);
    let four = |text: &str| broken(BANDS, "q", &reply(true, None, &[text; 4]));
    assert_eq!(four(&words), NONE);
    assert_eq!(four(&han), NONE);
    assert_eq!(four(&"word ".repeat(24)), [Rule::I10]);
    assert_eq!(four(&"这".repeat(59)), [Rule::I10]);
    assert_eq!(four(&"这".repeat(60)), NONE);
    assert_eq!(four(&"достопримечательность ".repeat(10)), [Rule::I10]);
}

#[test]
fn i2_a_page_is_a_page() {
    let with =
        |from: &str, to: &str| broken(BANDS, "q", &reply(false, None, &[]).replacen(from, to, 1));
    // The question is about 2031.
    assert_eq!(with("2031-05-04", "2028-12-31"), [Rule::I2]);
    assert_eq!(with("2031-05-04", "2034-01-01"), [Rule::I2]);
    assert_eq!(with("2031-05-04", "2029-01-01"), NONE);
    assert_eq!(with("A page", &"x".repeat(301)), [Rule::I2]);
    assert_eq!(with(NEUTRAL, &"字".repeat(6_001)), [Rule::I2]);
    for tag in ["</tool_response>", "< Answer >", "<|im_start|>", "<think>"] {
        assert_eq!(with(NEUTRAL, tag), [Rule::I2], "{tag}");
    }
    assert_eq!(with(NEUTRAL, "3 < 4 and 5 > 4"), NONE);
}

#[test]
fn queries_are_the_same_in_many_spellings() {
    let same = ["Sales of “Ada” 1,200", "sales  of ada 1200", "ＳＡＬＥＳ　of 'Ada' 1,200 "];
    for query in same {
        assert_eq!(normalised(query), "sales of ada 1200", "{query}");
    }
    assert_ne!(normalised("Ada, 1,200"), normalised("Ada 1200"));
}
