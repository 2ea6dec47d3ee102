//! The end of a table: the score, the rounds beside the target, and what the description left out.

use turnwise_shared::benchmarks::ui2html::Ui2Html;

use super::{Staged, stage, words};
use crate::at_table::ends::{End, Ended, Over, graded_by, graded_view, others_view, way_to};
use crate::prelude::*;
use crate::view::timeline::timeline;

/// A card for each page.
pub fn view(over: &Over<'_>) -> End {
    let graded_by = graded_by(over.spec);
    let cards: Vec<_> =
        over.ended.iter().map(|ended| card(over, ended, graded_by.as_deref())).collect();
    End { has_links: !cards.is_empty(), view: cards.into_any() }
}

fn card(over: &Over<'_>, ended: &Ended, graded_by: Option<&str>) -> AnyView {
    let graded = ended.grading.as_ref().map(|grading| Arc::new(timeline(grading)));
    let outcome = ended.grading.as_ref().and_then(Transcript::outcome);
    let total = outcome.and_then(|graded| graded.text("verdict")?.parse::<u64>().ok());
    let verdict = total.map_or_else(|| words::NOT_SCORED.to_owned(), words::scored);
    let now = RwSignal::new(None);
    let staged = Staged {
        timeline: Arc::new(timeline(&ended.play)),
        graded,
        task: Some(ended.task.clone()),
        album: Some(over.run.clone().into()),
        now: now.into(),
        go: Callback::new(move |turn| now.set(turn)),
        revealed: Signal::stored(true),
    };
    let reveals = Ui2Html::FACTS.people.map_or(&[] as &[_], |people| people.reveals);
    let reveals = reveals.iter().filter_map(|(field, name)| {
        let text = ended.task.field(field).filter(|text| !text.is_empty())?.to_owned();
        Some(view! { <dt>{*name}</dt> <dd class="pworld-text">{text}</dd> })
    });
    any_view! {
        <div class="stack">
            <section class="card stack">
                <h2>{verdict}</h2>
                <p class="read pworld-text">{ended.task.field(OPEN_FIELD).unwrap_or_default().to_owned()}</p>
                <dl class="kv">{reveals.collect_view()} {graded_view(graded_by, ended.score)}</dl>
            </section>
            {stage::view(&staged)}
            {others_view(&ended.others)}
            {way_to(over.run, &ended.episode)}
        </div>
    }
}
