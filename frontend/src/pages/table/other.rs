//! Any other seat: the player of a question, and the seats that answer it, search for it or grade it. Each shows what a model
//! in the same seat is sent, and has a form for what the model would have to write.

use crate::at_table::frame::{AsModel, Head, Refusals, follow_newest};
use crate::at_table::people_at;
use crate::benchmarks::{OwnForm, screen};
use crate::components::keys::focus_id;
use crate::components::picture::Album;
use crate::components::play::clock::DecisionClock;
use crate::components::play::forms::{Called, FIELD, Forms};
use crate::components::play::scene::scene_view;
use crate::components::play::talk::Conversation;
use crate::components::rules::Rules;
use crate::live_seat::LiveSeat;
use crate::person::{Asked, own_desk};
use crate::prelude::*;
use crate::strings::{person, play as words};
use crate::view::asked::follows;
use crate::view::talk::Talk;

#[component]
pub fn OtherPage(seat: LiveSeat) -> impl IntoView {
    let own = Memo::new(move |_| seat.view.map(|view| view.seat.clone()));
    let run = seat.view.with_untracked(|view| view.as_ref().map(|view| view.table.run.clone()));
    if let Some(run) = run {
        provide_context(Album { run, ticket: Some(seat.kept().ticket) });
    }
    move || match own.get() {
        Some(own) if follows(&own) => any_view! { <Player seat/> },
        Some(own) => any_view! { <Beside seat own/> },
        None => ().into_any(),
    }
}

fn part(seat: LiveSeat) -> Signal<String> {
    Signal::derive(move || {
        seat.view.with(|view| {
            let Some(view) = view else {
                return String::new();
            };
            let name = registry::find(&view.table.benchmark).map_or("", |game| game.title());
            words::part(name, view.episode, view.table.episodes)
        })
    })
}

/// The seat under evaluation: the episode so far, and the next action.
#[component]
fn Player(seat: LiveSeat) -> impl IntoView {
    let scene = Memo::new(move |_| seat.view.map(|view| view.scene.clone()));
    let asked = Memo::new(move |_| {
        seat.view.and_then(|view| {
            let ask = view.ask.as_ref()?;
            let benchmark = registry::find(&view.table.benchmark).ok()?;
            Some((ask.turn, Same(benchmark), question(view)?, ask.understood.clone()))
        })
    });
    let talk = Memo::new(move |_| scene.with(|scene| Talk::of(scene.as_ref()?)));
    follow_newest(move || talk.map(Talk::replies).unwrap_or(0), ".pother > .chat > :last-child");
    let open = Signal::derive(move || seat.open_turn().is_some());
    // A person who was typing goes on typing: the field of the next turn takes the focus that this one had.
    let writes = StoredValue::new(false);
    let decide = Callback::new(move |text| {
        writes.set_value(true);
        seat.reply(text);
    });
    let controls = move || match asked.get() {
        Some((turn, Same(benchmark), question, understood)) => {
            provide_context(seat.unsent(turn));
            let own = screen(benchmark.name());
            if let Some(OwnForm::Controls { draw, .. }) =
                own.and_then(|own| own.answer_form(&question))
            {
                return own_desk(draw(open, decide), understood);
            }
            let begins = own.map(|own| own.begins(&question)).unwrap_or_default();
            let expect =
                benchmark.expects_of_person(&question.seat, &question.expect, &question.scene);
            let called = benchmark.people().map_or(&[] as Called, |people| people.choices);
            if writes.get_value() {
                writes.set_value(false);
                request_animation_frame(|| focus_id(FIELD));
            }
            any_view! { <Forms expect open decide begins called understood/> }
        }
        None => any_view! { <p class="soft" role="status">{words::WAIT}</p> },
    };
    let gauges = Signal::derive(move || {
        scene.with(|scene| scene.as_ref().map_or_else(Vec::new, |scene| scene.gauges.clone()))
    });
    let is_talk = Memo::new(move |_| talk.is_some());
    let shown = move || match is_talk.get() {
        true => {
            let talk = Signal::derive(move || talk.get().unwrap_or_default());
            any_view! { <Conversation talk gauges/> }
        }
        false => {
            any_view! { <div class="stack-2">{move || scene.get().map(|scene| scene_view(&scene))}</div> }
        }
    };
    let has_begun = Memo::new(move |_| scene.is_some_and(has_moved));
    let rules = move || {
        let lie = match has_begun.get() {
            true => Rules::Folded,
            false => Rules::Open,
        };
        view! { <AsModel seat lie/> }
    };
    // Until something is done in the new episode.
    let before = Memo::new(move |_| {
        seat.view.and_then(|view| {
            let last = view.last.as_ref().filter(|_| !has_moved(&view.scene))?;
            let scene = last.reveal.as_ref().unwrap_or(&last.scene);
            Some((
                format!(
                    "{} {} is over",
                    crate::strings::capitalised(people_at(seat).episode.0),
                    last.episode
                ),
                scene.clone(),
            ))
        })
    });
    let before = move || {
        before.get().map(|(heading, scene)| {
            view! {
                <details class="more">
                    <summary>{heading}</summary>
                    <div class="more-body stack-2">{scene_view(&scene)}</div>
                </details>
            }
        })
    };
    view! {
        <Head seat now=part(seat)/>
        <div class="pother">
            {before}
            {shown}
            <div class="pdesk">
                <DecisionClock deadline=seat.deadline/>
                {controls}
                <Refusals seat/>
            </div>
            {rules}
        </div>
    }
}

/// Whether any action was taken in an episode.
fn has_moved(scene: &Scene) -> bool {
    let mut blocks = scene.blocks.iter();
    blocks.any(|block| matches!(block, Block::Act { .. }))
}

/// What a seat is asked.
fn question(view: &SeatView) -> Option<Question> {
    let ask = view.ask.as_ref()?;
    Some(Question {
        seat: view.seat.clone(),
        expect: ask.expect.clone(),
        messages: ask.messages.clone(),
        parts: ask.parts.clone(),
        scene: view.scene.clone(),
    })
}

/// A benchmark, which is the same as long as its name is.
#[derive(Clone, Copy)]
struct Same(&'static dyn Benchmark);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

/// A seat that is asked one thing at a time.
#[component]
fn Beside(seat: LiveSeat, own: Seat) -> impl IntoView {
    let asked = Memo::new(move |_| {
        seat.view.and_then(|view| {
            let benchmark = registry::find(&view.table.benchmark).ok()?;
            Some((view.ask.as_ref()?.turn, Same(benchmark), question(view)?))
        })
    });
    let open = Signal::derive(move || seat.open_turn().is_some());
    let said = Callback::new(move |text| seat.reply(text));
    let body = move || match asked.get() {
        Some((turn, Same(benchmark), question)) => {
            let rules = if turn == 1 { Rules::Open } else { Rules::Folded };
            provide_context(seat.unsent(turn));
            any_view! { <Asked benchmark question open said rules/> }
        }
        None => any_view! { <p class="soft" role="status">{words::WAIT}</p> },
    };
    view! {
        <Head seat now=part(seat)/>
        <div class="pother">
            <section class="card person">
                <h2>{person::asked_as(own.as_str())}</h2>
                <DecisionClock deadline=seat.deadline/>
                {body}
                <Refusals seat/>
            </section>
        </div>
    }
}
