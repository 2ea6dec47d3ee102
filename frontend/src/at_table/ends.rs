//! The end of a table: each play with its task and its grading, what was hidden, and how others did.

use turnwise_shared::wire::live::Sitter;
use turnwise_shared::wire::others::OtherPlayer;

use super::Sight;
use crate::components::state::verdict_class;
use crate::live_seat::Kept;
use crate::prelude::*;
use crate::strings::play as words;
use crate::view::lang_of;
use crate::{api, library};

/// A text that is longer stands under a heading of its own.
const LONG: usize = 120;

/// An episode that has ended, and what is known of it.
#[derive(Debug, Clone)]
pub struct Ended {
    pub episode: EpisodeKey,
    pub task: Task,
    pub play: Transcript,
    /// Its grading, where there is one.
    pub grading: Option<Transcript>,
    pub answer: Option<String>,
    /// The score, 0 to 1; `None` where no grader could grade it.
    pub score: Option<f64>,
    /// How others did on the same task, best first.
    pub others: Vec<OtherPlayer>,
}

/// What came of every episode whose task is at hand; nothing where tasks follow from the spec.
///
/// # Errors
/// If the tasks cannot be had.
pub async fn load(
    run: &RunId,
    spec: &Spec,
    plays: &[(EpisodeKey, Transcript)],
    mut gradings: BTreeMap<EpisodeKey, Transcript>,
) -> Result<Vec<Ended>, ApiError> {
    let benchmark = library::benchmark(&spec.benchmark)?;
    if !benchmark.reads_tasks() {
        return Ok(Vec::new());
    }
    let tasks = library::tasks(spec).await?;
    // Without the others the end is whole.
    let mut others = api::live::others(run).await.unwrap_or_default();
    let mut ends = Vec::new();
    for (episode, play) in plays {
        let id = &play.header.task.id;
        let Some(task) = tasks.task(id) else {
            continue;
        };
        let grading = gradings.remove(&episode.grading());
        let measured = benchmark.measure(play, grading.as_ref());
        let at = others.iter().position(|one| one.task == *id);
        ends.push(Ended {
            episode: episode.clone(),
            task: task.clone(),
            answer: measured.answer.filter(|answer| !answer.is_empty()),
            score: measured.score,
            play: play.clone(),
            grading,
            others: at.map_or_else(Vec::new, |at| others.swap_remove(at).players),
        });
    }
    Ok(ends)
}

/// The end of a table whose benchmark draws none of its own: a card for each episode.
pub fn end(over: &Over<'_>) -> End {
    let people = registry::find(&over.spec.benchmark).ok();
    let people = people.and_then(|benchmark| benchmark.people());
    let reveals = people.map_or(&[] as &[_], |people| people.reveals);
    let graded_by = graded_by(over.spec);
    let is_own = over.kept.seat.as_ref().is_some_and(|seat| seat.as_str() == Seat::PLAYER);
    let cards: Vec<_> = over
        .ended
        .iter()
        .map(|ended| card(over.run, ended, reveals, graded_by.as_deref(), is_own))
        .collect();
    End { has_links: !cards.is_empty(), view: cards.into_any() }
}

/// What came of an episode: the verdict, what was done, the answer, and everything that was hidden until now.
fn card(
    run: &RunId,
    ended: &Ended,
    reveals: &[(&'static str, &'static str)],
    graded_by: Option<&str>,
    is_own: bool,
) -> AnyView {
    let question = ended.task.field(OPEN_FIELD).unwrap_or_default().to_owned();
    let done: Vec<_> = [
        (TurnKind::Ask, "Questions asked"),
        (TurnKind::Search, words::SEARCHES_MADE),
        (TurnKind::Answer, "Answers given"),
    ]
    .into_iter()
    .map(|(kind, name)| (name, made(&ended.play, kind)))
    .filter(|(_, made)| *made > 0)
    .map(|(name, made)| {
        view! {
            <div class="figure">
                <dt>{name}</dt>
                <dd class="figure-value">{made}</dd>
            </div>
        }
    })
    .collect();
    let answer = match &ended.answer {
        Some(answer) => {
            let sure =
                told(&ended.play, "confidence").map(|sure| format!("with confidence {sure}"));
            any_view! { <dd lang=lang_of(answer)>{answer.clone()} " " <span class="small soft">{sure}</span></dd> }
        }
        None => any_view! { <dd class="soft">{words::NO_ANSWER}</dd> },
    };
    // What is sealed stays so.
    let right = reveals.first().and_then(|(field, _)| ended.task.field(field));
    let said = (words::answerer(is_own), ended.answer.as_deref());
    let verdict = words::verdict(ended.score, said, right, None);
    let revealed: Vec<(&'static str, String)> = reveals
        .iter()
        .map(|(field, name)| {
            let text = ended.task.field(field).unwrap_or("sealed: it stays on the server");
            (*name, text.to_owned())
        })
        .collect();
    let (long, short): (Vec<_>, Vec<_>) = revealed
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .partition(|(_, text)| text.chars().count() > LONG);
    let short: Vec<_> = short
        .into_iter()
        .map(|(name, text)| view! { <dt>{name}</dt> <dd lang=lang_of(&text)><b>{text.clone()}</b></dd> })
        .collect();
    let long: Vec<_> = long
        .into_iter()
        .map(|(name, text)| {
            view! {
                <div class="stack-2">
                    <h3>{name}</h3>
                    <p class="read pworld-text" lang=lang_of(&text)>{text.clone()}</p>
                </div>
            }
        })
        .collect();
    any_view! {
        <section class="card stack pworld-end">
            <h2 class=verdict_class(ended.score)>{verdict}</h2>
            <p class="big read pworld-text" lang=lang_of(&question)>{question.clone()}</p>
            <dl translate="no" class="figures">{done}</dl>
            <dl class="kv kv-answers">
                <dt>{if is_own { words::YOUR_ANSWER } else { "The player's answer" }}</dt>
                {answer}
                {short}
                {graded_view(graded_by, ended.score)}
            </dl>
            {long}
            {others_view(&ended.others)}
            {way_to(run, &ended.episode)}
        </section>
    }
}

/// How many turns of a kind an episode has.
fn made(play: &Transcript, kind: TurnKind) -> usize {
    let turns = play.notes();
    turns.filter(|note| matches!(note, Note::Turn(turn) if turn.kind == kind)).count()
}

/// A word of an outcome; `None` where there is none, or it is empty.
pub fn told(part: &Transcript, name: &str) -> Option<String> {
    let value = part.outcome()?.result.get(name)?.as_str()?;
    (!value.is_empty()).then(|| value.to_owned())
}

/// Who graded the answers, and by what rule where it is a built-in one.
pub fn graded_by(spec: &Spec) -> Option<String> {
    let benchmark = library::benchmark(&spec.benchmark).ok()?;
    let mut seats = benchmark.grading_seats().iter().map(|seat| Seat::new(*seat));
    let found = seats.find_map(|seat| Some((seat.clone(), spec.seats.get(&seat)?)));
    let (seat, sitting) = found?;
    let player = &sitting.player;
    let rule = match player {
        Player::Bot(name) => {
            benchmark.bots().iter().find(|bot| bot.name == name && bot.fits(&seat))
        }
        _ => None,
    };
    Some(words::graded_by(player.to_string(), rule.map(|rule| rule.about)))
}

/// Who graded the answer, as a pair of a list; nothing where the answer was not graded.
pub fn graded_view(graded_by: Option<&str>, score: Option<f64>) -> Option<AnyView> {
    let who = graded_by.filter(|_| score.is_some())?.to_owned();
    let pair = view! {
        <dt>"Graded by"</dt>
        <dd class="small soft">{who}</dd>
    };
    Some(pair.into_any())
}

/// The way to the episode of an end.
pub fn way_to(run: &RunId, episode: &EpisodeKey) -> AnyView {
    let href = address::episode(run, episode, &Place::default());
    any_view! {
        <p class="row">
            <a class="btn" href=href>
                <Icon name="tape"/>
                "The whole episode, turn by turn"
            </a>
        </p>
    }
}

/// How others did on the same task; a sentence where the task has no other episodes.
pub fn others_view(others: &[OtherPlayer]) -> AnyView {
    if others.is_empty() {
        return any_view! {
            <div class="stack-2">
                <h3>{words::OTHERS_DID}</h3>
                <p class="soft">"Nobody else has played it on this server yet."</p>
            </div>
        };
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
                    <td class="num" data-label=words::PLAYS>{number::count(other.plays)}</td>
                    <td class="num cell-main">{score.value}</td>
                </tr>
            }
        })
        .collect();
    let heads = (
        th("Who"),
        th(words::CONDITION),
        th_number(words::PLAYS),
        th_number(("Right", " ", view! { <span class="unit">"%"</span> })),
    );
    any_view! {
        <div class="stack-2">
            <h3>{words::OTHERS_DID}</h3>
            {table_of_cards(words::OTHERS_DID, heads, rows)}
            <p class="small soft">
                "From the runs of this server that are over and not private. A person may have played under other limits."
            </p>
        </div>
    }
}

/// A table that is over, as a benchmark may draw its end.
#[derive(Clone, Copy)]
pub struct Over<'a> {
    pub run: &'a RunId,
    /// What this page knows of its seat.
    pub kept: &'a Kept,
    /// The last that the seat saw, if the page was there.
    pub last: Option<&'a Sight>,
    pub spec: &'a Spec,
    /// The episodes, in their order.
    pub plays: &'a [(EpisodeKey, Transcript)],
    /// The same with task and grading, where tasks come from a file.
    pub ended: &'a [Ended],
    /// The people in their seats.
    pub people: &'a BTreeMap<Seat, Sitter>,
}

/// What came of a table.
pub struct End {
    pub view: AnyView,
    /// Whether it leads to each episode.
    pub has_links: bool,
}
