//! The list of runs in portions, plays by their task, and the public log where others write into it.

use std::time::Duration;

use serde_json::Value;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::Refusal;

use super::*;

#[tokio::test]
async fn no_run_is_left_out_between_two_portions_of_a_list() {
    let store = fresh().await;
    // All of them in the same millisecond.
    for id in [3, 1, 2, 5, 4] {
        with_run_of(&store, RunId::new([id; 16])).await;
    }
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let portion = store.portion(&Listing::All, after.as_ref(), 2).await;
        let portion = portion.expect("it reads");
        let Some(last) = portion.last() else {
            break;
        };
        after = Some(Listed::after(last));
        seen.extend(portion.into_iter().map(|run| run.run));
    }
    let all: Vec<RunId> = (1..=5).map(|id| RunId::new([id; 16])).collect();
    assert_eq!(seen, all);
}

#[tokio::test]
async fn a_list_of_large_specs_is_read_in_portions_of_bytes() {
    let store = fresh().await;
    let all: Vec<RunId> = (1..=9).map(|id| RunId::new([id; 16])).collect();
    for (at, run) in all.iter().enumerate() {
        with_run_of(&store, run.clone()).await;
        // Signs of several bytes, and one spec that is larger than a portion.
        let size = [30_000, 60_000, 400_000][at % 3];
        let resized = sqlx::query(
            "UPDATE runs SET regrades = CASE WHEN $1 = id THEN NULL ELSE $1 END, \
             spec = REPLACE(spec, '\"subset\":{}', '\"subset\":{\"ids\":[\"' || $2 || '\"]}') WHERE id = $3",
        )
        .bind(all[0].as_str())
        .bind("é".repeat(size / 2))
        .bind(run.as_str());
        let resized = resized.execute(&store.write).await.expect("it is changed");
        assert_eq!(resized.rows_affected(), 1);
    }
    let graders = Listing::Regradings(all[0].clone(), Reader::of(Some("token")));
    for (list, wanted) in [(Listing::All, &all[..]), (graders, &all[1..])] {
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let portion = store.portion(&list, after.as_ref(), 200).await;
            let portion = portion.expect("it reads");
            let Some(last) = portion.last() else {
                break;
            };
            after = Some(Listed::after(last));
            let bytes = |run: &RunInfo| serde_json::to_string(&run.spec).expect("JSON").len();
            let sum: usize = portion.iter().map(bytes).sum();
            assert!(portion.len() == 1 || sum <= 256 * 1024, "{} {sum}", portion.len());
            seen.push(portion);
        }
        assert!(seen.len() > 3 && seen.len() < wanted.len(), "{}", seen.len());
        let seen: Vec<RunId> = seen.into_iter().flatten().map(|run| run.run).collect();
        assert_eq!(seen, wanted);
    }
}

async fn scored(store: &Store, run: &RunId, task: &Digest) {
    let summary = json!({
        "task": { "id": "1", "digest": task, "labels": {} }, "repeat": 1, "spec": Digest::of("a spec"), "ending": "answered",
        "complete": true, "score": 1.0, "ribbon": [], "usage": {}, "faults": {}, "flags": {}, "failures": {},
        "measured": { "score": 1.0 },
    });
    let summary: Summary = serde_json::from_value(summary).expect("a summary");
    let kept = StoredSummary {
        source: Source {
            play: episode(),
            play_chain: Digest::of("chain"),
            grading_chain: None,
            maker: "a program".to_owned(),
        },
        summary,
    };
    store.set_summary(run, &kept).await.expect("it is kept");
}

fn refused() -> Doubt {
    let error = ApiError {
        code: "drift".to_owned(),
        message: "Line 4 is another one.".to_owned(),
        mend: None,
    };
    Doubt::Refused { at: 1, refusal: Refusal { error, place: None } }
}

#[tokio::test]
async fn plays_are_found_by_their_task_also_those_that_an_older_program_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = store(folder.path()).await;
    let task = Digest::of("a task");
    for id in [1, 2] {
        let run = with_run_of(&first, RunId::new([id; 16])).await;
        scored(&first, &run, &task).await;
        let closed = first.set_state(&run, RunState::Closed).await;
        closed.expect("it is kept");
    }
    let found = async |store: &Store| {
        let plays = store.plays_of_task("b", &task, &RunId::new([2; 16])).await;
        plays.expect("it reads").len()
    };
    assert_eq!(found(&first).await, 1);
    let (another, beside) = (Digest::of("another"), RunId::new([2; 16]));
    let none = first.plays_of_task("b", &another, &beside).await;
    assert!(none.expect("it reads").is_empty());
    // A run that is refused as contradictory is shown beside no other run.
    let run = RunId::new([1; 16]);
    let refused = first.set_doubt(&run, Some(&refused())).await;
    refused.expect("it is kept");
    assert_eq!(found(&first).await, 0);
    first.set_doubt(&run, None).await.expect("it is kept");
    assert_eq!(found(&first).await, 1);

    sqlx::query("UPDATE summaries SET task = NULL")
        .execute(&first.write)
        .await
        .expect("it is changed");
    assert_eq!(found(&first).await, 0);
    first.close().await;
    let again = store(folder.path()).await;
    assert_eq!(found(&again).await, 1);
}

#[tokio::test]
async fn plays_of_a_task_are_looked_up_and_not_searched_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = Database::File(folder.path().join("turnwise.db"));
    let store = Store::open(&place).await.expect("it opens");
    let plan = format!("EXPLAIN QUERY PLAN {}", others::PLAYS);
    let rows = sqlx::query(sqlx::AssertSqlSafe(plan))
        .bind("b")
        .bind("")
        .bind(300_i64)
        .bind(Digest::of("a task").to_string())
        .fetch_all(&store.read)
        .await
        .expect("it is planned");
    let steps: Vec<&str> =
        rows.iter().map(|row| sqlx::Row::try_get(row, "detail").expect("a text")).collect();
    assert!(steps.iter().any(|step| step.contains("summaries_by_task (task=?")), "{steps:#?}");
}

/// Lets no transaction add to the log, as if others were always faster; of SQLite alone.
const OTHERS_ARE_FASTER: &str =
    "CREATE TRIGGER faster BEFORE INSERT ON log BEGIN SELECT RAISE(IGNORE); END";

#[tokio::test]
async fn whoever_collides_in_the_log_tries_again_and_says_what_it_was() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = Database::File(folder.path().join("turnwise.db"));
    let store = Store::open(&place).await.expect("it opens");
    let tasks = Digest::of("a set");
    let change = async |sql: &'static str| {
        let changed = sqlx::query(sql).execute(&store.write).await;
        changed.expect("it is changed");
    };
    let open = || store.open_tasks(&tasks, "secret.jsonl", "the term is over", 7);

    change(OTHERS_ARE_FASTER).await;
    let refused = open().await.expect_err("others were faster");
    assert!(matches!(refused, StoreError::Contended), "{refused}");
    assert!(refused.to_string().contains("public log"), "{refused}");
    assert_eq!(store.opened_tasks(&tasks).await.expect("it reads"), None);

    let later = async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        change("DROP TRIGGER faster").await;
    };
    let (logged, ()) = tokio::join!(open(), later);
    assert_eq!(logged.expect("nobody is faster any more").number, 1);
    assert_eq!(
        store.opened_tasks(&tasks).await.expect("it reads"),
        Some((7, "the term is over".to_owned()))
    );
    let log = store.log(0, 10).await.expect("it reads");
    let json = serde_json::to_value(&log).expect("JSON");
    assert_eq!(json[0]["name"], Value::from("secret.jsonl"));
}
