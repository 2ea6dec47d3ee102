//! What ends of questions and of worlds have in common: each play with its task and its grading, and how others did.

use leptos::prelude::*;
use turnwise_shared::metrics::report::Unit;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::seat::{Player, Seat};
use turnwise_shared::spec::Spec;
use turnwise_shared::task::Task;
use turnwise_shared::transcript::{self, Transcript};
use turnwise_shared::wire::others::OtherPlayer;
use turnwise_shared::wire::{ApiError, RunId};

use crate::components::icons::Icon;
use crate::strings::play as words;
use crate::view::address::{self, Place};
use crate::view::number;
use crate::{api, library};

/// A play that has ended.
pub struct Ended<'a> {
    /// Which.
    pub episode: &'a EpisodeKey,
    /// What was played.
    pub task: &'a Task,
    /// The play.
    pub play: &'a Transcript,
    /// Its grading; a play without an answer has none.
    pub grading: Option<Transcript>,
    /// How others did on the same task, best first.
    pub others: Vec<OtherPlayer>,
}

/// What came of every play whose task is at hand.
///
/// # Errors
/// If the tasks cannot be had.
pub async fn load<T>(
    run: &RunId,
    spec: &Spec,
    plays: &[(EpisodeKey, Transcript)],
    end: impl Fn(Ended<'_>) -> Option<T>,
) -> Result<Vec<T>, ApiError> {
    let tasks = library::tasks(spec).await?;
    // Without the others the end is whole.
    let mut others = api::live::others(run).await.unwrap_or_default();
    let mut ends = Vec::new();
    for (episode, play) in plays {
        let id = &play.header.task.id;
        let Some(task) = tasks.task(id) else {
            continue;
        };
        let grading = api::transcript(run, &episode.grading()).await.ok();
        let at = others.iter().position(|one| one.task == *id);
        ends.extend(end(Ended {
            episode,
            task,
            play,
            grading: grading.and_then(|text| transcript::read(&text).ok()),
            others: at.map_or_else(Vec::new, |at| others.swap_remove(at).players),
        }));
    }
    Ok(ends)
}

/// A word of an outcome; `None` where there is none, or it is empty.
pub fn told(part: &Transcript, name: &str) -> Option<String> {
    let value = part.outcome()?.result.get(name)?.as_str()?;
    (!value.is_empty()).then(|| value.to_owned())
}

/// Who graded the answers, and by what rule where it is a built-in one.
pub fn graded_by(spec: &Spec) -> Option<String> {
    let benchmark = library::benchmark(&spec.benchmark).ok()?;
    let seat = Seat::new(benchmark.grading_seat());
    let player = &spec.seats.get(&seat)?.player;
    let rule = match player {
        Player::Bot(name) => benchmark
            .bots()
            .iter()
            .find(|bot| bot.name == name && bot.fits(&seat)),
        _ => None,
    };
    Some(words::graded_by(
        &player.to_string(),
        rule.map(|rule| rule.about),
    ))
}

/// Whether the answer was right, as the first of the figures of an end.
pub fn verdict_view(is_correct: Option<bool>) -> AnyView {
    let (mark, sign, class) = match is_correct {
        Some(true) => ("mark o-correct", "✓", "figure-value good"),
        Some(false) => ("mark o-wrong", "✗", "figure-value bad"),
        None => ("mark o-incomplete", "", "figure-value"),
    };
    view! {
        <div class="figure figure-main">
            <dt>{words::RESULT}</dt>
            <dd class=class>
                <span class=mark aria-hidden="true">{sign}</span>
                " "
                {words::verdict(is_correct)}
            </dd>
        </div>
    }
    .into_any()
}

/// Who graded the answer, as a pair of a list; nothing where nobody did.
pub fn graded_view(graded_by: Option<&str>, is_correct: Option<bool>) -> Option<AnyView> {
    let who = graded_by.filter(|_| is_correct.is_some())?.to_owned();
    let pair = view! {
        <dt>{words::GRADED_BY}</dt>
        <dd class="small soft">{who}</dd>
    };
    Some(pair.into_any())
}

/// The way to the episode of an end.
pub fn way_to(run: &RunId, episode: &EpisodeKey) -> AnyView {
    let href = address::episode(run, episode, &Place::default());
    view! {
        <p class="row">
            <a class="btn" href=href>
                <Icon name="tape"/>
                {words::TO_EPISODE}
            </a>
        </p>
    }
    .into_any()
}

/// How others did on the same task; a sentence where nobody played it.
pub fn others_view(others: &[OtherPlayer]) -> AnyView {
    if others.is_empty() {
        return view! {
            <div class="stack-2">
                <h3>{words::OTHERS_DID}</h3>
                <p class="soft">{words::NO_OTHERS}</p>
            </div>
        }
        .into_any();
    }
    let rows: Vec<_> = others
        .iter()
        .map(|other| {
            let condition = other.condition.clone().into_iter();
            let condition: Vec<String> =
                condition.chain([other.profile.name().to_owned()]).collect();
            let score = number::shown(Some(other.score), None, Unit::Fraction);
            view! {
                <tr>
                    <th scope="row">{words::other(&other.player)}</th>
                    <td data-label=words::CONDITION>{condition.join(", ")}</td>
                    <td class="num" data-label=words::PLAYS>{number::count(other.plays.into())}</td>
                    <td class="num cell-main">{score.value}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <div class="stack-2">
            <h3>{words::OTHERS_DID}</h3>
            <div class="table-wrap">
                <table translate="no" class="table table-cards" aria-label=words::OTHERS_DID>
                    <thead>
                        <tr>
                            <th scope="col">{words::OTHER}</th>
                            <th scope="col">{words::CONDITION}</th>
                            <th scope="col" class="num">{words::PLAYS}</th>
                            <th scope="col" class="num">
                                {words::RIGHT} " " <span class="unit">"%"</span>
                            </th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="small soft">{words::OTHERS_NOTE}</p>
        </div>
    }
    .into_any()
}
