//! A run of our own in the reference code's schema: no file of the authors is published.

use serde_json::{Map, Value, json};

use crate::game::{Payoffs, Played, of_letters};
use crate::report::{self, Numbers};
use crate::seeds::PairSeed;
use crate::settings::{Form, Settings};
use crate::tasks::label;
use turnwise_core::metrics::report::MeasureOptions;
use turnwise_core::metrics::summary::Summary;
use turnwise_core::spec::{Profile, Spec};

/// A whole `reference` tournament of one δ as the reference code writes it. Matches stand in the order of `episodes`,
/// which also decides the intervals of whoever reads the file; incomplete ones are left out.
pub fn write(spec: &Spec, episodes: &[Summary]) -> Value {
    let (settings, players) = Settings::of(spec).expect("it can be played");
    let [delta] = settings.delta.0.as_slice() else {
        panic!("the schema holds one δ");
    };
    assert_eq!(
        (spec.profile, settings.form),
        (Profile::Reference, Form::Tournament),
        "only these have the seeds that the schema wants"
    );
    let mut games = Vec::new();
    for summary in episodes.iter().filter(|summary| summary.complete) {
        let labels = &summary.task.labels;
        let label = |name: &str| labels.get(name).map(String::as_str).unwrap_or_default();
        let seats = label::PLACES.map(label);
        let place = seats.map(|seat| players.iter().position(|who| who.seat.as_str() == seat));
        let numbers = summary.measured.numbers.read::<Numbers>();
        let ([Some(first), Some(second)], Ok(numbers), Ok(repeat)) =
            (place, numbers, label(label::REPEAT).parse())
        else {
            continue;
        };
        let names = [first, second].map(|player| players[player].name.as_str());
        let swapped = first > second;
        let pair = PairSeed {
            seed: spec.seed,
            names: if swapped { [names[1], names[0]] } else { names },
            repeat,
            delta: *delta,
            cap: settings.cap,
        };
        games.push(game(&pair, names, swapped, &numbers, &settings.payoffs));
    }
    let all: Vec<&Summary> = episodes.iter().collect();
    let record = report::report(spec, &all, &MeasureOptions::default()).record;
    let mut per_agent = Map::new();
    for player in record["players"].as_array().into_iter().flatten() {
        let name = player["name"].as_str().unwrap_or_default();
        per_agent.insert(
            name.to_owned(),
            json!({
                "total_score": player["total"].as_f64(),
                "total_rounds": player["rounds"],
                "avg_score_per_round": player["score"],
                "avg_score_ci": { "low": player["score_low"], "high": player["score_high"], "alpha": 0.05 },
                "num_games": player["games"],
                "personality": {
                    "cooperation_rate": player["cooperation"],
                    "reciprocity_rate": player["reciprocity"],
                    "retaliation_rate": player["retaliation"],
                },
            }),
        );
    }
    json!({
        "config": {
            "delta": delta,
            "repeats": settings.repeats,
            "swap_seats": settings.swap,
            "max_rounds": settings.cap,
            "seed": spec.seed,
            "bootstrap_samples": 2000,
            "ci_alpha": 0.05,
        },
        "agents": players.iter().map(|player| &player.name).collect::<Vec<_>>(),
        "per_agent": per_agent,
        "total_games": games.len(),
        "game_results": games,
    })
}

fn game(
    pair: &PairSeed<'_>,
    names: [&str; 2],
    swapped: bool,
    numbers: &Numbers,
    payoffs: &Payoffs,
) -> Value {
    let [first, second] = &numbers.actions;
    let actions = of_letters(first).zip(of_letters(second));
    let mut played = Played::default();
    let mut history = Vec::new();
    let (firsts, seconds) = actions.unwrap_or_default();
    for (first, second) in firsts.into_iter().zip(seconds) {
        let earned = played.round(payoffs, [first, second]);
        history.push(json!({
            "round": played.rounds(),
            "agent1_action": first,
            "agent2_action": second,
            "agent1_payoff": earned[0] as f64,
            "agent2_payoff": earned[1] as f64,
            "agent1_total_payoff": played.totals[0] as f64,
            "agent2_total_payoff": played.totals[1] as f64,
        }));
    }
    json!({
        "pair": pair.names,
        "repeat": pair.repeat,
        "direction": if swapped { "B_vs_A" } else { "A_vs_B" },
        "match_seed": pair.of_match(),
        "game_seed": pair.of_game(u32::from(swapped)),
        "fixed_rounds": played.rounds(),
        "result": {
            "agent1_name": names[0],
            "agent2_name": names[1],
            "total_rounds": played.rounds(),
            "delta": pair.delta,
            "max_rounds": pair.cap,
            "fixed_rounds": played.rounds(),
            "stopped_reason": "fixed_rounds_reached",
            "agent1_total_payoff": played.totals[0] as f64,
            "agent2_total_payoff": played.totals[1] as f64,
            "history": history,
        },
    })
}
