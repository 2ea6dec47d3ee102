//! What can be taken away from a run: its numbers, its transcripts, and both in the formats of other tools.

mod formats;

use formats::{Format, save_as as save_here};
use turnwise_shared::exchange::bundle;

use crate::components::clipboard::save;
use crate::components::toast::Toasts;
use crate::later::{NotLoaded, later};
use crate::live::{self, RunView, Stored};
use crate::prelude::*;
use crate::strings::run as words;
use crate::{library, strings};

later! {
    /// Saves a run in the format of another tool; how many episodes could not be had.
    work: fn save_in_format(
        format: Format,
        info: RunInfo,
        all: Arc<Snapshot>,
        report: Report,
        collected: RwSignal<Option<(usize, usize)>>
    ) -> LocalBoxFuture<'static, usize> {
        Box::pin(async move { save_here(format, &info, &all, &report, collected).await })
    }

    /// The canary of a run's tasks, if they are encrypted and at hand.
    work: fn canary(id: RunId) -> LocalBoxFuture<'static, Option<String>> {
        Box::pin(async move {
            match live::ingredients(&id).await.ok()?.tasks.origin {
                TaskSetOrigin::Encrypted { canary } => Some(canary),
                TaskSetOrigin::Plain | TaskSetOrigin::Sealed => None,
            }
        })
    }
}

/// The buttons that save a run's numbers and transcripts.
#[component]
pub fn Downloads(
    id: RunId,
    /// What is known of it.
    view: RunView,
    snapshot: RwSignal<Arc<Snapshot>>,
    report: Memo<Option<Report>>,
) -> impl IntoView {
    let collected = RwSignal::new(None::<(usize, usize)>);
    let toasts = use_context::<Toasts>();
    let report_id = id.clone();
    let save_report = move |_| {
        let Some(report) = report.get_untracked() else {
            return;
        };
        // The record is what `turnwise metrics --json` prints.
        let text = serde_json::to_string_pretty(&report.record).unwrap_or_default();
        save(&format!("{report_id}.metrics.json"), "application/json", &[text]);
    };
    let save_transcripts = move |_| {
        if collected.get_untracked().is_some() {
            return;
        }
        let (id, all) = (id.clone(), snapshot.get_untracked());
        spawn_local(async move {
            let missing = save_bundle(&id, view, &all, collected).await;
            collected.try_set(None);
            if let (Some(toasts), true) = (toasts, missing > 0) {
                toasts.show(words::left_out(missing));
            }
        });
    };
    let save_as = move |format: Format| {
        if collected.get_untracked().is_some() {
            return;
        }
        let (Some(report), Some(info)) = (report.get_untracked(), view.info.get_untracked()) else {
            return;
        };
        let all = snapshot.get_untracked();
        spawn_local(async move {
            let said = match save_in_format(format, info, all, report, collected).await {
                Ok(saving) => {
                    Some(saving.await).filter(|missing| *missing > 0).map(words::left_out)
                }
                Err(NotLoaded) => Some(strings::NOT_LOADED.to_owned()),
            };
            collected.try_set(None);
            if let (Some(toasts), Some(said)) = (toasts, said) {
                toasts.show(said);
            }
        });
    };
    let is_busy = move || collected.is_some();
    let nothing = move || snapshot.with(|all| all.is_empty());
    view! {
        <div class="row">
            <details class="more" id="export">
                <summary>"Export"</summary>
                <ul class="stack">
                    <li>
                        <button class="btn btn-small" type="button" disabled=nothing on:click=save_report>
                            <SmallIcon name="download"/>
                            "Numbers (JSON)"
                        </button>
                    </li>
                    <li>
                        <button
                            class="btn btn-small"
                            type="button"
                            disabled=nothing
                            aria-busy=move || is_busy().then_some("true")
                            title="One line a transcript, with its file name and its exact text; the first line is the configuration"
                            on:click=save_transcripts
                        >
                            <SmallIcon name="download"/>
                            {move || match collected.get() {
                                Some((done, of)) => format!("Collecting {} of {}", count(done), count(of)),
                                None => "Transcripts (JSON lines)".to_owned(),
                            }}
                        </button>
                    </li>
                    {Format::ALL
                        .into_iter()
                        .map(|format| {
                            view! {
                                <li>
                                    <button
                                        class="btn btn-small"
                                        type="button"
                                        data-format=format.name()
                                        disabled=move || nothing() || is_busy()
                                        title=format.about()
                                        on:click=move |_| save_as(format)
                                    >
                                        <SmallIcon name="download"/>
                                        {format.label()}
                                    </button>
                                </li>
                            }
                        })
                        .collect_view()}
                </ul>
            </details>
        </div>
    }
}

/// Saves all transcripts as one file, unless the page is left meanwhile. Returns how many episodes could not be had whole.
async fn save_bundle(
    id: &RunId,
    view: RunView,
    all: &Snapshot,
    collected: RwSignal<Option<(usize, usize)>>,
) -> usize {
    let canary = match canary(id.clone()).await {
        Ok(canary) => canary.await,
        Err(NotLoaded) => None,
    };
    let head = view.info.with_untracked(|info| {
        let spec = info.as_ref().map(|info| &info.spec);
        bundle::head(id.as_str(), spec, canary.as_deref())
    });
    let mut lines = vec![head];
    let stored = Stored::of(id).await;
    let mut missing = 0;
    for (done, (play, summary)) in all.keys.iter().zip(&all.summaries).enumerate() {
        if collected.try_set(Some((done, all.len()))).is_some() {
            // The reader does not wait for a file any more.
            return 0;
        }
        let (text, grading) =
            (live::transcript(id, play).await, live::grading(id, play, summary, &stored).await);
        missing += usize::from(text.is_err() || grading.is_err());
        if let Ok(text) = text {
            lines.push(bundle::line(play, &text));
        }
        if let Ok(Some(text)) = grading {
            lines.push(bundle::line(&play.grading(), &text));
        }
    }
    let info = view.info.get_untracked();
    if let Some(info) = info
        && let Ok(benchmark) = library::benchmark(&info.spec.benchmark)
    {
        let pictures = formats::pictures(id, benchmark, &info, all).await;
        lines.extend(pictures.values().map(|png| bundle::picture(png)));
    }
    save(&format!("{id}.transcripts.jsonl"), "application/x-ndjson", &lines);
    missing
}
