//! Taking things out of the page: copying a text, saving a file.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use crate::components::toast::Toasts;
use crate::strings::run as words;

/// Copies a text, and says whether it went.
pub fn copy(text: String) {
    let toasts = use_context::<Toasts>();
    spawn_local(async move {
        let clipboard = window().navigator().clipboard();
        let told = match JsFuture::from(clipboard.write_text(&text)).await {
            Ok(_) => words::COPIED,
            Err(_) => words::NOT_COPIED,
        };
        if let Some(toasts) = toasts {
            toasts.show(told);
        }
    });
}

/// Saves texts, one after another, as one file.
pub fn save(name: &str, media_type: &str, texts: &[String]) {
    let parts = js_sys::Array::new();
    for text in texts {
        parts.push(&JsValue::from_str(text));
    }
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    save_blob(
        name,
        Blob::new_with_str_sequence_and_options(&parts, &options),
    );
}

/// Saves bytes as a file.
pub fn save_bytes(name: &str, media_type: &str, bytes: &[u8]) {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    save_blob(
        name,
        Blob::new_with_u8_array_sequence_and_options(&parts, &options),
    );
}

fn save_blob(name: &str, blob: Result<Blob, JsValue>) {
    let Ok(address) = blob.and_then(|blob| Url::create_object_url_with_blob(&blob)) else {
        // Only a browser without memory refuses, and then it says so itself.
        return;
    };
    if let Some(link) = document()
        .create_element("a")
        .ok()
        .and_then(|element| element.dyn_into::<HtmlAnchorElement>().ok())
    {
        link.set_href(&address);
        link.set_download(name);
        link.click();
    }
    // The browser has taken the file over when the click returns.
    let _ = Url::revoke_object_url(&address);
}
