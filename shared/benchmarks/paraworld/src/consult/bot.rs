//! `bot:facts` in the engine's seat: it says what a model would say, and what it says is read like a model's reply.

use serde::Serialize;

use super::super::engine::{Class, Engine, SearchResult};
use super::super::task::of_row;
use turnwise_core::prelude::*;

/// The response of specification 4.3. The class stands as the reason.
#[derive(Serialize)]
pub(super) struct Response {
    pub is_compound_query: bool,
    pub hit: u8,
    pub matched_fact_keys: Vec<String>,
    pub reason: Class,
    pub search_result: Vec<SearchResult>,
}

/// What the rule-based engine replies to a request of the mediator: it reads the row of the world and the query. Nothing if the
/// request holds no world, as on a sealed set of tasks.
pub fn engine_bot(asked: &Asked<'_>) -> String {
    let Some(world) = of_row(asked.variable("world"), 0) else {
        return String::new();
    };
    let page = Engine::new(&world).page(asked.variable("query"));
    let response = Response {
        is_compound_query: page.is_compound_query,
        hit: u8::from(page.hit),
        matched_fact_keys: page.matched_fact_keys,
        reason: page.class,
        search_result: page.search_result,
    };
    serde_json::to_string(&response).expect("texts and numbers can be written")
}
