//! Numbers over many episodes are counted beside the page, in a Web Worker, so that no click waits for them.
//!
//! The worker runs this same program, started by the same script; [`is_inside`] tells the two apart. The page sends it each
//! summary once ([`sent`]), then asks for reports over those that it has ([`summaries`]). What travels is JSON, as it does to and from
//! the server. A worker that cannot be had, or falls silent, costs nothing but time: the page then counts by itself.

mod page;
mod sent;
mod summaries;
#[cfg(test)]
mod tests;

use futures::StreamExt as _;
use futures::channel::mpsc;
use js_sys::Uint8Array;
use serde::{Deserialize, Serialize};
use summaries::Summaries;
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use crate::later::later;
use crate::prelude::*;
use crate::strings;

pub use page::report;

/// Orders as they come.
type Orders = mpsc::UnboundedReceiver<Vec<u8>>;

/// The number under which the worker keeps a summary.
type Number = u32;

/// What the page tells the worker. `S` is a summary, or one borrowed.
#[derive(Debug, Serialize, Deserialize)]
enum Order<S> {
    /// Summaries that it will need.
    Keep(Vec<(Number, S)>),
    Count(Box<Count>),
}

/// A wish for a report.
#[derive(Debug, Serialize, Deserialize)]
struct Count {
    /// Tells its answer from those to earlier wishes.
    ticket: u64,
    /// How the numbers are taken.
    spec: Spec,
    options: MeasureOptions,
    /// Over which plays, in this order; others need not be kept any longer.
    over: Vec<Number>,
}

/// What the worker tells the page.
#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    /// It listens now; what was sent before is lost.
    Ready,
    /// The report; `None` where there is none to be had: no episode, or a benchmark that this program does not know.
    Counted { ticket: u64, report: Option<Box<Report>> },
    /// It cannot count: it lacks an episode, or does not understand.
    Useless,
}

later! {
    /// Carries out the orders of a page, in its worker.
    work: fn carry_out(orders: Orders) -> LocalBoxFuture<'static, ()> {
        Box::pin(carry_out_all(orders))
    }
}

/// Whether this program runs in a worker and not in a page.
pub fn is_inside() -> bool {
    js_sys::global().has_type::<DedicatedWorkerGlobalScope>()
}

/// Carries out orders for as long as the page that started this worker lives. What that takes is fetched first; an uncaught
/// error tells the page that it could not be loaded.
pub fn serve() {
    let (sender, orders) = mpsc::unbounded();
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        // Once the receiving end is dropped, nothing counts any more.
        let _ = sender.unbounded_send(Uint8Array::new(&event.data()).to_vec());
    });
    scope().set_onmessage(Some(heard.as_ref().unchecked_ref()));
    // It listens for ever.
    heard.forget();
    spawn_local(async move {
        match carry_out(orders).await {
            Ok(work) => work.await,
            Err(_) => wasm_bindgen::throw_str(strings::NOT_LOADED),
        }
    });
}

/// Says that it listens, then carries out one order after the other.
async fn carry_out_all(mut orders: Orders) {
    say(&Answer::Ready);
    let mut summaries = Summaries::default();
    while let Some(order) = orders.next().await {
        if let Some(answer) = answered(&mut summaries, &order) {
            say(&answer);
        }
    }
}

/// What is to be said to an order.
fn answered(summaries: &mut Summaries, order: &[u8]) -> Option<Answer> {
    match serde_json::from_slice(order) {
        Ok(order) => summaries.carry_out(order),
        // Page and worker are one program; if they do not understand each other, nothing can be counted here.
        Err(_) => Some(Answer::Useless),
    }
}

fn say(answer: &Answer) {
    if let Some(bytes) = packed(answer) {
        // Bytes can always be posted.
        let _ = scope().post_message_with_transfer(&bytes, &js_sys::Array::of1(&bytes.buffer()));
    }
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// A message as bytes that the other side takes over without copying them; `None` if it cannot be written, which no message of
/// ours is.
fn packed(message: &impl Serialize) -> Option<Uint8Array> {
    let bytes = serde_json::to_vec(message).ok()?;
    Some(Uint8Array::from(bytes.as_slice()))
}

/// A message that came; `None` if it is none of ours.
fn unpacked<T: for<'de> Deserialize<'de>>(message: &JsValue) -> Option<T> {
    serde_json::from_slice(&Uint8Array::new(message).to_vec()).ok()
}
