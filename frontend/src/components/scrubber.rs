//! The ribbon on top of an episode, as the slider of its replay.

use crate::components::keys::on_key;
use crate::prelude::*;
use crate::strings::episode as words;

/// How long a turn stays while an episode is played.
const BEAT: Duration = Duration::from_millis(1400);

/// How fast an episode is played, and what that is called; the first is usual.
const SPEEDS: [(f64, &str); 4] = [(1.0, "1×"), (2.0, "2×"), (4.0, "4×"), (0.5, "½×")];

/// Ribbons of this many cells have columns on them.
const TALL: usize = 24;

/// Cells that are drawn at once.
const WHOLE: usize = 120;

/// The ribbon of an episode with slider, buttons and keys.
#[component]
pub fn Scrubber(
    cells: Arc<Vec<Cell>>,
    status: EpisodeStatus,
    /// How high the column above a cell is, 1 to 8; empty where nothing is known.
    levels: BTreeMap<u32, u32>,
    /// The turn at which the reader is.
    now: Signal<Option<u32>>,
    /// Wishes to be at another.
    go: Callback<Option<u32>>,
    /// Whether the episode is played turn by turn.
    playing: RwSignal<bool>,
    /// The address of a turn.
    #[prop(into)]
    href: Callback<u32, String>,
    /// The language of the task's text.
    lang: Option<String>,
    /// Who sits in each seat of a game.
    who: Arc<BTreeMap<String, String>>,
    /// The turns that have what is looked for.
    found: Memo<Arc<Vec<u32>>>,
    /// The field for what is looked for.
    find: ViewFn,
    /// What was said and what is right, in few words: seen while the bar is stuck.
    said: ViewFn,
    /// The element, for a parent that needs its height.
    element: NodeRef<html::Div>,
) -> impl IntoView {
    let turns: Vec<u32> = cells.iter().map(|cell| cell.turn).collect();
    let (first, last) = (turns.first().copied(), turns.last().copied());
    let count = turns.len();
    let turns = StoredValue::new(turns);
    let after = move |now: Option<u32>| {
        turns.with_value(|turns| match now {
            None => turns.first().copied(),
            Some(now) => turns.iter().copied().find(|turn| *turn > now),
        })
    };
    let before = move |now: Option<u32>| {
        turns.with_value(|turns| {
            turns.iter().copied().rev().find(|turn| now.is_none_or(|now| *turn < now))
        })
    };
    let by_hand = move |to: Option<u32>| {
        if to.is_some() {
            playing.set(false);
            go.run(to);
        }
    };
    let play = move || {
        if playing.get_untracked() {
            playing.set(false);
        } else if count > 0 {
            // From the end it begins again.
            if now.get_untracked().is_none() || now.get_untracked() == last {
                go.run(first);
            }
            playing.set(true);
        }
    };
    // A beat begins when playing begins.
    let beat = StoredValue::new(None::<IntervalHandle>);
    let rest = move || {
        beat.update_value(|beat| {
            if let Some(beat) = beat.take() {
                beat.clear();
            }
        });
    };
    let speed = RwSignal::new(0_usize);
    Effect::new(move |_| {
        rest();
        let (times, _) = SPEEDS[speed.get()];
        if !playing.get() {
            return;
        }
        let step = move || match after(now.get_untracked()) {
            Some(next) => go.run(Some(next)),
            None => playing.set(false),
        };
        // Without a window there is no timer either.
        beat.set_value(set_interval_with_handle(step, BEAT.div_f64(times)).ok());
    });
    on_cleanup(rest);
    // A button that was pressed with the mouse or a finger keeps the focus, but who presses Space next means the replay.
    let by_pointer = StoredValue::new(false);
    let pointer = window_event_listener(ev::pointerdown, move |_| by_pointer.set_value(true));
    on_cleanup(move || pointer.remove());
    on_key(move |event| {
        let to = match event.key().as_str() {
            "Tab" => {
                by_pointer.set_value(false);
                return;
            }
            "ArrowLeft" | "k" => before(now.get_untracked()).or(first),
            "ArrowRight" | "j" => after(now.get_untracked()).or(last),
            "Home" => first,
            "End" => last,
            " " if by_pointer.get_value() || !is_on_control(event) => {
                event.prevent_default();
                play();
                return;
            }
            _ => return,
        };
        event.prevent_default();
        by_hand(to);
    });
    let has_levels = !levels.is_empty();
    let class = match has_levels && count <= TALL {
        true => "ribbon by-height",
        false => "ribbon",
    };
    // Of a long episode only the part around the reader's turn is drawn.
    let part = Memo::new(move |_| match count {
        0..=WHOLE => 0,
        _ => {
            let now = now.get().or(last).unwrap_or(1);
            turns.with_value(|turns| turns.partition_point(|turn| *turn < now)) / WHOLE
        }
    });
    let named = move |cell: &Cell| {
        let who = who.get(cell.seat.as_str());
        turn::sentence_of(cell, status, who.map(String::as_str))
    };
    let (shown, name) = (Arc::clone(&cells), named.clone());
    let link = move |at: usize, cell: &Cell| {
        let cells = &shown;
        let index = cell.turn;
        let mut class = turn::classes(cell, status);
        if turn::opens_round(cells, at) {
            class.push_str(" opens");
        }
        if let Some(level) = levels.get(&index) {
            class.push_str(&format!(" lv-{level}"));
        }
        let is_now = move || now.get() == Some(index);
        let is_ahead = move || playing.get() && now.get().is_some_and(|now| now < index);
        let is_found = move || found.with(|found| found.contains(&index));
        let label = words::cell(index, &name(cell));
        let title = label.clone();
        let label = move || match is_found() {
            true => format!("{label}, {}", "matches the search"),
            false => label.clone(),
        };
        any_view! {
            <li>
                <a
                    class=class
                    class:is-now=is_now
                    class:is-ahead=is_ahead
                    class:is-found=is_found
                    href=href.run(index)
                    aria-current=move || is_now().then_some("step")
                    aria-label=label
                    title=title
                    on:click=move |event| {
                        event.prevent_default();
                        by_hand(Some(index));
                    }
                >
                    {turn::letter(cell, status).to_string()}
                </a>
            </li>
        }
    };
    let all = Arc::clone(&cells);
    let links = move || {
        let from = part.get() * WHOLE;
        let drawn = all.iter().enumerate().skip(from).take(WHOLE);
        drawn.map(|(at, cell)| link(at, cell)).collect::<Vec<_>>()
    };
    let sentence = {
        let (cells, named) = (Arc::clone(&cells), named.clone());
        move || {
            let now = now.get()?;
            let cell = cells.iter().find(|cell| cell.turn == now)?;
            Some(named(cell))
        }
    };
    let spoken = sentence.clone();
    let position = move || now.get().or(last).unwrap_or(1);
    let at = move || match now.get() {
        Some(now) => words::at(now, count),
        None => words::all_turns(count),
    };
    let step = move |name: &'static str, label: &'static str, to: Callback<(), Option<u32>>| {
        view! {
            <button
                class="btn-icon"
                type="button"
                aria-label=label
                title=label
                on:click=move |_| by_hand(to.run(()))
            >
                <Icon name/>
            </button>
        }
    };
    let ribbon = NodeRef::<html::Ol>::new();
    // The ribbon is one line: the reader's turn is brought into it.
    Effect::new(move |_| {
        now.track();
        part.track();
        if let Some(ribbon) = ribbon.get() {
            request_animation_frame(move || keep_in_line(&ribbon));
        }
    });
    let hint = match has_levels && count <= TALL {
        true => "Column above a cell: tokens of the turn.",
        false => "",
    };
    view! {
        <div class="replay" node_ref=element>
            <div class="replay-in">
                <div class="replay-line">
                    <ol class=class node_ref=ribbon title=hint>{links}</ol>
                    {find.run()}
                    <span class="replay-said">{said.run()}</span>
                </div>
                <div class="replay-row">
                    <div class="replay-steps">
                        {step("first", "First turn", Callback::new(move |()| first))}
                        {step("step-back", "Previous turn", Callback::new(move |()| before(now.get_untracked()).or(first)))}
                        <button
                            class="btn-icon"
                            type="button"
                            aria-pressed=move || playing.get().to_string()
                            aria-label=move || if playing.get() { words::STOP } else { words::PLAY }
                            title=move || if playing.get() { words::STOP } else { words::PLAY }
                            on:click=move |_| play()
                        >
                            {move || if playing.get() {
                                view! { <Icon name="pause"/> }
                            } else {
                                view! { <Icon name="play"/> }
                            }}
                        </button>
                        {step("step", "Next turn", Callback::new(move |()| after(now.get_untracked()).or(last)))}
                        {step("last", "Last turn", Callback::new(move |()| last))}
                        <button
                            class="btn-icon replay-speed"
                            type="button"
                            title="Speed"
                            aria-label=move || format!("Speed {}", SPEEDS[speed.get()].1)
                            on:click=move |_| speed.update(|at| *at = (*at + 1) % SPEEDS.len())
                        >
                            {move || SPEEDS[speed.get()].1}
                        </button>
                    </div>
                    <input
                        class="slider"
                        type="range"
                        min=first.unwrap_or(1)
                        max=last.unwrap_or(1)
                        step="1"
                        disabled=count < 2
                        aria-label="Turn"
                        aria-valuetext=move || spoken().unwrap_or_else(at)
                        style:--turns=ticks(count).to_string()
                        prop:value=move || position().to_string()
                        on:input=move |event| by_hand(event_target_value(&event).parse().ok())
                    />
                    <span class="replay-at">{at}</span>
                    <p class="readout" aria-live="polite">
                        {move || {
                            let (text, lang) = match sentence() {
                                Some(sentence) => (sentence, lang.clone()),
                                None => ("Choose a turn, or press play.".to_owned(), None),
                            };
                            view! { <span class="clip" lang=lang>{text}</span> }
                        }}
                    </p>
                </div>
            </div>
        </div>
    }
}

/// Scrolls a ribbon, and nothing else, until the reader's turn is seen.
fn keep_in_line(ribbon: &web_sys::HtmlOListElement) {
    let Ok(Some(cell)) = ribbon.query_selector(".turn.is-now") else {
        return;
    };
    let (around, cell) = (ribbon.get_bounding_client_rect(), cell.get_bounding_client_rect());
    let beyond = match cell {
        cell if cell.left() < around.left() => cell.left() - around.left() - cell.width(),
        cell if cell.right() > around.right() => cell.right() - around.right() + cell.width(),
        _ => return,
    };
    // Whole pixels are enough.
    ribbon.set_scroll_left(ribbon.scroll_left() + beyond as i32);
}

/// The ticks of the slider: one a turn, or eleven where there are too many to be distinguished.
fn ticks(turns: usize) -> usize {
    match turns {
        0..=1 => 2,
        2..=WHOLE => turns,
        _ => 11,
    }
}

/// Whether a key belongs to a control that has the focus: a space presses it.
fn is_on_control(event: &web_sys::KeyboardEvent) -> bool {
    event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()).is_some_and(
        |element| matches!(element.tag_name().as_str(), "BUTTON" | "A" | "SUMMARY" | "INPUT"),
    )
}
