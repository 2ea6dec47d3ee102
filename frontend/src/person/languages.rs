//! In which languages a person is asked, where the tasks of a run have several.

use crate::clock;
use crate::live::RunView;
use crate::prelude::*;
use crate::strings::person as strings;

/// A box for each language, and how many questions wait in those that are left out; nothing where there is one language.
#[component]
pub fn Languages(view: RunView) -> impl IntoView {
    let offered = Memo::new(move |_| {
        view.people.with(|people| {
            let offered = people.languages.offered();
            offered.cloned().collect::<Vec<_>>()
        })
    });
    let left_out = Memo::new(move |_| view.people.with(|people| people.left_out()));
    let boxes = move || {
        let boxes = offered.get().into_iter().map(|language| {
            let name = strings::language(&language);
            let (known, code) = (language.clone(), language.clone());
            view! {
                <label class="check">
                    <input
                        type="checkbox"
                        value=code
                        prop:checked=move || view.people.with(|people| people.languages.takes(&known))
                        on:change:target=move |event| {
                            let takes = event.target().checked();
                            view.people.update(|people| people.take_language(&language, takes, clock::now()));
view.people.with_untracked(|people| people.languages.remember());
                        }
                    />
                    <span>{name}</span>
                </label>
            }
        });
        boxes.collect_view()
    };
    view! {
        <Show when=move || offered.with(|offered| !offered.is_empty())>
            <div class="row" id="person-languages" role="group" aria-label=strings::LANGUAGES>
                <span class="soft">{strings::LANGUAGES}</span>
                {boxes}
                <span class="small soft" role="status">
                    {move || Some(left_out.get()).filter(|count| *count > 0).map(strings::left_out)}
                </span>
            </div>
        </Show>
    }
}
