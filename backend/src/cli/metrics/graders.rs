//! Several gradings of the same episodes: do they agree?

use std::collections::BTreeMap;

use turnwise_shared::metrics::agreement::{self, Graded};
use turnwise_shared::prelude::*;

use super::given::Given;

/// Adds the agreement of all gradings that were given to a report; nothing where every episode has one grading at most.
pub(super) fn add(report: &mut Report, benchmark: &dyn Benchmark, given: &Given) {
    // By folder and grader: one who graded twice stands there twice.
    let mut graders: BTreeMap<(usize, String), Graded<EpisodeKey>> = BTreeMap::new();
    for play in &given.plays {
        for (folder, grading) in given.gradings_of(&play.transcript) {
            let measured = benchmark.measure(&play.transcript, Some(grading));
            let Some(score) = measured.score else {
                continue;
            };
            let seats = benchmark.grading_seats().iter();
            let sittings =
                seats.filter_map(|seat| grading.header.spec.seats.get(&Seat::new(*seat)));
            let names: Vec<_> = sittings.map(|sitting| sitting.player.to_string()).collect();
            let name = names.join(" + ");
            let task = &play.transcript.header.task.id;
            graders
                .entry((folder, name.clone()))
                .or_insert_with(|| Graded { name, scores: BTreeMap::new() })
                .scores
                .insert(EpisodeKey::play(task, play.transcript.header.repeat), score);
        }
    }
    let mut graders: Vec<_> = graders.into_values().collect();
    number_namesakes(&mut graders);
    report.tables.extend(agreement::table(&graders));
    if graders.len() > 1 {
        report.record["agreement"] = agreement::record(&graders);
    }
}

/// One who graded more than once is called by a number from the second time on.
fn number_namesakes(graders: &mut [Graded<EpisodeKey>]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for one in graders {
        let times = seen.entry(one.name.clone()).or_default();
        *times += 1;
        if *times > 1 {
            one.name = format!("{} ({times})", one.name);
        }
    }
}
