//! The notice above a form that cannot be started without the server's access token: what can be done without it, and the field
//! for the token.

use turnwise_shared::visitors::Needs;
use turnwise_shared::wire::Access;

use crate::prelude::*;
use crate::strings::access as words;
use crate::{api, keep};

/// Codes with which the server asks for another token than it was sent.
const REFUSALS: [&str; 2] = ["token_missing", "token_wrong"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Starts {
    /// A run; all that is chosen stands in the address.
    Run,
    Table,
}

/// Why a form cannot be started here and now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shut {
    /// This browser has a token, and the server does not take it.
    is_wrong: bool,
    /// A visitor without a token may take over what is shared, run samples and practise.
    visitors: bool,
}

impl Shut {
    /// Whether a visitor without a token may start what needs none.
    pub fn is_for_visitors(self) -> bool {
        self.visitors && !self.is_wrong
    }
}

/// Whether a form can be started: nothing as long as it can, or as long as that is unknown. `about` is what the server offers,
/// once that is known.
pub fn shut(about: Signal<Option<About>>) -> RwSignal<Option<Shut>> {
    let shut = RwSignal::new(None);
    Effect::new(move |_| {
        let wanted =
            about.and_then(|about| (about.access == Access::Token).then_some(about.visitors));
        let Some(visitors) = wanted else {
            return;
        };
        if keep::access_token().is_none() {
            let is_wrong = false;
            shut.set(Some(Shut { is_wrong, visitors }));
            return;
        }
        spawn_local(async move {
            if is_refused().await {
                let is_wrong = true;
                shut.put(Shut { is_wrong, visitors });
            }
        });
    });
    shut
}

/// Whether the server refuses the token of this browser. One that cannot be reached refuses nothing.
async fn is_refused() -> bool {
    matches!(api::runs(None, 1).await, Err(problem) if refuses(&problem))
}

/// Whether a refusal says that the server's access token is wanted.
pub fn refuses(problem: &ApiError) -> bool {
    REFUSALS.contains(&problem.code.as_str())
}

/// The note and the field; nothing while the form can be started.
#[component]
pub fn Gate(
    /// See [`shut`].
    shut: RwSignal<Option<Shut>>,
    starts: Starts,
    /// Why what is chosen needs the token; `None` where it needs none.
    #[prop(into)]
    needs: Signal<Option<Needs>>,
) -> impl IntoView {
    move || shut.get().map(|shut| note(shut, starts, needs))
}

/// Why a form cannot be started here and now, if it cannot.
pub fn closed(
    shut: RwSignal<Option<Shut>>,
    needs: impl Fn() -> Option<Needs> + Send + Sync + 'static,
) -> Signal<bool> {
    Signal::derive(move || {
        shut.get().is_some_and(|shut| !shut.is_for_visitors() || needs().is_some())
    })
}

fn note(shut: Shut, starts: Starts, needs: Signal<Option<Needs>>) -> impl IntoView + use<> {
    let title = move || match (shut.is_wrong, starts) {
        (true, _) => words::WRONG.to_owned(),
        (false, _) if shut.visitors => match needs.get() {
            None => words::OPEN_TO_VISITORS.to_owned(),
            Some(needs) => words::needs(&needs),
        },
        (false, Starts::Run) => "Starting a run here needs this server's access token".to_owned(),
        (false, Starts::Table) => {
            "Opening a table here needs this server's access token".to_owned()
        }
    };
    let (more, link) = match (shut.visitors, starts) {
        (true, _) => (words::VISITORS, "Find an episode on the boards"),
        (false, Starts::Run) => (words::READERS, words::READ_BOARDS),
        (false, Starts::Table) => {
            ("Without it you can read everything that is published.", words::READ_BOARDS)
        }
    };
    let typed = RwSignal::new(String::new());
    let trouble = RwSignal::new(None::<&'static str>);
    let busy = RwSignal::new(false);
    let give = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let token = typed.get_untracked();
        if token.trim().is_empty() {
            trouble.set(Some("Type the token first."));
            return;
        }
        let before = keep::access_token();
        keep::set_access_token(&token);
        busy.set(true);
        spawn_local(async move {
            if is_refused().await {
                keep::set_access_token(&before.unwrap_or_default());
                trouble.put(
                    "That is not this server's access token. Whoever operates the server has it.",
                );
                busy.try_set(false);
                return;
            }
            // What the page could not load before it loads now; the choice stands in the address, or was not made yet. It fails
            // only where the page is on its way out.
            let _ = window().location().reload();
        });
    };
    view! {
        <div class="note note-warn" id="gate">
            <Icon name="warning"/>
            <p class="note-title">{title}</p>
            <p class="read">{more}</p>
            <form class="note-do" on:submit=give>
                <label class="sr" for="gate-token">{words::FIELD}</label>
                <input
                    id="gate-token"
                    class="input input-search input-mono"
                    type="password"
                    autocomplete="off"
                    placeholder=words::FIELD
                    aria-invalid=move || trouble.get().map(|_| "true")
                    aria-describedby="gate-trouble"
                    bind:value=typed
                />
                <button class="btn" type="submit" disabled=busy>"Use the token"</button>
                <a class="btn btn-quiet" href="/boards">{link}</a>
            </form>
            <p class="field-error" id="gate-trouble" role="status" hidden=move || trouble.get().is_none()>
                {move || trouble.get()}
            </p>
        </div>
    }
}
