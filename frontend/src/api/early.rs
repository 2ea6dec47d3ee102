//! What the first script of the page has asked the server already (`xtask/src/web/early.rs`). It asks without any token.

use gloo_net::http::Response;
use js_sys::{Map, Promise, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The answer to a request that was made by the first script; each is given once. `None` if it has not asked this, or the
/// server could not be reached.
pub async fn answer(path: &str) -> Option<Response> {
    let asked = Reflect::get(&js_sys::global(), &JsValue::from_str("turnwiseAsked")).ok()?;
    let asked: Map = asked.dyn_into().ok()?;
    let path = JsValue::from_str(path);
    let answer: Promise = asked.get(&path).dyn_into().ok()?;
    asked.delete(&path);
    let answer = JsFuture::from(answer).await.ok()?;
    Some(answer.dyn_into::<web_sys::Response>().ok()?.into())
}
