//! Under which key an engine's reply is kept (specification 4.4): the same query over the same facts is answered once.

use md5::{Digest as _, Md5};

use super::task::{Fact, facts_json};
use turnwise_core::hash::hex;
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps, text};

/// The reference's key: MD5 over the query, a bar, and the facts as JSON with sorted keys. The question and what the player
/// said before are not in it, although the reference's engine sees them. A query that is no text counts as Python prints
/// it.
pub fn reference_key(query: &Json, facts: &[Fact]) -> String {
    let facts = dumps(&facts_json(facts), Layout::Sorted);
    let keyed = format!("{}|{facts}", text(query));
    hex(&Md5::digest(keyed.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Specification 4.4, golden vectors.
    #[test]
    fn golden_keys() {
        let fact = |key: &str, value: &str| Fact { key: key.to_owned(), value: value.to_owned() };
        let facts = [fact("b", "2"), fact("a", "1")];
        let swapped = [fact("a", "1"), fact("b", "2")];
        let key = |query: &str, facts: &[Fact]| reference_key(&Json::from(query), facts);
        assert_eq!(key("q", &facts), "0a29d757911c7e2e8b02d5ac56c15acc");
        assert_eq!(key("q", &swapped), key("q", &facts));
        assert_eq!(key("Q", &facts), "2b79d33d56b805b74fa758a3c718bd2f");
        assert_eq!(key("q", &[]), "79c746a324f151f1b21749cdd89e6a36");
    }
}
