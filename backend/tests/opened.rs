//! Sealed tasks that the operator opens: before that no reader sees what is hidden, afterwards everyone does, and players who play
//! them then get no row.

use turnwise_made_up::encrypted_tasks;
use turnwise_shared::wire::TaskSetInfo;
use turnwise_shared::wire::publishing::{Change, Subject};
use turnwise_shared::wire::sealed::{OpenedTasks, SealedTasks};

use crate::common::*;

/// It stands in every hidden field and nowhere else.
const MARK: &str = "MARKED";
const SET: &str = "secret.jsonl";
const ENCRYPTED: &str = "encrypted.jsonl";
const TEXTS: &str = "/api/tasks/secret.jsonl/texts";

fn row() -> String {
    json!({
        "id": 1, "domain": "Made up", "question": "Which door is meant?", "context": format!("{MARK}: the green one."),
        "answer": format!("{MARK} green"), "aliases": [],
    })
    .to_string()
}

/// A configuration with two sealed sets, of which one is encrypted.
fn sealing(folder: &Path) -> Config {
    let tasks = folder.join("tasks").join(QUESTIONS);
    std::fs::create_dir_all(&tasks).expect("the folder can be made");
    std::fs::write(tasks.join(SET), row()).expect("the file can be written");
    let encrypted = encrypted_tasks(2, 1, "made up for tests");
    std::fs::write(tasks.join(ENCRYPTED), encrypted).expect("the file can be written");
    let mut config = config(folder, "http://127.0.0.1:9", "");
    config.sealed.extend([SET.into(), ENCRYPTED.into()]);
    config
}

async fn told(service: &Service) -> TaskSet {
    let bytes = service.get("/api/tasks/secret.jsonl").await.text;
    assert!(!bytes.contains(MARK), "{bytes}");
    let sealed = SealedTasks::read(bytes.as_bytes()).expect("it is handed out as JSON");
    sealed.into_set(SET)
}

fn spec(tasks: &TaskSet) -> Spec {
    let mut spec = default_spec(example(QUESTIONS));
    spec.tasks = Named::from(tasks);
    spec.search = local();
    spec
}

/// A run over the set that is not played yet.
async fn begun(service: &Service) -> Opened {
    service.open_run(&spec(&told(service).await), 1).await
}

/// Bots play the set through the service; everything that was answered.
async fn played(service: &Service, opened: &Opened) -> String {
    let tasks = told(service).await;
    let spec = spec(&tasks);
    let one_by_one = Ingredients { limits: Limits::new(1), ..ingredients(&spec, tasks) };
    let mut run = Run::new(one_by_one).expect("it can be planned");
    let mut heard = String::new();
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
                let call = crate::common::call_of(opened, &ticket, request);
                let came = service.post("/api/call", None, &call).await;
                heard.push_str(&came.text);
                let CallAnswer { reply, .. } = came.json();
                run.tell(&ticket, reply).expect("it fits");
            }
            Action::Lines { episode, from, lines } => {
                let came = service.put_lines(opened, &episode, from, &lines).await;
                assert!(came.status.is_success(), "{came:?}");
            }
            Action::Ended { .. } => {}
            Action::Over => return heard,
            other => panic!("not expected here: {other:?}"),
        }
    }
}

#[tokio::test]
async fn what_is_hidden_is_told_once_the_operator_opens_the_set_and_not_before() {
    let folder = folder();
    let service = Service::start(sealing(folder.path())).await;
    let tasks = told(&service).await;
    let before = begun(&service).await;
    let heard = played(&service, &before).await;
    let in_stock = begun(&service).await;
    assert!(!heard.contains(MARK), "{heard}");
    let refused = service.get(TEXTS).await;
    assert!(!refused.text.contains(MARK), "{refused:?}");
    assert_eq!(refused.error(403).code, "forbidden");
    service.get("/api/tasks/other.jsonl/texts").await.error(404);
    let admission: Admission = service.publish(&before.run, Some(&before.token)).await.json();
    assert_eq!(admission.entry.tier, EvidenceTier::Baseline);
    let opened_at = async || {
        let sets: Vec<TaskSetInfo> = service.get("/api/tasks").await.json();
        let set = sets.into_iter().find(|set| set.name == SET);
        set.expect("it is listed").opened
    };
    assert_eq!(opened_at().await, None);

    let now = turnwise_backend::clock::now();
    let store = service.app.store();
    store
        .open_tasks(&tasks.digest, SET, "the term is over", now)
        .await
        .expect("the store takes it");
    // Who was first is who opened it, and the public log says so once.
    let again = store
        .open_tasks(&tasks.digest, SET, "once more", now + 1)
        .await
        .expect("the store takes it");
    let log: Vec<LogEntry> = service.get("/api/log").await.json();
    let [published, said] = log.as_slice() else {
        panic!("one row was published, one set opened: {log:?}");
    };
    assert_eq!(said.follows(1, &published.hash), Ok(()));
    assert_eq!(said, &again);
    assert_eq!((said.change, said.time), (Change::Opened, now));
    assert_eq!(said.reason, "the term is over");
    let subject = Subject::Tasks { tasks: tasks.digest, name: SET.to_owned() };
    assert_eq!(said.subject, subject);
    let opened: OpenedTasks = service.get(TEXTS).await.json();
    assert_eq!((opened.opened, opened.reason.as_str()), (now, "the term is over"));
    assert_eq!(opened.tasks[0].field("answer"), Some("MARKED green"));
    assert_eq!(opened.tasks[0].digest, tasks.tasks[0].digest);
    assert_eq!(opened_at().await, Some(now));
    // It is played as before, but the player knew the answers.
    for (run, why) in [(begun(&service).await, "opened"), (in_stock, "played")] {
        played(&service, &run).await;
        let published = service.publish(&run.run, Some(&run.token)).await;
        let refused = published.error(422);
        assert_eq!(refused.code, "no_place", "{refused:?}");
        let why = format!("before it was {why}");
        assert!(refused.message.contains(&why), "{refused:?}");
    }
    assert_eq!(service.publish(&before.run, Some(&before.token)).await.status.as_u16(), 200);
}

#[tokio::test]
async fn an_encrypted_set_is_told_to_nobody_whatever_the_database_says() {
    let folder = folder();
    let service = Service::start(sealing(folder.path())).await;
    let set = service.app.sealed().named(ENCRYPTED).expect("it is sealed");
    assert!(!set.can_be_opened());
    let store = service.app.store();
    store
        .open_tasks(&set.told.digest, ENCRYPTED, "by mistake", 1)
        .await
        .expect("the store takes it");
    let path = format!("/api/tasks/{ENCRYPTED}/texts");
    assert_eq!(service.get(&path).await.error(403).code, "forbidden");
}
