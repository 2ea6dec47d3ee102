//! What a run came to, above everything else: its numbers in a row, and a sentence that says why the rest failed or who leads.

use turnwise_shared::markup::Markup;
use turnwise_shared::screen::verdict::leader;

use crate::components::report;
use crate::prelude::*;
use crate::stint::surveyed;
use crate::view::causes::CountingCauses;

#[component]
pub fn VerdictCard(
    id: RunId,
    report: Memo<Option<Report>>,
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let causes = surveyed(move || Some((snapshot.get(), CountingCauses::default())));
    let run = format!("/run/{id}");
    let episodes = Memo::new(move |_| snapshot.with(|all| all.summaries.len().min(2)));
    let figures = Memo::new(move |_| {
        let of = |report: &Report| report::headline_markup(report, episodes.get());
        report.map(of)
    });
    let sentence = Memo::new(move |_| {
        let mut out = Markup::default();
        causes.with(|causes| {
            if let Some(causes) = causes {
                causes.write(&mut out, &run);
            }
        });
        report.with(|report| {
            if let Some(ranking) = report.as_ref().and_then(|report| report.rankings.first()) {
                leader(&mut out, ranking);
            }
        });
        out.done()
    });
    view! {
        <section class="run-verdict" aria-labelledby="verdict-head">
            <h2 class="sr" id="verdict-head">"Result"</h2>
            {move || {
                figures.get().map(|figures| view! { <dl translate="no" class="figures" inner_html=figures></dl> })
            }}
            <div class="why-room" inner_html=move || sentence.get()></div>
        </section>
    }
}
