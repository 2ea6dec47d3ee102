//! The body of an answer as it comes in: a large one takes a tenth of a second if it is asked for as a whole.

use gloo_net::http::Response;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::ReadableStreamDefaultReader;

/// The body of an answer, piece by piece.
pub struct Body(ReadableStreamDefaultReader);

impl Body {
    /// The body of an answer of which nothing was read yet; `None` if it has none.
    pub fn of(answer: &Response) -> Option<Self> {
        // A body that another reader reads already is none of ours.
        if answer.body_used() {
            return None;
        }
        let reader = answer.body()?.get_reader();
        Some(Body(reader.unchecked_into()))
    }

    /// The next piece; `None` at the end, or if the rest cannot be had.
    pub async fn piece(&mut self) -> Option<Vec<u8>> {
        let read = JsFuture::from(self.0.read()).await.ok()?;
        let piece = Reflect::get(&read, &JsValue::from_str("value")).ok()?;
        Some(piece.dyn_into::<Uint8Array>().ok()?.to_vec())
    }
}
