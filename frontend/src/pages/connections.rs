//! The page on which each provider and each search engine is tried with one button.

mod models;

use models::Models;
use turnwise_shared::wire::{Access, Probe, Probed, Promise, ProviderInfo};

use crate::components::clipboard::copy;
use crate::components::head::title;
use crate::components::toast::toast;
use crate::prelude::*;
use crate::strings::{
    capitalised, connections as strings, providers as provider_strings, publishing,
};
use crate::view::figures;
use crate::{api, keep, owner};

#[component]
pub fn Connections() -> impl IntoView {
    title(|| strings::TITLE.to_owned());
    let about = RwSignal::new(None::<About>);
    let problem = RwSignal::new(None::<ApiError>);
    spawn_local(async move {
        match api::about().await {
            Ok(found) => about.put(found),
            Err(error) => problem.put(error),
        }
    });
    view! {
        <div class="page-head">
            <div>
                <h1>{strings::TITLE}</h1>
                <p class="soft">{strings::LEAD}</p>
            </div>
        </div>
        <Trouble problem/>
        <Show when=move || about.is_none() && problem.is_none()>
            <Loading/>
        </Show>
        {move || {
            about
                .get()
                .map(|about| {
                    view! {
                        {(about.access == Access::Token).then(|| view! { <AccessToken/> })}
                        <Providers providers=about.providers/>
                        <Engines engines=about.engines/>
                        <Rendering off=about.rendering_off/>
                        <OwnerKey/>
                    }
                })
        }}
    }
}

/// The field for the operator's token, on servers that want it.
#[component]
fn AccessToken() -> impl IntoView {
    let typed = RwSignal::new(keep::access_token().unwrap_or_default());
    let keep = Callback::new(move |()| {
        let token = typed.get_untracked();
        keep::set_access_token(&token);
        toast(if token.trim().is_empty() {
            "The token is forgotten."
        } else {
            "The token is kept in this browser."
        });
    });
    view! {
        <SecretForm
            title="Access token"
            about=strings::ACCESS_WHY
            id="access-token"
            field="Token"
            typed
            submit=keep
        >
            <button class="btn" type="submit">"Keep"</button>
        </SecretForm>
    }
}

/// The owner key, to be carried to another browser or taken from one.
#[component]
fn OwnerKey() -> impl IntoView {
    let typed = RwSignal::new(owner::key().unwrap_or_default());
    let take = Callback::new(move |()| {
        toast(match owner::take(&typed.get_untracked()) {
            true => "This browser has that owner key now.",
            false => "An owner key is 64 digits and letters from a to f.",
        });
    });
    view! {
        <SecretForm
            title="Owner key"
            about=publishing::OWNER_ABOUT
            id="owner-key"
            field="This browser's owner key"
            typed
            submit=take
        >
            <button class="btn" type="button" on:click=move |_| copy(typed.get_untracked())>
                "Copy"
            </button>
            <button class="btn" type="submit">"Use this key"</button>
        </SecretForm>
    }
}

/// A section with one field for something that only its owner should read.
#[component]
fn SecretForm(
    title: &'static str,
    about: &'static str,
    /// The id of the field.
    id: &'static str,
    field: &'static str,
    typed: RwSignal<String>,
    submit: Callback<()>,
    children: Children,
) -> impl IntoView {
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        submit.run(());
    };
    view! {
        <section class="section">
            {section_head(None, title)}
            <form class="stack" on:submit=submit>
                <p class="soft read">{about}</p>
                <div class="row">
                    <label class="sr" for=id>{field}</label>
                    <input
                        id=id
                        class="input input-search input-mono"
                        type="password"
                        autocomplete="off"
                        bind:value=typed
                    />
                    {children()}
                </div>
            </form>
        </section>
    }
}

#[component]
fn Providers(providers: Vec<ProviderInfo>) -> impl IntoView {
    let none = providers.is_empty();
    let rows =
        providers.into_iter().map(|provider| view! { <ProviderRow provider/> }).collect_view();
    let head = view! {
        <tr>
            {th(strings::NAME)}
            {th(strings::FORMAT)}
            {th(strings::MODEL)}
            <th scope="col"><span class="sr">{strings::TEST}</span></th>
            {th(strings::RESULT)}
        </tr>
    };
    let body = match none {
        true => nothing(
            "No models are configured",
            "The built-in players need none. To ask models, the \
            operator of this server adds an endpoint and restarts the server.",
        ),
        false => listed(head.into_any(), rows.into_any()),
    };
    view! {
        <section class="section">
            {section_head(None, "Models")}
            {body}
            <HowTo environment=strings::SAMPLE_ENV file=strings::SAMPLE_FILE open=none/>
        </section>
    }
}

/// A table that is a list of cards where there is little room.
fn listed(head: AnyView, rows: AnyView) -> AnyView {
    any_view! {
        <div class="table-wrap">
            <table translate="no" class="table table-cards">
                <thead>{head}</thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

fn nothing(title: &'static str, why: &'static str) -> AnyView {
    any_view! {
        <div class="empty">
            <h3>{title}</h3>
            <p>{why}</p>
        </div>
    }
}

#[component]
fn ProviderRow(provider: ProviderInfo) -> impl IntoView {
    let model = RwSignal::new(provider.models.first().cloned().unwrap_or_default());
    let list = format!("models-{}", provider.name);
    let no_key = (!provider.is_ready).then_some(", no key");
    let (name, lists) = (provider.name.clone(), provider.name.clone());
    let probe = move || {
        let model = model.get_untracked().trim().to_owned();
        if model.is_empty() {
            return Err(api::error("no_model", "Type the model's name first."));
        }
        Ok(Probe::Model { provider: name.clone(), model })
    };
    view! {
        <tr>
            <th scope="row">{provider.name}</th>
            <td data-label=strings::FORMAT>{strings::format(&provider.format).to_owned()}{no_key}</td>
            <td class="cell-wide" data-label=strings::MODEL>
                <input class="input input-mono" aria-label=strings::MODEL list=list.clone() bind:value=model/>
                <datalist id=list>
                    {provider.models.into_iter().map(|model| view! { <option value=model></option> }).collect_view()}
                </datalist>
                <Models provider=lists chosen=model/>
            </td>
            <Trial probe/>
        </tr>
    }
}

/// Whether pages are rendered here, and if not, why.
#[component]
fn Rendering(#[prop(optional_no_strip)] off: Option<String>) -> impl IntoView {
    let state = match off {
        None => any_view! {
            <p class="soft read">
                "Pages that players write are rendered here, in a browser without scripts and without a network."
            </p>
        },
        Some(why) => any_view! {
            <div class="note note-warn">
                <Icon name="warning"/>
                <p class="note-title">"Pages are not rendered here"</p>
                <p>{format!("{}.", capitalised(&why))}</p>
                <p>"Everything else works. What rendering needs is in docs/operating.md, under Rendering."</p>
            </div>
        },
    };
    view! {
        <section class="section" id="rendering">
            {section_head(None, "Pictures of pages")}
            {state}
        </section>
    }
}

#[component]
fn Engines(engines: Vec<EngineInfo>) -> impl IntoView {
    let none = engines.is_empty();
    let unsure = engines.iter().any(|engine| engine.promise == Promise::BestEffort);
    let rows = engines.into_iter().map(|engine| view! { <EngineRow engine/> }).collect_view();
    let head = view! {
        <tr>
            {th(strings::NAME)}
            {th(strings::FORMAT)}
            {th_number(strings::DOCUMENTS)}
            {th(strings::QUERY)}
            <th scope="col"><span class="sr">{strings::TEST}</span></th>
            {th(strings::RESULT)}
        </tr>
    };
    let body = match none {
        true => nothing(
            "No search engine is configured",
            "Modes that search need one. The operator of this \
            server can point it at documents of their own, or name a service.",
        ),
        false => listed(head.into_any(), rows.into_any()),
    };
    view! {
        <section class="section">
            {section_head(None, "Search engines")}
            {body}
            {unsure.then(|| view! { <p class="small soft">"Best effort: a page that was made for people. It may change at any time, or ask for a captcha."</p> })}
            <HowTo environment=strings::SAMPLE_SEARCH_ENV file=strings::SAMPLE_SEARCH_FILE open=none/>
        </section>
    }
}

#[component]
fn EngineRow(engine: EngineInfo) -> impl IntoView {
    let text = RwSignal::new("lighthouse".to_owned());
    let is_local = engine.format == "local";
    let name = engine.name.clone();
    let probe = move || Ok(Probe::Search { engine: name.clone(), text: text.get_untracked() });
    view! {
        <tr>
            <th scope="row">{engine.name}</th>
            <td data-label=strings::FORMAT>
                {engine.format}
                {(engine.promise == Promise::BestEffort).then_some(", best effort")}
            </td>
            <td class="num cell-wide" data-label=strings::DOCUMENTS>
                {match engine.documents {
                    Some(documents) => number::count(documents),
                    None if is_local => "unknown".to_owned(),
                    None => "the web".to_owned(),
                }}
            </td>
            <td class="cell-wide" data-label=strings::QUERY>
                <input class="input" aria-label=strings::QUERY bind:value=text/>
            </td>
            <Trial probe/>
        </tr>
    }
}

/// The button that tries a connection, and what came of it: two cells of a table.
#[component]
fn Trial<F>(probe: F) -> impl IntoView
where
    F: Fn() -> Result<Probe, ApiError> + Send + 'static,
{
    let busy = RwSignal::new(false);
    let outcome = RwSignal::new(None::<Result<Probed, ApiError>>);
    let run = move |_| {
        let wanted = probe();
        busy.set(true);
        spawn_local(async move {
            let found = match wanted {
                Ok(wanted) => api::probe(&wanted).await,
                Err(problem) => Err(problem),
            };
            outcome.put(found);
            busy.try_set(false);
        });
    };
    view! {
        <td>
            <button
                class="btn btn-small"
                type="button"
                disabled=busy
                aria-busy=move || busy.get().then_some("true")
                on:click=run
            >
                {strings::TEST}
            </button>
        </td>
        <td class="cell-wide" aria-live="polite" data-label=strings::RESULT>
            <div>{move || match outcome.get() {
                None => any_view! { <span class="faint">"not tried yet"</span> },
                Some(Ok(probed)) => any_view! { <Result probed/> },
                Some(Err(problem)) => {
                    any_view! {
                        <span class="bad">{problem.message}</span>
                        {problem.mend.map(|mend| view! { " "<span class="soft">{mend}</span> })}
                    }
                }
            }}</div>
        </td>
    }
}

#[component]
fn Result(probed: Probed) -> impl IntoView {
    let took = number::latency(probed.timing.took);
    let answered = strings::answered(&took, probed.timing.attempts);
    match probed.reply {
        Reply::Said(said) => {
            let departures: Vec<_> =
                said.departures.iter().map(provider_strings::departure).collect();
            let departures = departures.join("; ");
            let text = said.text.or(said.refusal).unwrap_or_default();
            any_view! {
                <span class="good">{answered}</span>
                <br/>
                <q class="soft">{text}</q>
                {(!departures.is_empty()).then(|| view! { <br/><span class="small soft">{departures}</span> })}
            }
        }
        Reply::Found { hits, .. } => {
            let first = hits.first().and_then(|hit| hit.title.clone());
            any_view! {
                <span class="good">{answered} ", " {strings::hits(hits.len())}</span>
                {first.map(|first| view! { <br/><q class="soft">{first}</q> })}
            }
        }
        Reply::Drawn { .. } | Reply::Made(_) => any_view! { <span class="good">{answered}</span> },
        Reply::Failed(failure) => any_view! {
            <span class="bad">{strings::failed(figures::failure_name(failure.class), &took, probed.timing.took < 1)}</span>
            <br/>
            <span class="soft">{failure.message}</span>
        },
    }
}

/// How the operator configures one.
#[component]
fn HowTo(environment: &'static str, file: &'static str, open: bool) -> impl IntoView {
    view! {
        <details class="more" open=open>
            <summary>"How to configure one"</summary>
            <div class="more-body stack-2">
                <p class="soft">"By environment variables:"</p>
                <pre translate="no" class="raw">{environment}</pre>
                <p class="soft">"Or in turnwise.toml in the server's data folder, for several:"</p>
                <pre translate="no" class="raw">{file}</pre>
                <p class="soft">"Restart the server after a change: it reads its configuration when it starts."</p>
            </div>
        </details>
    }
}
