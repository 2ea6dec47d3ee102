//! A model in a seat.

use leptos::prelude::*;
use turnwise_shared::seat::Player;
use turnwise_shared::wire::ProviderInfo;

use super::super::{Draft, Loaded};
use super::{Sat, seat_name};
use crate::strings::new_run as strings;

/// The choice of a model.
#[component]
pub fn Models<S>(draft: Draft, place: Sat, player: Memo<Player>, sit: S) -> impl IntoView
where
    S: Fn(Option<Player>) + Copy + Send + Sync + 'static,
{
    let providers = Memo::new(move |_| {
        draft
            .about
            .with(|about| about.ready().map(|about| about.providers.clone()))
            .unwrap_or_default()
    });
    let none = move || {
        let known = draft.about.with(|about| !matches!(about, Loaded::Loading));
        known && providers.with(Vec::is_empty)
    };
    let chosen = move || match player.get() {
        Player::Model { provider, model } => (provider, model),
        _ => (
            providers
                .with(|providers| providers.first().map(|provider| provider.name.clone()))
                .unwrap_or_default(),
            String::new(),
        ),
    };
    let list = format!("models-for-{}", seat_name(place));
    let sit_model = move |provider: String, model: &str| {
        let model = model.trim().to_owned();
        if !provider.is_empty() && !model.is_empty() {
            sit(Some(Player::Model { provider, model }));
        }
    };
    let options = move || {
        let mut names: Vec<String> = providers
            .get()
            .into_iter()
            .map(|provider: ProviderInfo| provider.name)
            .collect();
        let (named, _) = chosen();
        if !named.is_empty() && !names.contains(&named) {
            names.push(named);
        }
        names
            .into_iter()
            .map(|name| {
                let value = name.clone();
                view! {
                    <option value=value prop:selected=move || chosen().0 == name>
                        {name.clone()}
                    </option>
                }
            })
            .collect_view()
    };
    let models = move || {
        let (named, _) = chosen();
        providers.with(|providers| {
            providers
                .iter()
                .filter(|provider| provider.name == named)
                .flat_map(|provider| &provider.models)
                .map(|model| view! { <option value=model.clone()></option> })
                .collect_view()
        })
    };
    view! {
        <div class="stack-2">
            <div class="fields">
                <select
                    class="select"
                    aria-label=strings::who_in(&seat_name(place))
                    on:change:target=move |event| {
                        let provider = event.target().value();
                        let first = providers
                            .with_untracked(|providers| {
                                providers
                                    .iter()
                                    .find(|known| known.name == provider)
                                    .and_then(|known| known.models.first().cloned())
                            });
                        sit_model(provider, &first.unwrap_or_else(|| chosen().1));
                    }
                >
                    {options}
                </select>
                <input
                    class="input input-mono"
                    aria-label=strings::model_in(&seat_name(place))
                    placeholder=strings::MODEL_NAME
                    autocomplete="off"
                    list=list.clone()
                    prop:value=move || chosen().1
                    on:change:target=move |event| sit_model(chosen().0, &event.target().value())
                />
                <datalist id=list>{models}</datalist>
            </div>
            <Show when=none>
                <span class="field-note">
                    {strings::NO_PROVIDER} " " <a href="/connections">{strings::TO_CONNECTIONS}</a>
                </span>
            </Show>
        </div>
    }
}
