//! Prompt packs that the operator lists: runs with them get boards of their own, and everybody may read what was asked.

use turnwise_backend::config::Given;

use crate::common::*;

/// The benchmark's own pack with one sentence more.
fn own_words() -> Pack {
    let mut pack = example(QUESTIONS).pack();
    pack.name = "own-words".to_owned();
    let system = pack.templates.get_mut("system").expect("it is there");
    system.push_str("\nTake your time.\n");
    pack
}

/// A run of one task that a bot plays under these prompts.
fn spec(pack: &Pack) -> Spec {
    let mut spec = of_bots(1);
    spec.pack = Named::from(pack);
    spec
}

async fn published(service: &Service, pack: &Pack) -> HttpReply {
    let spec = spec(pack);
    let opened = service.open_run(&spec, 1).await;
    drive(service, &opened, &mut planned_with(&spec, pack.clone())).await;
    service.publish(&opened.run, Some(&opened.token)).await
}

#[tokio::test]
async fn only_packs_that_the_operator_lists_get_a_board_and_it_is_their_own() {
    let folder = folder();
    let file = folder.at("own-words.json");
    let path = file.to_str().expect("a path");
    let pack = own_words();
    let text = serde_json::to_string(&pack).expect("plain data");
    std::fs::write(&file, text).expect("it can be written");
    let at = format!("/api/packs/{}", pack.digest());

    let service = with(&[]).await;
    let refused = published(&service, &pack).await.error(422);
    assert_eq!(refused.code, "other_material", "{refused:?}");
    service.get(&at).await.error(404);

    let service = with(&[("TURNWISE_PACKS", path)]).await;
    let own: Admission = published(&service, &pack).await.json();
    assert_eq!(own.entry.tier, EvidenceTier::Baseline);
    let usual: Admission = published(&service, &example(QUESTIONS).pack()).await.json();
    assert_ne!(own.entry.board, usual.entry.board, "prompts divide boards");
    assert_eq!(service.get(&at).await.json::<Pack>(), pack);

    // The list is checked at the start.
    let other = folder.at("other.json");
    let refused = |files: &[&Path]| {
        let paths: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let paths = paths.join(",");
        let environment = [("TURNWISE_PACKS", paths.as_str())].into_iter().collect();
        let bad = Config::load(Given::default(), &environment);
        bad.expect_err("it is refused").to_string()
    };
    let write = |pack: &Pack| {
        let text = serde_json::to_string(pack).expect("plain data");
        std::fs::write(&other, text).expect("it can be written");
    };
    // A name stands for one pack: the operator's, and a built-in one.
    let mut more_words = pack.clone();
    more_words.templates.insert("final".to_owned(), "Answer.".to_owned());
    write(&more_words);
    let bad = refused(&[&file, &other]);
    assert!(bad.contains("two packs that differ are called own-words"), "{bad}");
    more_words.name = example(QUESTIONS).pack().name;
    write(&more_words);
    let bad = refused(&[&other]);
    assert!(bad.contains("as a built-in pack is"), "{bad}");
    std::fs::write(&file, "{}").expect("it can be written");
    let bad = refused(&[&file]);
    assert!(bad.contains("this is no prompt pack"), "{bad}");
}
