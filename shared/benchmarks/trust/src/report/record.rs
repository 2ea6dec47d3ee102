//! Players and pairs as programs read them. Fractions are numbers from 0 to 1, payoffs are per round, and what is not
//! defined is `null`.

use serde_json::{Map, Value, json};

use crate::metrics::{Pair, Standing, Tally};

pub fn player(name: &str, class: &str, standing: &Standing) -> Value {
    let tally = &standing.all;
    let by_class: Map<String, Value> =
        standing.by_class.iter().map(|(class, tally)| (class.clone(), against(tally))).collect();
    json!({
        "name": name,
        "class": class,
        "total": tally.total,
        "rounds": tally.rounds,
        "games": tally.games,
        "score": tally.score(),
        "score_low": standing.interval.map(|(low, _)| low),
        "score_high": standing.interval.map(|(_, high)| high),
        "score_clean": standing.clean.score(),
        "score_by_match": standing.mean_by_match,
        "cooperation": tally.cooperation(),
        "reciprocity": tally.reciprocity(),
        "retaliation": tally.retaliation(),
        "betrayal": tally.betrayal(),
        "unprovoked_defection": tally.unprovoked_defection(),
        "by_class": by_class,
    })
}

fn against(tally: &Tally) -> Value {
    json!({
        "total": tally.total,
        "rounds": tally.rounds,
        "games": tally.games,
        "score": tally.score(),
        "cooperation": tally.cooperation(),
    })
}

/// Pairs, by the names of the players.
pub fn pairs(pairs: &[Pair], names: &[&str]) -> Vec<Value> {
    let name = |player: usize| names.get(player).copied().unwrap_or_default();
    pairs
        .iter()
        .map(|pair| {
            let [first, second] = &pair.tallies;
            json!({
                "names": pair.players.map(name),
                "games": first.games,
                "rounds": first.rounds,
                "totals": [first.total, second.total],
                "scores": [first.score(), second.score()],
                "cooperation": [first.cooperation(), second.cooperation()],
            })
        })
        .collect()
}
