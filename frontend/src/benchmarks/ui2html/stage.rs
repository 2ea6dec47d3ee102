//! The rounds of an episode: a strip of its pages, target and attempt, question and answer, and what came of it.

use turnwise_shared::benchmarks::ui2html::likeness::Likeness;
use turnwise_shared::benchmarks::ui2html::reading::PARTS;
use turnwise_shared::benchmarks::ui2html::tasks::field;
use turnwise_shared::layout::Layout;
use turnwise_shared::metrics::report::{Curve, Point};

use super::rounds::{Page, Round, place, rounds};
use super::{Staged, words};
use crate::clock;
use crate::components::curves;
use crate::components::overlay::{Looking, Overlay, Side};
use crate::components::picture::{Album, Image, Picture};
use crate::prelude::*;
use crate::view::number::shown;

pub fn view(of: &Staged) -> Option<AnyView> {
    let rounds = Arc::new(rounds(&of.timeline));
    if rounds.is_empty() {
        return None;
    }
    let (now, go, revealed) = (of.now, of.go, of.revealed);
    let at = Memo::new({
        let rounds = Arc::clone(&rounds);
        move |_| place(&rounds, now.get())
    });
    let frames = rounds.iter().enumerate().map(|(place, round)| {
        let is_now = move || (at.get() == place).then_some("step");
        let turn = round.turn;
        let page = match &round.page {
            Some(page) => any_view! { <Image picture=page.picture album=of.album.clone() label=""/> },
            None => any_view! { <span class="film-none">{words::NO_PAGE}</span> },
        };
        view! {
            <li>
                <button type="button" class="film-frame" aria-current=is_now on:click=move |_| go.run(Some(turn))>
                    {page}
                    <span>{round.name.clone()} " " {answer(round)}</span>
                </button>
            </li>
        }
    });
    let frames = frames.collect_view();
    let target = Arc::new(Target::of(of.task.as_ref()));
    let likeness = likeness_plot(&target, &rounds);
    let looking = Looking::default();
    let album = of.album.clone();
    let pages = {
        let (rounds, target) = (Arc::clone(&rounds), Arc::clone(&target));
        move || pages(rounds[at.get()].page.clone(), &target, revealed.get(), &album, looking)
    };
    let asked = move || {
        let round = &rounds[at.get()];
        let question = match (&round.question, round.name.as_str()) {
            (Some(question), _) => question.clone(),
            (None, words::FINAL) => String::new(),
            (None, _) => words::NO_QUESTION.to_owned(),
        };
        view! {
            <h2>{round.name.clone()}</h2>
            <p class="read">{question} " " {answer(round)}</p>
        }
    };
    Some(any_view! {
        <section class="card stack" id="rounds" aria-label=words::ROUNDS>
            <ol class="film" aria-label=words::ROUNDS>{frames}</ol>
            <div class="stack-2">{asked} {pages}</div>
            {of.graded.as_ref().and_then(|graded| scores(graded.outcome.as_ref()?))}
            {move || likeness.get().map(|plot| curves::plot(&plot))}
        </section>
    })
}

fn answer(round: &Round) -> Option<impl IntoView + use<>> {
    let (tone, word) = round.answer.clone()?;
    Some(view! { <b class=format!("chat-came m-{}", tone.name())>{word}</b> })
}

/// What is known of the target.
struct Target {
    picture: Option<PictureRef>,
    layout: Option<Layout>,
}

impl Target {
    fn of(task: Option<&Task>) -> Self {
        let field = |name| task.and_then(|task| task.field(name));
        Target {
            picture: field(field::PICTURE).and_then(|text| text.parse().ok()),
            layout: field(field::LAYOUT).and_then(|text| text.parse().ok()),
        }
    }
}

/// The attempt, beside the target where that is shown.
fn pages(
    attempt: Option<Page>,
    target: &Target,
    is_revealed: bool,
    album: &Option<Album>,
    looking: Looking,
) -> AnyView {
    let album = album.clone();
    let note = match (target.picture, is_revealed) {
        (None, _) => Some(words::NO_TARGET),
        (Some(_), false) => Some(words::HIDDEN),
        (Some(_), true) => None,
    };
    let note = note.map(|note| view! { <p class="small soft">{note}</p> });
    let picture = target.picture.filter(|_| is_revealed);
    match (picture, attempt) {
        (Some(picture), Some(Page { picture: attempt, layout })) => {
            let side =
                |name: &str, picture, layout| Side { name: name.to_owned(), picture, layout };
            let sides = [
                side(words::TARGET, picture, target.layout.clone()),
                side(words::ATTEMPT, attempt, layout),
            ];
            any_view! { <Overlay sides album looking/> }
        }
        (target, attempt) => {
            let one = |(picture, label): (Option<PictureRef>, &'static str)| {
                let album = album.clone();
                picture.map(|picture| view! { <Picture picture album label/> })
            };
            let attempt = attempt.map(|page| page.picture);
            any_view! { {one((target, words::TARGET))} {one((attempt, words::ATTEMPT))} {note} }
        }
    }
}

/// The five sub-scores, their sum and the likeness of the final page.
pub fn scores(graded: &Outcome) -> Option<AnyView> {
    let result = &graded.result;
    let points = |part: &str| result["scores"][part].as_u64();
    let parts = PARTS.into_iter().filter_map(|part| Some((part.to_owned(), points(part)?)));
    let parts: Vec<_> = parts.collect();
    let total = parts.iter().map(|(_, points)| points).sum::<u64>();
    let total = (!parts.is_empty()).then(|| (words::TOTAL.to_owned(), total.to_string()));
    let likeness = result["likeness"]["likeness"].as_f64().map(|likeness| {
        let shown = shown(Some(likeness), None, Unit::Fraction);
        (words::LIKENESS.to_owned(), format!("{} {}", shown.value, shown.unit))
    });
    let parts = parts
        .into_iter()
        .map(|(part, points)| (crate::strings::capitalised(&part), points.to_string()));
    let figures: Vec<_> = total
        .into_iter()
        .chain(likeness)
        .chain(parts)
        .map(|(name, value)| {
            view! { <div class="figure"><dt>{name}</dt><dd class="figure-value">{value}</dd></div> }
        })
        .collect();
    (!figures.is_empty()).then(|| {
        any_view! { <dl class="figures" translate="no" aria-label=words::SCORES>{figures}</dl> }
    })
}

/// How alike the page of each round and the target are, once it has been computed: page after page, because a large one takes long.
fn likeness_plot(target: &Arc<Target>, rounds: &Arc<Vec<Round>>) -> RwSignal<Option<Plot>> {
    let plot = RwSignal::new(None);
    let (target, rounds) = (Arc::clone(target), Arc::clone(rounds));
    spawn_local(async move {
        let Some(target) = &target.layout else { return };
        let mut points: Vec<Point> = Vec::new();
        let mut before: Option<(&Page, f64)> = None;
        for (number, round) in (1_u32..).zip(rounds.iter()) {
            let Some(page) = &round.page else { continue };
            let Some(layout) = &page.layout else { continue };
            let y = match before.filter(|(other, _)| *other == page) {
                Some((_, likeness)) => likeness,
                None => {
                    clock::breathe().await;
                    Likeness::of(target, layout).likeness
                }
            };
            before = Some((page, y));
            points.push(Point { x: number.into(), y, interval: None, n: None });
        }
        let axes = [
            Column::new(words::ROUNDS, Unit::Count, ""),
            Column::new(words::LIKENESS, Unit::Fraction, ""),
        ];
        let curves = [Curve::new(words::LIKENESS, points)];
        let drawn = Plot::new(words::LIKENESS, words::LIKENESS_ABOUT, axes, curves);
        if drawn.curves[0].points.len() > 1 {
            plot.put(drawn);
        }
    });
    plot
}
