//! Fields of forms.

use std::collections::BTreeSet;

use leptos::prelude::*;

use super::icons::{Icon, IconSize};
use crate::strings;

/// The fields of a form in which something stands that cannot be read. Nothing is started meanwhile.
#[derive(Clone, Copy, Default)]
pub struct Unread(RwSignal<BTreeSet<&'static str>>);

impl Unread {
    /// Those of the form that is made here: every [`NumberField`] below tells it.
    pub fn provide() -> Self {
        let unread = Unread::default();
        provide_context(unread);
        unread
    }

    /// Why the form cannot be sent, if it cannot.
    pub fn problem(self) -> Option<&'static str> {
        let is_any = self.0.with(|fields| !fields.is_empty());
        is_any.then_some(strings::UNREAD)
    }

    fn tell(self, field: &'static str, is_unread: bool) {
        if self.0.try_with_untracked(|fields| fields.contains(field)) == Some(!is_unread) {
            self.0.try_update(|fields| match is_unread {
                true => fields.insert(field),
                false => fields.remove(field),
            });
        }
    }
}

/// What stands in a field: a number, nothing, or something that is neither.
fn typed(text: &str, is_unreadable: bool) -> Result<Option<u64>, ()> {
    match text.trim() {
        "" if is_unreadable => Err(()),
        "" => Ok(None),
        text => text.parse().map(Some).map_err(drop),
    }
}

/// A whole number; an empty field is `None`. What is typed counts when the field is left or Enter is pressed. What is no whole number
/// stays, is marked, and is told to the form ([`Unread`]).
#[component]
pub fn NumberField(
    /// Its name in the page.
    id: &'static str,
    /// The label above.
    label: &'static str,
    /// What stands in it.
    #[prop(into)]
    value: Signal<Option<u64>>,
    /// Called with what was typed, brought between `least` and `most`.
    on_change: impl Fn(Option<u64>) + Send + Sync + 'static,
    /// The smallest number.
    #[prop(default = 0)]
    least: u64,
    /// The largest number.
    #[prop(default = u64::MAX)]
    most: u64,
    /// What an empty field means; without it, an empty field is filled with what stood there before.
    #[prop(optional, into)]
    empty: Option<String>,
    /// A remark below.
    #[prop(optional)]
    note: Option<&'static str>,
    /// Whether it binds nothing now.
    #[prop(optional, into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let text = move || {
        value
            .get()
            .map(|number| number.to_string())
            .unwrap_or_default()
    };
    let may_be_empty = empty.is_some();
    let form = use_context::<Unread>();
    let is_wrong = RwSignal::new(false);
    let mark = move |wrong: bool| {
        is_wrong.try_set(wrong);
        if let Some(form) = form {
            form.tell(id, wrong);
        }
    };
    on_cleanup(move || mark(false));
    // What is chosen elsewhere, by another address for one, is shown instead.
    Effect::new(move |before: Option<()>| {
        value.track();
        if before.is_some() {
            mark(false);
        }
    });
    let error_id = format!("{id}-error");
    let described_by = error_id.clone();
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input
                    id=id
                    class="input"
                    type="number"
                    inputmode="numeric"
                    min=least
                    max=(most < u64::MAX).then_some(most)
                    placeholder=empty
                    disabled=move || disabled.get()
                    aria-invalid=move || is_wrong.get().then_some("true")
                    aria-describedby=move || is_wrong.get().then(|| described_by.clone())
                    prop:value=text
                    on:change:target=move |event| {
                        let field = event.target();
                        let Ok(number) = typed(&field.value(), field.validity().bad_input()) else {
                            return mark(true);
                        };
                        mark(false);
                        if number.is_some() || may_be_empty {
                            on_change(number.map(|number| number.clamp(least, most)));
                        }
                        // What was typed may not be what counts; the field shows what does.
                        field.set_value(&value.get_untracked().map(|number| number.to_string()).unwrap_or_default());
                    }
                />
            <Show when=move || is_wrong.get()>
                <span class="field-error" id=error_id.clone()>
                    <Icon name="warning" size=IconSize::Small/>
                    {strings::WHOLE_NUMBER}
                </span>
            </Show>
            {note.map(|note| view! { <span class="field-note">{note}</span> })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_whole_number_is_not_taken_for_an_empty_field() {
        assert_eq!(typed(" 12 ", false), Ok(Some(12)));
        assert_eq!(typed(" ", false), Ok(None));
        for text in ["1e2", "2.5", "-5", "12a", "99999999999999999999"] {
            assert_eq!(typed(text, false), Err(()), "{text}");
        }
        // A browser shows a half-written number and tells no text.
        assert_eq!(typed("", true), Err(()));
    }
}
