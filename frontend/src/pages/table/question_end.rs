//! The end of a question of InteractComp: the verdict, the truth, and what the user knew. Before the end a person sees nothing
//! of it.

use leptos::prelude::*;
use turnwise_shared::benchmarks::interactcomp::prompts::field;
use turnwise_shared::benchmarks::paraworld::task::Language;
use turnwise_shared::note::{Note, TurnKind};
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::spec::Spec;
use turnwise_shared::transcript::Transcript;
use turnwise_shared::wire::others::OtherPlayer;
use turnwise_shared::wire::{ApiError, RunId};

use super::ends::{self, Ended, graded_by, graded_view, others_view, told, verdict_view, way_to};
use crate::strings::play as words;

/// What came of a question.
#[derive(Debug, Clone)]
pub struct QuestionEnd {
    episode: EpisodeKey,
    question: String,
    context: String,
    reference: String,
    answer: Option<String>,
    confidence: Option<String>,
    is_correct: Option<bool>,
    searches: usize,
    asks: usize,
    graded_by: Option<String>,
    others: Vec<OtherPlayer>,
}

/// What came of every question that was played.
///
/// # Errors
/// If the tasks cannot be had.
pub async fn load(
    run: &RunId,
    spec: &Spec,
    plays: &[(EpisodeKey, Transcript)],
) -> Result<Vec<QuestionEnd>, ApiError> {
    let graded_by = graded_by(spec);
    ends::load(run, spec, plays, |ended| {
        Some(end(ended, graded_by.clone()))
    })
    .await
}

fn end(ended: Ended<'_>, graded_by: Option<String>) -> QuestionEnd {
    let Ended {
        episode,
        task,
        play,
        grading,
        others,
    } = ended;
    let made = |kind: TurnKind| {
        play.notes()
            .filter(|note| matches!(note, Note::Turn(turn) if turn.kind == kind))
            .count()
    };
    let text = |name: &str| task.field(name).unwrap_or(words::SEALED).to_owned();
    QuestionEnd {
        episode: episode.clone(),
        question: text(field::QUESTION),
        context: text(field::CONTEXT),
        reference: text(field::ANSWER),
        answer: told(play, "prediction"),
        confidence: told(play, "confidence"),
        is_correct: grading
            .as_ref()
            .and_then(|grading| told(grading, "verdict"))
            .map(|verdict| verdict == "yes"),
        graded_by,
        searches: made(TurnKind::Search),
        asks: made(TurnKind::Ask),
        others,
    }
}

/// The picture of an end.
pub fn question_end(run: &RunId, end: &QuestionEnd) -> AnyView {
    let lang = |text: &str| (Language::of(text) == Language::Zh).then_some(Language::Zh.code());
    let answer = match &end.answer {
        Some(answer) => {
            let sure = end.confidence.as_deref().map(words::sure);
            view! { <dd lang=lang(answer)>{answer.clone()} " " <span class="small soft">{sure}</span></dd> }.into_any()
        }
        None => view! { <dd class="soft">{words::NO_ANSWER}</dd> }.into_any(),
    };
    view! {
        <section class="card stack pworld-end">
            <h2 class="sr">{words::RESULT}</h2>
            <p class="big read" lang=lang(&end.question)>{end.question.clone()}</p>
            <dl translate="no" class="figures">
                {verdict_view(end.is_correct)}
                <div class="figure">
                    <dt>{words::ASKS_MADE}</dt>
                    <dd class="figure-value">{end.asks}</dd>
                </div>
                <div class="figure">
                    <dt>{words::SEARCHES_MADE}</dt>
                    <dd class="figure-value">{end.searches}</dd>
                </div>
            </dl>
            <dl class="kv kv-answers">
                <dt>{words::YOUR_ANSWER}</dt>
                {answer}
                <dt>{words::REFERENCE_ANSWER}</dt>
                <dd lang=lang(&end.reference)><b>{end.reference.clone()}</b></dd>
                {graded_view(end.graded_by.as_deref(), end.is_correct)}
            </dl>
            <div class="stack-2">
                <h3>{words::USER_KNEW}</h3>
                <p class="read pworld-text" lang=lang(&end.context)>{end.context.clone()}</p>
            </div>
            {others_view(&end.others)}
            {way_to(run, &end.episode)}
        </section>
    }
    .into_any()
}
