//! A person in the engine's seat: what is read of the request, what a template would say, and the reply as a model writes it.
//!
//! Everything comes from what the seat is shown. The row of the world is not looked at, so that a person knows no more than
//! a model does.

use super::super::engine::{Class, Engine, Judgement, SearchResult};
use super::super::task::{Draft, Extra, Fact, World};
use super::bot::Response;
use turnwise_core::json;
use turnwise_core::prelude::*;

/// A request to the engine, for a person who answers it by hand.
#[derive(Debug)]
pub struct Sheet {
    query: String,
    /// Made of nothing but question and facts.
    world: World,
}

impl Sheet {
    /// Reads the shown parts of a request: its query, the question, and the facts as an object. `None` if this is no
    /// request that can be answered so, because a prompt pack shows something else.
    pub fn of<'a>(part: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let facts = json::parse(part("facts")?, Dialect::Strict).ok()?;
        let facts = facts.as_object()?.iter().map(|(key, value)| {
            let value = value.as_text()?.to_owned();
            let key = key.to_owned();
            Some(Fact { key, value })
        });
        let draft = Draft {
            index: 0,
            category: String::new(),
            question: part("question")?.to_owned(),
            // This seat is not given the answer; a file would not accept an empty one.
            answer: "?".to_owned(),
            final_answer: "?".to_owned(),
            facts: facts.collect::<Option<_>>()?,
            extra: Extra::default(),
        };
        Some(Sheet { query: part("query")?.to_owned(), world: draft.into_world(0).ok()? })
    }

    pub fn query(&self) -> &str {
        &self.query
    }

    /// The question of the player.
    pub fn question(&self) -> &str {
        self.world.question()
    }

    /// The facts, in their order.
    pub fn facts(&self) -> &[Fact] {
        &self.world.facts
    }

    /// Four results that templates have for this judgement; a hit names the position of its fact.
    pub fn proposed(&self, class: Class, fact: Option<usize>) -> Vec<SearchResult> {
        let judgement = Judgement::given(class, fact);
        let page = Engine::new(&self.world).page_as(&self.query, judgement);
        page.search_result
    }

    /// The reply, letter by letter as a model has to write it.
    pub fn reply(&self, class: Class, fact: Option<usize>, results: Vec<SearchResult>) -> String {
        let judgement = Judgement::given(class, fact);
        let key = judgement.fact.and_then(|fact| self.facts().get(fact));
        let response = Response {
            is_compound_query: matches!(judgement.class, Class::Compound | Class::TooBare),
            hit: u8::from(key.is_some()),
            matched_fact_keys: key.into_iter().map(|fact| fact.key.clone()).collect(),
            reason: judgement.class,
            search_result: results,
        };
        serde_json::to_string(&response).expect("texts and numbers can be written")
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::reading::engine::{Sign, strict};
    use super::*;

    const FACTS: &str = r#"{
  "Oskery: concerts played in 2031": "48 concerts",
  "Tamblin: concerts played in 2031": "148 concerts",
  "Counting rule": "Only concerts with at least 500 visitors count."
}"#;

    fn sheet() -> Sheet {
        Sheet::of(|name| match name {
            "facts" => Some(FACTS),
            "question" => Some("Which band, Oskery or Tamblin, played more concerts in 2031?"),
            "query" => Some("How many concerts did Tamblin play in 2031?"),
            _ => None,
        })
        .expect("it can be read")
    }

    #[test]
    fn facts_stand_in_the_order_in_which_they_are_shown() {
        let keys: Vec<_> = sheet().facts().iter().map(|fact| fact.key.clone()).collect();
        assert_eq!(keys[1], "Tamblin: concerts played in 2031");
        assert_eq!(keys.len(), 3);
    }

    #[test]
    fn what_is_filled_in_is_read_like_a_models_reply() {
        let sheet = sheet();
        let read = |class, fact| {
            let text = sheet.reply(class, fact, sheet.proposed(class, fact));
            strict(&text, sheet.facts()).expect("it keeps the rules of form")
        };
        let hit = read(Class::Hit, Some(1));
        let key = sheet.facts()[1].key.clone();
        assert_eq!(hit.sign, Sign::Hit { key });
        assert!(hit.pages.iter().any(|page| page.content.contains("148 concerts")));
        assert_eq!(hit.repairs, []);
        assert_eq!(read(Class::Miss, None).sign, Sign::Miss);
        for class in [Class::Compound, Class::TooBare] {
            assert_eq!(read(class, None).sign, Sign::Compound);
        }
    }

    #[test]
    fn what_shows_no_facts_is_no_sheet() {
        assert!(Sheet::of(|_| None).is_none());
        assert!(Sheet::of(|name| (name == "facts").then_some("none")).is_none());
    }
}
