//! People who count as people: invited to a seat, informed of what is recorded, and agreed. The owner of their table publishes
//! what they played, and can change nothing of it.

use turnwise_shared::evidence_tier::Evidence;
use turnwise_shared::wire::live::CONSENT;
use turnwise_shared::wire::publishing::FindingAbout;

use crate::common::table::{NONCE, spec};
use crate::common::*;

/// A table at which a person answers the first sample; bots do the rest.
fn table(attendance: &str, kind: &str) -> Value {
    let seats = [("player", "person"), ("responder", "bot:lexical"), ("grader", "bot:exact")];
    let mut spec = spec(example(QUESTIONS), &seats, example(QUESTIONS).default_settings());
    spec.subset.first = Some(1);
    spec.search = local();
    let mut wanted = wanted(&spec, kind, 0, 0);
    wanted["attendance"] = json!(attendance);
    wanted
}

async fn open(service: &Service, attendance: &str) -> LiveOpened {
    let wanted = table(attendance, "rated");
    service.post("/api/live", None, &wanted).await.json()
}

/// Asks once, answers, and sees the end.
async fn play(script: &mut Script, view: SeatView) {
    let turn = view.ask.expect("the person is asked").turn;
    let ask = acts("ask", json!({ "question": "is it old?" }));
    let view = script.reply(turn, &ask).await;
    let turn = view.ask.expect("the person is asked again").turn;
    let answer = acts("answer", json!({ "answer": "Kivvet", "confidence": "70" }));
    let mut view = script.reply(turn, &answer).await;
    // It is graded yet.
    while view.table.stage != LiveStage::Over {
        view = script.next().await;
    }
}

async fn published(service: &Service, opened: &LiveOpened) -> Admission {
    let nobody = service.publish(&opened.run, None).await;
    assert_eq!(nobody.status.as_u16(), 401, "{nobody:?}");
    let came = service.publish(&opened.run, Some(&opened.token)).await;
    came.json()
}

#[tokio::test]
async fn invited_people_who_agreed_are_a_human_baseline() {
    let service = with(&[]).await;
    let opened = open(&service, "invited").await;
    let mut script = Script::new(&service, &opened, "player");
    let sit = |agrees_to: Value| json!({ "kind": "sit", "name": "Ada", "nonce": NONCE, "agrees_to": agrees_to });
    for other in [Value::Null, json!(""), json!("I agree to nothing.")] {
        script.try_say(&sit(other)).await.error_with(422, "recorded");
    }
    let lobby = script.look().await;
    assert_eq!(lobby.table.stage, LiveStage::Lobby, "nobody sits yet");

    let view = script.say(sit(json!(CONSENT))).await;
    play(&mut script, view).await;
    let (_, info, transcripts) = checked(&service, &opened, example(QUESTIONS)).await;
    let sitter = &info.people[&"player".into()];
    let agreed = sitter.agreed.as_ref().expect("the record shows it");
    assert_eq!(agreed.to, CONSENT);
    assert!(agreed.time >= info.opened);
    assert_eq!(info.evidence, "human");

    let admission = published(&service, &opened).await;
    assert_eq!(admission.entry.tier, EvidenceTier::Human, "{admission:?}");
    assert_eq!(admission.evidence[&Evidence::Witnessed], 2);
    assert_eq!(admission.evidence.get(&Evidence::None), None);
    let abouts: Vec<_> = admission.findings.iter().map(|one| one.about).collect();
    assert_eq!(abouts, [FindingAbout::Invited]);
    let board = format!("/api/boards/{}", admission.entry.board);
    let board: Board = service.get(&board).await.json();
    assert_eq!(board.rows[0].tier, EvidenceTier::Human);

    // The owner of the table changes nothing of what was played there.
    let (episode, _) = &transcripts[0];
    let path = format!("/api/runs/{}/episodes/{episode}?from=0", opened.run);
    let token = Some(opened.token.as_str());
    let line = "{}\n".to_owned();
    let came = service.ask("PUT", &path, token, "application/x-ndjson", line).await;
    assert_eq!(came.error(409).code, "conflict");
}

#[tokio::test]
async fn whoever_only_had_a_ticket_is_unattended() {
    let service = with(&[]).await;
    let opened = open(&service, "unattended").await;
    let mut script = Script::new(&service, &opened, "player");
    let view = script.sit().await;
    play(&mut script, view).await;
    let info: LiveInfo = service.get(&format!("/api/live/{}", opened.run)).await.json();
    assert_eq!(info.people[&"player".into()].agreed, None);
    // Before it is published nothing can be changed, either.
    let path = format!("/api/runs/{}/thinking", opened.run);
    let thoughts = service.post(&path, Some(&opened.token), &json!([])).await.error(409);
    assert_eq!(thoughts.code, "conflict");
    let admission = published(&service, &opened).await;
    assert_eq!(admission.entry.tier, EvidenceTier::HumanUnattended);
    let abouts: Vec<_> = admission.findings.iter().map(|one| one.about).collect();
    assert_eq!(abouts, [FindingAbout::Unattended]);
}

#[tokio::test]
async fn practice_is_no_baseline() {
    let service = with(&[]).await;
    let wanted = table("invited", "practice");
    service.post("/api/live", None, &wanted).await.error_with(422, "practice");
}

#[tokio::test]
async fn of_a_table_whose_run_is_private_or_withdrawn_nothing_is_told_either() {
    let service = with(&[]).await;
    let opened = open(&service, "unattended").await;
    let mut script = Script::new(&service, &opened, "player");
    let view = script.sit().await;
    play(&mut script, view).await;
    let ask = async |run: &RunId, rest: &str, token: Option<&str>| {
        let path = format!("/api/live/{run}{rest}");
        service.get_as(&path, token).await
    };
    let own = Some(opened.token.as_str());
    let of_run = |what: &str| format!("/api/runs/{}/{what}", opened.run);
    let private = json!({ "visibility": "private" });
    service.post(&of_run("visibility"), own, &private).await.json::<RunInfo>();
    let nobody = RunId::new([9; 16]);
    for rest in ["", "/others", "/seat"] {
        for token in [None, Some("wrong")] {
            let refused = ask(&opened.run, rest, token).await;
            let unknown = ask(&nobody, rest, token).await;
            assert_eq!(refused.status.as_u16(), 404, "{rest}");
            assert_eq!(refused.text, unknown.text, "{rest}");
        }
    }
    let info: LiveInfo = ask(&opened.run, "", own).await.json();
    assert_eq!(info.stage, LiveStage::Over);
    // The player who sat there has the ticket.
    assert_eq!(script.look().await.table.stage, LiveStage::Over);

    let withdrawn = json!({ "state": RunState::Withdrawn });
    service.post(&of_run("state"), own, &withdrawn).await;
    for rest in ["", "/others", "/seat"] {
        assert_eq!(ask(&opened.run, rest, own).await.status.as_u16(), 410);
    }
}
