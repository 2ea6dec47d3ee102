//! What a `reference` run sends to models otherwise than the authors' program does (4.b.6): listed with the numbers of the run.

use std::collections::BTreeMap;

use turnwise_core::prelude::*;
use turnwise_core::seat::knob::Knob;
use turnwise_core::seat::{Effort, ReplyForm};

/// The reasoning switch that the authors' program sends to models of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reasoning {
    High,
    On,
    /// Not sent.
    Unsent,
}

impl Reasoning {
    fn of(model: &str) -> Self {
        if model.starts_with("deepseek/") {
            Reasoning::High
        } else if model.starts_with("x-ai/") {
            Reasoning::On
        } else {
            Reasoning::Unsent
        }
    }
}

/// The departures of a run, each in a sentence; none under `strict`, which does not claim to send the same, and none where no
/// model plays.
pub fn of(spec: &Spec) -> Vec<String> {
    if spec.profile == Profile::Strict {
        return Vec::new();
    }
    let mut departures: BTreeMap<String, Vec<&Seat>> = BTreeMap::new();
    for (seat, sitting) in &spec.seats {
        if let Player::Model { model, .. } = &sitting.player {
            for departure in of_model(model, &sitting.sampling) {
                departures.entry(departure).or_default().push(seat);
            }
        }
    }
    departures
        .into_iter()
        .map(|(departure, seats)| {
            let seats: Vec<&str> = seats.into_iter().map(Seat::as_str).collect();
            let noun = if seats.len() == 1 { "seat" } else { "seats" };
            format!("Not as in the authors' program ({noun} {}): {departure}", seats.join(", "))
        })
        .collect()
}

fn of_model(model: &str, sampling: &Sampling) -> Vec<String> {
    let mut departures = vec![
        "the program gives up an attempt after 300 s and a decision after 301 s; this run has the time limits of its server."
            .to_owned(),
    ];
    if sampling.form != ReplyForm::Json {
        departures.push(
            "the program asks the service for a JSON object (response_format); this run does not. Set form to json to do so."
                .to_owned(),
        );
    }
    let reasoning = match (Reasoning::of(model), sampling.effort) {
        (Reasoning::High, Some(Effort::High)) | (Reasoning::Unsent, None) => None,
        (Reasoning::On, Some(effort)) if effort != Effort::None => None,
        (Reasoning::High, _) => Some(
            "the program switches reasoning on with high effort; this run does not. Set effort to high to do so.",
        ),
        (Reasoning::On, _) => {
            Some("the program switches reasoning on; this run does not. Set an effort to do so.")
        }
        (Reasoning::Unsent, Some(_)) => {
            Some("the program sends no reasoning switch; this run sets an effort.")
        }
    };
    departures.extend(reasoning.map(str::to_owned));
    let others = [
        Knob::Temperature,
        Knob::TopP,
        Knob::MaxTokens,
        Knob::ThinkingTokens,
        Knob::Seed,
        Knob::Stop,
    ];
    let sent: Vec<&str> = others
        .into_iter()
        .filter(|knob| knob.standing(sampling).is_some())
        .map(Knob::parameter)
        .collect();
    if !sent.is_empty() {
        departures.push(format!(
            "the program leaves sampling to the service; this run sends {}.",
            sent.join(", ")
        ));
    }
    departures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Poker;
    use turnwise_core::benchmark;
    use turnwise_core::seat::Sitting;

    fn spec(profile: Profile, models: &[(&str, Sampling)]) -> Spec {
        let mut spec = benchmark::default_spec(&Poker);
        spec.profile = profile;
        for (seat, (model, sampling)) in (1..).zip(models) {
            let player = format!("model:router/{model}").parse().expect("a model");
            let sampling = sampling.clone();
            let sitting = Sitting { player, sampling };
            spec.seats.insert(Seat::new(format!("{seat}")), sitting);
        }
        spec
    }

    fn json(effort: Option<Effort>) -> Sampling {
        Sampling { form: ReplyForm::Json, effort, ..Sampling::default() }
    }

    #[test]
    fn bots_and_strict_runs_depart_from_nothing() {
        assert!(of(&spec(Profile::Reference, &[])).is_empty());
        let models = [("openai/gpt-5-mini", Sampling::default())];
        assert!(of(&spec(Profile::Strict, &models)).is_empty());
    }

    #[test]
    fn what_is_sent_as_the_program_sends_it_is_no_departure() {
        let models = [
            ("openai/gpt-5-mini", json(None)),
            ("deepseek/deepseek-v3.2", json(Some(Effort::High))),
            ("x-ai/grok-4.1-fast", json(Some(Effort::Low))),
        ];
        let told = of(&spec(Profile::Reference, &models));
        // Time limits are the server's, whatever a seat is sent.
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("(seats 1, 2, 3)") && told[0].contains("301 s"));
    }

    #[test]
    fn every_other_way_of_asking_is_told_with_its_seats() {
        let warm = Sampling { temperature: Some(0.2), seed: Some(7), ..json(Some(Effort::High)) };
        let models = [
            ("qwen/qwen3-max", Sampling::default()),
            ("deepseek/deepseek-v3.2", json(None)),
            ("x-ai/grok-4.1-fast", json(Some(Effort::None))),
            ("google/gemini-3-flash-preview", warm),
        ];
        let told = of(&spec(Profile::Reference, &models));
        for (seats, words) in [
            ("(seat 1)", "response_format"),
            ("(seat 2)", "high effort"),
            ("(seat 3)", "switches reasoning on;"),
            ("(seat 4)", "no reasoning switch"),
            ("(seat 4)", "temperature, seed"),
            ("(seats 1, 2, 3, 4)", "300 s"),
        ] {
            let fits = |line: &&String| line.contains(seats) && line.contains(words);
            assert_eq!(told.iter().filter(fits).count(), 1, "{seats} {words}: {told:?}");
        }
        assert_eq!(told.len(), 6);
    }
}
