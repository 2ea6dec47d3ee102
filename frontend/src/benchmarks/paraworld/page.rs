//! A world of Mind-ParaWorld: the question, a search engine, and one answer. Nothing on this page tells whether a search
//! counted, because a model does not learn it either.

use turnwise_shared::benchmarks::paraworld::task::Language;

use super::seen::{Back, Searched, before, opening, question, remark, searches};
use super::words;
use crate::at_table::frame::{AsModel, Head, Refusals, follow_newest};
use crate::components::evidence::results;
use crate::components::keys::{focus_id, on_key};
use crate::components::play::clock::DecisionClock;
use crate::live_seat::LiveSeat;
use crate::prelude::*;
use crate::strings::play;
use crate::unsent::typed;

/// Names of the two forms.
const SEARCH: &str = "search";
const ANSWER: &str = "answer";

/// Ids of the two fields.
const QUERY_FIELD: &str = "world-query";
const ANSWER_FIELD: &str = "world-answer";

#[component]
pub fn WorldPage(seat: LiveSeat) -> impl IntoView {
    let scene = Memo::new(move |_| seat.view.map(|view| view.scene.clone()).unwrap_or_default());
    let ask = Memo::new(move |_| {
        seat.view.with(|view| {
            let ask = view.as_ref()?.ask.as_ref()?;
            Some((ask.turn, ask.expect.clone(), ask.messages.clone()))
        })
    });
    let now = Signal::derive(move || {
        seat.view.with(|view| {
            let Some(view) = view else {
                return String::new();
            };
            let name = registry::find(&view.table.benchmark).map_or("", |game| game.title());
            play::part(name, view.episode, view.table.episodes)
        })
    });
    let asked = Memo::new(move |_| scene.with(question).unwrap_or_default());
    let lang = Memo::new(move |_| asked.with(|asked| Language::of(asked).name()));
    let made = Memo::new(move |_| scene.with(searches));
    let gauge = Memo::new(move |_| scene.with(|scene| scene.gauges.first().cloned()));
    let open = Signal::derive(move || seat.open_turn().is_some());
    let form = move |wanted: &'static str| {
        Memo::new(move |before: Option<&Option<ActionForm>>| match ask.get() {
            Some((_, Expect::Actions(forms), _)) => {
                forms.into_iter().find(|form| form.name == wanted)
            }
            // While others think, the fields stay where they are.
            _ => before.cloned().flatten(),
        })
    };
    let (search, answer) = (form(SEARCH), form(ANSWER));
    // Without a search engine everything stands in the message of a model; a person is shown the same.
    let whole = Memo::new(move |before: Option<&Option<String>>| match ask.get() {
        Some((_, Expect::Actions(forms), messages)) => {
            let searches = forms.iter().any(|form| form.name == SEARCH);
            let first = made.with(Vec::is_empty) && !searches;
            first.then(|| opening(&messages)).flatten()
        }
        _ => before.cloned().flatten(),
    });
    let rules = Memo::new(move |before: Option<&Option<String>>| {
        let told = ask.with(|ask| {
            let (_, _, messages) = ask.as_ref()?;
            let system = messages.iter().find(|message| message.role == Role::System);
            system.map(|message| message.text.clone())
        });
        told.or_else(|| before.cloned().flatten())
    });
    let turn = Memo::new(move |_| ask.map(|(turn, _, _)| *turn));
    let status = move || {
        let came = made.with(|made| match made.last()?.back {
            Back::Results(ref results) => Some(words::came_back(results.len())),
            Back::Text(_) => Some(words::came_back(0)),
            Back::Nothing => None,
        });
        let now = match (open.get(), seat.is_connected(), turn.get().is_some()) {
            (true, ..) => gauge.get().map(|Gauge { left, of, .. }| words::turns_left(left, of)),
            (false, true, false) => Some(words::SEARCHING.to_owned()),
            (false, true, true) => Some(play::SENT.to_owned()),
            (false, false, _) => Some(play::NO_LINE.to_owned()),
        };
        let parts: Vec<String> = came.into_iter().chain(now).collect();
        parts.join(". ")
    };
    on_key(move |event| {
        if event.key() == "/" {
            focus_id(QUERY_FIELD);
            event.prevent_default();
        }
    });
    // A new world begins with the query, so that no player answers by mistake; a player who can only answer begins there.
    let episode = Memo::new(move |_| seat.view.and_then(|view| view.episode));
    Effect::new(move |before: Option<Option<u32>>| {
        let (now, searches) = (episode.get(), search.is_some());
        if !searches && answer.is_some() {
            focus_id(ANSWER_FIELD);
        } else if before.is_some_and(|before| before != now) {
            focus_id(QUERY_FIELD);
        }
        now
    });
    let newest = Memo::new(move |_| made.with(Vec::len));
    let come_back = move || {
        let has_come = |search: &&Searched| search.back != Back::Nothing;
        made.with(|made| made.iter().filter(has_come).count())
    };
    follow_newest(come_back, ".pworld-made > details");
    // Until something is done in the new world.
    let over = Memo::new(move |_| {
        let last = seat.view.and_then(|view| view.last.as_ref().map(before));
        last.filter(|_| newest.get() == 0)
    });
    view! {
        <Head seat now/>
        <div class="pworld">
            <p class="soft" role="status" hidden=move || over.is_none()>{over}</p>
            <section class="card stack-2 pworld-question" aria-labelledby="world-question">
                <h2 id="world-question" class="plog-head">{words::QUESTION}</h2>
                {move || match whole.get() {
                    Some(text) => any_view! { <div class="pworld-text read" lang=lang.get()>{text}</div> },
                    None => any_view! { <p class="big read" lang=lang.get()>{asked.get()}</p> },
                }}
            </section>
            <div class="pdesk pworld-desk">
                <DecisionClock deadline=seat.deadline/>
                <p class="pstatus" role="status">{status}</p>
                {move || scene.with(remark).map(|remark| view! { <p class="warn" role="alert" lang=lang.get()>{remark}</p> })}
                <div class="stack" role="group" aria-label=play::YOUR_DECISION>
                    {move || search.get().map(|form| view! { <Field form id=QUERY_FIELD seat turn lang/> })}
                    {move || answer.get().map(|form| view! { <Field form id=ANSWER_FIELD seat turn lang/> })}
                </div>
                <Refusals seat/>
            </div>
                {move || {
                    rules
                        .get()
                        .map(|rules| {
                            view! {
                                <details class="more" open=move || newest.get() == 0 && rules_matter(&rules)>
                                    <summary>{words::RULES}</summary>
                                    <div class="more-body pworld-text small" lang=lang.get()>{rules.clone()}</div>
                                </details>
                            }
                        })
                }}
            <Show when=move || search.is_some() || newest.get() != 0>
                <Made made newest lang/>
            </Show>
            <AsModel seat/>
        </div>
    }
}

/// What was searched for so far, the latest first, each with what came back.
#[component]
fn Made(made: Memo<Vec<Searched>>, newest: Memo<usize>, lang: Memo<&'static str>) -> impl IntoView {
    let latest_first = move || {
        let mut made = made.get();
        made.reverse();
        made
    };
    let row = move |search: Searched| {
        let number = search.number;
        view! {
            <details class="block pworld-page" open=move || newest.get() == number>
                <summary>
                    <span class="faint">{words::search_number(number)}</span>
                    <b lang=lang.get_untracked()>{search.query}</b>
                </summary>
                {page(&search.back, lang.get_untracked())}
            </details>
        }
    };
    view! {
        <section class="stack-2 pworld-made" aria-label=words::SEARCHES>
            <Show when=move || newest.get() == 0>
                <p class="soft">{words::NO_SEARCH_YET}</p>
            </Show>
            <For each=latest_first key=|search| (search.number, search.back != Back::Nothing) children=row/>
        </section>
    }
}

/// Guidance and examples are long; without them the rules say little that the form does not.
fn rules_matter(rules: &str) -> bool {
    const LONG: usize = 900;
    rules.len() > LONG
}

fn page(back: &Back, lang: &'static str) -> AnyView {
    match back {
        Back::Nothing => {
            any_view! { <p class="soft" aria-busy="true">{words::SEARCHING}</p> }
        }
        Back::Results(all) => results(all, Some(lang.to_owned())),
        Back::Text(text) => {
            any_view! { <div class="block-body" lang=lang>{text.clone()}</div> }
        }
    }
}

/// A form of one field. It keeps what was typed until the server has taken it, and the focus wherever it is.
#[component]
fn Field(
    form: ActionForm,
    id: &'static str,
    seat: LiveSeat,
    turn: Memo<Option<u32>>,
    lang: Memo<&'static str>,
) -> impl IntoView {
    let searches = form.name == SEARCH;
    // The fields stay from turn to turn, so what is typed in them does, too.
    provide_context(seat.unsent(0));
    let typed = typed(id, String::new);
    // The turn at which it was sent: once another is asked for, it was taken.
    let sent = RwSignal::new(None::<u32>);
    Effect::new(move |_| {
        let now = turn.get();
        let before = sent.get_untracked();
        if now.is_some() && before.is_some() && now != before {
            typed.set(String::new());
            sent.set(None);
        }
    });
    let ready = move || seat.open_turn().is_some() && typed.with(|typed| !typed.trim().is_empty());
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        if untrack(ready) {
            sent.set(turn.get_untracked());
            // A player who searches may have begun with the answer.
            seat.unsent(0).forget_field(id);
            seat.reply(form.text(&[typed.get_untracked()]));
        }
    };
    let (name, button, class, icon) = match searches {
        true => (words::QUERY, words::SEARCH, "btn btn-primary", "search"),
        false => (words::FINAL_ANSWER, words::ANSWER, "btn", "check"),
    };
    let hint = searches.then_some(words::QUERY_HINT);
    let note = (!searches).then(
        || view! { <span class="field-note" id="world-answer-note">{words::FINAL_NOTE}</span> },
    );
    let described = (!searches).then_some("world-answer-note");
    Effect::new(move |before: Option<()>| {
        // A player who comes to the table begins with the query.
        if before.is_none() && searches {
            focus_id(id);
        }
    });
    view! {
        <form class="field" on:submit=submit>
            <label for=id>{name}</label>
            <div class="pworld-line">
                <input
                    id=id
                    class="input"
                    type="text"
                    autocomplete="off"
                    enterkeyhint=if searches { "search" } else { "done" }
                    lang=lang
                    placeholder=hint
                    aria-describedby=described
                    bind:value=typed
                />
                <button class=class type="submit" disabled=move || !ready()>
                    <Icon name=icon/>
                    {button}
                </button>
            </div>
            {note}
        </form>
    }
}
