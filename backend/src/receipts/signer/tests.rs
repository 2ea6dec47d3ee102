//! A signer whose database goes away for a while, and one whose clock was wrong once.

use serde_json::json;
use sqlx::{AnyConnection, Connection as _};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::receipts::Host;

use super::*;
use crate::database::Database;

fn draft(run: &RunId, call: u32) -> Draft {
    Draft {
        key: CallKey {
            run: run.clone(),
            episode: EpisodeKey::play(&"1".into(), 1),
            call: CallId(call),
            digest: Digest::of("asked"),
        },
        sent: Digest::of("sent"),
        came: CallEnd::Answer,
        reply: Digest::of("yes"),
        endpoint: Endpoint {
            name: "house".to_owned(),
            format: "openai".to_owned(),
            host: Host::BuiltIn,
        },
        model: None,
        time: 1,
    }
}

#[tokio::test]
async fn a_chain_has_no_hole_where_the_store_failed_and_could_not_be_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("turnwise.db");
    let store = Store::open(&Database::File(file.clone())).await.expect("it opens");
    let mut signer = Signer::open(Key::of_seed(&[7; 32]), store.clone()).await.expect("it opens");
    let run = RunId::new([1; 16]);
    signer.try_to_keep(&[draft(&run, 1)]).await.expect("it is kept");

    let mut aside =
        AnyConnection::connect(&format!("sqlite://{}", file.display())).await.expect("it connects");
    for table in ["receipts", "batches"] {
        let away = format!("ALTER TABLE {table} RENAME TO {table}_away");
        let away = sqlx::query(sqlx::AssertSqlSafe(away)).execute(&mut aside);
        away.await.expect("it goes away");
    }
    for _ in 0..2 {
        assert!(signer.try_to_keep(&[draft(&run, 2)]).await.is_err());
        assert!(signer.look_up().await.is_err());
    }
    for table in ["receipts", "batches"] {
        let back = format!("ALTER TABLE {table}_away RENAME TO {table}");
        let back = sqlx::query(sqlx::AssertSqlSafe(back)).execute(&mut aside);
        back.await.expect("it comes back");
    }

    signer.try_to_keep(&[draft(&run, 2), draft(&run, 3)]).await.expect("it is kept");
    let kept = store.receipts(&run, None, 10).await.expect("they are read");
    let numbers: Vec<u64> = kept.iter().map(|one| one.receipt.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let mut previous = receipt::beginning(&run);
    for one in &kept {
        assert_eq!(one.receipt.previous, previous);
        previous = one.hash;
    }
}

/// A receipt of a run, checked as in publishing the run.
async fn check(store: &Store, key: &Key, leaf: u64) -> Result<(), receipt::BadReceipts> {
    let keys = store.keys().await.expect("they are read");
    let batch = store.batch_of(&key.id(), leaf).await.expect("it is read");
    let keys = receipt::Keys::read(&keys).expect("they are sound");
    keys.check_batch(&batch.expect("it is there").0)
}

#[tokio::test]
async fn what_is_signed_lies_in_the_time_of_its_key_whatever_the_clock_showed_when_that_was_made() {
    const YEAR: u64 = 365 * 86_400_000;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = Database::File(folder.path().join("turnwise.db"));
    let store = Store::open(&place).await.expect("it opens");
    let run = RunId::new([1; 16]);
    // Published while the clock was ahead; published as it should be, and put away while the clock was behind; and both.
    let times = [(now() + YEAR, None), (now() - YEAR, Some(now() - YEAR)), (now() + YEAR, Some(5))];
    for (seed, (since, until)) in (1..).zip(times) {
        let key = Key::of_seed(&[seed; 32]);
        let (id, public) = (key.id(), key.public());
        store.publish_key(&id, &public, since).await.expect("written");
        if let Some(until) = until {
            store.put_away(&id, until).await.expect("written");
        }
        let signer = Signer::open(key.clone(), store.clone()).await;
        let mut signer = signer.expect("it opens");
        for call in [1, 2] {
            signer.try_to_keep(&[draft(&run, call)]).await.expect("it is kept");
        }
        for leaf in [0, 1] {
            assert_eq!(check(&store, &key, leaf).await, Ok(()), "{since} {until:?}");
        }
    }

    // As an earlier version kept it, and what that found against a run.
    let run = crate::store::tests::opened(&store).await;
    let mut aside =
        AnyConnection::connect(&format!("sqlite://{}/turnwise.db", folder.path().display()))
            .await
            .expect("it connects");
    let refused = json!({
        "doubt": "refused", "at": 1,
        "refusal": { "code": "receipts", "message": "the batch from leaf 0 on was signed outside of the time of its key" },
    });
    sqlx::query("UPDATE runs SET refused = $1")
        .bind(refused.to_string())
        .execute(&mut aside)
        .await
        .expect("it is written");
    sqlx::query("UPDATE signers SET since = $1, put_away = 5")
        .bind(i64::try_from(now() + YEAR).expect("a time"))
        .execute(&mut aside)
        .await
        .expect("it is written");
    let doubt = async || {
        let run = store.run(&run).await.expect("it is read");
        run.expect("it is there").doubt
    };
    assert!(doubt().await.is_some());
    let key = Key::of_seed(&[1; 32]);
    assert!(check(&store, &key, 0).await.is_err());
    store.cover_batches().await.expect("it is written");
    assert_eq!(check(&store, &key, 0).await, Ok(()));
    assert!(doubt().await.is_none(), "the run has no part in that");
}
