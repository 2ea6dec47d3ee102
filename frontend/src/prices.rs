//! What services ask, as the server has it. It is asked for once, by the first page that shows money.

use futures::FutureExt as _;
use futures::future::Shared;

use crate::api;
use crate::prelude::*;

/// The request, on its way or answered.
type Asked = Shared<LocalBoxFuture<'static, ()>>;

thread_local! {
    static BOOK: ArcRwSignal<Arc<PriceBook>> = ArcRwSignal::new(Arc::default());
    static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

/// The prices; nothing is known until the server has answered, and if it does not.
pub fn prices() -> ArcRwSignal<Arc<PriceBook>> {
    let asked = asked();
    if asked.peek().is_none() {
        spawn_local(asked);
    }
    BOOK.with(Clone::clone)
}

/// The prices once the server has answered; nothing is known if it does not.
pub async fn known() -> Arc<PriceBook> {
    asked().await;
    BOOK.with(Clone::clone).get_untracked()
}

fn asked() -> Asked {
    let ask = || {
        let book = BOOK.with(Clone::clone);
        let answer = async move {
            match api::prices().await {
                Ok(found) => book.set(Arc::new(found)),
                // The next page that shows money asks again.
                Err(_) => ASKED.set(None),
            }
        };
        answer.boxed_local().shared()
    };
    ASKED.with_borrow_mut(|asked| asked.get_or_insert_with(ask).clone())
}
