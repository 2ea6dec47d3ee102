//! The fields of a benchmark's settings, made of what it declares of each. *New run* and *Play* draw them alike.

use serde_json::{Map, Value};
use turnwise_shared::benchmark::schema::{Card, Holds, Setting};

use crate::components::form::{FieldError, Mark, NumberField, ReadField, listed};
use crate::components::ribbon::example;
use crate::prelude::*;

/// A setting in a form: what it is now, and how another value is chosen.
#[derive(Clone, Copy)]
pub struct Slot {
    setting: &'static Setting,
    value: Signal<Option<Value>>,
    set: Callback<Option<Value>>,
    /// Whether its cards have a visible title, and are all shown.
    is_titled: bool,
}

impl Slot {
    /// `set` is called with the value that was chosen; `None` leaves the setting to the benchmark.
    pub fn new(
        setting: &'static Setting,
        value: impl Fn() -> Option<Value> + Send + Sync + 'static,
        set: impl Fn(Option<Value>) + Send + Sync + 'static,
    ) -> Self {
        Slot { setting, value: Signal::derive(value), set: Callback::new(set), is_titled: false }
    }

    /// The same with a visible title above its cards, of which all are shown.
    pub fn titled(self) -> Self {
        Slot { is_titled: true, ..self }
    }

    fn value(self) -> Option<Value> {
        self.value.get()
    }

    fn choose(self, value: Value) {
        self.set.run(Some(value));
    }

    fn leave(self) {
        self.set.run(None);
    }
}

pub fn in_words(setting: &Setting, value: &Value) -> String {
    let named = match (setting.holds, value) {
        (Holds::Choice(choices), Value::String(text)) => {
            choices.iter().find(|(value, _)| value == text).map(|(_, name)| *name)
        }
        (Holds::Cards(cards), Value::String(text)) => {
            cards.iter().find(|card| card.value == text).map(|card| card.title)
        }
        (Holds::Counts(counts), Value::Number(_)) => {
            counts.iter().find(|(count, _)| value == count).map(|(_, name)| *name)
        }
        (Holds::Limit(_, _, empty), Value::Null) => Some(empty),
        (Holds::Flag, Value::Bool(is_set)) => Some(if *is_set { "yes" } else { "no" }),
        (Holds::Lines, Value::String(_)) => Some("custom"),
        _ => None,
    };
    named.map_or_else(|| write(value), str::to_owned)
}

/// Under a field of numbers in which something else stands.
fn counts(least: u64, most: u64) -> String {
    format!("Write whole numbers from {least} to {}, with commas between several.", count(most))
}

/// The field of a setting.
pub fn field(slot: Slot) -> AnyView {
    match slot.setting.holds {
        Holds::Number(least, most) => number(slot, least, most),
        Holds::Limit(least, most, empty) => limit(slot, (least, most), empty),
        Holds::Flag => flag(slot),
        Holds::Choice(choices) => {
            let choices = choices.iter();
            let choices = choices.map(|(value, name)| ((*value).to_owned(), *name));
            choice(slot, choices.collect(), |name| name.into())
        }
        Holds::Cards(cards) => cards_of(slot, cards),
        Holds::Counts(counts) => {
            let choices = counts.iter();
            let choices = choices.map(|(count, name)| (count.to_string(), *name));
            choice(slot, choices.collect(), |count| {
                count.parse::<u64>().map_or(Value::Null, Value::from)
            })
        }
        Holds::Lines => lines(slot),
        Holds::Sweep(least, most) => {
            text(slot, "numeric", move |typed| read_numbers(typed, least, most))
        }
        Holds::Shares => text(slot, "text", read_shares),
        Holds::Numbers(members) => numbers(slot, members),
        Holds::Text => text(slot, "text", |typed| Ok(typed.into())),
    }
}

fn number(slot: Slot, least: u64, most: u64) -> AnyView {
    let value = Signal::derive(move || slot.value()?.as_u64());
    let on_change = move |number: Option<u64>| {
        if let Some(number) = number {
            slot.choose(number.into());
        }
    };
    any_view! {
        <NumberField
            id=slot.setting.name
            label=slot.setting.label
            note=slot.setting.note
            value
            on_change
            least
            most
        />
    }
}

/// A number that may be absent: then the setting is `null`.
fn limit(slot: Slot, (least, most): (u64, u64), empty: &'static str) -> AnyView {
    let value = Signal::derive(move || slot.value()?.as_u64());
    let on_change = move |number: Option<u64>| slot.choose(number.into());
    any_view! {
        <NumberField
            id=slot.setting.name
            label=slot.setting.label
            note=slot.setting.note
            value
            on_change
            least
            most
            empty
        />
    }
}

fn flag(slot: Slot) -> AnyView {
    let checked = move || slot.value().and_then(|value| value.as_bool()) == Some(true);
    any_view! {
        <label class="check">
            <input
                type="checkbox"
                id=slot.setting.name
                prop:checked=checked
                on:change:target=move |event| slot.choose(event.target().checked().into())
            />
            <span>
                {slot.setting.label}
                " "
                <span class="small faint">{slot.setting.note}</span>
            </span>
        </label>
    }
}

/// One of several values, each of them a card.
fn cards_of(slot: Slot, cards: &'static [Card]) -> AnyView {
    let chosen = Memo::new(move |_| {
        let value = slot.value()?;
        cards.iter().find(|card| write(&value) == card.value)
    });
    // Cards stay in the page while one chooses among them, or the keyboard would lose its place.
    let all = Memo::new(move |_| slot.is_titled || chosen.get().is_some_and(|card| !card.is_usual));
    let card = move |card: &'static Card| {
        view! {
            <label class="choice">
                <input
                    type="radio"
                    name=slot.setting.name
                    value=card.value
                    prop:checked=move || chosen.get() == Some(card)
                    on:change=move |_| slot.choose(card.value.into())
                />
                <span class="choice-title">{card.title}</span>
                {example(card.ribbon)}
                <span class="choice-note">{card.note}</span>
            </label>
        }
    };
    let offered = move || {
        let all = all.get();
        cards.iter().filter(move |card| card.is_usual || all).map(card).collect_view()
    };
    let remark = move || {
        let remark = chosen.get()?.remark;
        (!remark.is_empty()).then(|| view! { <p class="field-note">{remark}</p> })
    };
    any_view! {
        <fieldset class="choices" aria-label=(!slot.is_titled).then_some(slot.setting.label)>
            {slot.is_titled.then(|| view! { <legend>{slot.setting.label}</legend> })}
            {offered}
        </fieldset>
        {remark}
    }
}

/// One of several values, written as they stand in an address; `read` makes a setting of them.
fn choice(slot: Slot, choices: Vec<(String, &'static str)>, read: fn(&str) -> Value) -> AnyView {
    let chosen = Memo::new(move |_| {
        slot.value().filter(|value| !value.is_null()).map(|value| write(&value)).unwrap_or_default()
    });
    let options: Vec<_> = choices
        .into_iter()
        .map(|(value, name)| {
            let own = value.clone();
            option(value, name, move || chosen.with(|chosen| *chosen == own))
        })
        .collect();
    any_view! {
        <div class="field">
            <label for=slot.setting.name>{slot.setting.label}</label>
            {select_list(slot.setting.name, move |value| match value.as_str() {
                "" => slot.leave(),
                value => slot.choose(read(value)),
            }, options)}
            {note(slot.setting)}
        </div>
    }
}

/// A text, by the keys that a phone shows for it and how it is read.
fn text(
    slot: Slot,
    keys: &'static str,
    read: impl Fn(&str) -> Result<Value, String> + Copy + Send + Sync + 'static,
) -> AnyView {
    let value = Signal::derive(move || {
        let value = slot.value();
        value.map(|value| write(&value)).unwrap_or_default()
    });
    let read = move |typed: &str| {
        slot.choose(read(typed)?);
        Ok(())
    };
    any_view! { <ReadField id=slot.setting.name label=slot.setting.label keys note=slot.setting.note value read/> }
}

/// A text of several lines; without any the setting is left to the benchmark.
fn lines(slot: Slot) -> AnyView {
    let shown = move || {
        let value = slot.value();
        value.and_then(|value| value.as_str().map(str::to_owned))
    };
    any_view! {
        <div class="field field-wide">
            <label for=slot.setting.name>{slot.setting.label}</label>
            <textarea
                id=slot.setting.name
                class="textarea textarea-mono"
                rows="6"
                spellcheck="false"
                prop:value=move || shown().unwrap_or_default()
                on:change:target=move |event| {
                    let typed = event.target().value();
                    match typed.trim() {
                        "" => slot.leave(),
                        _ => slot.choose(typed.into()),
                    }
                }
            ></textarea>
            {note(slot.setting)}
        </div>
    }
}

fn numbers(slot: Slot, members: &'static [(&'static str, &'static str)]) -> AnyView {
    let object = move || match slot.value() {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    };
    let error_id = format!("{}-error", slot.setting.name);
    let mut marks = Vec::new();
    let fields: Vec<_> = members
        .iter()
        .map(|(member, name)| {
            let shown = Signal::derive(move || {
                let number = object().get(*member).map(ToString::to_string);
                number.unwrap_or_default()
            });
            let mark = Mark::of(member, shown);
            marks.push(mark);
            let described_by = error_id.clone();
            view! {
                <label class="payoff">
                    <input
                        class="input input-num"
                        inputmode="numeric"
                        autocomplete="off"
                        aria-invalid=move || mark.invalid()
                        aria-describedby=move || mark.invalid().map(|_| described_by.clone())
                        prop:value=shown
                        on:change:target=move |event| {
                            let read = read_whole(&event.target().value());
                            let is_read = read.is_ok();
                            mark.set(read.map(|number| {
                                let mut object = untrack(object);
                                object.insert((*member).to_owned(), number.into());
                                slot.choose(Value::Object(object));
                            }));
                            if is_read {
                                event.target().set_value(&shown.get_untracked());
                            }
                        }
                    />
                    <span class="small soft">{*name}</span>
                </label>
            }
        })
        .collect();
    any_view! {
        <fieldset class="field payoffs">
            <legend>{slot.setting.label}</legend>
            {fields}
            {move || {
                let why = marks.iter().find_map(|mark| mark.why());
                why.map(|why| view! { <FieldError id=error_id.clone() why/> })
            }}
            {note(slot.setting)}
        </fieldset>
    }
}

fn note(setting: &Setting) -> Option<impl IntoView + use<>> {
    let note = setting.note;
    (!note.is_empty()).then(|| view! { <span class="field-note">{note}</span> })
}

/// A setting as it stands in a field: lists with commas.
fn write(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(write).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// One whole number, or several with commas or blanks between them; what stands there twice counts once.
fn read_numbers(typed: &str, least: u64, most: u64) -> Result<Value, String> {
    let mut numbers: Vec<u64> = Vec::new();
    for part in listed(typed) {
        let number = part.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        let number = number.ok_or_else(|| counts(least, most))?;
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    match numbers.as_slice() {
        [] => Err(counts(least, most)),
        [one] => Ok((*one).into()),
        _ => Ok(numbers.into()),
    }
}

/// Numbers from 0 to 1 with commas or blanks between them; one alone is no list.
fn read_shares(typed: &str) -> Result<Value, String> {
    let shares: Vec<f64> = listed(typed)
        .map(|part| part.parse().ok().filter(|share| (0.0..=1.0).contains(share)))
        .collect::<Option<_>>()
        .unwrap_or_default();
    match shares.as_slice() {
        [] => {
            Err("Write numbers from 0 to 1, such as 0.8, with commas between several.".to_owned())
        }
        [share] => Ok((*share).into()),
        _ => Ok(shares.into()),
    }
}

/// A whole number; a real minus sign counts as one.
fn read_whole(typed: &str) -> Result<i64, String> {
    let number = typed.trim().replace('−', "-").parse();
    number.map_err(|_| "Write whole numbers, such as 3 or -1.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(read_numbers(" 10 ", 1, 100), Ok(json!(10)));
        assert_eq!(read_numbers("5, 10;20 20", 1, 100), Ok(json!([5, 10, 20])));
        for bad in ["0, 5", "500", "ten", "5-10", ""] {
            assert!(read_numbers(bad, 1, 100).is_err(), "{bad}");
        }
        assert_eq!(write(&json!([5, 10])), "5, 10");
    }

    #[test]
    fn lists_of_shares_are_read_as_people_write_them() {
        assert_eq!(read_shares(" 0.8 "), Ok(json!(0.8)));
        assert_eq!(read_shares("0.5, 0.8;1"), Ok(json!([0.5, 0.8, 1.0])));
        for bad in ["", "1.5", "0.5, x", "NaN"] {
            assert!(read_shares(bad).is_err(), "{bad}");
        }
        assert_eq!(write(&json!([0.5, 0.8])), "0.5, 0.8");
        assert_eq!(read_whole("−2"), Ok(-2));
        assert!(read_whole("2.5").is_err());
    }
}
