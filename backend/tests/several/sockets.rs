//! Who may call over a socket of one server while the run is driven over another.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::{Epoch, FrameBody};

use crate::common::socket::{self, Page};

use super::*;

/// As long as a server may believe what it knows of a run, and some more.
const BELIEVED: Duration = Duration::from_millis(300);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_lost_the_run_over_another_server_makes_no_further_call() {
    let folder = folder();
    let Some(database) = database::postgres(folder.path()) else {
        return;
    };
    let counter = Counter::default();
    let upstream = counter.start().await;
    let one = Server::start(&folder.path().join("one"), &upstream, &database);
    let other = Server::start(&folder.path().join("other"), &upstream, &database);
    let wanted = json!({ "spec": trial_spec(1), "title": "a trial", "episodes": 1 });
    let run = one.client.open(&wanted).await;
    let take = || async {
        let wish = json!({ "from": "anybody" });
        let lease = other.client.say(&run, "lease", &wish).await;
        let lease: Lease = serde_json::from_value(lease).expect("a lease");
        tokio::time::sleep(BELIEVED).await;
        lease.epoch
    };
    let page = async |epoch: Epoch| {
        let address = one.client.address.replacen("http", "ws", 1);
        let mut page = Page::connect(&address, None).await.expect("it connects");
        page.hello_of(&run, epoch).await;
        page
    };
    let ask = async |page: &mut Page, number: u64| {
        let request = socket::question(&trial_spec(1), &question(number));
        page.call(number, &run, request, Stream::Whole).await;
    };

    // It was never driven.
    let mut first = page(Epoch::default()).await;
    ask(&mut first, 1).await;
    let (_, body) = first.about_a_call().await;
    assert!(matches!(body, FrameBody::Reply { .. }), "{body:?}");
    let epoch = take().await;
    ask(&mut first, 2).await;
    assert_eq!(refused(&mut first).await, 4409);

    // A driver has it now, and is followed.
    let mut second = page(epoch).await;
    ask(&mut second, 3).await;
    let (_, body) = second.about_a_call().await;
    assert!(matches!(body, FrameBody::Reply { .. }), "{body:?}");
    take().await;
    ask(&mut second, 4).await;
    assert_eq!(refused(&mut second).await, 4409);

    let asked: Vec<String> = counter.counts().into_keys().collect();
    assert_eq!(asked, [question(1), question(3)]);
}

/// The code with which the page's next call ends the conversation; no frame may tell of that call.
async fn refused(page: &mut Page) -> u16 {
    loop {
        match page.next_or_close().await {
            Ok(frame) => assert_eq!(frame.id, 0, "{frame:?}"),
            Err(close) => return close.expect("the server says why").0,
        }
    }
}
