//! Fields of forms.

use leptos::prelude::*;

/// A whole number; an empty field is `None`. What is typed counts when the field is left or Enter is pressed.
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
                    prop:value=text
                    on:change:target=move |event| {
                        let typed = event.target().value();
                        let number = typed.trim().parse::<u64>().ok().map(|number| number.clamp(least, most));
                        if number.is_some() || may_be_empty {
                            on_change(number);
                        }
                        // What was typed may not be what counts; the field shows what does.
                        event.target().set_value(&value.get_untracked().map(|number| number.to_string()).unwrap_or_default());
                    }
                />
            {note.map(|note| view! { <span class="field-note">{note}</span> })}
        </div>
    }
}
