//! What people in seats of this page are asked, one question after the other: on the page of a run.

mod languages;
mod over;
mod words;

use languages::Languages;
use over::Over;
use turnwise_shared::benchmark::people::Understands;
use words::Words;

use crate::benchmarks::{OwnForm, Screen, screen};
use crate::clicks::ignore_second_click;
use crate::components::keys::{focus_id, on_key_first};
use crate::components::overlay::{Looking, Overlay, Side};
use crate::components::picture::{Album, Picture};
use crate::components::play::bet::BetControls;
use crate::components::play::bets::{Options, text, your_turn};
use crate::components::play::forms::{Called, Forms};
use crate::components::play::messages::as_model;
use crate::components::play::scene::scene_view;
use crate::components::rules::{Rules, rules_of};
use crate::later::{later, piece};
use crate::live::{Driving, RunView};
use crate::people::{People, Waiting, has_people};
use crate::prelude::*;
use crate::strings::person as strings;
use crate::strings::play::{STILL_OPEN, YOUR_DECISION};
use crate::unsent::Unsent;
use crate::view::asked::{self, AnswerForm, QuestionPart};
use crate::{api, clock};

/// The id of what is shown; it takes the focus when another question follows.
const ASKED: &str = "person-asked";

/// The id of the queue, which is brought into sight when its first question comes.
const QUEUE: &str = "person-queue";

/// The keys that answered the question that was shown last.
#[derive(Clone, Copy)]
struct Keys(StoredValue<Vec<String>>);

impl Keys {
    fn has(self, key: &str) -> bool {
        let key = key.to_lowercase();
        self.0.with_value(|keys| keys.contains(&key))
    }
}

/// Milliseconds for which the keys that answer do nothing else after the last question is gone.
const ECHO: f64 = 3000.0;

/// A part of more lines scrolls in itself, so that the controls below it stay in reach.
const MOST_LINES: usize = 24;

later! {
    /// What people in seats of this page are asked.
    work fetch fetch_work: fn queue(view: RunView) -> AnyView {
        any_view! { <Queue view/> }
    }
}

/// The queue of questions; nothing where no person sits.
#[component]
pub fn PeopleQueue(view: RunView) -> impl IntoView {
    let is_seated = Memo::new(move |_| {
        let people =
            |info: &Option<RunInfo>| info.as_ref().is_some_and(|info| has_people(&info.spec));
        view.control.is_some() && view.info.with(people)
    });
    // The last question takes its keys with it, and one that is pressed once more must not lead away from the run.
    let gone = StoredValue::new(f64::NEG_INFINITY);
    Effect::new(move |was: Option<bool>| {
        let is = is_seated.get();
        if was == Some(true) && !is {
            gone.set_value(clock::now());
        }
        is
    });
    let keys = Keys(StoredValue::new(Vec::new()));
    provide_context(keys);
    on_key_first(move |event| {
        let is_echo = !is_seated.get_untracked() && clock::now() - gone.get_value() < ECHO;
        if is_echo && keys.has(&event.key()) {
            event.prevent_default();
        }
    });
    let asked = move || is_seated.get().then(|| piece(fetch_work(), move || queue(view)));
    view! {
        {asked}
        <Over view/>
    }
}

#[component]
fn Queue(view: RunView) -> impl IntoView {
    let shown = Memo::new(move |_| view.people.with(|people| people.shown().cloned()));
    // Questions of other tasks, for which this one can be left.
    let others = Memo::new(move |_| view.people.with(People::others));
    let answered = Memo::new(move |_| view.people.with(|people| people.answered));
    let seat = Memo::new(move |_| {
        view.people.with(|people| {
            let one = people.shown().or(people.waiting.first())?;
            Some(one.question.seat.clone())
        })
    });
    let place = Memo::new(move |_| place_in_run(view, &seat.get()?));
    let benchmark = move || {
        let info = view.info.get_untracked()?;
        registry::find(&info.spec.benchmark).ok()
    };
    let held = Memo::new(move |_| {
        view.people.with(|people| {
            let held = people.held.as_ref()?;
            Some(match own_or_declared(benchmark()?, &held.waiting.question) {
                Controls::Declared(desk) => asked::said(&desk, &held.text),
                Controls::Own { .. } => strings::WRITTEN.to_owned(),
            })
        })
    });
    let keys = use_context::<Keys>();
    Effect::new(move |_| {
        let Some((keys, benchmark)) = keys.zip(benchmark()) else {
            return;
        };
        shown.with(|shown| {
            let Some(waiting) = shown else { return };
            if let Controls::Declared(AnswerForm::Words(words)) =
                own_or_declared(benchmark, &waiting.question)
            {
                let words = words.into_iter();
                keys.0.set_value(words.map(|word| word.key).collect());
            }
        });
    });
    let is_paused =
        Memo::new(move |_| view.pace.is_some_and(|pace| pace.driving == Driving::Paused));
    // A person who answers here goes on here; one who reads elsewhere is not torn away.
    let follows = StoredValue::new(false);
    let reply = Callback::new(move |(ticket, text): (Ticket, String)| {
        ignore_second_click();
        follows.set_value(has_focus());
        view.order(|control| control.reply(&ticket, text));
    });
    Effect::new(move |_| {
        if shown.is_some() && follows.get_value() {
            follows.set_value(false);
            request_animation_frame(focus_asked);
        }
    });
    // A person who has only just come is led to the first question.
    let is_led = StoredValue::new(false);
    Effect::new(move |_| {
        if shown.is_some() && !is_led.get_value() {
            is_led.set_value(true);
            request_animation_frame(lead_to_asked);
        }
    });
    let later = move || {
        ignore_second_click();
        view.order(|control| {
            follows.set_value(has_focus());
            control.postpone();
        });
    };
    let undo = move || {
        ignore_second_click();
        view.order(|control| {
            follows.set_value(has_focus());
            control.take_back();
        });
    };
    on_key_first(move |event| match event.key().as_str() {
        // A person who answers faster than questions come up must not be led away by a key of the page.
        key if keys.is_some_and(|keys| keys.has(key)) && shown.with_untracked(Option::is_none) => {
            event.prevent_default();
        }
        "l" if others.get_untracked() > 0 => {
            event.prevent_default();
            later();
        }
        "u" if held.with_untracked(Option::is_some) => {
            event.prevent_default();
            undo();
        }
        _ => {}
    });
    let heading = move || {
        shown.with(|shown| match shown {
            Some(waiting) => {
                let place = place.get().map(|(number, about)| strings::place(number, about));
                let asked = strings::asked_as(waiting.question.seat.as_str());
                place.map_or(asked.clone(), |place| format!("{asked} · {place}"))
            }
            None => "Nothing to answer now".to_owned(),
        })
    };
    let spoken = move || {
        shown.with(|shown| {
            let parts = asked::parts(&shown.as_ref()?.question, &[]);
            parts.into_iter().find(|part| part.is_point)
        })
    };
    view! {
        <section class="card person" id=QUEUE aria-labelledby="person-head">
            <div class="person-head">
                <h2 id="person-head">{heading}</h2>
                <span class="push row">
                    <Show when=move || held.is_some()>
                        <span class="small soft">{move || held.get().map(|text| format!("Answered: {text}"))}</span>
                        <button class="btn btn-small" type="button" on:click=move |_| undo()>
                            "Undo"
                            <kbd aria-hidden="true">"U"</kbd>
                        </button>
                    </Show>
                    <button
                        class="btn btn-small btn-quiet"
                        type="button"
                        title="Take another task first"
                        hidden=move || others.get() == 0
                        on:click=move |_| later()
                    >
                        "Later"
                        <kbd aria-hidden="true">"L"</kbd>
                    </button>
                </span>
            </div>
            <Languages view/>
            <p class="sr" role="status">
                {move || spoken().map(|part| format!("{}: {}", part.title, part.text))}
            </p>
            <Show when=move || is_paused.get()>
                <p class="warn">"The run is paused. Your answers are kept; new questions come after Resume."</p>
            </Show>
            {move || match shown.get() {
                Some(waiting) => asked_view(view, benchmark(), &waiting, reply, answered.get_untracked() == 0),
                None => any_view! {
                    <p class="soft read">
                        {move || match others.get() {
                            0 => "The others play. The next question appears here by itself and waits for you; \
                                you may leave and come back.",
                            _ => "The next question of this task is on its way. Press Later to take another task first.",
                        }}
                    </p>
                },
            }}
        </section>
    }
}

/// Which question of the run the next one is, and of about how many, once a task is over that lets expect it.
fn place_in_run(view: RunView, seat: &Seat) -> Option<(u64, Option<u64>)> {
    let in_open = view.people.with(|people| u64::from(people.answered_in_open()));
    let (over, before) = view.summaries.with(|summaries| {
        let over = summaries.values().filter(|one| one.ending.is_some());
        let calls = |summary: &Summary| {
            let usage = summary.usage.get(seat.as_str());
            usage.map_or(0, |usage| u64::from(usage.calls))
        };
        over.fold((0_u64, 0_u64), |(over, all), one| (over + 1, all + calls(one)))
    });
    view.info.and_then(|info| {
        let number = before + in_open + 1;
        let planned = u64::from(info.episodes);
        let about = (over > 0).then(|| (before * planned).div_ceil(over).max(number));
        Some((number, about))
    })
}

/// One question of the queue.
fn asked_view(
    view: RunView,
    benchmark: Option<&'static dyn Benchmark>,
    waiting: &Waiting,
    reply: Callback<(Ticket, String)>,
    first: bool,
) -> AnyView {
    let ticket = waiting.ticket.clone();
    let run = view.info.with_untracked(|info| info.as_ref().map(|info| info.run.clone()));
    if let Some(run) = run.clone() {
        provide_context(Album::from(run));
    }
    let unsent = run.map(|run| {
        let Ticket { episode, call, digest } = &ticket;
        Unsent::of(&run, format!("{episode}.{}.{digest}", call.0))
    });
    if let Some(unsent) = &unsent {
        provide_context(unsent.clone());
    }
    let said = Callback::new(move |text: String| {
        if let Some(unsent) = &unsent {
            unsent.forget();
        }
        reply.run((ticket.clone(), text));
    });
    let rules = if first { Rules::Open } else { Rules::Folded };
    let question = waiting.question.clone();
    let body = benchmark.map(|benchmark| {
        let info = view.info.get_untracked();
        let understands = info.and_then(|info| benchmark.understands(&info.spec, &question.seat));
        view! { <Asked benchmark question open=true said rules understands/> }
    });
    any_view! {
        <div id=ASKED tabindex="-1" role="group" aria-labelledby="person-head">
            {body}
        </div>
    }
}

/// What a question is answered with: as its benchmark draws it, or as it declares it.
enum Controls {
    Own {
        lists: &'static [&'static str],
        draw: Box<dyn FnOnce(Signal<bool>, Callback<String>) -> AnyView>,
    },
    Declared(AnswerForm),
}

fn own_or_declared(benchmark: &dyn Benchmark, question: &Question) -> Controls {
    match screen(benchmark.name()).and_then(|screen| screen.answer_form(question)) {
        Some(OwnForm::Controls { lists, draw }) => Controls::Own { lists, draw },
        Some(OwnForm::Words(words)) => Controls::Declared(AnswerForm::Words(words)),
        None => Controls::Declared(asked::desk(benchmark, question)),
    }
}

/// One question, and what it is answered with. It is drawn anew for every question.
#[component]
pub fn Asked(
    benchmark: &'static dyn Benchmark,
    question: Question,
    /// Whether it can still be answered here.
    #[prop(into)]
    open: Signal<bool>,
    /// Takes the text of the answer.
    said: Callback<String>,
    rules: Rules,
    /// What is understood of the answer, where only some of it is and this page has to look.
    #[prop(optional_no_strip)]
    understands: Option<&'static Understands>,
) -> impl IntoView {
    let question = &question;
    let refused = RwSignal::new(None);
    let said = Callback::new(move |text: String| {
        let why = understands.and_then(|one| one.refuses(&text));
        let is_refused = why.is_some();
        refused.set(why.map(|why| api::error("unfit", why)));
        if !is_refused {
            said.run(text);
        }
    });
    let own = screen(benchmark.name());
    let scene = asked::draws_scene(question).then(|| scene_view(&question.scene));
    let bets = asked::card_table(question).and_then(|table| {
        let options = Options::of(&question.expect, table)?;
        Some(bets_view(table, options, open, said))
    });
    let controls = own_or_declared(benchmark, question);
    let lists = match &controls {
        Controls::Own { lists, .. } => *lists,
        Controls::Declared(_) => &[],
    };
    let parts: Vec<_> =
        asked::parts(question, lists).into_iter().map(|part| part_view(own, part)).collect();
    let desk = bets.unwrap_or_else(|| match controls {
        Controls::Own { draw, .. } => own_desk(draw(open, said), understands.map(|one| one.about)),
        Controls::Declared(AnswerForm::Words(words)) => {
            let put = asked::put(benchmark, question);
            let put = put.map(|put| view! { <p class="strong">{put}</p> });
            any_view! {
                <div class="stack-2">{put} <Words words open said/></div>
            }
        }
        Controls::Declared(AnswerForm::Forms(expect)) => {
            let begins = own.map(|own| own.begins(question)).unwrap_or_default();
            let called = benchmark.people().map_or(&[] as Called, |people| people.choices);
            let understood = understands.map(|one| one.about.to_owned());
            any_view! { <Forms expect open decide=said begins called understood/> }
        }
    });
    view! {
        <div class="stack">
            {scene}
            {(!parts.is_empty()).then(|| view! { <dl class="person-parts">{parts}</dl> })}
            {pictures(own, question)}
            <div class="person-desk">{desk}</div>
            <Trouble problem=refused meaning=STILL_OPEN/>
            {rules_of(benchmark, &question.seat, rules)}
            <details class="more">
                <summary>"The prompt, as a model gets it"</summary>
                <div class="more-body stack-2">{as_model(&question.messages)}</div>
            </details>
        </div>
    }
}

/// Controls that a benchmark draws, and what is understood of the answer where only some of it is.
pub fn own_desk(controls: AnyView, understood: Option<impl Into<String>>) -> AnyView {
    let understood = understood.map(Into::into);
    any_view! {
        <div class="pforms" role="group" aria-label=YOUR_DECISION>
            {controls}
            {understood.map(|about| view! { <p class="small soft" id="say-understood">{about}</p> })}
        </div>
    }
}

/// The pictures of a request; two are compared.
fn pictures(screen: Option<&dyn Screen>, question: &Question) -> Option<AnyView> {
    let names = screen.map_or(&[] as &[_], |screen| screen.pictures());
    let all = question.messages.iter().flat_map(|message| &message.pictures).copied();
    let all = all.enumerate().map(|(at, picture)| {
        let name = names.get(at).map_or_else(|| format!("Picture {}", at + 1), ToString::to_string);
        Side { name, picture, layout: None }
    });
    let album = use_context::<Album>();
    match <[Side; 2]>::try_from(all.collect::<Vec<_>>()) {
        Ok(sides) => Some(any_view! { <Overlay sides album looking=Looking::default()/> }),
        Err(others) if others.is_empty() => None,
        Err(others) => {
            let one = |Side { name, picture, .. }| {
                view! { <Picture picture album=album.clone() label=name/> }
            };
            Some(others.into_iter().map(one).collect_view().into_any())
        }
    }
}

/// The controls at a card table.
fn bets_view(
    table: &CardTable,
    options: Options,
    open: Signal<bool>,
    said: Callback<String>,
) -> AnyView {
    let known = options.clone();
    let decide = Callback::new(move |decision| said.run(text(decision, &known)));
    any_view! {
        <div class="stack-2">
            <p class="pstatus">{your_turn(table)}</p>
            <BetControls options open decide/>
        </div>
    }
}

fn part_view(screen: Option<&dyn Screen>, part: QuestionPart) -> AnyView {
    if let Some(draft) = screen.and_then(|screen| screen.part(&part.name, &part.text)) {
        return any_view! {
            <div class="is-draft">
                <dt>{part.title}</dt>
                <dd class="stack-2">{draft}</dd>
            </div>
        };
    }
    let is_long = part.text.lines().nth(MOST_LINES).is_some();
    any_view! {
        <div class:is-point=part.is_point class:is-code=part.is_code class:is-long=is_long>
            <dt>{part.title}</dt>
            <dd lang=part.lang class:bad=part.is_fault tabindex=is_long.then_some("0")>
                {part.text}
            </dd>
        </div>
    }
}

/// Whether the focus is within the question that is shown.
fn has_focus() -> bool {
    let selector = format!("#{ASKED}, .person-head");
    document()
        .active_element()
        .is_some_and(|element| element.closest(&selector).ok().flatten().is_some())
}

/// Gives the focus to the question and brings it into sight, if the page lies as it was opened and nothing has the focus.
fn lead_to_asked() {
    let has_begun = document()
        .active_element()
        .is_some_and(|element| !matches!(element.tag_name().as_str(), "BODY" | "MAIN" | "HTML"));
    let is_scrolled = window().scroll_y().is_ok_and(|scrolled| scrolled > 0.0);
    if has_begun || is_scrolled {
        return;
    }
    focus_asked();
    // Browsers scroll to the focus each in its own way.
    window().scroll_to_with_x_and_y(0.0, 0.0);
    if let Some(queue) = document().get_element_by_id(QUEUE) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        queue.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

fn focus_asked() {
    focus_id(ASKED);
}
