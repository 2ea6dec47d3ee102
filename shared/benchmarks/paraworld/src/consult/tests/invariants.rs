use super::super::invariants::{Rules, normalised};
use super::*;
use crate::reading::engine::strict;

const OSKERY: &str = "Oskery: concerts played in 2031";
const FOUNDER: &str = "Tamblin: founder";
const RULE: &str = "Counting rule";
const ACTIVE: &str = "Oskery: still active";
const TEAM: &str = "2031年蓝湖拉力赛冠军车队";
const LENGTH: &str = "蓝湖拉力赛总里程";

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

fn miss(line: &str, content: &str) -> Vec<Rule> {
    broken(line, "anything", &reply(false, None, &[content]))
}

const NONE: [Rule; 0] = [];

#[test]
fn i6_a_hit_tells_its_value() {
    for content in [
        "Oskery played 48 concerts.",
        "Oskery gave 48 sold-out concerts that year.",
        "４８ Concerts in all",
        "48 concert",
    ] {
        assert_eq!(hit(BANDS, OSKERY, &[content]), NONE, "{content}");
    }
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
    // A long value by what cannot be put into other words.
    assert_eq!(
        hit(BANDS, RULE, &["Festivals count once, and concerts from 500 visitors on."]),
        [Rule::I6]
    );
    assert_eq!(
        hit(
            BANDS,
            RULE,
            &["Only concerts with at least 500 visitors count, and festivals count once."]
        ),
        NONE
    );
    // A yes beside what it is about.
    assert_eq!(hit(BANDS, ACTIVE, &["Is Oskery still active: yes."]), NONE);
    assert_eq!(hit(BANDS, ACTIVE, &["Yes. Oskery is a band."]), [Rule::I6]);
    assert_eq!(hit(BANDS, ACTIVE, &["Oskery is not active."]), [Rule::I6]);
    assert_eq!(hit(RALLY, LENGTH, &["蓝湖拉力赛全长1350 公里。"]), NONE);
    assert_eq!(hit(RALLY, LENGTH, &["蓝湖拉力赛全长1350米。"]), [Rule::I6]);
    assert_eq!(hit(RALLY, TEAM, &["冠军是“晨星车队”。"]), NONE);
}

#[test]
fn i7_a_miss_tells_nothing() {
    for content in [
        "Mira Coll was there.",
        "MIRA  COLL",
        "mira\u{200b} coll",
        "148 concerts",
        "Tamblin played 148 concerts",
        "100 concerts more",
        "Oskery: still active, yes",
    ] {
        assert_eq!(miss(BANDS, content), [Rule::I7], "{content}");
    }
    for content in [
        "Mira was there",
        "Tamblin played 150 concerts",
        "1148 concerts",
        "48",
        "Yes, Oskery is a band that is not loud",
        "Oskery and Tamblin in 2031",
        "at least five hundred visitors",
    ] {
        assert_eq!(miss(BANDS, content), NONE, "{content}");
    }
    // A short number tells something only beside what it is about.
    for content in [
        "蓝湖拉力赛一共12个赛段",
        "蓝湖的赛段总数为１２ 个",
        "晨星车队夺冠",
        "全程1,350公里",
        "0.135万公里",
    ] {
        assert_eq!(miss(RALLY, content), [Rule::I7], "{content}");
    }
    for content in
        ["在12个国家播出", "2031年蓝湖拉力赛", "车队很多", "蓝湖拉力赛很长。共有12个人到场"]
    {
        assert_eq!(miss(RALLY, content), NONE, "{content}");
    }
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
    // What the player wrote itself is no secret.
    assert_eq!(
        broken(BANDS, "did Mira Coll found it?", &reply(false, None, &["Mira Coll was there."])),
        NONE
    );
}

#[test]
fn i8_a_hit_tells_one_value() {
    let own = "Tamblin was founded by Mira Coll.";
    for other in ["Oskery played 48 concerts.", "148 concerts", "by 100 concerts"] {
        assert_eq!(hit(BANDS, FOUNDER, &[own, other]), [Rule::I8], "{other}");
    }
    // A part of the answer in the matched value is no leak; nor is an equal value of another fact.
    assert_eq!(hit(RALLY, TEAM, &["晨星车队"]), NONE);
    assert_eq!(hit(RALLY, TEAM, &["晨星车队，12个赛段"]), [Rule::I8]);
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
fn i9_a_hit_gives_one_figure() {
    let own = "Oskery: 48 concerts.";
    assert_eq!(hit(BANDS, OSKERY, &[own, "Oskery played 52 concerts, others say."]), [Rule::I9]);
    assert_eq!(hit(BANDS, OSKERY, &[own, "奥斯克: 47 concerts"]), [Rule::I9]);
    for other in ["Somebody played 52 concerts.", "Oskery has 5 members.", "Oskery in 2030"] {
        assert_eq!(hit(BANDS, OSKERY, &[own, other]), NONE, "{other}");
    }
    let asked = reply(false, Some(OSKERY), &[own, "Oskery did not play 52 concerts."]);
    assert_eq!(broken(BANDS, "did Oskery play 52 concerts?", &asked), NONE);
    assert_eq!(hit(RALLY, LENGTH, &["1350公里", "蓝湖拉力赛只有900公里"]), [Rule::I9]);
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
    assert_eq!(broken(BANDS, "q", &reply(false, None, &["short"; 4])), NONE);
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
