//! Transcripts in parts: what is read of them, and what of them is packed.

use turnwise_shared::spec::Spec;
use turnwise_shared::transcript::{self, Reader};

use super::super::ROOM;
use super::super::parts::{PART, earlier, pack};
use super::super::{blobs::Blob, blobs::Blobs as _, packing};
use super::long::LongPlay;
use super::*;

/// A play that is uploaded to the store.
struct Upload {
    store: Store,
    run: RunId,
    episode: EpisodeKey,
    text: String,
    head: Option<Head>,
}

impl Upload {
    async fn new(store: &Store, spec: &Spec) -> (Self, LongPlay) {
        let play = LongPlay::new(spec, "1", 8_000);
        let upload = Upload {
            store: store.clone(),
            run: with_run(store).await,
            episode: play.episode.clone(),
            text: String::new(),
            head: None,
        };
        (upload, play)
    }

    /// Keeps lines from number `from` on, of which these tell of calls that failed.
    async fn put(&mut self, from: u64, lines: &[String], failed: &[u64], ending: Option<&str>) {
        let stays = self.text.split_inclusive('\n').take(from as usize);
        self.text.truncate(stays.map(str::len).sum());
        let at = self.text.len() as u64;
        self.text.push_str(&lines.concat());
        let chain = transcript::chain_of(lines.last().expect("a line")).expect("a line");
        let lines_now = from + lines.len() as u64;
        let after = Head { lines: lines_now, chain };
        let change = Change {
            before: self.head,
            from,
            at,
            added: &lines.concat(),
            failed,
            after,
            ending,
            now: 1,
        };
        let changed = self.store.change(&self.run, &self.episode, &change, None).await;
        assert_eq!(changed.expect("it is kept"), Changed::Kept);
        self.head = Some(after);
    }

    async fn extent(&self) -> Extent {
        let extent = self.store.extent(&self.run, &self.episode).await;
        extent.expect("it reads").expect("it is there")
    }

    async fn bytes(&self, wanted: std::ops::Range<u64>) -> Vec<u8> {
        let cuts = self.extent().await.cuts;
        let mut found = Vec::new();
        while (found.len() as u64) < wanted.end - wanted.start {
            let rest = wanted.start + found.len() as u64..wanted.end;
            let some = self.store.some_bytes(&self.run, &self.episode, cuts, rest).await;
            found.extend(some.expect("it reads").expect("nobody cuts it"));
        }
        found
    }

    /// Parts as they came, packed parts, and the bytes of the former.
    async fn parts(&self) -> (i64, i64, i64) {
        sqlx::query_as::<_, (i64, i64, i64)>(
            "SELECT CAST(COALESCE(SUM(CASE WHEN recipe IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT), \
             CAST(COALESCE(SUM(CASE WHEN recipe IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT), \
             CAST(COALESCE(SUM(CASE WHEN recipe IS NULL THEN bytes ELSE 0 END), 0) AS BIGINT) FROM parts",
        )
        .fetch_one(&self.store.read)
        .await
        .expect("it reads")
    }
}

async fn spec_of(store: &Store) -> Spec {
    let run = with_run_of(store, RunId::new([9; 16])).await;
    let head = store.run_head(&run).await.expect("it reads");
    head.expect("it is there").spec
}

/// Two megabytes under way: most of it packed, the rest in pieces of several sizes.
async fn two_megabytes(store: &Store) -> (Upload, LongPlay) {
    let (mut upload, mut play) = Upload::new(store, &spec_of(store).await).await;
    let mut from = 0;
    for count in [40, 1, 90, 3, 100, 7, 1, 1] {
        upload.put(from, &play.lines(count), &[], None).await;
        from += count as u64;
    }
    (upload, play)
}

#[tokio::test]
async fn any_bytes_are_those_of_the_whole_and_no_other_part_is_read() {
    let store = fresh().await;
    let (upload, _) = two_megabytes(&store).await;
    let whole = upload.text.as_bytes();
    let (as_they_came, packed, bytes) = upload.parts().await;
    assert!(as_they_came > 1 && packed > 5, "{as_they_came} and {packed}");
    assert!(bytes <= 2 * PART as i64, "{bytes} are not packed");
    assert_eq!(upload.extent().await.bytes, whole.len() as u64);
    let mut chance = 1_u64;
    let mut below = |end: u64| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (chance >> 33) % end
    };
    for most in [1, 2, 9_000, PART as u64, whole.len() as u64] {
        for _ in 0..12 {
            let start = below(whole.len() as u64);
            let end = (start + 1 + below(most)).min(whole.len() as u64);
            let found = upload.bytes(start..end).await;
            let expected = &whole[start as usize..end as usize];
            assert!(found == expected, "{start}..{end}");
        }
    }
    let middle = whole.len() as u64 / 2;
    let spoilt = store.spoil_all_but(&upload.run, &upload.episode, middle..middle + 1).await;
    assert_eq!(spoilt, (as_they_came + packed) as u64 - 1);
    assert!(upload.bytes(middle..middle + 1).await == whole[middle as usize..][..1]);
    let cuts = upload.extent().await.cuts;
    let other = store.some_bytes(&upload.run, &upload.episode, cuts, 0..1).await;
    assert!(other.is_err(), "the others are spoilt: {other:?}");
}

#[tokio::test]
async fn lines_are_found_by_their_number() {
    let store = fresh().await;
    let (upload, _) = two_megabytes(&store).await;
    let mut at = 0;
    for (number, line) in upload.text.split_inclusive('\n').enumerate() {
        if number % 13 == 0 {
            let found = store.line(&upload.run, &upload.episode, 0, number as u64).await;
            let (found_at, found) = found.expect("it reads").expect("it is there");
            assert!((found_at, found) == (at, line.as_bytes().to_vec()), "{number}");
        }
        at += line.len() as u64;
    }
    let lines = upload.extent().await.head.lines;
    let beyond = store.line(&upload.run, &upload.episode, 0, lines).await;
    assert_eq!(beyond.expect("it reads"), None);
}

#[tokio::test]
async fn a_long_transcript_waits_for_room_and_a_short_one_does_not() {
    let store = fresh().await;
    let spec = spec_of(&store).await;
    let (mut long, _) = Upload::new(&store, &spec).await;
    let mut play = LongPlay::new(&spec, "1", 500_000);
    long.put(0, &play.lines(18), &[], None).await;
    let mut short = Upload {
        episode: EpisodeKey::play(&"2".into(), 1),
        text: String::new(),
        head: None,
        store: store.clone(),
        run: long.run.clone(),
    };
    short.put(0, &play.lines(1), &[], None).await;
    let all = store.room_for(ROOM).await.expect("it is open");
    let waiting = store.texts(&long.run, None, 9);
    let waited = tokio::time::timeout(std::time::Duration::from_millis(200), waiting).await;
    assert!(waited.is_err(), "there is no room");
    let after = store.texts(&long.run, Some(&long.episode), 9).await;
    let after: Vec<_> = after.expect("it reads").into_iter().collect();
    assert_eq!(after, [(short.episode, short.text)]);
    drop(all);
    let read = store.texts(&long.run, None, 9).await.expect("it reads");
    assert!(read.is_long() && *read == [(long.episode, long.text)]);
}

#[tokio::test]
async fn a_transcript_is_cut_within_a_packed_part_and_both_sides_are_kept() {
    let store = fresh().await;
    let (mut upload, mut play) = Upload::new(&store, &spec_of(&store).await).await;
    let mut lines = play.lines(20);
    lines.push(play.failure());
    lines.extend(play.lines(10));
    let before = play.clone();
    lines.push(play.failure());
    lines.push(play.end());
    upload.put(0, &lines, &[20, 31], Some("incomplete")).await;
    assert_eq!(upload.parts().await.0, 0, "it is packed");
    let left = lines[31..].concat();
    let last = async || store.last_failure(&upload.run, &upload.episode).await;
    assert_eq!(last().await.expect("it reads"), Some(31));
    let old = upload.extent().await;

    let mut play = before;
    let more = play.lines(60);
    upload.put(31, &more, &[], None).await;
    assert!(upload.bytes(0..upload.text.len() as u64).await == upload.text.as_bytes());
    let whole = store.transcript(&upload.run, &upload.episode).await;
    let (text, head) = whole.expect("it reads").expect("it is there");
    assert!(text == upload.text && Some(head) == upload.head);
    let now = upload.extent().await;
    assert_eq!((old.cuts, now.cuts), (0, 1));
    // A reader that reads on from what was cut hears so, and is not sent something else.
    let stale = store.some_bytes(&upload.run, &upload.episode, old.cuts, 0..1).await;
    assert_eq!(stale.expect("it reads"), None);
    let last = store.last_failure(&upload.run, &upload.episode).await;
    assert_eq!(last.expect("it reads"), Some(20), "the one before");
    let kept = sqlx::query_as::<_, (i64, String)>("SELECT line, text FROM left_parts")
        .fetch_one(&store.read)
        .await
        .expect("it reads");
    assert!(kept == (31, left.clone()));
    // What is put aside takes room as well.
    let bytes = store.bytes(&upload.run).await.expect("it reads");
    assert_eq!(bytes, (upload.text.len() + left.len()) as u64);
}

#[tokio::test]
async fn what_was_read_before_a_cut_is_not_packed_over_what_came_after_it() {
    let store = fresh().await;
    let (mut upload, mut play) = Upload::new(&store, &spec_of(&store).await).await;
    upload.put(0, &play.lines(2), &[], None).await;
    let mut other = play.clone();
    upload.put(2, &play.lines(3), &[], None).await;
    let (group, _) = pack::next(&store.read, &upload.run, &upload.episode).await.expect("it reads");
    // As many parts as before, the second at the same byte; but it is another one.
    upload.put(2, &[other.failure()], &[2], None).await;
    let kept = pack::keep(&store.write, &upload.run, &upload.episode, group).await;
    assert!(!kept.expect("it can be tried"));
    let whole = store.transcript(&upload.run, &upload.episode).await;
    let (text, _) = whole.expect("it reads").expect("it is there");
    assert!(text == upload.text, "what came last is there");
}

#[tokio::test]
async fn what_earlier_programs_kept_becomes_parts() {
    let store = fresh().await;
    let run = with_run(&store).await;
    let spec = spec_of(&store).await;
    let mut over = LongPlay::new(&spec, "over", 8_000);
    let mut over_lines = over.lines(80);
    over_lines.push(over.failure());
    over_lines.push(over.end());
    let mut going = LongPlay::new(&spec, "going", 8_000);
    let going_lines = going.lines(3);
    for (play, lines, is_over) in [(&over, &over_lines, true), (&going, &going_lines, false)] {
        let text = lines.concat();
        let mut reader = Reader::new();
        reader.read(&text).expect("it is sound");
        let mut connection = store.write.pool().acquire().await.expect("a connection");
        sql!(
            "INSERT INTO episodes (run, episode, lines, bytes, chain, ending) VALUES ($1, $2, $3, 7, $4, $5)",
            run,
            play.episode,
            reader.lines,
            reader.chain,
            is_over.then_some("incomplete")
        )
        .run(&mut *connection)
        .await
        .expect("it is kept");
        if is_over {
            let packed = packing::pack(&text);
            let blobs = packed.blobs.iter();
            let blobs = blobs.map(|(hash, text)| Blob::of(*hash, text)).collect();
            connection.keep(blobs).await.expect("they are kept");
            sql!(
                "INSERT INTO packed (run, episode, recipe) VALUES ($1, $2, $3)",
                run,
                play.episode,
                serde_json::to_string(&packed.recipe).expect("JSON")
            )
            .run(&mut *connection)
            .await
            .expect("it is kept");
            continue;
        }
        for (number, line) in lines.iter().enumerate() {
            sql!(
                "INSERT INTO pieces (run, episode, line, text) VALUES ($1, $2, $3, $4)",
                run,
                play.episode,
                number as u64,
                line
            )
            .run(&mut *connection)
            .await
            .expect("it is kept");
        }
    }
    for _ in 0..2 {
        earlier::into_parts(&store.write).await.expect("it can");
    }
    for (play, lines) in [(&over, &over_lines), (&going, &going_lines)] {
        let text = lines.concat();
        let extent = store.extent(&run, &play.episode).await.expect("it reads");
        assert_eq!(extent.map(|extent| extent.bytes), Some(text.len() as u64));
        let read = store.transcript(&run, &play.episode).await.expect("it reads");
        assert!(read.is_some_and(|(read, _)| read == text));
    }
    let failed = store.last_failure(&run, &over.episode).await;
    assert_eq!(failed.expect("it reads"), Some(80));
    for table in ["pieces", "packed"] {
        let count = sqlx::query_as::<_, (i64,)>(sqlx::AssertSqlSafe(format!(
            "SELECT COUNT(*) FROM {table}"
        )));
        let count = count.fetch_one(&store.read).await.expect("it reads");
        assert_eq!(count, (0,), "{table}");
    }
}
