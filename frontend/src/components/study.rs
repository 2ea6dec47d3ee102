//! A study of a run: the same tasks at several values of a setting, as figures and as a table, with what the paper prints as a
//! layer that can be laid over.

use turnwise_shared::metrics::report::Study;

use crate::components::{curves, report};
use crate::prelude::*;

/// The study of a report, if it has one. `published` says whether the paper's points are shown; it outlives the report, which
/// is made anew while a run goes on.
pub fn study(of: &Report, published: RwSignal<bool>) -> Option<AnyView> {
    let study = of.study.as_ref()?;
    let has_layer = study.published.iter().any(|plot| !plot.curves.is_empty());
    let plots: Vec<(Plot, Plot)> = study
        .plots
        .iter()
        .filter(|plot| plot.curves.iter().any(|curve| !curve.points.is_empty()))
        .map(|plot| (plot.clone(), with_layer(plot, study)))
        .collect();
    if plots.is_empty() {
        return None;
    }
    let drawn = move || {
        let layered = published.get();
        let plots = plots.iter();
        let plots = plots.map(|(own, both)| curves::plot(if layered { both } else { own }));
        plots.collect_view()
    };
    let about = study.published_about.clone();
    let layer = has_layer.then(|| {
        view! {
            <label class="check">
                <input
                    type="checkbox"
                    id="published-layer"
                    bind:checked=published
                />
                <span>
                    "Show what the paper prints" " " <span class="small faint">{about}</span>
                </span>
            </label>
        }
    });
    Some(any_view! {
        <section class="section" id="study" aria-labelledby="study-head">
            {section_head("study-head", study.title.clone())}
            <div class="stack">
                <p class="soft read">{study.about.clone()}</p>
                {layer}
                <div class="grid-2">{drawn}</div>
                {report::part_table(&study.table)}
            </div>
        </section>
    })
}

/// A figure with the paper's curves after the run's own.
fn with_layer(plot: &Plot, study: &Study) -> Plot {
    let mut both = plot.clone();
    let layer = study.published.iter().find(|other| other.title == plot.title);
    both.curves.extend(layer.into_iter().flat_map(|layer| layer.curves.clone()));
    both
}
