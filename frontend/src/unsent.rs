//! What a person typed and has not sent yet. It is kept for as long as the tab lives, so that a page that is loaded again
//! still has it, and forgotten once it is sent. Nothing of it leaves the browser.

use std::fmt::Display;

use crate::prelude::*;

/// One question, as the fields of its form know it. To be provided as a context around the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsent(String);

impl Unsent {
    /// A question of a run, by something that no other question of the run has.
    pub fn of(run: &RunId, question: impl Display) -> Self {
        Unsent(format!("turnwise.unsent.{run}.{question}"))
    }

    /// Forgets what was typed: it was sent.
    pub fn forget(&self) {
        if let Some(storage) = storage() {
            // A browser that refuses has nothing to forget.
            let _ = storage.remove_item(&self.0);
        }
    }

    /// Forgets what was typed into one of its fields: that was sent, and the others were not.
    pub fn forget_field(&self, field: &str) {
        let mut all = self.all();
        if all.remove(field).is_some() {
            self.write(&all);
        }
    }

    fn all(&self) -> BTreeMap<String, String> {
        storage()
            .and_then(|storage| storage.get_item(&self.0).ok()?)
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    fn keep(&self, field: &str, text: String) {
        let mut all = self.all();
        all.insert(field.to_owned(), text);
        self.write(&all);
    }

    fn write(&self, all: &BTreeMap<String, String>) {
        let text = serde_json::to_string(all).expect("texts are plain data");
        if let Some(storage) = storage() {
            // Private windows may refuse; then a reload forgets.
            let _ = storage.set_item(&self.0, &text);
        }
    }
}

/// What stands in a field of a form: what was typed there before the page was loaded again, else what the form begins with.
/// It is kept from now on, where an [`Unsent`] is provided.
pub fn typed(field: impl Into<String>, begins: impl FnOnce() -> String) -> RwSignal<String> {
    let question = use_context::<Unsent>();
    let field = field.into();
    let before = question.as_ref().and_then(|question| question.all().remove(&field));
    let value = RwSignal::new(before.unwrap_or_else(begins));
    if let Some(question) = question {
        Effect::new(move |first: Option<()>| {
            let text = value.get();
            if first.is_some() {
                question.keep(&field, text);
            }
        });
    }
    value
}

fn storage() -> Option<web_sys::Storage> {
    window().session_storage().ok()?
}
