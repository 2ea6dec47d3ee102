//! What the paper prints (specification 3.f).

use serde::Deserialize;

/// A published table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    pub problems: u32,
    pub rounds: u32,
    pub judge: String,
    /// What a reader must know, each in a sentence.
    pub notes: Vec<String>,
    pub row: Vec<Row>,
}

/// One player.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub name: String,
    pub player: String,
    #[serde(default)]
    pub note: Option<String>,
    /// In percent.
    pub accuracy: f64,
    /// Problems solved, as the percentage implies.
    pub solved: u32,
    /// In percent.
    pub pass_at_k: f64,
    pub k: u32,
    pub rounds_when_solved: f64,
    /// Of an interactive episode.
    pub tokens: f64,
    pub tokens_of_sample: f64,
}

/// The main table.
pub fn main_table() -> Published {
    toml::from_str(include_str!("../published/main.toml"))
        .expect("a test reads the published table")
}
