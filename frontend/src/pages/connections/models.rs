//! The models of a service, as it lists them itself.

use turnwise_shared::wire::{ListedModel, ModelList};

use crate::api;
use crate::prelude::*;
use crate::strings::connections as strings;

/// The button that asks a service for its models, and what came of it: a name that is pressed goes into the field beside it.
#[component]
pub fn Models(provider: String, chosen: RwSignal<String>) -> impl IntoView {
    let busy = RwSignal::new(false);
    let found = RwSignal::new(None::<Result<ModelList, ApiError>>);
    let label = format!("List models of {provider}");
    let ask = move |_| {
        if busy.get_untracked() {
            return;
        }
        let provider = provider.clone();
        busy.set(true);
        spawn_local(async move {
            let list = api::models(&provider).await;
            found.put(list);
            busy.try_set(false);
        });
    };
    let shown = move || {
        Some(match found.get()? {
            Ok(ModelList::Listed { models, .. }) if models.is_empty() => {
                any_view! { <p class="soft">"The service lists no models."</p> }
            }
            Ok(ModelList::Listed { models, all }) => {
                any_view! { <Listed models all chosen/> }
            }
            Ok(ModelList::None) => any_view! {
                <p class="soft">
                    "This service has no list of models. Type the name of one."
                </p>
            },
            Ok(ModelList::Failed(failure)) => {
                any_view! { <p class="bad">{format!("The list of models could not be had: {}.", failure.message.trim_end_matches('.'))}</p> }
            }
            Err(problem) => any_view! {
                <p class="bad">{problem.message} " " {problem.mend}</p>
            },
        })
    };
    view! {
        <button
            class="btn btn-small btn-quiet"
            type="button"
            aria-label=label
            aria-busy=move || busy.get().then_some("true")
            on:click=ask
        >
            "List models"
        </button>
        <div class="stack-2">{shown}</div>
    }
}

/// A list with a field that narrows it.
#[component]
fn Listed(models: Vec<ListedModel>, all: usize, chosen: RwSignal<String>) -> impl IntoView {
    let wanted = RwSignal::new(String::new());
    let told = models.len();
    let models = StoredValue::new(models);
    let matching = move || {
        let wanted = wanted.get().trim().to_lowercase();
        models.with_value(|models| {
            let matching = models.iter().filter(|one| one.name.to_lowercase().contains(&wanted));
            matching.cloned().collect::<Vec<_>>()
        })
    };
    let row = move |one: ListedModel| {
        let name = one.name.clone();
        let priced = if one.priced { "price known" } else { "no price" };
        view! {
            <li>
                <button class="btn btn-small btn-quiet" type="button" on:click=move |_| chosen.set(name.clone())>
                    {one.name}
                </button>
                <span class="small soft">{priced}</span>
            </li>
        }
    };
    view! {
        <p class="small soft" role="status">
            {move || match wanted.with(|wanted| wanted.trim().is_empty()) {
                true => strings::listed(told, all),
                false => strings::matching(matching().len()),
            }}
        </p>
        <input class="input" type="search" aria-label=strings::NARROW placeholder=strings::NARROW bind:value=wanted/>
        <ul class="models" translate="no" tabindex="0" aria-label="Models of the service">
            {move || matching().into_iter().map(row).collect_view()}
        </ul>
    }
}
