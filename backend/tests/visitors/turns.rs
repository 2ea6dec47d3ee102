//! What counts for a visitor's day, and for the runs that visitors may have in all.

use super::{TOKEN, guarded, opening};
use crate::common::table;
use crate::common::*;

#[tokio::test]
async fn what_is_refused_costs_a_visitor_no_turn_of_the_day() {
    let guarded = guarded("visitor_branches_of_client = 1\nlive_tables = 1").await;
    let service = &guarded.service;
    let seats = [("1", "person"), ("2", "bot:calling-station")];
    let spec = table::spec(example(GAME), &seats, json!({ "tables": 1, "hands": 2 }));
    let open = async |spec: &Spec| {
        let wanted = table::wanted(spec, "practice", 60, 0);
        service.post("/api/live", None, &wanted).await
    };
    let mut seeded = spec.clone();
    seeded.seed = 7;
    for _ in 0..3 {
        open(&seeded).await.error(422);
    }
    // Neither do a branch of no such turn and a table for which there is no room.
    let nowhere = BranchOf { turn: 99, ..guarded.from(2) };
    let person = guarded.spec("player", "person");
    guarded.open(&opening(&person, Some(nowhere))).await.error(422);
    let ours = table::wanted(&spec, "practice", 60, 0);
    let ours: LiveOpened = service.post("/api/live", Some(TOKEN), &ours).await.json();
    open(&spec).await.error(409);
    let cancel = format!("/api/live/{}/cancel", ours.run);
    let came = service.post(&cancel, Some(&ours.token), &json!({})).await;
    assert!(came.status.is_success(), "{came:?}");
    open(&spec).await.json::<LiveOpened>();
    guarded.open(&opening(&person, guarded.of())).await.error(429);
}

#[tokio::test]
async fn a_table_that_has_not_begun_is_one_of_the_visitors_runs() {
    let guarded = guarded("visitor_branches = 1\nlive_tables = 8").await;
    let seats = [("1", "person"), ("2", "bot:calling-station")];
    let spec = table::spec(example(GAME), &seats, json!({ "tables": 1, "hands": 2 }));
    let wanted = table::wanted(&spec, "practice", 60, 0);
    let open = async || guarded.service.post("/api/live", None, &wanted).await;
    let opened: LiveOpened = open().await.json();
    let person = guarded.spec("player", "person");
    assert_eq!(open().await.error(503).code, "full");
    let branch = opening(&person, guarded.of());
    assert_eq!(guarded.open(&branch).await.error(503).code, "full");
    // A table at which no player sat down leaves no run.
    let cancel = format!("/api/live/{}/cancel", opened.run);
    let token = Some(opened.token.as_str());
    guarded.service.post(&cancel, token, &json!({})).await;
    guarded.opened().await;
}
