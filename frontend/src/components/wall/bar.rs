//! The bar above the wall: find, sort, group, filter, size.

use turnwise_shared::screen::natural::natural;
use web_sys::{FocusEvent, KeyboardEvent, Node};

use super::turns::Drawing;
use crate::components::keys::{leave_on_escape, on_slash};
use crate::prelude::*;
use crate::strings::run::wall as words;
use crate::view::direction::Direction;
use crate::view::wall::{By, CauseFilter, Choices, Column, Columns, FaultFilter, Look};

/// The bar above the wall.
#[component]
pub fn WallBar(
    /// How the wall is looked at.
    wall: Signal<Wall>,
    /// Wishes to look at it in another way.
    change: Callback<Wall>,
    /// What there is to choose from.
    #[prop(into)]
    choices: Signal<Arc<Choices>>,
    /// How many episodes are shown, and of how many.
    shown: Memo<(usize, usize)>,
    /// The first and the last of them that are in sight, from 1; `None` if all are.
    in_sight: Memo<Option<(usize, usize)>>,
    /// How large it is drawn now.
    look: Memo<Look>,
    /// The columns of the table that the run fills.
    filled: Memo<Columns>,
    /// How it is drawn now.
    drawing: Memo<Drawing>,
) -> impl IntoView {
    // Each is drawn anew only where it is another.
    let labels = Memo::new(move |_| choices.with(|choices| choices.labels.clone()));
    let faults = Memo::new(move |_| choices.with(|choices| choices.faults.clone()));
    let outcomes = Memo::new(move |_| choices.with(|choices| choices.outcomes.clone()));
    let orders = Memo::new(move |_| choices.with(|choices| choices.orders.clone()));
    let with = move |edit: &dyn Fn(&mut Wall)| {
        let mut next = wall.get_untracked();
        edit(&mut next);
        change.run(next);
    };
    // Only a phone folds the fields away; the style sheet says when.
    let unfolded = RwSignal::new(false);
    let field = NodeRef::<html::Input>::new();
    on_slash(field);
    let sorts = move || {
        let chosen = wall.with(|wall| wall.sort.name());
        let cost = filled.with(|filled| filled.has(Column::Cost).then_some(By::Cost));
        orders
            .get()
            .into_iter()
            .chain(cost)
            .map(|by| option(by.name(), by.title(), by.name() == chosen))
            .collect_view()
    };
    let groups = move || {
        let chosen = wall.with(|wall| wall.group.as_ref().map(By::name));
        let none = option(String::new(), words::NO_GROUP.to_owned(), chosen.is_none());
        let others = orders
            .get()
            .into_iter()
            .filter(By::groups)
            .map(|by| option(by.name(), by.title(), Some(by.name()) == chosen))
            .collect_view();
        (none, others)
    };
    let statuses = move || {
        let chosen = wall.with(|wall| wall.filter.outcome);
        let all = option(String::new(), words::ALL.to_owned(), chosen.is_none());
        let others = outcomes
            .get()
            .into_iter()
            .map(|(status, count)| {
                let title = format!("{} ({count})", status.label());
                option(status.name().to_owned(), title, Some(status) == chosen)
            })
            .collect_view();
        (all, others)
    };
    let classes = move || {
        let chosen = wall.with(|wall| wall.filter.fault.clone());
        let any = FaultFilter::Any;
        let all = option(String::new(), words::ALL.to_owned(), chosen.is_none());
        let some = option(ANY.to_owned(), words::ANY_FAULT.to_owned(), chosen == Some(any));
        let others = faults
            .get()
            .into_iter()
            .map(|(class, count)| {
                let title = format!("{} ({count})", turn::words(&class));
                let is_chosen = chosen == Some(FaultFilter::Class(class.clone()));
                option(class, title, is_chosen)
            })
            .collect_view();
        (all, some, others)
    };
    let chosen_labels = Memo::new(move |_| wall.with(|wall| wall.filter.labels.clone()));
    let label_fields = move || {
        let mut labels = labels.get();
        let chosen = chosen_labels.get();
        // What the address has chosen can be taken back, even where it is one of thousands.
        for (label, value) in &chosen {
            let values = labels.entry(label.clone()).or_default();
            values.insert(value.clone());
        }
        labels
            .into_iter()
            .map(|(label, values)| {
                let chosen = chosen.get(&label).cloned();
                let all = option(String::new(), words::ALL.to_owned(), chosen.is_none());
                let mut values: Vec<String> = values.into_iter().collect();
                values.sort_by(|one, other| natural(one, other));
                let others = values
                    .into_iter()
                    .map(|value| {
                        let is_chosen = chosen.as_ref() == Some(&value);
                        option(value.clone(), value, is_chosen)
                    })
                    .collect_view();
                let id = format!("wall-only-{label}");
                let title = By::Label(label.clone()).title();
                let choose = move |value: String| {
                    with(&|wall| {
                        if value.is_empty() {
                            wall.filter.labels.remove(&label);
                        } else {
                            wall.filter.labels.insert(label.clone(), value.clone());
                        }
                    });
                };
                select_field(id, title, choose, (all, others))
            })
            .collect_view()
    };
    let causes = Memo::new(move |_| choices.with(|choices| choices.causes.clone()));
    let chip = move |filter: CauseFilter, title: String| {
        let is_on = move || wall.with(|wall| wall.filter.cause == Some(filter));
        view! {
            <button
                class="filter-chip"
                type="button"
                aria-pressed=move || is_on().to_string()
                on:click=move |_| {
                    with(&|wall| {
                        wall.filter.cause = match wall.filter.cause == Some(filter) {
                            true => None,
                            false => Some(filter),
                        };
                    })
                }
            >
                {title}
            </button>
        }
    };
    let chips = move || {
        let causes = causes.get();
        let all: usize = causes.values().sum();
        let failures = chip(CauseFilter::Any, format!("{} {all}", words::FAILURES));
        let each = (causes.len() > 1).then(|| {
            let causes = causes.iter();
            let chips = causes.map(|(cause, count)| {
                chip(CauseFilter::One(*cause), format!("{} {count}", cause.label()))
            });
            chips.collect_view()
        });
        view! {
            {failures}
            {each}
        }
    };
    let is_down = move || wall.with(|wall| wall.direction == Direction::Down);
    view! {
        <div class="wall-bar" class:is-open=unfolded>
            <div class="field wall-find">
                <label for="wall-find">{words::FIND}</label>
                <input
                    class="input input-search"
                    id="wall-find"
                    type="search"
                    placeholder=words::FIND_HINT
                    node_ref=field
                    maxlength="400"
                    prop:value=move || {
                        wall.with(|wall| match wall.filter.text.is_empty() {
                            true => wall.filter.within.clone(),
                            false => wall.filter.text.clone(),
                        })
                    }
                    on:input=move |event| {
                        let text = event_target_value(&event);
                        with(
                            &|wall| {
                                wall.filter.text.clone_from(&text);
                                wall.filter.within.clear();
                            },
                        );
                    }
                    on:keydown=move |event| {
                        if event.key() == "Enter" {
                            // The server looks in the transcripts as well.
                            let text = event_target_value(&event);
                            with(
                                &|wall| {
                                    text.trim().clone_into(&mut wall.filter.within);
                                    wall.filter.text.clear();
                                },
                            );
                        }
                        leave_on_escape(&event);
                    }
                />
            </div>
            <button
                class="btn btn-small wall-unfold"
                type="button"
                aria-expanded=move || unfolded.get().to_string()
                on:click=move |_| unfolded.update(|unfolded| *unfolded = !*unfolded)
            >
                <SmallIcon name="filter"/>
                {words::UNFOLD}
            </button>
            <Show when=move || causes.with(|causes| !causes.is_empty())>
                <div class="chips" role="group" aria-label=words::FAILURES>
                    {chips}
                </div>
            </Show>
            <div class="field">
                <label for="wall-sort">{words::SORT}</label>
                <div class="row">
                    {select_list("wall-sort", move |value| {
                        if let Some(by) = By::named(&value) {
                            with(&|wall| wall.sort = by.clone());
                        }
                    }, sorts)}
                    <button
                        class="btn-icon"
                        type="button"
                        aria-label=words::TURN_AROUND
                        title=words::TURN_AROUND
                        aria-pressed=move || is_down().to_string()
                        on:click=move |_| {
                            with(
                                &|wall| {
                                    wall.direction = match wall.direction {
                                        Direction::Up => Direction::Down,
                                        Direction::Down => Direction::Up,
                                    };
                                },
                            )
                        }
                    >
                        <SmallIcon name="sort"/>
                    </button>
                </div>
            </div>
            {select_field("wall-group", words::GROUP, move |value| {
                let by = By::named(&value);
                with(&|wall| wall.group.clone_from(&by));
            }, groups)}
            {select_field("wall-outcome", words::OUTCOME, move |value| {
                let outcome = EpisodeStatus::named(&value);
                with(&|wall| wall.filter.outcome = outcome);
            }, statuses)}
            {label_fields}
            <Show when=move || faults.with(|faults| !faults.is_empty())>
                {select_field("wall-fault", words::FAULT, move |value| {
                    let fault = match value.as_str() {
                        "" => None,
                        ANY => Some(FaultFilter::Any),
                        class => Some(FaultFilter::Class(class.to_owned())),
                    };
                    with(&|wall| wall.filter.fault.clone_from(&fault));
                }, classes)}
            </Show>
            <span class="sr" role="status">
                {move || {
                    let (shown, of) = shown.get();
                    words::shown(shown, of)
                }}
            </span>
            // What is in sight changes with every scroll, so it is not said aloud.
            <span class="small soft push num wall-count" aria-hidden="true">
                {move || words::in_sight(in_sight.get(), shown.get())}
            </span>
            <Show when=move || look.get() == Look::List>
                <ColumnChoice wall change filled drawing/>
            </Show>
            <div class="seg" role="group" aria-label=words::LOOK>
                {[(Look::List, words::LIST), (Look::Tiles, words::TILES), (Look::Dense, words::DENSE)]
                    .into_iter()
                    .map(|(one, title)| {
                        toggle(title, move || look.get() == one, move || with(&|wall| wall.look = Some(one)))
                    })
                    .collect_view()}
            </div>
        </div>
    }
}

/// The columns of the table, behind a button.
#[component]
fn ColumnChoice(
    wall: Signal<Wall>,
    change: Callback<Wall>,
    filled: Memo<Columns>,
    drawing: Memo<Drawing>,
) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let menu = NodeRef::<html::Div>::new();
    let button = NodeRef::<html::Button>::new();
    // The words of a box take no focus; the menu around them does, so that choosing one is not leaving.
    let leave = move |event: FocusEvent| {
        let to: Option<Node> = event.related_target().and_then(|to| to.dyn_into().ok());
        if !menu.get_untracked().is_some_and(|menu| menu.contains(to.as_ref())) {
            is_open.set(false);
        }
    };
    let close = move |event: KeyboardEvent| {
        if event.key() == "Escape" && is_open.get_untracked() {
            event.prevent_default();
            event.stop_propagation();
            is_open.set(false);
            if let Some(button) = button.get_untracked() {
                // It fails only for elements that cannot take the focus.
                let _ = button.focus();
            }
        }
    };
    let boxes = move || {
        let columns = filled.get().each();
        columns
            .map(|column| {
                let is_shown = move || drawing.with(|drawing| drawing.columns.has(column));
                view! {
                    <label class="check">
                        <input
                            type="checkbox"
                            name=column.name()
                            prop:checked=is_shown
                            on:change:target=move |event| {
                                let mut next = wall.get_untracked();
                                let (filled, drawing) = (filled.get_untracked(), drawing.get_untracked());
                                let is_shown = event.target().checked();
                                next.choose_column(column, is_shown, filled, drawing.on_a_phone);
                                change.run(next);
                            }
                        />
                        {column.label()}
                    </label>
                }
            })
            .collect_view()
    };
    view! {
        <div class="wall-columns" node_ref=menu on:keydown=close on:focusout=leave>
            <button
                class="btn btn-small"
                type="button"
                node_ref=button
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
            >
                {words::COLUMNS}
            </button>
            <Show when=move || is_open.get()>
                <fieldset tabindex="-1" aria-label=words::COLUMNS>{boxes}</fieldset>
            </Show>
        </div>
    }
}

/// The value of the choice of any fault; classes of faults are words without a star.
const ANY: &str = "*";

fn option(value: String, title: String, is_chosen: bool) -> impl IntoView {
    view! {
        <option value=value prop:selected=is_chosen>
            {title}
        </option>
    }
}
