//! Some runs as a grid: heat maps, agreement of the columns, and who changes places.

use turnwise_shared::compare::crossed;
use turnwise_shared::metrics::report::Ranking;

use super::separates::refused;
use super::{Compared, entrants, names};
use crate::components::{report, standings};
use crate::prelude::*;

/// The runs as a grid; why not, where that cannot be.
pub fn crossed_runs(runs: &[Compared]) -> AnyView {
    if runs.len() < 2 {
        return any_view! { <p class="soft">"Tick two or more runs."</p> };
    }
    let report = match crossed(&entrants(runs, &names(runs))) {
        Ok(found) => found.report(),
        Err(bad) => return refused(&bad),
    };
    let matrices: Vec<_> = report.matrices.iter().map(standings::matrix).collect();
    let ranking = |one: &Ranking| {
        view! {
            <div class="stack-2">
                <h3>{one.title.clone()}</h3>
                {standings::ranking(one)}
            </div>
        }
    };
    let rankings: Vec<_> = report.rankings.iter().map(ranking).collect();
    let verdicts: Vec<_> =
        report.verdicts.iter().map(|verdict| view! { <li>{verdict.clone()}</li> }).collect();
    any_view! {
        <section class="section" aria-labelledby="crossed-head">
            {section_head("crossed-head", "Result")}
            <div class="stack-8">
                {(!report.headline.is_empty()).then(|| report::headline(&report))}
                {matrices}
                {(!verdicts.is_empty())
                    .then(|| {
                        view! {
                            <div class="stack-2">
                                <h3>"Changes of place"</h3>
                                <ul class="verdicts">{verdicts}</ul>
                            </div>
                        }
                    })}
                {rankings}
                {report::remarks(&report.remarks)}
            </div>
        </section>
    }
}
