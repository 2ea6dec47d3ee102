//! A signer whose database goes away for a while.

use sqlx::{AnyConnection, Connection as _};
use turnwise_shared::episode::CallId;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::receipts::Host;

use super::*;
use crate::store::Place;

fn draft(run: &RunId, call: u32) -> Draft {
    Draft {
        key: CallKey {
            run: run.clone(),
            episode: EpisodeKey::play(&"1".into(), 1),
            call: CallId(call),
            digest: Digest::of("asked"),
        },
        sent: Digest::of("sent"),
        came: Came::Answer,
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
    let store = Store::open(&Place::File(file.clone()))
        .await
        .expect("it opens");
    let mut signer = Signer::open(Key::of_seed(&[7; 32]), store.clone())
        .await
        .expect("it opens");
    let run = RunId::new([1; 16]);
    signer
        .try_to_keep(&[draft(&run, 1)])
        .await
        .expect("it is kept");

    let mut aside = AnyConnection::connect(&format!("sqlite://{}", file.display()))
        .await
        .expect("it connects");
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

    signer
        .try_to_keep(&[draft(&run, 2), draft(&run, 3)])
        .await
        .expect("it is kept");
    let kept = store.receipts(&run, None, 10).await.expect("they are read");
    let numbers: Vec<u64> = kept.iter().map(|one| one.receipt.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let mut previous = receipt::beginning(&run);
    for one in &kept {
        assert_eq!(one.receipt.previous, previous);
        previous = one.hash;
    }
}
