//! Receipts over HTTP: every call has one, they hold, and neither a restart nor a kill nor a new key leaves a gap.

use turnwise_backend::config::Receipting;
use turnwise_backend::receipts::Key;
use turnwise_shared::hash::Digest;
use turnwise_shared::receipt::{Book, Keys, tree};
use turnwise_shared::wire::receipts::{
    CallEnd, Host, PublishedKey, Receipt, ReceiptsPage, SignedBatch, TreeHead,
};

use crate::common::*;

fn answering() -> Vec<Canned> {
    let mut answers = vec![Canned::error(404)];
    answers.extend(searching(40));
    answers
}

/// Every receipt of a run, each checked, and the keys.
async fn read(service: &Service, run: &Opened) -> (Vec<Receipt>, Vec<PublishedKey>) {
    let published: Vec<PublishedKey> = service.get("/api/keys").await.json();
    let keys = Keys::read(&published).expect("they are sound");
    let mut book = Book::new(run.run.clone(), keys);
    let mut after = String::new();
    loop {
        let path = format!("/api/runs/{}/receipts{after}", run.run);
        let page: ReceiptsPage = service.get(&path).await.json();
        book.add(&page).expect("they hold");
        match page.next {
            Some(next) => after = format!("?after={next}"),
            None => break,
        }
    }
    (book.receipts().to_vec(), published)
}

async fn play(service: &Service, tasks: u32) -> Opened {
    let spec = trial_spec(tasks);
    let opened = service.open_run(&spec, tasks).await;
    drive(service, &opened, &mut planned(&spec)).await;
    opened
}

#[tokio::test]
async fn receipts_hold_over_restarts_kills_and_new_keys() {
    let upstream = Upstream::start(answering()).await;
    let folder = folder();
    let config = |receipts| Config {
        signing: turnwise_backend::config::Signing { receipts, ..Default::default() },
        ..config(folder.path(), &upstream.base_url(), "")
    };
    let service = Service::start(config(Receipting::On)).await;
    let first = play(&service, 2).await;
    let (receipts, keys) = read(&service, &first).await;
    let timings: Vec<Value> = service.of_run(&first.run, "/timing").await.json();
    let sent: u64 = timings.iter().filter_map(|one| one["sent"].as_u64()).sum();
    assert_eq!(receipts.len() as u64, sent, "every call has one");
    assert_eq!(keys.len(), 1);
    let failed = receipts.iter().filter(|one| one.came == CallEnd::Failure);
    assert_eq!(failed.count(), 1, "a failure, too");
    let of = |format: &str| {
        let found = receipts.iter().find(|one| one.endpoint.format == format);
        found.map(|one| one.endpoint.host)
    };
    assert_eq!(of("openai"), Some(Host::Custom), "not at its own host");
    assert_eq!(of("local"), Some(Host::BuiltIn));

    // Batches lead to a head over all of them.
    let id = keys[0].id;
    let batches: Vec<SignedBatch> = service.get(&format!("/api/keys/{id}/batches")).await.json();
    let heads: Vec<TreeHead> = service.get(&format!("/api/keys/{id}/heads")).await.json();
    let roots: Vec<Digest> = batches.iter().map(|batch| batch.root).collect();
    let head = &heads[0];
    let covered = usize::try_from(head.batches).expect("few");
    assert_eq!(tree::root(&roots[..covered]), head.root);
    let checked = Keys::read(&keys).expect("they are sound");
    assert_eq!(checked.check_head(head), Ok(()));
    service.app.close().await;

    // Calls that a killed server had answered and not signed are signed at the next start.
    let unsigned = Service::start(config(Receipting::Off)).await;
    let second = play(&unsigned, 1).await;
    assert!(read(&unsigned, &second).await.0.is_empty());
    unsigned.app.close().await;
    let again = Service::start(config(Receipting::On)).await;
    let (late, _) = read(&again, &second).await;
    assert!(late.len() >= 2, "{late:?}");
    let (same, _) = read(&again, &first).await;
    assert_eq!(same, receipts, "and nothing twice");
    again.app.close().await;

    // A new key: the old one stays published, with its end, and what it signed still holds.
    let renewed = Key::renew(&config(Receipting::On)).expect("it is made");
    let newer = Service::start(config(Receipting::On)).await;
    let third = play(&newer, 1).await;
    let (receipts, keys) = read(&newer, &third).await;
    assert!(receipts.iter().all(|one| one.key == renewed.id()));
    assert_eq!(keys.len(), 2);
    let old = keys.iter().find(|key| key.id == id).expect("it stays");
    assert!(old.until.is_some());
    assert_eq!(read(&newer, &first).await.0, same);

    // What a killed server had not signed is signed under the key that it has by then.
    newer.app.close().await;
    let unsigned = Service::start(config(Receipting::Off)).await;
    let fourth = play(&unsigned, 1).await;
    unsigned.app.close().await;
    let newest = Key::renew(&config(Receipting::On)).expect("it is made");
    let last = Service::start(config(Receipting::On)).await;
    let (late, _) = read(&last, &fourth).await;
    assert!(late.len() >= 2, "{late:?}");
    assert!(late.iter().all(|one| one.key == newest.id()));
}

/// Where a call went is noted when it is made: an operator who changes the configuration cannot have it signed as another's.
#[tokio::test]
async fn a_receipt_that_is_signed_later_says_where_its_call_went_then() {
    let upstream = Upstream::start(answering()).await;
    let folder = folder();
    let config = |receipts, base_url: &str| Config {
        signing: turnwise_backend::config::Signing { receipts, ..Default::default() },
        ..config(folder.path(), base_url, "")
    };
    let here = upstream.base_url();
    let signing = Service::start(config(Receipting::On, &here)).await;
    play(&signing, 1).await;
    signing.app.close().await;
    let unsigned = Service::start(config(Receipting::Off, &here)).await;
    let opened = play(&unsigned, 1).await;
    unsigned.app.close().await;
    // From now on the same name is a service at its own address, which is never asked.
    let elsewhere = "https://api.openai.com/v1";
    let again = Service::start(config(Receipting::On, elsewhere)).await;
    let (late, _) = read(&again, &opened).await;
    assert!(late.len() >= 2, "{late:?}");
    let from_model = late.iter().filter(|one| one.endpoint.name == "up");
    let hosts: Vec<Host> = from_model.map(|one| one.endpoint.host).collect();
    assert!(!hosts.is_empty());
    assert!(hosts.iter().all(|host| *host == Host::Custom), "{late:?}");
    // The same call asked again has the stored answer, and its receipt says nothing else.
    drop(again);
}
