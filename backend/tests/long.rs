//! Long transcripts: sent in parts to clients that ask for parts, and uploaded piece by piece.

use std::io::Read as _;

use axum::body::Body;
use axum::http::Request;
use turnwise_shared::seat::Player;
use turnwise_shared::transcript;

use crate::common::long::LongPlay;
use crate::common::*;

async fn asked(
    service: &Service,
    method: &str,
    (run, play): (&Opened, &LongPlay),
    headers: &[(&str, &str)],
) -> (HttpReply, Vec<u8>) {
    let path = format!("/api/runs/{}/episodes/{}", run.run, play.episode);
    let mut request = Request::builder().method(method).uri(path).header("host", "localhost:8080");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).expect("a sound request");
    service.send_for_bytes(request).await
}

fn header<'a>(came: &'a HttpReply, name: &str) -> Option<&'a str> {
    came.headers.get(name).map(|value| value.to_str().expect("text"))
}

/// Uploads lines in lots of this size.
async fn upload(
    service: &Service,
    run: &Opened,
    play: &LongPlay,
    mut from: usize,
    lines: &[String],
    lot: usize,
) {
    for lines in lines.chunks(lot) {
        let stored = service.put(run, &play.episode, from as u64, &lines.concat()).await;
        from += lines.len();
        assert_eq!(stored.json::<Value>(), json!({ "lines": from }));
    }
}

#[tokio::test]
async fn any_range_is_what_the_whole_has_there_whether_the_play_is_over_or_not() {
    let service = service(Vec::new()).await;
    let spec = trial_spec(2);
    let run = service.open_run(&spec, 2).await;
    let mut play = LongPlay::new(&spec, "1", 8_000);
    let mut lines = play.lines(150);
    upload(&service, &run, &play, 0, &lines, 40).await;
    for is_over in [false, true] {
        if is_over {
            let end = vec![play.failure(), play.end()];
            upload(&service, &run, &play, lines.len(), &end, 1).await;
            lines.extend(end);
        }
        let whole = lines.concat().into_bytes();
        let of = (&run, &play);
        let (all, bytes) = asked(&service, "GET", of, &[]).await;
        assert_eq!(all.status, 200);
        assert!(bytes == whole);
        let length = whole.len().to_string();
        assert_eq!(header(&all, "content-length"), Some(length.as_str()));
        assert_eq!(header(&all, "accept-ranges"), Some("bytes"));
        assert_eq!(header(&all, "vary"), Some("accept-encoding"));
        let tag = header(&all, "etag").expect("a tag").to_owned();

        let mut chance = 7_usize;
        for _ in 0..60 {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let start = (chance >> 20) % whole.len();
            let end = (start + (chance >> 40) % 600_000).min(whole.len() - 1);
            let range = format!("bytes={start}-{end}");
            let (came, bytes) = asked(&service, "GET", of, &[("range", &range)]).await;
            assert_eq!(came.status, 206, "{range}");
            let place = format!("bytes {start}-{end}/{length}");
            assert_eq!(header(&came, "content-range"), Some(place.as_str()));
            let part = (end - start + 1).to_string();
            assert_eq!(header(&came, "content-length"), Some(part.as_str()));
            assert!(bytes == whole[start..=end], "{range}");
        }
        let (came, bytes) = asked(&service, "GET", of, &[("range", "bytes=-5")]).await;
        assert_eq!(came.status, 206);
        assert!(bytes == whole[whole.len() - 5..]);
        let beyond = format!("bytes={length}-");
        let (came, _) = asked(&service, "GET", of, &[("range", &beyond)]).await;
        assert_eq!(came.status, 416);
        let place = format!("bytes */{length}");
        assert_eq!(header(&came, "content-range"), Some(place.as_str()));

        // A part of this very text, or all of another.
        let range = ("range", "bytes=3-9");
        let (came, bytes) = asked(&service, "GET", of, &[range, ("if-range", &tag)]).await;
        assert!((came.status.as_u16(), bytes.as_slice()) == (206, &whole[3..=9]));
        let weak = format!("W/{tag}");
        for other in ["\"another\"", &weak] {
            let (came, bytes) = asked(&service, "GET", of, &[range, ("if-range", other)]).await;
            assert!(came.status == 200 && bytes == whole, "{other}");
        }

        // Without a body the same headers come as for the whole, and a range is ignored.
        let (head, bytes) = asked(&service, "HEAD", of, &[range]).await;
        assert_eq!((head.status.as_u16(), bytes.len()), (200, 0));
        assert_eq!(header(&head, "content-length"), Some(length.as_str()));
        assert_eq!(header(&head, "etag"), Some(tag.as_str()));
        let known = ("if-none-match", tag.as_str());
        let (came, bytes) = asked(&service, "GET", of, &[range, known]).await;
        assert_eq!((came.status.as_u16(), bytes.len()), (304, 0));

        // Compressed on the way it is the same text in other bytes.
        let takes = ("accept-encoding", "gzip");
        let (packed, bytes) = asked(&service, "GET", of, &[takes]).await;
        assert_eq!(header(&packed, "content-encoding"), Some("gzip"));
        assert_eq!(header(&packed, "content-length"), None);
        assert_eq!(header(&packed, "etag"), Some(weak.as_str()));
        let mut text = Vec::new();
        let mut unpacked = flate2::read::GzDecoder::new(bytes.as_slice());
        unpacked.read_to_end(&mut text).expect("it is gzip");
        assert!(text == whole);
        let (head, _) = asked(&service, "HEAD", of, &[takes]).await;
        assert_eq!(header(&head, "content-encoding"), Some("gzip"));
        assert_eq!(header(&head, "content-length"), None);
        assert_eq!(header(&head, "etag"), Some(weak.as_str()));
        let (part, bytes) = asked(&service, "GET", of, &[takes, range]).await;
        assert_eq!(header(&part, "content-encoding"), None);
        assert!(bytes == whole[3..=9]);
    }
}

#[tokio::test]
async fn whoever_is_sent_much_waits_for_more() {
    let limits = "requests_per_second = 1\nrequest_burst = 45\n";
    let service = Service::at(NOWHERE, limits).await;
    let spec = trial_spec(2);
    let run = service.open_run(&spec, 2).await;
    let mut play = LongPlay::new(&spec, "1", 8_000);
    let lines = play.lines(200);
    upload(&service, &run, &play, 0, &lines, 100).await;
    let of = (&run, &play);
    let byte = [("range", "bytes=0-0")];
    let mut sent = 0;
    loop {
        let (came, _) = asked(&service, "GET", of, &[]).await;
        match came.status.as_u16() {
            200 => sent += 1,
            429 => break,
            other => panic!("{other}"),
        }
    }
    assert_eq!(sent, 2, "of 1.6 MB each");
    for _ in 0..4 {
        let (came, _) = asked(&service, "GET", of, &byte).await;
        assert_eq!(came.status, 206, "a byte costs no more than a request");
    }
}

#[tokio::test]
async fn whoever_has_whole_runs_read_waits_for_more() {
    let limits = "requests_per_second = 1\nrequest_burst = 48\n";
    let service = Service::at(NOWHERE, limits).await;
    let mut spec = trial_spec(2);
    let player = spec.seats.get_mut(&"player".into()).expect("it is taken");
    player.player = Player::Person;
    let run = service.open_run(&spec, 2).await;
    let mut play = LongPlay::new(&spec, "1", 8_000);
    let lines = play.lines(200);
    upload(&service, &run, &play, 0, &lines, 100).await;
    let at = |what: &str| format!("/api/runs/{}/{what}", run.run);
    let thoughts = json!([{ "episode": play.episode, "call": 1, "started": 1, "took": 1000 }]);
    let token = Some(run.token.as_str());
    let noted = service.post(&at("thinking"), token, &thoughts).await;
    assert_eq!(noted.status, 204, "{noted:?}");
    let ways = ["search?q=page", "times", "report?with=times"].map(at);
    let mut read = 0;
    loop {
        let came = service.get(&ways[read % 3]).await;
        match came.status.as_u16() {
            200 => read += 1,
            429 => break,
            other => panic!("{other}: {came:?}"),
        }
        assert!(read < 9, "it costs what a request costs");
    }
    assert_eq!(read, 2, "of 1.6 MB each");
    for way in &ways {
        assert_eq!(service.get(way).await.status, 429, "{way}");
    }
    assert_eq!(service.get(&at("report")).await.status, 200);
}

#[tokio::test]
async fn an_upload_goes_on_after_gaps_repeats_conflicts_and_a_restart() {
    let first = service(Vec::new()).await;
    let spec = trial_spec(2);
    let run = first.open_run(&spec, 2).await;
    let mut play = LongPlay::new(&spec, "1", 8_000);
    let mut lines = play.lines(100);
    lines.push(play.failure());
    let mut other = play.clone();
    let early = play.clone();
    lines.extend(play.lines(20));
    lines.push(play.failure());
    lines.push(play.end());

    upload(&first, &run, &play, 0, &lines[..60], 25).await;
    let put = async |service: &Service, from: usize, lines: &[String]| {
        service.put(&run, &play.episode, from as u64, &lines.concat()).await
    };
    put(&first, 70, &lines[70..80]).await.error_with(409, "has 60 lines");
    put(&first, 60, &lines[61..63]).await.error_with(422, "line 61");
    for from in [0, 30, 59] {
        let again = put(&first, from, &lines[from..60]).await;
        assert_eq!(again.json::<Value>(), json!({ "lines": 60 }));
    }
    let overlapping = put(&first, 50, &lines[50..70]).await;
    assert_eq!(overlapping.json::<Value>(), json!({ "lines": 70 }));
    put(&first, 40, &lines[41..45]).await.error_with(409, "line 41 is another one");
    first.app.close().await;

    let second = first.again().await;
    assert_eq!(put(&second, 90, &lines[90..95]).await.status, 409);
    upload(&second, &run, &play, 70, &lines[70..], 13).await;
    let of = (&run, &play);
    let (_, bytes) = asked(&second, "GET", of, &[]).await;
    assert!(bytes == lines.concat().into_bytes());
    let after = put(&second, lines.len(), &other.lines(1)).await;
    assert_eq!(after.status, 422, "the chain does not go on from the end");

    // It ended incomplete: it is taken up at its last call that failed, and nowhere else.
    let earlier = [early.clone().line()];
    assert_eq!(put(&second, 101, &earlier).await.status, 200, "it is there");
    let failed = 121;
    let mut strange = early.clone();
    let mut elsewhere = strange.lines(9);
    elsewhere.push(strange.failure());
    put(&second, 101, &elsewhere).await.error_with(409, "line 111 is another");
    let mut again = early;
    let mut mended = again.lines(20);
    mended.extend(again.lines(30));
    let more = mended[20..].to_vec();
    assert_eq!(put(&second, failed - 5, &mended[15..]).await.status, 200);
    let whole = [&lines[..failed], &more].concat();
    let (_, bytes) = asked(&second, "GET", of, &[]).await;
    assert!(bytes == whole.concat().into_bytes());
    let read = transcript::read(&whole.concat()).expect("the chain holds");
    assert_eq!(read.events.len(), 151);
    let ends = vec![again.failure(), again.end()];
    upload(&second, &run, &play, 151, &ends, 1).await;
    let stays = put(&second, 151, &lines[121..]).await;
    assert_eq!(stays.status, 422, "another chain leads there");
}
