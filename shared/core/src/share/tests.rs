//! Episodes in addresses: there and back, and what is refused.

use std::collections::BTreeMap;

use super::*;
use crate::effect::{CallId, Reply};
use crate::episode::Outcome;
use crate::note::Note;
use crate::prompt::Said;
use crate::run::header;
use crate::spec::{Named, Spec};
use crate::task::{Task, TaskId};
use crate::transcript::Part as PartKind;

/// A transcript with one reply of this many characters that cannot be compressed well.
fn lines(length: usize) -> String {
    let digest = crate::hash::Digest::of("made up");
    let tasks = Named { name: "made up".to_owned(), digest };
    let spec = Spec::imported("made-up", serde_json::json!({}), tasks, "a/b");
    let task = Task {
        id: TaskId::from("1"),
        digest,
        labels: BTreeMap::new(),
        fields: BTreeMap::from([("question".to_owned(), "Which one is it?".to_owned())]),
    };
    let header = header(&spec, &task, 1, PartKind::Play);
    let mut writer = Writer::new(SaltKey::open(&header));
    let mut text = String::new();
    let noise: String = (0..length / 64 + 1)
        .map(|number| crate::hash::Digest::of(number.to_string()).to_string())
        .collect();
    let events = [
        Event::Opened(Box::new(header)),
        Event::Told {
            call: CallId(1),
            reply: Reply::Said(Said::text(noise.get(..length).unwrap_or(&noise))),
        },
        Event::Noted(Note::Flag {
            name: "made up".to_owned(),
            turn: None,
            detail: serde_json::json!({ "text": "</script><img onerror=alert(1)>" }),
        }),
        Event::Closed(Outcome { ending: "answered".to_owned(), result: serde_json::Value::Null }),
    ];
    for event in events {
        text.push_str(&writer.line(&event));
        text.push('\n');
    }
    text
}

fn episode(play: String) -> SharedEpisode {
    SharedEpisode {
        run: Some(RunId::new([1; 16])),
        title: "A run, ein Lauf, 一次运行".to_owned(),
        play,
        grading: String::new(),
        question: Some("Which one is it?".to_owned()),
    }
}

#[test]
fn an_episode_survives_its_address_to_the_byte() {
    for grading in [String::new(), lines(10)] {
        let episode = SharedEpisode { grading, ..episode(lines(100)) };
        let packed = pack(&episode, &TaskSetOrigin::Plain).expect("it is small");
        assert!(packed.bytes < 1500, "{} bytes", packed.bytes);
        let plain = |sign: char| sign.is_ascii_alphanumeric() || sign == '-' || sign == '_';
        assert!(packed.fragment.chars().all(plain));
        assert_eq!(unpack(&packed.fragment), Ok(episode.clone()));
        assert_eq!(unpack(&format!("#{}", packed.fragment)), Ok(episode));
    }
}

#[test]
fn events_alone_travel_where_chain_and_salts_follow() {
    let (_, written) = part(&lines(10)).expect("sound");
    assert!(!written.contains("\"chain\""));
    // With salts that follow from nothing the lines travel as they are.
    let read = transcript::read(&lines(10)).expect("sound");
    let mut writer = Writer::new(SaltKey::strange());
    let secret: String =
        read.events.iter().flatten().map(|event| format!("{}\n", writer.line(event))).collect();
    let (kind, written) = part(&secret).expect("sound");
    assert!(matches!(kind, SharedTranscript::Lines(4)));
    assert_eq!(written, secret);
    let episode = episode(secret);
    let packed = pack(&episode, &TaskSetOrigin::Plain).expect("it is small");
    assert_eq!(unpack(&packed.fragment), Ok(episode));
}

#[test]
fn what_is_kept_or_too_large_is_not_put_into_an_address() {
    let encrypted = TaskSetOrigin::Encrypted { canary: "made up".to_owned() };
    assert_eq!(pack(&episode(lines(10)), &encrypted), Err(NotShared::Kept));
    let large = pack(&episode(lines(120_000)), &TaskSetOrigin::Plain);
    assert!(matches!(large, Err(NotShared::TooLarge { bytes }) if bytes > MOST_PACKED));
    let text = lines(10);
    let withheld = text.replacen("\"event\":", "\"lost\":", 1);
    assert!(matches!(
        pack(&episode(withheld), &TaskSetOrigin::Plain),
        Err(NotShared::Unreadable(_))
    ));
}

#[test]
fn a_damaged_address_is_told_from_another_version() {
    let packed = pack(&episode(lines(10)), &TaskSetOrigin::Plain).expect("it is small");
    assert_eq!(unpack(""), Err(BadShare::Empty));
    assert_eq!(unpack("#"), Err(BadShare::Empty));
    assert_eq!(unpack("2abc"), Err(BadShare::Version));
    assert!(unpack("1$$").is_err());
    for end in [1, packed.fragment.len() / 2, packed.fragment.len() - 9] {
        assert!(unpack(&packed.fragment[..end]).is_err(), "cut at {end}");
    }
    assert_eq!(unpack(&format!("1{}", "A".repeat(MOST_PACKED * 2))), Err(BadShare::TooLong));
}

#[test]
fn what_programs_for_messages_do_to_a_link_is_undone() {
    let episode = episode(lines(3000));
    let whole = pack(&episode, &TaskSetOrigin::Plain).expect("it is small").fragment;
    assert!(whole.len() > LONG_LINK / 2);
    let (left, right) = whole.split_at(whole.len() / 2);
    let within = |what: &str| format!("{left}{what}{right}");
    let damaged = [
        ".",
        ")",
        ">",
        ",",
        "\"",
        "**",
        "_",
        "__",
        "-",
        "。",
        "”",
        "»",
        "&from=x",
        "?utm_source=a&utm_id=1-2_3",
        "#top",
        "%22",
        "%E3%80%82",
        "%EF%BC%89",
        " and what do you say of turn 3?",
        "&amp;fbclid=IwAR0-x",
        "…",
        ")](",
        "'s",
    ]
    .map(|behind| format!("{whole}{behind}"))
    .into_iter()
    .chain(
        [
            " ",
            "%20",
            "\u{200b}",
            "%E2%80%8B",
            "\u{ad}",
            "\u{feff}",
            "=\r\n",
            "\n> ",
            "\\",
            "%0A",
            "\u{2028}",
        ]
        .map(within),
    )
    .chain(
        ["#", "##", "%23", "\"#", "<", " ", "%20", "#/"].map(|before| format!("{before}{whole}")),
    )
    .chain([
        whole.replace('_', "\\_"),
        whole.replace('_', "%5F").replace('-', "%2D"),
        whole
            .as_bytes()
            .chunks(76)
            .map(|line| format!("{}=\r\n", String::from_utf8_lossy(line)))
            .collect(),
    ]);
    for link in damaged {
        let behind = link.len().saturating_sub(whole.len());
        assert_eq!(
            unpack(&link),
            Ok(episode.clone()),
            "{behind} more: …{}",
            &link.chars().rev().take(30).collect::<String>()
        );
    }
}

#[test]
fn a_cut_link_is_told_and_still_names_its_run() {
    let episode = episode(lines(6000));
    let whole = pack(&episode, &TaskSetOrigin::Plain).expect("it is small").fragment;
    assert!(whole.len() > LONG_LINK);
    for end in [
        LONG_LINK,
        whole.len() - 5,
        whole.len() - 6,
        whole.len() - 7,
        whole.len() - 40,
        whole.len() / 2,
    ] {
        for behind in ["", "…", "..."] {
            let link = format!("{}{behind}", &whole[..end]);
            assert_eq!(unpack(&link), Err(BadShare::Cut), "{end} of {}", whole.len());
            assert_eq!(run_of(&link), episode.run, "{end} of {}", whole.len());
        }
    }
    assert_eq!(run_of("1nothing"), None);
    // One sign that is another is never taken for what was said.
    for at in (1..whole.len()).step_by(97) {
        let other = if whole.as_bytes()[at] == b'A' { "B" } else { "A" };
        let link = format!("{}{other}{}", &whole[..at], &whole[at + 1..]);
        assert!(unpack(&link).is_err(), "{at} of {}", whole.len());
    }
}

#[test]
fn links_of_earlier_versions_have_no_checksum_and_are_read() {
    let episode = episode(lines(10));
    let (play, lines) = part(&episode.play).expect("sound");
    let head = Head {
        run: episode.run.clone(),
        title: episode.title.clone(),
        play,
        grading: None,
        question: episode.question.clone(),
        sum: None,
    };
    let text = format!("{}\n{lines}", canonical(&head));
    let fragment = format!("1{}", BASE64_URL_SAFE_NO_PAD.encode(deflate(text.as_bytes())));
    assert_eq!(unpack(&fragment), Ok(episode.clone()));
    assert_eq!(unpack(&format!("{fragment}).")), Ok(episode));
}

#[test]
fn not_a_byte_more_than_the_limit_is_decompressed() {
    // 32 MB of one sign fit into 32 kB.
    let bomb = deflate(&vec![b'a'; 4 * MOST_UNPACKED]);
    assert!(bomb.len() <= MOST_PACKED, "{} bytes", bomb.len());
    let fragment = format!("1{}", BASE64_URL_SAFE_NO_PAD.encode(&bomb));
    assert_eq!(unpack(&fragment), Err(BadShare::TooLarge));
    // So does a head that promises more lines than there are.
    let lies = deflate(b"{\"play\":{\"lines\":4000000000}}\nx\n");
    let fragment = format!("1{}", BASE64_URL_SAFE_NO_PAD.encode(&lies));
    assert_eq!(unpack(&fragment), Err(BadShare::Cut));
}

#[test]
fn a_reader_gets_the_question_and_nothing_that_is_hidden() {
    let play = transcript::read(&lines(10)).expect("sound");
    let set = task_set(&play, "Which one is it?");
    let task = set.task(&play.header.task.id).expect("the task");
    assert_eq!(task.digest, play.header.task.digest);
    let fields = BTreeMap::from([("question".to_owned(), "Which one is it?".to_owned())]);
    assert_eq!(task.fields, fields);
}
