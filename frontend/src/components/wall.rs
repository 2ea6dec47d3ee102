//! The wall of ribbons: every episode of a run at once, virtualised, under one keyboard cursor.

mod bar;
mod cursor;
mod readout;
mod row;
mod shown;
mod sight;
mod space;
mod turns;

use bar::WallBar;
use cursor::{Cursor, CursorStep, cell_under, episode_under, mark, move_by};
use readout::readout;
use sight::{watch_room, watch_sight};
use space::{Placed, put_rows};
use turns::{Drawing, DrawnRow, draw_in_turns, fingerprint};
use turnwise_shared::screen::row::{Labels, element_id};
use web_sys::{KeyboardEvent, MouseEvent};

use crate::components::keys::{keys_of, on_key};
use crate::components::ribbon::Legend;
use crate::prelude::*;
use crate::stint::{LONG, surveyed};
use crate::strings::run::wall as words;
use crate::view::direction::Direction;
use crate::view::wall::{
    By, Choosing, Column, Look, Pricing, Rows, Step, WallLine, filled as filled_to, in_sight,
    window,
};
use crate::{back, first_page, reader};

pub use shown::{Shown, pricing, shown};

/// A wall of a few rows is only as high as it must be, and never lower than this, in CSS pixels.
const LEAST_HEIGHT: f64 = 120.0;

/// The wall of a run.
#[component]
pub fn WallOfRibbons(
    run: RunId,
    /// Its episodes as they are shown; see [`shown()`].
    shown: Signal<Arc<Shown>>,
    /// How many episodes it will have.
    #[prop(into)]
    planned: Signal<usize>,
    /// How it is looked at.
    #[prop(into)]
    wall: Signal<Wall>,
    /// Wishes to look at it in another way.
    #[prop(into)]
    change: Callback<Wall>,
    /// The run's spec, once it is known.
    #[prop(into)]
    spec: Signal<Option<Spec>>,
    /// By what the costs of its episodes are counted.
    pricing: Signal<Option<Arc<Pricing>>>,
) -> impl IntoView {
    let scroller = NodeRef::<html::Div>::new();
    let sight = watch_sight(scroller);
    // How many are shown, and of how many.
    let counts =
        Memo::new(move |_| shown.with(|shown| (shown.arranged.order.len(), shown.all.len())));
    let look = Memo::new(move |_| {
        let count = planned.get().max(counts.get().1);
        wall.with(|wall| wall.look).unwrap_or(Look::for_count(count))
    });
    let told =
        Memo::new(move |_| spec.with(|spec| spec.as_ref().map_or(Labels::default(), Labels::of)));
    let occurring = Memo::new(move |_| shown.with(|shown| classes(&shown.all)));
    let longest = Memo::new(move |_| shown.with(|shown| shown.longest));
    let id_signs = Memo::new(move |_| shown.with(|shown| shown.id_signs));
    // While ribbons grow they are given some room in advance: with the number of columns every row changes.
    let room = Memo::new(move |_| match shown.with(|shown| shown.all.count(EpisodeStatus::Live)) {
        0 => longest.get(),
        _ => longest.get().next_multiple_of(4),
    });
    let columns = Memo::new(move |_| {
        let width = sight.size.width.get();
        look.get().columns(width, room.get(), id_signs.get())
    });
    let filled = Memo::new(move |_| shown.with(|shown| shown.filled));
    let drawing = Memo::new(move |_| {
        let width = sight.size.width.get();
        let on_a_phone = reader::is_on_a_phone();
        let filled = filled.get();
        let columns = wall.with(|wall| wall.shown_columns(filled, on_a_phone));
        let prices = pricing.with(|pricing| {
            let pricing = pricing.as_ref();
            pricing.map_or(0, |pricing| Arc::as_ptr(pricing).addr())
        });
        Drawing {
            look: look.get(),
            columns,
            // A ribbon has the room of the question as well; on a phone that is a line.
            most_turns: look.get().most_turns(width, id_signs.get())
                * match (columns.has(Column::Question), on_a_phone) {
                    (true, _) => 1,
                    (false, false) => 2,
                    (false, true) => 4,
                },
            prices,
            on_a_phone,
        }
    });
    let row_height = Memo::new(move |_| drawing.with(Drawing::row_height));
    let rows =
        Memo::new(move |_| shown.with(|shown| Arc::new(Rows::of(&shown.arranged, columns.get()))));
    let range = Memo::new(move |_| {
        window(
            sight.scrolled.get(),
            sight.size.height.get(),
            row_height.get(),
            rows.with(|rows| rows.rows.len()),
        )
    });
    // How many episodes the wall will show, as far as that is known: the same while a run goes on, so that a row need not be
    // drawn anew because another has come.
    let set_size = Memo::new(move |_| {
        let (count, of) = counts.get();
        match count < of {
            true => count,
            false => count.max(planned.get()),
        }
    });
    let wanted = Memo::new(move |_| {
        let (rows, shown) = (rows.get(), shown.get());
        let range = range.get();
        // It stands in the links.
        let query = wall.with(Wall::query);
        rows.rows[range.clone()]
            .iter()
            .zip(range)
            .map(|(row, number)| DrawnRow {
                number,
                row: *row,
                fingerprint: fingerprint(
                    number,
                    row,
                    (&shown.arranged, set_size.get()),
                    &shown.all,
                    (drawing.get(), told.get(), &query),
                ),
                shown: Arc::clone(&shown),
            })
            .collect::<Vec<_>>()
    });
    let is_long = Memo::new(move |_| counts.get().1 > LONG);
    let drawn = draw_in_turns(wanted, is_long);
    let cursor = RwSignal::new(Cursor::default());
    let hovered = RwSignal::new(None::<Cursor>);

    // The cursor stays on its episode, and its episode in sight.
    let place = Memo::new(move |_| {
        let key = cursor.with(|cursor| cursor.episode.clone())?;
        shown.with(|shown| {
            let position = shown.all.position(&key)?;
            let mut order = shown.arranged.order.iter();
            order.position(|other| *other == position)
        })
    });
    let show_cursor = move || {
        let Some(row) =
            place.get_untracked().and_then(|place| rows.with_untracked(|rows| rows.row_of(place)))
        else {
            return;
        };
        sight.bring_in(scroller, row, row_height.get_untracked());
    };

    let open = {
        let (run, navigate) = (run.clone(), use_navigate());
        move |cursor: &Cursor| {
            let Some(episode) = &cursor.episode else {
                return;
            };
            let sample = shown.with_untracked(|shown| shown.all.sample(episode, cursor.turn));
            let place = Place {
                turn: cursor.turn.filter(|_| sample.is_none()),
                wall: wall.get_untracked(),
                ..Place::default()
            };
            navigate(
                &address::episode(&run, sample.as_ref().unwrap_or(episode), &place),
                NavigateOptions::default(),
            );
        }
    };
    let step = move |wanted: CursorStep| {
        let shown = shown.get_untracked();
        let next = rows.with_untracked(|rows| {
            move_by(
                &cursor.get_untracked(),
                wanted,
                place.get_untracked(),
                &shown.all,
                &shown.arranged,
                rows,
            )
        });
        hovered.set(None);
        cursor.set(next);
        show_cursor();
    };
    let focus_wall = move || {
        if let Some(element) = scroller.get_untracked() {
            // It fails only for elements that cannot take the focus.
            let _ = element.focus();
        }
    };
    let on_wall_key = {
        let open = open.clone();
        move |event: KeyboardEvent| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() {
                return;
            }
            let page = sight.rows_in_sight(row_height.get_untracked());
            let wanted = match event.key().as_str() {
                "ArrowUp" => CursorStep::Episode(Step::Up),
                "ArrowDown" => CursorStep::Episode(Step::Down),
                "ArrowLeft" => CursorStep::TurnBack,
                "ArrowRight" => CursorStep::TurnOn,
                "PageUp" => CursorStep::Episode(Step::PageUp(page)),
                "PageDown" => CursorStep::Episode(Step::PageDown(page)),
                "Home" => CursorStep::Episode(Step::First),
                "End" => CursorStep::Episode(Step::Last),
                "Enter" => {
                    event.prevent_default();
                    open(&cursor.get_untracked());
                    return;
                }
                _ => return,
            };
            event.prevent_default();
            step(wanted);
        }
    };
    on_key(move |event| {
        let wanted = match event.key().as_str() {
            "j" => CursorStep::Episode(Step::On),
            "k" => CursorStep::Episode(Step::Back),
            "w" => {
                event.prevent_default();
                focus_wall();
                return;
            }
            _ => return,
        };
        event.prevent_default();
        focus_wall();
        step(wanted);
    });

    let under = move |event: &MouseEvent| {
        let target = event.target()?.dyn_into::<web_sys::Element>().ok()?;
        let episode = episode_under(&target)?;
        Some(Cursor { turn: cell_under(&target), episode: Some(episode) })
    };
    let on_click = {
        let open = open.clone();
        move |event: MouseEvent| {
            let plain =
                event.button() == 0 && !(event.ctrl_key() || event.meta_key() || event.shift_key());
            match under(&event) {
                // A cell leads to its turn; elsewhere the link leads to the whole episode.
                Some(place) if plain && place.turn.is_some() => {
                    event.prevent_default();
                    open(&place);
                }
                _ => {}
            }
        }
    };
    let readout = move || {
        let at = hovered.get().unwrap_or_else(|| cursor.get());
        shown.with(|shown| readout(&at, &shown.all, told.get()))
    };
    // Who comes back from an episode finds the wall where it was, and the cursor on the episode.
    let left = run.clone();
    on_cleanup(move || sight.leave(&left));
    back::reveals({
        let run = run.clone();
        move |path| {
            let at = |key: &EpisodeKey| address::episode(&run, key, &Place::default());
            let key = shown
                .with_untracked(|shown| shown.all.keys.iter().find(|key| at(key) == path).cloned());
            let Some(key) = key.filter(|_| scroller.get_untracked().is_some()) else {
                return false;
            };
            sight.return_to(scroller, &run);
            cursor.set(Cursor { episode: Some(key), turn: None });
            show_cursor();
            true
        }
    });
    let ids = move || cursor.with(|cursor| cursor.episode.as_ref().map(element_id));
    let markup = {
        let run = run.clone();
        move |drawn: &DrawnRow| {
            let wall = wall.get_untracked();
            let (drawing, pricing) = (drawing.get_untracked(), pricing.get_untracked());
            let rows = row::Rows {
                run: &run,
                all: &drawn.shown.all,
                arranged: &drawn.shown.arranged,
                wall: &wall,
                labels: told.get_untracked(),
                look: drawing.look,
                columns: drawing.columns,
                pricing: pricing.as_deref(),
                most_turns: drawing.most_turns,
                count: set_size.get_untracked(),
            };
            match drawn.row {
                WallLine::Head { band, .. } => rows.head(band),
                WallLine::Episodes { start, len } => cursor
                    .with_untracked(|cursor| rows.episodes(start, len, cursor.episode.as_ref())),
            }
        }
    };
    let space = NodeRef::<html::Div>::new();
    Effect::new(move |before: Option<Vec<Placed>>| {
        let mut placed = before.unwrap_or_default();
        if let Some(space) = space.get() {
            let row_height = row_height.get_untracked();
            drawn.with(|drawn| put_rows(&space, &mut placed, drawn, row_height, &markup));
        }
        mark(scroller, &cursor.get());
        // What the server wrote of the wall stays until the wall is there.
        if !placed.is_empty() || counts.get().0 == 0 {
            first_page::give_way();
        }
        placed
    });
    let class = move || look.get().class();
    let height = move || {
        let rows = rows.with(|rows| rows.rows.len());
        rows as f64 * row_height.get()
    };
    let in_sight = Memo::new(move |_| {
        let (scrolled, height) = (sight.scrolled.get(), sight.size.height.get());
        rows.with(|rows| in_sight(rows, scrolled, height, row_height.get()))
    });
    let room = watch_room(scroller);
    let filled_height = Memo::new(move |_| filled_to(room.get(), row_height.get()));
    // A head of the table sorts by what its column shows.
    let head = move |by: By, name: &'static str, title: &'static str| {
        let now = {
            let by = by.clone();
            Memo::new(move |_| wall.with(|wall| (wall.sort == by).then_some(wall.direction)))
        };
        let class = move || match now.get() {
            Some(Direction::Up) => format!("col-{name} is-up"),
            Some(Direction::Down) => format!("col-{name} is-down"),
            None => format!("col-{name}"),
        };
        let sort = move |_| {
            let mut next = wall.get_untracked();
            next.sort_by(by.clone());
            change.run(next);
            // A reader who sorts wants to see what comes first.
            if let Some(element) = scroller.get_untracked() {
                element.set_scroll_top(0);
                sight.has_scrolled(scroller);
            }
        };
        view! {
            <button class=class type="button" aria-label=move || words::sort_by(title, now.get()) on:click=sort>
                {title}
            </button>
        }
    };
    let choices = surveyed(move || {
        let all = shown.with(|shown| Arc::clone(&shown.all));
        Some((all, Choosing::default()))
    });
    let choices = Signal::derive(move || choices.get().unwrap_or_default());
    view! {
        <div
            class=class
            class:is-unasked=move || drawing.with(|drawing| !drawing.columns.has(Column::Question))
            style:--cols=move || columns.get().to_string()
            style:--id=move || format!("{}px", look.get().id_width(id_signs.get()))
        >
            <WallBar wall change choices shown=counts in_sight look filled drawing/>
            <Show when=move || look.get() == Look::List>
                <div class="wall-cols" id="wall-cols">
                    {head(By::Task, "task", words::TASK_COLUMN)}
                    {move || {
                        let columns = drawing.with(|drawing| drawing.columns).each();
                        columns
                            .map(|column| head(By::of_column(column), column.name(), column.label()))
                            .collect_view()
                    }}
                    <span class="col-mark"></span>
                </div>
            </Show>
            <div
                class="wall-scroll"
                translate="no"
                node_ref=scroller
                role="listbox"
                tabindex="0"
                aria-label=words::LABEL
                aria-activedescendant=ids
                style:max-height=move || format!("{}px", height().max(LEAST_HEIGHT))
                style:--room=move || format!("{}px", filled_height.get())
                on:scroll=move |_| sight.has_scrolled(scroller)
                on:keydown=on_wall_key
                on:focus=move |_| {
                    if place.get_untracked().is_none() {
                        step(CursorStep::Episode(Step::First));
                    }
                }
                on:mouseover=move |event| hovered.set(under(&event))
                on:mouseleave=move |_| hovered.set(None)
                on:click=on_click
            >
                <div
                    class="wall-space"
                    node_ref=space
                    role="presentation"
                    style:height=move || format!("{}px", height())
                ></div>
            </div>
            <div class="wall-foot">
                <p class="readout" aria-live="polite">
                    {readout}
                </p>
                {keys_of(words::KEYS)}
            </div>
            <div class="wall-foot">
                <div class="legend">
                    <Legend spec occurring/>
                </div>
            </div>
        </div>
        <Show when=move || counts.get().0 == 0 && counts.get().1 != 0>
            <div class="empty">
                <h3>"No episode fits the filter"</h3>
                <button
                    class="btn"
                    type="button"
                    on:click=move |_| {
                        change
                            .run(Wall {
                                filter: Default::default(),
                                ..wall.get_untracked()
                            })
                    }
                >
                    "Show all"
                </button>
            </div>
        </Show>
    }
}

/// The classes of the cells of all episodes.
fn classes(all: &Snapshot) -> BTreeSet<String> {
    let mut classes = BTreeSet::new();
    for summary in &all.summaries {
        let status = EpisodeStatus::of(summary);
        for cell in &summary.ribbon {
            classes.insert(turn::classes(cell, status));
        }
    }
    classes
}
