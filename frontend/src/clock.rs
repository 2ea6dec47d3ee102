//! Time in the browser, and giving the browser a turn.
//!
//! A page in the background has its timers held back, so nothing that drives a run waits for one: [`breathe`] goes through a
//! message to ourselves, which is not held back.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::pin;

use futures::channel::oneshot;
use futures::future::select;
use leptos::prelude::request_animation_frame;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use web_sys::MessageChannel;

use crate::strings::spec::MONTHS;

/// No frame is waited for longer, in milliseconds.
const LONGEST_FRAME: u32 = 250;

/// Milliseconds since the page was opened; never goes back.
pub fn now() -> f64 {
    WATCH.with(|watch| watch.as_ref().map_or(0.0, web_sys::Performance::now))
}

/// Milliseconds since 1970.
pub fn today() -> u64 {
    // A date in milliseconds is far below 2^53, and after 1970.
    js_sys::Date::now().max(0.0) as u64
}

/// A moment, from milliseconds since 1970, in the time of this browser's place: `5 Mar 2026, 14:02`.
pub fn moment(milliseconds: u64) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(milliseconds as f64));
    format!("{}, {:02}:{:02}", day_of(&date), date.get_hours(), date.get_minutes())
}

/// The day of a moment, from milliseconds since 1970, in the time of this browser's place: `5 Mar 2026`.
pub fn day(milliseconds: u64) -> String {
    day_of(&js_sys::Date::new(&JsValue::from_f64(milliseconds as f64)))
}

fn day_of(date: &js_sys::Date) -> String {
    let month = MONTHS.get(date.get_month() as usize).copied().unwrap_or_default();
    format!("{} {month} {}", date.get_date(), date.get_full_year())
}

/// Waits `milliseconds`, or longer while the page is in the background.
pub async fn sleep(milliseconds: u32) {
    gloo_timers::future::TimeoutFuture::new(milliseconds).await;
}

/// Waits until the browser has drawn what the page is now. In the background nothing is drawn, and it waits a while instead.
pub async fn drawn() {
    let (sender, receiver) = oneshot::channel();
    request_animation_frame(move || {
        // The task that waited may be gone.
        let _ = sender.send(());
    });
    select(receiver, pin!(sleep(LONGEST_FRAME))).await;
    // A frame is drawn after what waits for it.
    breathe().await;
}

/// Lets the browser do what it has to do (draw, take clicks), then goes on.
pub async fn breathe() {
    let (sender, receiver) = oneshot::channel();
    let posted = LOOP.with(|own| match own {
        Some(own) => {
            own.sleepers.borrow_mut().push_back(sender);
            own.channel.port2().post_message(&JsValue::NULL).is_ok()
        }
        None => false,
    });
    if posted {
        // The other end lives as long as the page.
        let _ = receiver.await;
    } else {
        sleep(0).await;
    }
}

thread_local! {
    /// Asked for many times a second, so it is looked up once.
    static WATCH: Option<web_sys::Performance> =
        web_sys::window().and_then(|window| window.performance());
}

struct Loop {
    channel: MessageChannel,
    sleepers: RefCell<VecDeque<oneshot::Sender<()>>>,
    _woken: Closure<dyn FnMut()>,
}

thread_local! {
    static LOOP: Option<Loop> = {
        let woken = Closure::new(wake);
        MessageChannel::new().ok().map(|channel| {
            channel.port1().set_onmessage(Some(wasm_bindgen::JsCast::unchecked_ref(woken.as_ref())));
            Loop { channel, sleepers: RefCell::default(), _woken: woken }
        })
    };
}

fn wake() {
    let sleeper =
        LOOP.with(|own| own.as_ref().and_then(|own| own.sleepers.borrow_mut().pop_front()));
    if let Some(sleeper) = sleeper {
        // No task waits any more: it was dropped.
        let _ = sleeper.send(());
    }
}
