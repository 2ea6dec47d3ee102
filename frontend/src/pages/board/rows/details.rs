//! What a row of a board says once it is opened.

use turnwise_shared::leaderboard::View;
use turnwise_shared::verify::mend;
use turnwise_shared::wire::boards::BoardRow;

use super::Drawing;
use crate::components::seal::seal;
use crate::prelude::*;
use crate::strings::boards as words;
use crate::view::board as drawn;
use crate::{api, clock};

/// What a row says once it is opened: on a phone its further numbers, too.
pub(super) fn details(
    row: &BoardRow,
    drawing: &Drawing<'_>,
) -> impl Fn() -> AnyView + Send + Sync + use<> {
    let board = drawing.board;
    let mut numbers: Vec<(String, String)> = Vec::new();
    let all = std::iter::once((0, drawing.decimals)).chain(drawing.columns.iter().copied());
    for (at, decimals) in all {
        let column = &board.columns[at];
        let number = number::cell(drawn::cell(row, at), column.unit, Some(decimals));
        if drawn::cell(row, at).is_some() {
            let range = number.range.map(|range| format!(" ({range})"));
            let text = format!("{}{}", number.value, range.unwrap_or_default());
            numbers.push((drawn::named(column), text));
        }
    }
    numbers.extend(row.n.map(|n| (words::N.to_owned(), count(n))));
    let notes: Vec<String> = row
        .notes
        .iter()
        .filter_map(|at| board.notes.get(usize::try_from(*at).ok()?).cloned())
        .collect();
    let address = board.head.paper.as_ref().map(|paper| paper.address.clone());
    let (row, view, change) = (row.clone(), drawing.view.clone(), drawing.change);
    move || {
        let numbers: Vec<_> = numbers
            .iter()
            .map(|(what, number)| {
                view! {
                    <dt>{what.clone()}</dt>
                    <dd>{number.clone()}</dd>
                }
            })
            .collect();
        let run = row.run.clone().map(|run| {
            let href = format!("/run/{run}");
            view! {
                <p class="row">
                    {seal(row.tier)}
                    {row.published.map(|at| view! { <time title=words::published(clock::moment(at))>{clock::day(at)}</time> })}
                    <a href=href>"Open the run"</a>
                </p>
                <Reasons run tier=row.tier/>
            }
        });
        let owner = row.owner.map(|owned| {
            let next = View {
                owner: Some(owned.owner),
                skip: 0,
                ..view.clone()
            };
            view! {
                <p>
                    "Owner" " " {words::opened(owned.opened, owned.published)} ". "
                    <button class="btn-link" type="button" on:click=move |_| change.run(next.clone())>
                        "Show only this owner's runs"
                    </button>
                </p>
            }
        });
        let source = row.source.clone().map(|source| {
            let printed = match address.clone() {
                Some(address) => {
                    any_view! { <a href=address rel="external noopener">{source}</a> }
                }
                None => source.into_any(),
            };
            view! { <p>"Printed in" " " {printed} "."</p> }
        });
        let notes: Vec<_> = notes.iter().map(|note| view! { <li>{note.clone()}</li> }).collect();
        any_view! {
            <div class="row-said read">
                <dl class="kv row-numbers">{numbers}</dl>
                {run}
                {owner}
                {source}
                {(!notes.is_empty()).then(|| view! { <ul>{notes}</ul> })}
            </div>
        }
    }
}

/// Why a run has its evidence tier, and what would make it verified; the server is asked once the details are open.
#[component]
fn Reasons(run: RunId, tier: EvidenceTier) -> impl IntoView {
    let found = RwSignal::new(None::<Option<Admission>>);
    let problem = RwSignal::new(None);
    spawn_local(async move {
        match api::publishing::entry(&run).await {
            Ok(admission) => found.put(admission),
            Err(error) => problem.put(error),
        }
    });
    view! {
        <Trouble problem/>
        {move || match found.get() {
            None if problem.is_none() => Some(any_view! { <Loading/> }),
            None => None,
            Some(admission) => Some(reasons(tier, admission.as_ref())),
        }}
    }
}

fn reasons(tier: EvidenceTier, admission: Option<&Admission>) -> AnyView {
    let findings = admission.map_or(&[][..], |admission| &admission.findings);
    let lowers = |about| mend(about).is_some();
    let (why, others): (Vec<_>, Vec<_>) =
        findings.iter().partition(|finding| lowers(finding.about));
    let why: Vec<String> = why.into_iter().map(|finding| finding.words.clone()).collect();
    let mut steps: Vec<&str> = findings.iter().filter_map(|finding| mend(finding.about)).collect();
    steps.dedup();
    let others: Vec<_> =
        others.into_iter().map(|finding| view! { <li>{finding.words.clone()}</li> }).collect();
    let is_low = !why.is_empty() && tier != EvidenceTier::Verified;
    any_view! {
        <div class="row-reasons">
            <p>
                {match is_low {
                    true => words::because(words::tier(tier), &why),
                    false => words::because(words::tier(tier), &[words::tier_about(tier).to_owned()]),
                }}
            </p>
            {is_low.then(|| view! { <p>{format!("To be verified: {}.", steps.join("; "))}</p> })}
            {(!others.is_empty()).then(|| view! { <ul>{others}</ul> })}
        </div>
    }
}
