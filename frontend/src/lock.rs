//! One driver per run and browser: a lock that other tabs of this site respect, and that goes with its tab.

use std::cell::RefCell;
use std::rc::Rc;

use futures::channel::oneshot;
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};

/// A lock that is held until this is dropped, or another tab takes it away.
pub struct Lock {
    _release: Option<oneshot::Sender<()>>,
    robbed: Option<oneshot::Receiver<()>>,
}

/// What is done about another tab that holds a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    IfFree,
    /// It is taken away, because the user said so.
    Insist,
}

impl Lock {
    /// Comes back once another tab has taken this lock away; `None` for one that binds no other tab. To be asked for once.
    pub fn robbed(&mut self) -> Option<impl Future<Output = bool> + use<>> {
        let robbed = self.robbed.take()?;
        Some(async move { robbed.await.is_ok() })
    }
}

/// Takes the lock of that name, unless another tab holds it and may keep it. A browser without locks (or a page that may not use
/// them) gets one that binds no other tab.
pub async fn take(name: &str, manner: Manner) -> Option<Lock> {
    let free = || Some(Lock { _release: None, robbed: None });
    let Some((locks, request)) = manager() else {
        return free();
    };
    let (answer, answered) = oneshot::channel::<Option<Lock>>();
    let (robbing, robbed) = oneshot::channel();
    let answer = Rc::new(RefCell::new(Some(answer)));
    let granted = Closure::once_into_js(move |lock: JsValue| -> Promise {
        let (release, released) = oneshot::channel();
        let taken = !lock.is_null() && !lock.is_undefined();
        let mine = taken.then_some(Lock { _release: Some(release), robbed: Some(robbed) });
        if let Some(answer) = answer.borrow_mut().take() {
            // If no task waits any more, the lock is dropped here and thereby released.
            let _ = answer.send(mine);
        }
        future_to_promise(async move {
            let _ = released.await;
            Ok(JsValue::UNDEFINED)
        })
    });
    let options = Object::new();
    let option = match manner {
        Manner::IfFree => "ifAvailable",
        Manner::Insist => "steal",
    };
    let set = Reflect::set(&options, &option.into(), &JsValue::TRUE);
    let asked = request.call3(&locks, &name.into(), &options, &granted);
    let (Ok(_), Ok(held)) = (set, asked) else {
        return free();
    };
    spawn_local(async move {
        // It ends well when this page lets go, and badly when another one takes the lock away.
        if JsFuture::from(Promise::resolve(&held)).await.is_err() {
            let _ = robbing.send(());
        }
    });
    answered.await.unwrap_or(None)
}

fn manager() -> Option<(JsValue, Function)> {
    let navigator = web_sys::window()?.navigator();
    let locks = Reflect::get(&navigator, &"locks".into()).ok()?;
    let request = Reflect::get(&locks, &"request".into()).ok()?;
    Some((locks, request.dyn_into().ok()?))
}
