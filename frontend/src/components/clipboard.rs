//! Taking things out of the page: copying a text, saving a file.

use web_sys::{
    Blob, BlobPropertyBag, HtmlAnchorElement, HtmlDocument, HtmlElement, HtmlTextAreaElement, Url,
};

use crate::components::toast::Toasts;
use crate::prelude::*;

/// Copies a text, and says whether it went.
pub fn copy(text: String) {
    copy_and_say(text, "Copied.");
}

/// Copies a text, and says whether it went: in these words if it did. To be called where the toasts of the page are known, in an
/// event handler for one.
pub fn copy_and_say(text: String, done: &'static str) {
    let toasts = use_context::<Toasts>();
    spawn_local(async move {
        let went = match clipboard() {
            Some(clipboard) => JsFuture::from(clipboard.write_text(&text)).await.is_ok(),
            None => copied_by_hand(&text),
        };
        if let Some(toasts) = toasts {
            toasts.show(if went {
                done
            } else {
                "The browser did not allow copying: select the text and copy it by hand."
            });
        }
    });
}

/// The browser's clipboard. It has none on plain HTTP from another machine.
fn clipboard() -> Option<web_sys::Clipboard> {
    let clipboard = window().navigator().clipboard();
    let is_there = !JsValue::from(clipboard.clone()).is_undefined();
    is_there.then_some(clipboard)
}

/// Copies as a person would: a text is selected in a field, and the browser asked to copy. The field stands where the focus is,
/// since nothing outside an open dialog can have it.
fn copied_by_hand(text: &str) -> bool {
    let page = document();
    let focused = page.active_element();
    let Some(place) = focused
        .as_ref()
        .and_then(|element| element.closest("dialog").ok().flatten())
        .or_else(|| page.body().map(Into::into))
    else {
        return false;
    };
    let field = page
        .create_element("textarea")
        .ok()
        .and_then(|element| element.dyn_into::<HtmlTextAreaElement>().ok());
    let Some(field) = field.filter(|field| place.append_child(field).is_ok()) else {
        return false;
    };
    field.set_class_name("sr");
    field.set_value(text);
    field.select();
    let went = page
        .dyn_into::<HtmlDocument>()
        .is_ok_and(|page| page.exec_command("copy").unwrap_or(false));
    field.remove();
    if let Some(focused) = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // It fails only for elements that take no focus.
        let _ = focused.focus();
    }
    went
}

/// Saves texts, one after another, as one file.
pub fn save(name: &str, media_type: &str, texts: &[String]) {
    let parts = js_sys::Array::new();
    for text in texts {
        parts.push(&JsValue::from_str(text));
    }
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    save_blob(name, Blob::new_with_str_sequence_and_options(&parts, &options));
}

/// Saves bytes as a file.
pub fn save_bytes(name: &str, media_type: &str, bytes: &[u8]) {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    save_blob(name, Blob::new_with_u8_array_sequence_and_options(&parts, &options));
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
