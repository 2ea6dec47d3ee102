//! Short texts in local storage: which runs are private, the operator's access token, and what pages remember.

use crate::prelude::*;

/// The name under which the runs stand that were made private here.
const PRIVATE: &str = "turnwise.private";

/// The runs that were made private in this browser: the server shows them only to a client with their token.
pub fn private_runs() -> BTreeSet<RunId> {
    recall(PRIVATE).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Remembers who may see a run that this browser opened.
pub fn remember_visibility(run: &RunId, visibility: Visibility) {
    let mut all = private_runs();
    match visibility {
        Visibility::Private => all.insert(run.clone()),
        Visibility::Unlisted | Visibility::Public => all.remove(run),
    };
    let text = serde_json::to_string(&all).ok();
    remember(PRIVATE, text.as_deref().filter(|_| !all.is_empty()));
}

/// The operator's access token, if the user typed it into this browser.
pub fn access_token() -> Option<String> {
    recall("turnwise.access")
}

/// Remembers the operator's access token in this browser; an empty one forgets it.
pub fn set_access_token(token: &str) {
    remember("turnwise.access", Some(token.trim()).filter(|token| !token.is_empty()));
}

/// A short text from local storage.
pub fn recall(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Keeps a short text in local storage, or forgets it. A browser that refuses just forgets at once.
pub fn remember(key: &str, value: Option<&str>) {
    if let Some(storage) = storage() {
        let _ = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
    }
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}
