//! How the model in a seat is sampled, folded away: a field for each knob.

use turnwise_shared::seat::knob::Turned;

use crate::components::form::Mark;
use crate::prelude::*;
use crate::strings::sampling as strings;
use crate::{api, clock};

/// Milliseconds for which a name must stand before the server is asked about it: it is typed letter by letter.
const TYPING: u32 = 400;

/// The knobs of one seat.
#[component]
pub fn Knobs(
    seat: String,
    /// What the names of the fields begin with, where a page has several of the same seat.
    #[prop(optional)]
    prefix: &'static str,
    /// What the benchmark sends by default.
    #[prop(into)]
    usual: Memo<Sampling>,
    #[prop(into)] chosen: Signal<Turned>,
    /// Takes what is chosen for a knob; `None` leaves it to the benchmark.
    turn: Callback<(Knob, Option<String>)>,
    player: Memo<Player>,
) -> impl IntoView {
    let left_out = RwSignal::new(Vec::new());
    Effect::new(move |_| {
        let now = player.get();
        left_out.set(Vec::new());
        let Player::Model { provider, model } = &now else {
            return;
        };
        let (provider, model) = (provider.clone(), model.clone());
        spawn_local(async move {
            let stands = || player.try_get_untracked().as_ref() == Some(&now);
            clock::sleep(TYPING).await;
            if !stands() {
                return;
            }
            // Without it the replies say so all the same.
            let found = api::left_out(&provider, &model).await.unwrap_or_default();
            if stands() {
                left_out.set(found);
            }
        });
    });
    let seat = StoredValue::new(seat);
    let sum = move || {
        let standing = usual.with(|usual| {
            chosen.with(|chosen| {
                Knob::ALL
                    .into_iter()
                    .filter_map(|knob| {
                        let of_benchmark = || {
                            // Text is what every reply is.
                            let said = knob.standing(usual);
                            said.filter(|text| knob != Knob::Form || text != "text")
                        };
                        let text = chosen.get(&knob).cloned().or_else(of_benchmark)?;
                        Some(strings::said(knob, &text))
                    })
                    .collect::<Vec<_>>()
            })
        });
        match standing.is_empty() {
            true => "service defaults".to_owned(),
            false => standing.join(", "),
        }
    };
    let fields = Knob::ALL
        .map(|knob| view! { <KnobField knob prefix seat usual chosen turn left_out/> })
        .collect_view();
    view! {
        <details class="more">
            <summary>
                "Sampling" <span class="sr">{seat.with_value(|seat| format!(" {seat}"))}</span>
                <span class="faint">{sum}</span>
            </summary>
            <div class="more-body stack-2">
                <div class="fields">{fields}</div>
                <p class="small soft read">
                    "Empty fields use the benchmark's default, shown in grey. A parameter that a model refuses is not \
                    sent, and the run says so."
                </p>
            </div>
        </details>
    }
}

/// One of them: what stands in it counts when it is left; an empty one leaves the matter to the benchmark.
#[component]
fn KnobField(
    knob: Knob,
    prefix: &'static str,
    seat: StoredValue<String>,
    usual: Memo<Sampling>,
    chosen: Signal<Turned>,
    turn: Callback<(Knob, Option<String>)>,
    left_out: RwSignal<Vec<String>>,
) -> impl IntoView {
    let is_left_out =
        move || left_out.with(|all| all.iter().any(|parameter| parameter == knob.parameter()));
    let id = seat.with_value(|seat| format!("{knob}-{prefix}{seat}"));
    let value = Memo::new(move |_| chosen.with(|chosen| chosen.get(&knob).cloned()));
    let usually = move || {
        let said = usual.with(|usual| knob.standing(usual));
        said.unwrap_or_else(|| "not sent".to_owned())
    };
    // What cannot be is said beside the field and changes nothing.
    let mark = Mark::of(&id, Signal::derive(move || value.get().unwrap_or_default()));
    let take = move |typed: String| {
        let typed = typed.trim().to_owned();
        let read = match typed.is_empty() {
            true => Ok(()),
            false => knob.turn(&mut Sampling::default(), &typed),
        };
        mark.set(read.map_err(|why| why.to_string()).map(|()| {
            turn.run((knob, Some(typed).filter(|typed| !typed.is_empty())));
        }));
    };
    let described = format!("{id}-bad");
    let control = match knob {
        Knob::Effort => {
            words(knob, &id, Effort::ALL.map(Effort::name).to_vec(), usually, value, take)
        }
        Knob::Form => words(knob, &id, vec!["text", "json"], usually, value, take),
        Knob::Stop => any_view! {
            <textarea
                id=id.clone()
                class="textarea"
                rows=2
                placeholder=usually
                prop:value=move || value.get().unwrap_or_default()
                on:change:target=move |event| take(event.target().value())
            ></textarea>
        },
        _ => any_view! {
            <input
                id=id.clone()
                class="input"
                type="text"
                inputmode="decimal"
                autocomplete="off"
                placeholder=usually
                aria-describedby=described.clone()
                aria-invalid=move || mark.invalid()
                prop:value=move || value.get().unwrap_or_default()
                on:change:target=move |event| take(event.target().value())
            />
        },
    };
    view! {
        <div class="field">
            <label for=id.clone()>{strings::label(knob)}</label>
            {control}
            <span class="field-note bad" id=described role="status">
                {move || mark.why()}
            </span>
            <Show when=is_left_out>
                <span class="field-note warn">"This model does not accept it; it is not sent."</span>
            </Show>
            {strings::note(knob).map(|note| view! { <span class="field-note">{note}</span> })}
        </div>
    }
}

/// A choice among words; the first leaves the matter to the benchmark.
fn words(
    knob: Knob,
    id: &str,
    words: Vec<&'static str>,
    usually: impl Fn() -> String + Send + Sync + 'static,
    value: Memo<Option<String>>,
    take: impl Fn(String) + Send + Sync + 'static,
) -> AnyView {
    let options: Vec<_> = words
        .into_iter()
        .map(|word| {
            option(word, strings::word(knob, word), move || value.get().as_deref() == Some(word))
        })
        .collect();
    let none = option("", move || strings::usual(knob, usually()), move || value.is_none());
    select_list(id, take, (none, options))
}
