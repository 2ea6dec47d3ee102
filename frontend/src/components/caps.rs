//! The fields of what may be spent.

use turnwise_shared::wire::budgets::Kind;

use crate::plan::caps::{shown, typed};
use crate::prelude::*;

/// A field for each cap; an empty one does not bind.
#[component]
pub fn CapFields(
    #[prop(into)] caps: Signal<Caps>,
    /// Called with what is chosen instead.
    on_change: Callback<Caps>,
    /// The fields in which something stands that is no cap; what was chosen before is not what stands there.
    wrong: RwSignal<BTreeSet<Kind>>,
) -> impl IntoView {
    let field = move |kind: Kind| {
        let change = Callback::new(move |cap| {
            let mut chosen = caps.get_untracked();
            kind.set(&mut chosen, cap);
            on_change.run(chosen);
        });
        view! {
            <CapField
                kind
                value=Memo::new(move |_| caps.with(|caps| kind.cap(caps)))
                on_change=change
                wrong
            />
        }
    };
    view! {
        <p class="small soft">"The run pauses before it would exceed a limit. Raise the limit to resume."</p>
        <details class="more">
            <summary>"How it is counted"</summary>
            <p class="more-body small soft">"What a call can cost at most is reserved before it is sent. Calls over sealed tasks stay counted \
                with the most that they can cost. Budgets for a day, of an access token or of the server, count all \
                their runs."</p>
        </details>
        <div class="fields">{Kind::ALL.map(field).collect_view()}</div>
    }
}

/// One of them. What was typed stays, whether it is a cap or not.
#[component]
fn CapField(
    kind: Kind,
    value: Memo<Option<u64>>,
    on_change: Callback<Option<u64>>,
    wrong: RwSignal<BTreeSet<Kind>>,
) -> impl IntoView {
    let text = RwSignal::new(shown(kind, value.get_untracked()));
    let problem = Memo::new(move |_| text.with(|text| typed(kind, text).err()));
    // What is chosen elsewhere, by another address for one, is shown.
    Effect::new(move |before: Option<()>| {
        let value = value.get();
        let stands = text.with_untracked(|text| typed(kind, text));
        let is_being_mended = stands.is_err() && value.is_none();
        if before.is_some() && stands != Ok(value) && !is_being_mended {
            text.set(shown(kind, value));
        }
    });
    Effect::new(move |_| {
        let is_wrong = problem.get().is_some();
        wrong.update(|wrong| {
            match is_wrong {
                true => wrong.insert(kind),
                false => wrong.remove(&kind),
            };
        });
    });
    let (id, label, note) = match kind {
        Kind::Money => (
            "cap-usd",
            "US dollars",
            Some(
                "A limit in dollars needs a known price for every model, \
            and a maximum reply length.",
            ),
        ),
        Kind::Tokens => ("cap-tokens", "Tokens", None),
        Kind::Calls => ("cap-calls", "Calls", None),
        Kind::Seconds => (
            "cap-seconds",
            "Seconds",
            Some(
                "Counted while the run is driven, in a page or by the \
            server; pauses and a closed page do not count.",
            ),
        ),
    };
    let note_id = format!("{id}-note");
    let below = {
        let note_id = note_id.clone();
        move || match problem.get() {
            Some(wanted) => Some(any_view! {
                <span class="field-error" id=note_id.clone()>
                    <SmallIcon name="warning"/>
                    {wanted}
                </span>
            }),
            None => note.map(|note| {
                any_view! { <span class="field-note" id=note_id.clone()>{note}</span> }
            }),
        }
    };
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input
                id=id
                class="input input-num"
                type="text"
                inputmode=if kind == Kind::Money { "decimal" } else { "numeric" }
                autocomplete="off"
                placeholder="no limit"
                aria-invalid=move || problem.get().map(|_| "true")
                aria-describedby=move || {
                    (note.is_some() || problem.get().is_some()).then(|| note_id.clone())
                }
                prop:value=text
                // At once: what is said below of what stands here would else come only when the field is left, and push away the
                // button that is being pressed.
                on:input:target=move |event| {
                    text.set(event.target().value());
                    // What was read of a number that is none any more is no cap.
                    on_change.run(text.with_untracked(|text| typed(kind, text)).unwrap_or(None));
                }
            />
            {below}
        </div>
    }
}
