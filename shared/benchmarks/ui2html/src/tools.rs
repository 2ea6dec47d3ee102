//! Commands: descriptions of a Summarizer become part of a task set.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};
use turnwise_core::benchmark::Tools;
use turnwise_core::benchmark::tool::{Done, Given};
use turnwise_core::kit::records::model;
use turnwise_core::prelude::*;

use crate::formats::packed;
use crate::protocol::ending;
use crate::settings::SUMMARIZER;
use crate::tasks;

pub(super) static TOOLS: LazyLock<Tools> =
    LazyLock::new(|| Tools::read(include_str!("tools.toml"), &[("freeze", run)]));

const RUNS: &str = "DIR|FILE";

/// The members of a row that a description sets.
fn described(play: &Transcript) -> Option<Value> {
    let outcome = play.outcome().filter(|outcome| outcome.ending == ending::DESCRIBED)?;
    let spec = &play.header.spec;
    Some(json!({
        "description": outcome.result["description"],
        "omits": outcome.result["omits"],
        "described_by": { SUMMARIZER: model(spec, SUMMARIZER), "prompts": spec.pack },
    }))
}

fn run(given: &Given<'_>) -> Result<Done, String> {
    let file = given.file("TASKS").ok_or("no file was named")?;
    let set =
        tasks::read(&file.name, &file.bytes).map_err(|bad| format!("{}: {bad}", file.path))?;
    let mut descriptions: BTreeMap<TaskId, Value> = BTreeMap::new();
    for recorded in given.transcripts(RUNS) {
        let play = recorded?.transcript;
        let of = &play.header.task;
        if let Some(found) = described(&play)
            && set.holds(&of.id, of.digest)
        {
            descriptions.entry(of.id.clone()).or_insert(found);
        }
    }
    if descriptions.is_empty() {
        return Err(format!("no transcript has a description of a page of {}", file.path));
    }
    let file = packed(&set, &descriptions)?;
    let said = format!("{} of {} pages described", descriptions.len(), set.tasks.len());
    Ok(Done { files: vec![file], ..Done::text(said) })
}

#[cfg(test)]
mod tests {
    use turnwise_core::benchmark::Benchmark;
    use turnwise_core::benchmark::tool::{File, Recorded};
    use turnwise_core::effect::{Effect, Reply};
    use turnwise_core::prompt::Said;
    use turnwise_core::spec::Profile;
    use turnwise_core::testing::{Case, spec};

    use super::*;
    use crate::Ui2Html;
    use crate::tasks::field;

    fn given<'a>(plays: &'a [Transcript]) -> Given<'a> {
        let bytes = packed(&Ui2Html.samples(), &BTreeMap::new()).expect("memory takes it");
        let (path, name) = ("x/pages.zip".to_owned(), "pages.zip".to_owned());
        let file = File { path, name, bytes, beside: None };
        let load = |play: &'a Transcript| -> turnwise_core::benchmark::tool::Load<'a> {
            Box::new(|| Ok(Recorded { path: "x".to_owned(), transcript: play.clone() }))
        };
        Given {
            files: [("TASKS", file)].into(),
            transcripts: [(RUNS, plays.iter().map(load).collect())].into(),
            ..Given::default()
        }
    }

    #[test]
    fn a_description_becomes_part_of_the_set() {
        let spec = spec(&Ui2Html, Profile::Strict, json!({ "mode": "describe" }));
        let before = Ui2Html.samples();
        let played = Case::new(&Ui2Html, &spec, &before.tasks[1]).play_by(|_, effect| {
            let Effect::Ask(_) = effect else { panic!("{effect:?}") };
            Reply::Said(Said::text("An article.\nLEFT OUT:\n- its font"))
        });
        let done = run(&given(std::slice::from_ref(&played.play))).expect("it is written");
        let after = tasks::read("frozen.zip", &done.files[0]).expect("it is a set");
        assert_eq!(after.pictures, before.pictures);
        for (at, (before, after)) in before.tasks.iter().zip(&after.tasks).enumerate() {
            assert_eq!((&before.id, &before.labels), (&after.id, &after.labels));
            if at == 1 {
                assert_eq!(after.field(field::DESCRIPTION), Some("An article."));
                assert_eq!(after.field(field::OMITS), Some("its font"));
            } else {
                assert_eq!(before, after);
            }
        }
        let error = run(&given(&[])).expect_err("there is none");
        assert_eq!(error, "no transcript has a description of a page of x/pages.zip");
    }
}
