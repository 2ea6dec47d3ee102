//! Transcripts that go on, are cut off, and share their texts.

use super::*;

/// Whether a transcript of a run that was never driven goes on like that.
async fn kept(store: &Store, run: &RunId, episode: &EpisodeKey, change: &Change<'_>) -> bool {
    let changed = store.change(run, episode, change, None).await;
    changed.expect("no error") == Changed::Kept
}

#[tokio::test]
async fn a_transcript_goes_on_only_from_where_it_is() {
    let store = fresh().await;
    let run = with_run(&store).await;
    let episode = episode();
    assert_eq!(store.transcript(&run, &episode).await.expect("it reads"), None);
    let first = Change {
        before: None,
        from: 0,
        at: 0,
        failed: &[],
        added: "a\nb\n",
        after: head(2, "b"),
        ending: None,
        now: 1,
    };
    assert!(kept(&store, &run, &episode, &first).await);
    assert!(!kept(&store, &run, &episode, &first).await, "twice");
    let second = Change {
        before: Some(head(2, "b")),
        from: 2,
        at: 4,
        added: "c\n",
        after: head(3, "c"),
        ending: Some("incomplete"),
        ..first
    };
    assert!(kept(&store, &run, &episode, &second).await);
    assert!(!kept(&store, &run, &episode, &second).await, "stale");
    let read = store.transcript(&run, &episode).await.expect("it reads");
    assert_eq!(read, Some(("a\nb\nc\n".into(), head(3, "c"))));
    assert_eq!(store.bytes(&run).await.expect("it reads"), 6);
    let heads = store.heads(&run).await.expect("it reads");
    assert_eq!(heads[0].ending.as_deref(), Some("incomplete"));
    assert_eq!(store.run(&run).await.expect("it reads").expect("there").finished, 1);
}

#[tokio::test]
async fn what_is_cut_off_is_kept_as_a_branch() {
    let store = fresh().await;
    let run = with_run(&store).await;
    let episode = episode();
    let first = Change {
        before: None,
        from: 0,
        at: 0,
        failed: &[],
        added: "a\nb\nfailed\n",
        after: head(3, "failed"),
        ending: Some("incomplete"),
        now: 1,
    };
    assert!(kept(&store, &run, &episode, &first).await);
    let other = Change {
        before: Some(head(3, "failed")),
        from: 2,
        at: 4,
        failed: &[],
        added: "c\n",
        after: head(3, "c"),
        ending: None,
        now: 2,
    };
    assert!(kept(&store, &run, &episode, &other).await);
    let read = store.transcript(&run, &episode).await.expect("it reads");
    assert_eq!(read, Some(("a\nb\nc\n".into(), head(3, "c"))));
    let branch = sqlx::query_as::<_, (i64, String)>("SELECT line, text FROM left_parts")
        .fetch_one(&store.read)
        .await
        .expect("it reads");
    assert_eq!(branch, (2, "failed\n".to_owned()));
}

#[tokio::test]
async fn a_long_text_that_many_episodes_have_is_stored_once_and_all_come_back() {
    let store = fresh().await;
    let run = with_run(&store).await;
    let page = "a page that was found ".repeat(5_000);
    let text = |number: usize| format!("{{\"n\":{number},\"page\":\"{page}\"}}\n{{}}\n");
    let mut keys = Vec::new();
    for number in 0..6 {
        let episode = EpisodeKey::play(&format!("{number}").as_str().into(), 1);
        let text = text(number);
        let change = Change {
            before: None,
            from: 0,
            at: 0,
            failed: &[],
            added: &text,
            after: head(2, "end"),
            ending: Some("incomplete"),
            now: 1,
        };
        let changed = store.change(&run, &episode, &change, None).await;
        assert_eq!(changed.expect("it is kept"), Changed::Kept);
        keys.push(episode);
    }
    for (number, episode) in keys.iter().enumerate() {
        let read = store.transcript(&run, episode).await.expect("it reads");
        assert!(read == Some((text(number), head(2, "end"))));
    }
    let first = store.texts(&run, None, 4).await.expect("it reads");
    assert_eq!(first.len(), 4);
    let rest = store.texts(&run, Some(&first[3].0), 4).await;
    let all: Vec<_> = first.into_iter().chain(rest.expect("it reads")).collect();
    assert!(all.into_iter().map(|(_, text)| text).eq((0..6).map(text)));
    let raw: usize = (0..6).map(|number| text(number).len()).sum();
    let bytes = store.bytes(&run).await.expect("it reads");
    assert_eq!(usize::try_from(bytes), Ok(raw));
    let (blobs, kept, as_they_came) = sqlx::query_as::<_, (i64, i64, i64)>(
        "SELECT COUNT(*), CAST(SUM(LENGTH(body)) AS BIGINT), (SELECT COUNT(*) FROM parts WHERE recipe IS NULL) FROM blobs",
    )
    .fetch_one(&store.read)
    .await
    .expect("it reads");
    assert_eq!((blobs, as_they_came), (7, 0), "the page and six frames");
    assert!(usize::try_from(kept).is_ok_and(|kept| kept < raw / 100), "{kept} of {raw}");

    // It is taken up at its second line: everything comes back, and the rest is a branch.
    let whole = text(0);
    let change = Change {
        before: Some(head(2, "end")),
        from: 1,
        at: whole.len() as u64 - 3,
        failed: &[],
        added: "{\"other\":1}\n",
        after: head(2, "other"),
        ending: None,
        now: 2,
    };
    let changed = store.change(&run, &keys[0], &change, None).await;
    assert_eq!(changed.expect("it is kept"), Changed::Kept);
    let (read, _) = store.transcript(&run, &keys[0]).await.expect("it reads").expect("it is there");
    assert!(read == whole.replace("{}\n", "{\"other\":1}\n"));
}
