//! A draft of the world studio: to be read, and as fields that write its JSON.

use serde_json::Value;

use super::draft::{self, Field, Kind, Member, Place, members};
use super::words;
use crate::prelude::*;
use crate::view::lang_of;

/// A draft to be read; its JSON lies folded below.
pub fn shown(text: &str) -> Option<AnyView> {
    let draft: Value = serde_json::from_str(text).ok()?;
    draft.as_object()?;
    let parts: Vec<_> = members(&draft).iter().filter_map(|member| part(&draft, member)).collect();
    let lang = lang_of(text);
    Some(any_view! {
        <dl class="draft" lang=lang>{parts}</dl>
        <details class="more">
            <summary>{words::AS_JSON}</summary>
            <pre translate="no" class="draft-json" lang=lang tabindex="0">{text.to_owned()}</pre>
        </details>
    })
}

/// A member of a draft that has something to say.
fn part(draft: &Value, member: &Member) -> Option<AnyView> {
    let at = |member, row, field| draft::text(draft, Place { member, row, field });
    let (name, body) = match *member {
        Member::One(Field { name, .. }) => {
            let text = at(name, None, None);
            (name, (!text.is_empty()).then(|| text.into_any()))
        }
        Member::Group(name, fields) => {
            let mut texts = fields.iter().map(|field| at(name, None, Some(field.name)));
            let (from, to) = (texts.next()?, texts.next()?);
            (name, Some(words::years(&from, &to).into_any()))
        }
        Member::Texts(name) => {
            let rows = 0..draft::rows(draft, name);
            let rows: Vec<_> =
                rows.map(|row| view! { <li>{at(name, Some(row), None)}</li> }).collect();
            (name, (!rows.is_empty()).then(|| any_view! { <ol class="draft-steps">{rows}</ol> }))
        }
        Member::Rows(name, fields) => (name, table(draft, name, fields)),
    };
    Some(any_view! {
        <dt>{words::column(name)}</dt>
        <dd>{body?}</dd>
    })
}

/// The rows of a member as a table; a column in which nothing stands is left out.
fn table(draft: &Value, member: &'static str, fields: &[Field]) -> Option<AnyView> {
    let rows = draft::rows(draft, member);
    let at = |row, field: &Field| {
        let place = Place { member, row: Some(row), field: Some(field.name) };
        let text = draft::text(draft, place);
        match field.kind {
            Kind::OneOf(_) => words::word(&text).to_owned(),
            Kind::Lines => text.replace('\n', "; "),
            _ => text,
        }
    };
    let is_said = |field: &&Field| (0..rows).any(|row| !at(row, field).is_empty());
    let columns: Vec<&Field> = fields.iter().filter(is_said).collect();
    if columns.is_empty() {
        return None;
    }
    let heads: Vec<_> = columns.iter().map(|field| th(words::column(field.name))).collect();
    let body: Vec<_> = (0..rows)
        .map(|row| {
            let cells: Vec<_> =
                columns.iter().map(|field| view! { <td>{at(row, field)}</td> }).collect();
            view! { <tr><td class="num">{row + 1}</td>{cells}</tr> }
        })
        .collect();
    Some(any_view! {
        <div class="table-wrap" role="group" tabindex="0" aria-label=words::column(member)>
            <table translate="no" class="table draft-table">
                <thead><tr>{th_number("#")}{heads}</tr></thead>
                <tbody>{body}</tbody>
            </table>
        </div>
    })
}

/// What the fields of a draft write into, and read from.
#[derive(Clone, Copy)]
struct DraftForm {
    /// The draft as it stands.
    draft: StoredValue<Value>,
    /// What is sent: a JSON object with the members that are changed.
    written: RwSignal<String>,
    /// The draft with what is written; `None` while that is no object.
    whole: Memo<Option<Value>>,
    closed: Signal<bool>,
    lang: Option<&'static str>,
}

impl DraftForm {
    fn text(self, place: Place) -> Memo<String> {
        Memo::new(move |_| {
            self.whole.with(|whole| {
                let text = whole.as_ref().map(|whole| draft::text(whole, place));
                text.unwrap_or_default()
            })
        })
    }

    fn put(self, place: Place, kind: Kind, text: &str) {
        self.write(|draft, written| draft::put(draft, written, place, kind, text));
    }

    fn write(self, how: impl FnOnce(&Value, &str) -> Option<String>) {
        let written = self.written.get_untracked();
        if let Some(written) = self.draft.with_value(|draft| how(draft, &written)) {
            self.written.set(written);
        }
    }
}

/// The fields of a draft; nothing that can be written in them is refused here.
#[component]
pub fn DraftFields(
    /// The draft as it stands.
    draft: String,
    written: RwSignal<String>,
    /// Whether nothing can be changed any more.
    closed: Signal<bool>,
) -> impl IntoView {
    let lang = lang_of(&draft);
    let draft: Value = serde_json::from_str(&draft).unwrap_or_default();
    let all = members(&draft);
    let draft = StoredValue::new(draft);
    let whole = Memo::new(move |_| {
        let written = written.get();
        draft.with_value(|draft| draft::whole(draft, &written))
    });
    let form = DraftForm { draft, written, whole, closed, lang };
    let has_fields = Memo::new(move |_| whole.is_some());
    move || match has_fields.get() {
        true => {
            let members: Vec<_> = all.iter().map(|member| member_view(form, *member)).collect();
            any_view! { <div class="stack draft-fields">{members}</div> }
        }
        false => any_view! { <p class="warn">{words::NO_FIELDS}</p> },
    }
}

fn member_view(form: DraftForm, member: Member) -> AnyView {
    match member {
        Member::One(field) => {
            let place = Place { member: field.name, row: None, field: None };
            field_view(form, place, field.kind)
        }
        Member::Group(name, fields) => {
            let fields = fields_of(form, name, None, fields);
            any_view! {
                <fieldset class="stack-2">
                    <legend>{words::called(name)}</legend>
                    <div class="fields">{fields}</div>
                </fieldset>
            }
        }
        Member::Rows(name, fields) => {
            let row = move |row| fields_of(form, name, Some(row), fields);
            rows_view(form, member, name, row)
        }
        Member::Texts(name) => {
            let row = move |row| {
                let place = Place { member: name, row: Some(row), field: None };
                vec![field_view(form, place, Kind::Line)]
            };
            rows_view(form, member, name, row)
        }
    }
}

fn fields_of(
    form: DraftForm,
    member: &'static str,
    row: Option<usize>,
    fields: &'static [Field],
) -> Vec<AnyView> {
    let view = |field: &Field| {
        let place = Place { member, row, field: Some(field.name) };
        field_view(form, place, field.kind)
    };
    fields.iter().map(view).collect()
}

/// A list: a row for each item, and the button for another.
fn rows_view(
    form: DraftForm,
    member: Member,
    name: &'static str,
    fields: impl Fn(usize) -> Vec<AnyView> + Copy + Send + Sync + 'static,
) -> AnyView {
    let rows = Memo::new(move |_| {
        let rows = |whole: &Option<Value>| whole.as_ref().map(|whole| draft::rows(whole, name));
        form.whole.with(rows).unwrap_or_default()
    });
    let add = move |_| form.write(|draft, written| draft::add(draft, written, &member));
    let row = move |row: usize| {
        let take = move |_| form.write(|draft, written| draft::remove(draft, written, name, row));
        view! {
            <li>
            <div class="draft-row" role="group" aria-label=words::row(name, row + 1)>
                <span class="faint num" aria-hidden="true">{row + 1}</span>
                <div class="draft-row-fields">{fields(row)}</div>
                <button
                    class="btn-icon"
                    type="button"
                    disabled=form.closed
                    aria-label=words::remove(name, row + 1)
                    title=words::remove(name, row + 1)
                    on:click=take
                >
                    <Icon name="trash"/>
                </button>
            </div>
            </li>
        }
    };
    any_view! {
        <fieldset class="stack-2">
            <legend>{words::called(name)}</legend>
            <ol class="draft-rows">
                <For each=move || 0..rows.get() key=|row| *row children=row/>
            </ol>
            <button class="btn btn-small" type="button" disabled=form.closed on:click=add>
                <Icon name="plus"/>
                {words::add(name)}
            </button>
        </fieldset>
    }
}

fn field_view(form: DraftForm, place: Place, kind: Kind) -> AnyView {
    let Place { member, row, field } = place;
    let parts = [Some(member.to_owned()), row.map(|row| row.to_string()), field.map(str::to_owned)];
    let id = format!("draft-{}", parts.into_iter().flatten().collect::<Vec<_>>().join("-"));
    let text = form.text(place);
    let lang = form.lang;
    let put = move |text: String| form.put(place, kind, &text);
    let control = match kind {
        Kind::Line | Kind::Maybe | Kind::Number => any_view! {
            <input
                id=id.clone()
                class="input"
                type="text"
                inputmode=(kind == Kind::Number).then_some("numeric")
                autocomplete="off"
                lang=lang
                disabled=form.closed
                prop:value=text
                on:input:target=move |event| put(event.target().value())
            />
        },
        Kind::Long => any_view! {
            <textarea
                id=id.clone()
                class="textarea"
                lang=lang
                disabled=form.closed
                prop:value=text
                on:input:target=move |event| put(event.target().value())
            ></textarea>
        },
        Kind::Lines => lines_view(form, id.clone(), text, put).into_any(),
        Kind::OneOf(all) => {
            let options: Vec<_> = all
                .iter()
                .map(|word| {
                    let is_it = move || text.with(|text| text == word);
                    view! { <option value=*word selected=is_it>{words::word(word)}</option> }
                })
                .collect();
            any_view! {
                <select
                    id=id.clone()
                    class="select"
                    disabled=form.closed
                    on:change:target=move |event| put(event.target().value())
                >
                    {options}
                </select>
            }
        }
    };
    // A text in a row of its own is named by its row.
    let is_named = row.is_none() || field.is_some();
    let label = match is_named {
        true => words::called(field.unwrap_or(member)),
        false => words::row(member, row.unwrap_or_default() + 1),
    };
    any_view! {
        <div class="field">
            <label class:sr=!is_named for=id>{label}</label>
            {control}
        </div>
    }
}

/// A list as lines. What is typed stays as it is typed, blank lines included, as long as it says the same.
fn lines_view(
    form: DraftForm,
    id: String,
    text: Memo<String>,
    put: impl Fn(String) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let typed = RwSignal::new(text.get_untracked());
    Effect::new(move |_| {
        let text = text.get();
        if typed.with_untracked(|typed| draft::lines(typed) != draft::lines(&text)) {
            typed.set(text);
        }
    });
    view! {
        <textarea
            id=id
            class="textarea draft-lines"
            rows="1"
            lang=form.lang
            disabled=form.closed
            prop:value=typed
            on:input:target=move |event| {
                typed.set(event.target().value());
                put(event.target().value());
            }
        ></textarea>
    }
}
