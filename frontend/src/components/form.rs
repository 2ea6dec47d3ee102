//! Fields of forms.

use crate::prelude::*;
use crate::strings;

/// The fields of a form in which something stands that cannot be read. Nothing is started meanwhile.
#[derive(Clone, Copy, Default)]
pub struct Unread(RwSignal<BTreeSet<String>>);

impl Unread {
    /// Those of the form that is made here: every [`Mark`] below tells it.
    pub fn provide() -> Self {
        let unread = Unread::default();
        provide_context(unread);
        unread
    }

    /// Why the form cannot be sent, if it cannot.
    pub fn problem(self) -> Option<&'static str> {
        let is_any = self.0.with(|fields| !fields.is_empty());
        is_any.then_some("Something in this form cannot be read. It is marked above.")
    }

    fn tell(self, field: &str, is_unread: bool) {
        if self.0.try_with_untracked(|fields| fields.contains(field)) == Some(!is_unread) {
            self.0.try_update(|fields| match is_unread {
                true => fields.insert(field.to_owned()),
                false => fields.remove(field),
            });
        }
    }
}

/// Whether what stands in a field can be read, and what would be right; it is reported to the form ([`Unread`]).
#[derive(Clone, Copy)]
pub struct Mark {
    field: StoredValue<String>,
    form: Option<Unread>,
    why: RwSignal<Option<String>>,
}

impl Mark {
    /// That of a field, by its name in the page. It goes when another `value` is chosen elsewhere, by another address for one.
    pub fn of(field: &str, value: Signal<String>) -> Self {
        let mark = Mark {
            field: StoredValue::new(field.to_owned()),
            form: use_context(),
            why: RwSignal::new(None),
        };
        on_cleanup(move || mark.set(Ok(())));
        // The value itself: most come from a choice of which another part may change.
        let value = Memo::new(move |_| value.get());
        Effect::new(move |before: Option<()>| {
            value.track();
            if before.is_some() {
                mark.set(Ok(()));
            }
        });
        mark
    }

    /// It was read, or what would be right.
    pub fn set(self, read: Result<(), String>) {
        if let Some(form) = self.form {
            self.field.try_with_value(|field| form.tell(field, read.is_err()));
        }
        self.why.try_set(read.err());
    }

    /// What would be right, as long as it cannot be read.
    pub fn why(self) -> Option<String> {
        self.why.get()
    }

    pub fn invalid(self) -> Option<&'static str> {
        self.why.is_some().then_some("true")
    }
}

/// Under a field: what would be right.
#[component]
pub fn FieldError(
    /// Its name in the page.
    id: String,
    why: String,
) -> impl IntoView {
    view! {
        <span class="field-error" id=id>
            <SmallIcon name="warning"/>
            {why}
        </span>
    }
}

/// A text that is read when the field is left or Enter is pressed. What cannot be read stays, and is marked ([`Mark`]).
#[component]
pub fn ReadField(
    /// Its name in the page.
    id: &'static str,
    #[prop(into)] label: String,
    #[prop(into)] value: Signal<String>,
    /// Takes what was typed, or says what would be right; what a browser knows to be no number comes as a text that is none.
    read: impl Fn(&str) -> Result<(), String> + Send + Sync + 'static,
    /// What is typed, for the browser.
    #[prop(default = "text")]
    kind: &'static str,
    /// Which keys a phone shows.
    #[prop(default = "text")]
    keys: &'static str,
    /// The smallest number, for the browser.
    #[prop(default = None)]
    least: Option<u64>,
    /// The largest number, for the browser.
    #[prop(default = None)]
    most: Option<u64>,
    /// What an empty field means.
    #[prop(default = None)]
    empty: Option<String>,
    /// A remark below, if any.
    #[prop(optional)]
    note: &'static str,
    /// Whether it binds nothing now.
    #[prop(optional, into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let mark = Mark::of(id, value);
    let error_id = format!("{id}-error");
    let described_by = error_id.clone();
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input
                    id=id
                    class="input"
                    type=kind
                    inputmode=keys
                    autocomplete="off"
                    min=least
                    max=most
                    placeholder=empty
                    disabled=disabled
                    aria-invalid=move || mark.invalid()
                    aria-describedby=move || mark.invalid().map(|_| described_by.clone())
                    prop:value=value
                    on:change:target=move |event| {
                        let field = event.target();
                        let heard = match field.validity().bad_input() {
                            true => read(UNREADABLE),
                            false => read(&field.value()),
                        };
                        let is_read = heard.is_ok();
                        mark.set(heard);
                        if is_read {
                            // It may be written in another way than it counts; the field shows what does.
                            field.set_value(&value.get_untracked());
                        }
                    }
                />
            {move || mark.why().map(|why| view! { <FieldError id=error_id.clone() why/> })}
            {(!note.is_empty()).then(|| view! { <span class="field-note">{note}</span> })}
        </div>
    }
}

/// Handed on where a browser shows what is no number, and does not tell it.
const UNREADABLE: &str = "?";

/// What was typed for a whole number from `least` to `most`: the number, or nothing.
fn whole(text: &str, least: u64, most: u64) -> Result<Option<u64>, String> {
    match text.trim() {
        "" => Ok(None),
        text => text
            .parse()
            .ok()
            .filter(|number| (least..=most).contains(number))
            .map(Some)
            .ok_or_else(|| strings::whole_number(least, most)),
    }
}

/// A whole number; an empty field is `None`.
#[component]
pub fn NumberField(
    /// Its name in the page.
    id: &'static str,
    #[prop(into)] label: String,
    #[prop(into)] value: Signal<Option<u64>>,
    /// Called with what was typed, if it is between `least` and `most`.
    on_change: impl Fn(Option<u64>) + Send + Sync + 'static,
    #[prop(default = 0)] least: u64,
    #[prop(default = u64::MAX)] most: u64,
    /// What an empty field means; without it, an empty field is filled with what stood there before.
    #[prop(optional, into)]
    empty: Option<String>,
    /// A remark below, if any.
    #[prop(optional)]
    note: &'static str,
    /// Whether it binds nothing now.
    #[prop(optional, into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let may_be_empty = empty.is_some();
    let text = Signal::derive(move || value.get().as_ref().map(u64::to_string).unwrap_or_default());
    let read = move |text: &str| {
        let number = whole(text, least, most)?;
        if number.is_some() || may_be_empty {
            on_change(number);
        }
        Ok(())
    };
    let end = (most < u64::from(u32::MAX)).then_some(most);
    view! {
        <ReadField
            id
            label
            value=text
            read
            kind="number"
            keys="numeric"
            least=Some(least)
            most=end
            empty
            note
            disabled
        />
    }
}

/// What the user wrote as a list, with commas, semicolons or spaces between.
pub fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| sign == ',' || sign == ';' || sign.is_whitespace())
        .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_whole_number_is_not_taken_for_an_empty_field() {
        assert_eq!(whole(" 12 ", 0, 20), Ok(Some(12)));
        assert_eq!(whole(" ", 1, 20), Ok(None));
        for text in ["1e2", "2.5", "-5", "12a", "99999999999999999999", UNREADABLE] {
            assert!(whole(text, 0, u64::MAX).is_err(), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_said_and_not_bent() {
        for text in ["0", "21"] {
            let why = whole(text, 1, 20).unwrap_err();
            assert!(why.contains("from 1 to 20"), "{why}");
        }
    }
}
