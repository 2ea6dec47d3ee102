//! One driver per run and browser: a lock that other tabs of this site respect, and that goes with its tab.

use std::cell::RefCell;
use std::rc::Rc;

use futures::channel::oneshot;
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::future_to_promise;

/// A lock that is held until this is dropped.
pub struct Lock {
    _release: Option<oneshot::Sender<()>>,
}

/// Takes the lock of that name, unless another tab holds it. A browser without locks (or a page that may not use them) gets
/// one that binds nobody.
pub async fn take(name: &str) -> Option<Lock> {
    let free = || Some(Lock { _release: None });
    let Some((locks, request)) = manager() else {
        return free();
    };
    let (answer, answered) = oneshot::channel::<Option<Lock>>();
    let answer = Rc::new(RefCell::new(Some(answer)));
    let granted = Closure::once_into_js(move |lock: JsValue| -> Promise {
        let (release, released) = oneshot::channel();
        let taken = !lock.is_null() && !lock.is_undefined();
        let mine = taken.then_some(Lock {
            _release: Some(release),
        });
        if let Some(answer) = answer.borrow_mut().take() {
            // If nobody waits any more, the lock is dropped here and thereby released.
            let _ = answer.send(mine);
        }
        future_to_promise(async move {
            let _ = released.await;
            Ok(JsValue::UNDEFINED)
        })
    });
    let options = Object::new();
    let set = Reflect::set(&options, &"ifAvailable".into(), &JsValue::TRUE);
    if set.is_err()
        || request
            .call3(&locks, &name.into(), &options, &granted)
            .is_err()
    {
        return free();
    }
    answered.await.unwrap_or(None)
}

fn manager() -> Option<(JsValue, Function)> {
    let navigator = web_sys::window()?.navigator();
    let locks = Reflect::get(&navigator, &"locks".into()).ok()?;
    let request = Reflect::get(&locks, &"request".into()).ok()?;
    Some((locks, request.dyn_into().ok()?))
}
