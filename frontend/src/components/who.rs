//! The choice of who sits in a seat: one of those who are known, or a model whose name is typed.

use crate::prelude::*;

/// The choice of another model, which is then typed.
const TYPED: &str = "model:";

#[derive(Debug, Clone, Copy)]
pub struct Who {
    chosen: RwSignal<String>,
    typed: RwSignal<String>,
}

impl Who {
    /// The player chosen at first; an empty name is none.
    pub fn new(name: String) -> Self {
        Who { chosen: RwSignal::new(name), typed: RwSignal::new(String::new()) }
    }

    pub fn choose(self, name: String) {
        self.chosen.try_set(name);
    }

    /// Who is chosen; `None` while no player is.
    pub fn player(self) -> Option<Player> {
        let chosen = self.chosen.get();
        match chosen == TYPED {
            true => format!("{TYPED}{}", self.typed.get().trim()).parse().ok(),
            false => chosen.parse().ok(),
        }
    }
}

#[component]
pub fn WhoField(
    /// Their ids begin with it.
    #[prop(into)]
    name: String,
    /// The label of the choice.
    #[prop(into)]
    label: Signal<String>,
    /// Those who are known, by name.
    #[prop(into)]
    known: Signal<Vec<String>>,
    /// What a person is called.
    person: &'static str,
    who: Who,
    /// Whether only those who are known can be chosen.
    #[prop(optional, into)]
    known_only: Signal<bool>,
    /// What stands below the choice.
    #[prop(optional, into)]
    note: Signal<Option<String>>,
) -> impl IntoView {
    let Who { chosen, typed } = who;
    let options = move || {
        let one = |value: String, title: String| {
            let is_chosen = chosen.with_untracked(|chosen| *chosen == value);
            view! {
                <option value=value prop:selected=is_chosen>
                    {title}
                </option>
            }
        };
        let of_person = Player::Person.to_string();
        let title = |who: &String| match *who == of_person {
            true => person.to_owned(),
            false => who.clone(),
        };
        let known = known.get().into_iter().map(|who| {
            let title = title(&who);
            one(who, title)
        });
        let typed = !known_only.get();
        let other = typed.then(|| one(TYPED.to_owned(), "another model …".to_owned()));
        (known.collect_view(), other)
    };
    let name = StoredValue::new(name);
    let id = move |part: &str| name.with_value(|name| format!("{name}-{part}"));
    let shown = move || {
        let note = note.get()?;
        Some(view! {
            <span class="field-note" id=id("note")>
                {note}
            </span>
        })
    };
    let (model, model_note) = (id("model"), id("model-note"));
    view! {
        <div class="field">
            <label for=id("who")>{label}</label>
            <select
                class="select"
                id=id("who")
                aria-describedby=move || note.is_some().then(|| id("note"))
                on:change=move |event| chosen.set(event_target_value(&event))
            >
                {options}
            </select>
            {shown}
        </div>
        <Show when=move || chosen.with(|chosen| chosen == TYPED)>
            <div class="field">
                <label for=model.clone()>"Model"</label>
                <input
                    class="input input-mono"
                    id=model.clone()
                    aria-describedby=model_note.clone()
                    prop:value=typed
                    on:input=move |event| typed.set(event_target_value(&event))
                />
                <span class="field-note" id=model_note.clone()>
                    "PROVIDER/MODEL, the provider as it stands under Connections"
                </span>
            </div>
        </Show>
    }
}
