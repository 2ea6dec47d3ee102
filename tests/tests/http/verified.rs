//! A run over a service at its own host: every reply has a receipt, the server plays it again, its row is *verified*, and a reader
//! who has nothing but what the server hands out finds the same. Everything else being equal, an endpoint of the operator's is
//! *self-reported*.

use serde_json::{Value, json};
use turnwise_shared::evidence_tier::{self, Attendance, Evidence, Facts};
use turnwise_shared::examples::{QUESTIONS, example};
use turnwise_shared::prelude::*;
use turnwise_shared::receipt::{Book, Keys};
use turnwise_shared::verify::{Driver, Material, Sight, Verifier};
use turnwise_shared::wire::publishing::FindingAbout;
use turnwise_shared::wire::receipts::{Host, PublishedKey, ReceiptsPage};
use turnwise_tests::asking::Asking;
use turnwise_tests::house::{Address, House};

/// What a reader finds who asks for nothing but what everybody may have: the work of "Verify here".
async fn read_by_a_stranger(asking: &Asking, run: &str) -> Facts {
    let info = asking.info(run).await;
    let keys: Vec<PublishedKey> = asking.json("/api/keys").await;
    let mut book = Book::new(info.run.clone(), Keys::read(&keys).expect("they are sound"));
    let mut page: ReceiptsPage = asking.json(&format!("/api/runs/{run}/receipts")).await;
    book.add(&page).expect("they hold");
    while let Some(next) = page.next {
        page = asking.json(&format!("/api/runs/{run}/receipts?after={next}")).await;
        book.add(&page).expect("they hold");
    }
    let receipts = book.receipts().to_vec();
    assert!(receipts.iter().all(|receipt| receipt.endpoint.host == Host::BuiltIn));
    let (tasks, pack) = (example(QUESTIONS).samples(), example(QUESTIONS).pack());
    let material = Some(Material { tasks: &tasks, pack: &pack });
    let mut verifier = Verifier::new(
        example(QUESTIONS),
        &info.spec,
        material,
        receipts,
        Sight::Reader,
        Driver::Anybody,
    )
    .expect("it can be checked");
    let mut heads = asking.episodes(run).await;
    // A grading names the last line of its episode.
    heads.sort_by_key(|head| head.episode.part() == PartKey::Grading);
    for head in heads {
        let text = asking.transcript(run, &head.episode).await;
        verifier.episode(&head.episode, &text).expect("it agrees");
    }
    let tally = verifier.finish().expect("it agrees");
    assert_eq!(tally.unplayed, 0);
    Facts {
        players: example(QUESTIONS).players(&info.spec.seats),
        evidence: tally.evidence.clone(),
        attendance: Attendance::Unattended,
        custom: tally.count(FindingAbout::CustomEndpoint),
        discarded: tally.count(FindingAbout::Rerolled) + tally.count(FindingAbout::Unused),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_over_a_service_at_its_own_host_is_verified() {
    let house = House::start(Address::OwnHost).await;
    let (opened, admission) = house.published(2).await;
    assert!(house.upstream.counts().calls > 4, "the service was asked");
    assert_eq!(admission.entry.tier, EvidenceTier::Verified, "{admission:?}");
    assert_eq!(admission.findings, [], "nothing a reader must know");
    assert!(admission.evidence[&Evidence::Receipted] > 4);

    let asking = Asking::new(&house.server);
    let board = format!("/api/boards/{}", admission.entry.board);
    let board: Board = asking.json(&board).await;
    assert_eq!(board.head.rows[&EvidenceTier::Verified], 1);
    assert_eq!(board.rows[0].tier, EvidenceTier::Verified);

    let facts = read_by_a_stranger(&asking, opened.run.as_str()).await;
    assert_eq!(facts.evidence, admission.evidence);
    assert_eq!(evidence_tier::evidence_tier(&facts), EvidenceTier::Verified);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_run_over_another_address_is_self_reported() {
    let house = House::start(Address::Loopback).await;
    let (_, admission) = house.published(2).await;
    assert_eq!(admission.entry.tier, EvidenceTier::SelfReported);
    let abouts: Vec<_> = admission.findings.iter().map(|one| one.about).collect();
    assert_eq!(abouts, [FindingAbout::CustomEndpoint]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_only_calls_itself_the_host_is_not_asked() {
    let house = House::start(Address::Unproved).await;
    let asking = Asking::new(&house.server);
    let probe = json!({ "probe": "model", "provider": "openai", "model": "player" });
    let came: Value = asking.post("/api/probe", &probe).await.json();
    assert_eq!(came["reply"]["reply"], "failed", "{came}");
    assert_eq!(house.upstream.counts().calls, 0);
}
