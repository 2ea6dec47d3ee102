//! What a report says of replies that could not be read: which questions stayed without a reading, which reasoning stood in replies, and
//! what is unknown of the headline number where verdicts are missing. Told alike for every benchmark and seat.

#[cfg(test)]
mod tests;

use crate::saturated;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::episode_status::EpisodeStatus;
use super::heard::Heard;
use super::number::counted;
use super::report::{Known, Report, Unit};
use super::summary::Summary;

/// Which seats could not be read, and on how many questions, each in a sentence.
pub fn unread<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> Vec<String> {
    of_unread(&sums(episodes))
}

fn of_unread(all: &BTreeMap<&str, Heard>) -> Vec<String> {
    let told = all.iter().filter(|(_, heard)| heard.unread > 0);
    told.map(|(seat, heard)| {
        format!(
            "The {seat} could not be read on {} of the {} that it was asked, also when asked again.",
            heard.unread,
            counted(heard.asked, "question", "questions"),
        )
    })
    .collect()
}

/// The same, and which reasoning was taken off replies.
pub fn sentences<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> Vec<String> {
    let all = sums(episodes);
    let mut told = of_unread(&all);
    let marked = |of: fn(&Heard) -> &BTreeMap<String, u32>| {
        let mut marks: BTreeMap<&str, u32> = BTreeMap::new();
        let mut seats = Vec::new();
        for (seat, heard) in &all {
            let replies: u32 = of(heard).values().sum();
            if replies > 0 {
                seats.push(format!("{} of the {seat}", counted(replies, "reply", "replies")));
            }
            for (mark, count) in of(heard) {
                *marks.entry(mark).or_default() += count;
            }
        }
        let marks: Vec<&str> = marks.keys().take(SHOWN).copied().collect();
        (!seats.is_empty()).then(|| (seats.join(", "), marks.join(", ")))
    };
    if let Some((replies, marks)) = marked(|heard| &heard.marks) {
        told.push(format!("Reasoning between marks ({marks}) was taken off {replies}."));
    }
    if let Some((replies, marks)) = marked(|heard| &heard.unknown_marks) {
        told.push(format!(
            "{replies} could not be read and began with {marks}, which is no known mark of reasoning."
        ));
    }
    told
}

/// The most marks in a sentence.
const SHOWN: usize = 5;

fn sums<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> BTreeMap<&'a str, Heard> {
    let mut all: BTreeMap<&str, Heard> = BTreeMap::new();
    for (seat, heard) in episodes.into_iter().flat_map(|summary| &summary.heard) {
        all.entry(seat).or_default().add(heard);
    }
    all
}

impl Known {
    fn of_episodes(episodes: &[&Summary]) -> Option<Self> {
        let scores: Vec<f64> = episodes.iter().filter_map(|one| one.score).collect();
        let count = |wanted: EpisodeStatus| {
            let of = |one: &&&Summary| EpisodeStatus::of(one) == wanted;
            episodes.iter().filter(of).count()
        };
        // Without any score it may be a game, or a run that has none: then only a seat that could not be read tells.
        let mut heard = episodes.iter().flat_map(|one| one.heard.values());
        if scores.is_empty() && heard.all(|one| one.unread == 0) {
            return None;
        }
        let open = count(EpisodeStatus::Ungraded) + count(EpisodeStatus::Incomplete);
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        Known::of(Some(mean), saturated(scores.len()), saturated(scores.len() + open))
    }
}

/// A benchmark's report with all this in it.
pub fn reported(mut report: Report, episodes: &[&Summary]) -> Report {
    let known = Known::of_episodes(episodes);
    if let Some(known) = known {
        let main = report.headline.iter_mut().find(|figure| figure.unit == Unit::Fraction);
        if let Some(figure) = main {
            report.remarks.insert(
                0,
                format!(
                    "{} of {} episodes have no score, because they are incomplete or whoever grades them could not be read: {} \
                     lies between {:.1} % and {:.1} %. The run is not ranked until they are resumed or graded again.",
                    known.of - known.graded,
                    known.of,
                    figure.label.to_lowercase(),
                    100.0 * known.bounds.0,
                    100.0 * known.bounds.1,
                ),
            );
            figure.known = Some(known);
        }
    }
    report.remarks.extend(sentences(episodes.iter().copied()));
    if let Value::Object(record) = &mut report.record {
        let unread = sums(episodes.iter().copied());
        if unread.values().any(|heard| *heard != Heard { asked: heard.asked, ..Heard::default() }) {
            record.insert("heard".into(), json!(unread));
        }
        if let Some(known) = known {
            record.insert("graded".into(), json!(known.graded));
            record.insert("score_bounds".into(), json!(known.bounds));
        }
    }
    report
}
