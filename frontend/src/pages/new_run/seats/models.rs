//! A model in a seat.

use turnwise_shared::wire::{ModelList, ProviderInfo};

use super::super::{Draft, Loaded};
use super::{Sat, known, seat_name};
use crate::api;
use crate::prelude::*;
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
    // What is wrong with the one that is chosen, or with all of them, if something is.
    let missing = Memo::new(move |_| {
        draft.about.with(|about| match about {
            Loaded::Loading => None,
            Loaded::Ready(about) => match player.get() {
                Player::Model { provider, .. } => doubt(about, &provider),
                _ => missing(about),
            },
            Loaded::Failed(_) => Some(strings::NO_PROVIDER),
        })
    });
    // Where there is one service that can be asked, it is meant.
    let usual =
        move || draft.about.with(|about| Some(known::only_service(about.ready()?)?.name.clone()));
    // Chosen, while its model has no name yet.
    let named = RwSignal::new(None::<String>);
    let chosen = move || match player.get() {
        Player::Model { provider, model } => (provider, model),
        _ => (named.get().or_else(usual).unwrap_or_default(), String::new()),
    };
    let list = format!("models-for-{}", seat_name(place));
    let sit_model = move |provider: String, model: &str| {
        let model = model.trim().to_owned();
        named.set(Some(provider.clone()));
        if !provider.is_empty() && !model.is_empty() {
            sit(Some(Player::Model { provider, model }));
        }
    };
    let options = move || {
        let mut names: Vec<(String, String)> =
            providers.with(|all| all.iter().map(label).collect());
        let (named, _) = chosen();
        if !names.iter().any(|(name, _)| *name == named) {
            let label = match named.is_empty() {
                true => "choose a service".to_owned(),
                false => named.clone(),
            };
            names.insert(0, (named, label));
        }
        names
            .into_iter()
            .map(|(name, label)| {
                let value = name.clone();
                option(value, label, move || chosen().0 == name)
            })
            .collect_view()
    };
    // Those that the configuration names, then what the service itself lists once the user is about to type.
    let listed = RwSignal::new((String::new(), Vec::<String>::new()));
    let models = move || {
        let (named, _) = chosen();
        let mut models: Vec<String> = providers.with(|providers| {
            let chosen = providers.iter().find(|provider| provider.name == named);
            chosen.map(|provider| provider.models.clone()).unwrap_or_default()
        });
        listed.with(|(provider, more)| {
            if *provider == named {
                let new = more.iter().filter(|model| !models.contains(model));
                let new: Vec<String> = new.cloned().collect();
                models.extend(new);
            }
        });
        models.into_iter().map(|model| view! { <option value=model></option> }).collect_view()
    };
    let ask_for_models = move |_| {
        let (provider, _) = chosen();
        let is_ready = providers.with_untracked(|providers| {
            let chosen = providers.iter().find(|known| known.name == provider);
            chosen.is_some_and(|known| known.is_ready)
        });
        if !is_ready || listed.with_untracked(|(asked, _)| *asked == provider) {
            return;
        }
        listed.set((provider.clone(), Vec::new()));
        spawn_local(async move {
            // Without a list the name is typed; why there is none stands under Connections.
            if let Ok(ModelList::Listed { models, .. }) = api::models(&provider).await {
                let names = models.into_iter().map(|model| model.name).collect();
                listed.try_update(|listed| {
                    if listed.0 == provider {
                        listed.1 = names;
                    }
                });
            }
        });
    };
    view! {
        <div class="stack-2">
            <div class="fields">
                <select
                    class="select"
                    aria-label=strings::who_in(seat_name(place))
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
                    aria-label=format!("Model of the {}", seat_name(place))
                    placeholder="model name"
                    autocomplete="off"
                    list=list.clone()
                    prop:value=move || chosen().1
                    on:focus=ask_for_models
                    on:change:target=move |event| sit_model(chosen().0, &event.target().value())
                />
                <datalist id=list>{models}</datalist>
            </div>
            {move || {
                missing
                    .get()
                    .map(|why| {
                        view! {
                            <span class="field-note" role="status">
                                {why} " " <a href="/connections">"How to add one"</a>
                            </span>
                        }
                    })
            }}
        </div>
    }
}

/// The value of a service in the list, and how it is called there.
fn label(provider: &ProviderInfo) -> (String, String) {
    let label = match provider.is_ready {
        true => provider.name.clone(),
        false => format!("{} (no key)", provider.name),
    };
    (provider.name.clone(), label)
}

/// What is to be known of a chosen service before the run is started.
fn doubt(about: &About, provider: &str) -> Option<&'static str> {
    let chosen = about.providers.iter().find(|one| one.name == provider)?;
    match chosen.format.as_str() {
        ProviderInfo::SCRIPTED => Some(strings::MADE_UP),
        _ => (!chosen.is_ready).then_some(strings::ITS_KEY),
    }
}

/// Why no service can be asked here, if none can.
fn missing(about: &About) -> Option<&'static str> {
    if about.providers.is_empty() {
        return Some(strings::NO_PROVIDER);
    }
    let mut ready = about.ready_providers().peekable();
    match ready.peek() {
        None => Some(strings::NO_KEY),
        Some(_) => {
            ready.all(|one| one.format == ProviderInfo::SCRIPTED).then_some(strings::ONLY_SCRIPTED)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn about(providers: &[(&str, &str, bool)]) -> About {
        let one = |(name, format, is_ready): &(&str, &str, bool)| json!({ "name": name, "format": format, "models": ["m"], "is_ready": is_ready });
        let providers: Vec<_> = providers.iter().map(one).collect();
        let about = json!({
            "version": "", "providers": providers, "engines": [], "task_sets": [], "access": "open",
        });
        serde_json::from_value(about).expect("what a server offers")
    }

    #[test]
    fn it_is_said_whether_anybody_can_be_asked() {
        assert_eq!(missing(&about(&[])), Some(strings::NO_PROVIDER));
        let keyless = ("lab", "openai", false);
        assert_eq!(missing(&about(&[keyless])), Some(strings::NO_KEY));
        let scripted = ("trial", ProviderInfo::SCRIPTED, true);
        assert_eq!(missing(&about(&[keyless, scripted])), Some(strings::ONLY_SCRIPTED));
        let all = about(&[keyless, scripted, ("up", "openai", true)]);
        assert_eq!(missing(&all), None);
        // What makes answers up is never meant beside a service, and of two services none is.
        let meant = |about: &About| known::only(about).map(|player| player.to_string());
        assert_eq!(meant(&all).as_deref(), Some("model:up/m"));
        assert_eq!(meant(&about(&[keyless, scripted])).as_deref(), Some("model:trial/m"));
        let two = about(&[("up", "openai", true), scripted, ("z", "openai", true)]);
        assert_eq!(meant(&two), None);
        let doubts = ["lab", "trial", "up", "typed"].map(|name| doubt(&all, name));
        assert_eq!(doubts, [Some(strings::ITS_KEY), Some(strings::MADE_UP), None, None]);
    }
}
