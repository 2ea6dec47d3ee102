//! The task sets that lie on the server.

use turnwise_shared::wire::TaskSetInfo;

use crate::prelude::*;
use crate::strings::home as strings;
use crate::view::query::encode;

/// The task sets that the server has besides the samples; nothing if there are none.
#[component]
pub fn TaskSets(
    /// What the server offers, once it is known.
    about: RwSignal<Option<About>>,
) -> impl IntoView {
    let rows = move || {
        about.with(|about| {
            about
                .iter()
                .flat_map(|about| &about.task_sets)
                .map(|set| {
                    let title = registry::title(&set.benchmark).unwrap_or(&set.benchmark);
                    let title = title.to_owned();
                    view! { <Row set=set.clone() title/> }
                })
                .collect_view()
        })
    };
    let some = move || about.is_some_and(|about| !about.task_sets.is_empty());
    let heads = || {
        (
            th("Set"),
            th(strings::BENCHMARK),
            th_number(strings::COUNT),
            th(strings::LANGUAGES),
            th(strings::KEPT),
            th(view! { <span class="sr">{strings::USE}</span> }),
        )
    };
    view! {
        <Show when=some>
            <section class="section stack-2">
                {section_head(None, strings::TASKS)}
                {table_of_cards(strings::TASKS, heads(), rows)}
                <p class="small soft">"Drop your own file on the page of a new run: the official encrypted one, or plain JSON Lines."</p>
            </section>
        </Show>
    }
}

#[component]
fn Row(set: TaskSetInfo, title: String) -> impl IntoView {
    let languages = set
        .labels
        .get("language")
        .map(|counts| {
            counts
                .iter()
                .map(|(language, count)| format!("{} {language}", number::count(*count)))
                .collect::<Vec<_>>()
                .join(", ")
        })
        .unwrap_or_default();
    // As `Config::query` writes it, without all that a run can have.
    let pairs = [("benchmark", &set.benchmark), ("tasks", &set.name)];
    let query = encode(&pairs.map(|(key, value)| (key.to_owned(), value.clone())));
    view! {
        <tr>
            <th scope="row">{set.name}</th>
            <td class="cell-wide" data-label=strings::BENCHMARK>{title}</td>
            <td class="num cell-main" data-label=strings::COUNT>{number::count(set.count)}</td>
            <td data-label=strings::LANGUAGES>{languages}</td>
            <td data-label=strings::KEPT>
                {match (set.sealed, set.encrypted) {
                    (true, _) => "sealed",
                    (false, true) => "encrypted",
                    (false, false) => "plain",
                }}
            </td>
            <td class="num">
                <a class="btn btn-small" href=format!("/new?{query}")>
                    {strings::USE}
                </a>
            </td>
        </tr>
    }
}
