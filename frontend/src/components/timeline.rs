//! The turns of a transcript: as a conversation, or side by side, left what a seat could see and right what it did and what came of it.

mod block;
mod did;
mod seen;
mod talk;

use block::{block, plain};
use serde_json::Value;
use turnwise_shared::screen::event::line;

use crate::prelude::*;
use crate::strings::episode as words;
use crate::view::timeline::{DRAW, Exchange, Item, Timeline, TurnItem, in_part, part_of};

pub(crate) use did::failed;
pub(crate) use talk::instead;

/// Episodes of at most this many turns are drawn whole.
const WHOLE: usize = 120;

/// Everything that a timeline is drawn from.
#[derive(Debug, Clone)]
pub struct Reading {
    pub timeline: Arc<Timeline>,
    pub replayed: Signal<Option<Arc<Replayed>>>,
    /// What its calls took, where that is known.
    pub timings: Arc<BTreeMap<CallId, Timing>>,
    /// The benchmark, where this program has it.
    pub benchmark: Signal<Option<&'static dyn Benchmark>>,
    /// The language of the task's text.
    pub lang: Option<String>,
    /// Who sits in each seat of a game, e.g. `1` → `equity`; empty elsewhere.
    pub who: Arc<BTreeMap<String, String>>,
    /// Under what it was played.
    pub spec: Arc<Spec>,
    /// How the episode stands; it colours the answer.
    pub status: EpisodeStatus,
    /// The episode, or its grading, of which no player is shown anything.
    pub part: PartKey,
    /// Its run, where the server has it.
    pub run: Option<RunId>,
}

impl Reading {
    /// A turn in one sentence, with the name of who took it.
    pub fn sentence(&self, cell: &Cell) -> String {
        let who = self.who.get(cell.seat.as_str());
        turn::sentence_of(cell, self.status, who.map(String::as_str))
    }
}

/// Where the reader is, and what they asked to see.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The turn, if at one.
    pub now: Signal<Option<u32>>,
    /// Whether it is played turn by turn: what lies ahead is dimmed then.
    pub playing: Signal<bool>,
    /// Whether hidden text is shown.
    pub revealed: Signal<bool>,
    /// The turns that have what is looked for.
    pub found: Signal<Arc<Vec<u32>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Conversation,
    /// What was seen beside what was done.
    Sides,
}

/// The turns of an episode.
#[component]
pub fn TimelineView(
    reading: Reading,
    reader: Reader,
    /// What the ids of the turns begin with; `turn` for an episode.
    prefix: &'static str,
    #[prop(default = Layout::Sides)] layout: Layout,
) -> impl IntoView {
    let seats: BTreeSet<&str> =
        reading.timeline.cells.iter().map(|cell| cell.seat.as_str()).collect();
    let head = match seats.len() {
        0 => words::seen_head("player"),
        1 => words::seen_head(seats.first().unwrap_or(&"player")),
        _ => "Seen by the seat".to_owned(),
    };
    let withheld = reading.timeline.withheld;
    let count = reading.timeline.cells.len();
    // Long episodes are drawn in parts, that of the reader's turn.
    let part = Memo::new(move |_| match count {
        0..=WHOLE => None,
        _ => Some(part_of(reader.now.get().unwrap_or(1))),
    });
    let items = move || {
        let part = part.get();
        let drawn = in_part(&reading.timeline.items, part);
        let items: Vec<_> = drawn
            .iter()
            .map(|item| match item {
                Item::Turn(turn) => turn_view(turn, &reading, reader, prefix, layout),
                Item::Aside(exchange) => aside_view(exchange, &reading, reader, layout).into_any(),
                Item::Restarted { attempt, why } => restarted_view(*attempt, why).into_any(),
                // Chance is not news.
                Item::Event { name, .. } if name == DRAW && layout == Layout::Conversation => {
                    ().into_any()
                }
                Item::Event { name, detail } => event_view(name, detail, &reading),
            })
            .collect();
        items
    };
    let note = move || {
        part.get().map(|part| {
            let last = part.last.min(u32::try_from(count).unwrap_or(u32::MAX));
            view! { <p class="note small">{words::part(part.first, last, count)}</p> }
        })
    };
    view! {
        {(withheld > 0).then(|| view! { <p class="note">{words::withheld(withheld)}</p> })}
        {note}
        <ol class="tl" class:tl-talk=layout == Layout::Conversation translate="no">
            {(layout == Layout::Sides)
                .then(|| {
                    view! {
                        <li class="tl-cols" aria-hidden="true">
                            <span></span>
                            <span>{head}</span>
                            <span>"What it did"</span>
                        </li>
                    }
                })}
            {items}
        </ol>
    }
}

fn turn_view(
    item: &TurnItem,
    reading: &Reading,
    reader: Reader,
    prefix: &'static str,
    layout: Layout,
) -> AnyView {
    let index = item.turn.index;
    let cell = reading.timeline.cell(index);
    let is_now = move || reader.now.get() == Some(index);
    let is_ahead = move || reader.playing.get() && reader.now.get().is_some_and(|now| now < index);
    let is_found = move || reader.found.with(|found| found.contains(&index));
    let body = match layout {
        Layout::Conversation => {
            any_view! { <div class="tl-did">{talk::view(item, reading, reader)}</div> }
        }
        Layout::Sides => any_view! {
            <div class="tl-seen">
                <p class="tl-label">{words::seen_head(item.turn.seat.as_str())}</p>
                {seen::view(item.turn.call, reading, reader)}
            </div>
            <div class="tl-did">{did::view(item, reading, reader)}</div>
        },
    };
    any_view! {
        <li class="tl-turn" class:is-now=is_now class:is-ahead=is_ahead class:is-found=is_found id=format!("{prefix}-{index}")>
            <div class="tl-mark">{cell.map(|cell| mark_view(cell, reading.status))}</div>
            {body}
        </li>
    }
}

fn mark_view(cell: &Cell, status: EpisodeStatus) -> impl IntoView + use<> {
    view! {
        <span class="ribbon" aria-hidden="true">
            <span class=turn::classes(cell, status)>{turn::letter(cell, status).to_string()}</span>
        </span>
        <span class="tl-no">{cell.turn}</span>
    }
}

/// A call that belongs to no turn.
fn aside_view(
    exchange: &Exchange,
    reading: &Reading,
    reader: Reader,
    layout: Layout,
) -> impl IntoView + use<> {
    let who = match &exchange.request {
        Request::Ask { seat, .. } => words::the_seat(seat.as_str()),
        Request::Search(_) => words::THE_ENGINE.to_owned(),
        Request::Draw { .. } => words::CHANCE.to_owned(),
        Request::Use(used) => words::tool(used.name()).to_owned(),
    };
    let seat = exchange.request.seat().map(ToString::to_string);
    let seen = (layout == Layout::Sides).then(|| {
        view! {
            <div class="tl-seen">
                {seat.map(|seat| view! { <p class="tl-label">{words::seen_head(&seat)}</p> })}
                {seen::view(exchange.call, reading, reader)}
            </div>
        }
    });
    view! {
        <li class="tl-turn">
            <div class="tl-mark">
                <span class="ribbon" aria-hidden="true">
                    <span class="turn k-waiting">"·"</span>
                </span>
            </div>
            {seen}
            <div class="tl-did">
                <div class="tl-head">
                    <h3>{format!("A call to {who} that became no turn")}</h3>
                    <span class="meta">{did::timing(exchange.call, reading)}</span>
                </div>
                {did::reply(exchange, reading)}
            </div>
        </li>
    }
}

/// What happened in the world, as a quiet line: in words, where the benchmark has words for it.
fn event_view(name: &str, detail: &Value, reading: &Reading) -> AnyView {
    let (name, detail) = (name.to_owned(), detail.clone());
    let (benchmark, spec) = (reading.benchmark, Arc::clone(&reading.spec));
    let event = move || {
        let told =
            benchmark.get().and_then(|benchmark| benchmark.event_in_words(&spec, &name, &detail));
        match told {
            Some(told) if told.is_empty() => None,
            Some(told) => Some(any_view! { <li class="tl-event">{told}</li> }),
            None => Some(any_view! {
                <li class="tl-event">
                    <b>{turn::words(&name)}</b>
                    " "
                    {line(&detail)}
                </li>
            }),
        }
    };
    event.into_any()
}

fn restarted_view(attempt: u32, why: &str) -> impl IntoView + use<> {
    view! {
        <li class="tl-turn">
            <div class="tl-mark"></div>
            <div class="tl-did">
                {block("b-fault", words::restarted(attempt), None, plain(why, None))}
            </div>
        </li>
    }
}
