//! The log notices whatever is changed in it; words survive.

use super::*;

fn entry(number: u64, previous: Digest) -> LogEntry {
    let mut entry = LogEntry {
        number,
        time: 1_790_000_000_000 + number,
        change: Change::Admitted,
        subject: Subject::Row {
            run: RunId::new([7; 16]),
            board: Digest::of("a board"),
            tier: EvidenceTier::Verified,
            headline: Some(Measure {
                key: String::new(),
                label: "Accuracy".to_owned(),
                value: Some(0.5),
                interval: Some((0.4, 0.6)),
                unit: Unit::Fraction,
            }),
            numbers: Digest::of_value(&Numbers::default()),
        },
        reason: "published by its owner".to_owned(),
        previous,
        hash: previous,
    };
    entry.hash = entry.expected();
    entry
}

#[test]
fn a_log_that_was_changed_is_noticed() {
    let first = entry(1, log_beginning());
    let second = entry(2, first.hash);
    assert_eq!(first.follows(0, &log_beginning()), Ok(()));
    assert_eq!(second.follows(1, &first.hash), Ok(()));
    assert_eq!(second.follows(0, &log_beginning()), Err(BadLog::Gap { expected: 1, found: 2 }));
    let mut edited = first.clone();
    edited.reason.push('!');
    assert_eq!(edited.follows(0, &log_beginning()), Err(BadLog::Changed(1)));
    // An edit that makes the hash fit again parts it from the next entry.
    edited.hash = edited.expected();
    assert_eq!(edited.follows(0, &log_beginning()), Ok(()));
    assert_eq!(second.follows(1, &edited.hash), Err(BadLog::Parted(2)));
}

#[test]
fn an_entry_survives_its_json() {
    let entry = entry(1, log_beginning());
    let json = serde_json::to_string(&entry).expect("JSON");
    let read: LogEntry = serde_json::from_str(&json).expect("an entry");
    assert_eq!(read, entry);
    assert_eq!(read.expected(), entry.hash);
}

/// As the first program wrote it, to the letter: what was added to the log since must not change its hash.
const OF_OLD: &str = include_str!("tests/of_old.json").trim_ascii_end();

#[test]
fn entries_of_old_still_hold_and_sealed_tasks_follow_after_them() {
    let old: LogEntry = serde_json::from_str(OF_OLD).expect("an entry");
    assert_eq!(old.follows(0, &log_beginning()), Ok(()));
    assert_eq!(old.subject.run(), Some(&RunId::new([7; 16])));
    let mut opened = LogEntry {
        number: 2,
        change: Change::Opened,
        subject: Subject::Tasks { tasks: Digest::of("a set"), name: "secret.jsonl".to_owned() },
        reason: "the term is over".to_owned(),
        previous: old.hash,
        ..old.clone()
    };
    opened.hash = opened.expected();
    let json = serde_json::to_string(&opened).expect("JSON");
    let read: LogEntry = serde_json::from_str(&json).expect("an entry");
    assert_eq!(read, opened);
    assert_eq!(read.follows(1, &old.hash), Ok(()));
    // What was opened is bound by the hash as well.
    let mut other = read;
    other.subject =
        Subject::Tasks { tasks: Digest::of("another set"), name: "secret.jsonl".to_owned() };
    assert_eq!(other.follows(1, &old.hash), Err(BadLog::Changed(2)));
}

#[test]
fn words_survive() {
    for tier in EvidenceTier::ALL {
        assert_eq!(tier.name().parse(), Ok(tier));
        assert_eq!(serde_json::to_value(tier).expect("JSON"), tier.name());
    }
    assert!("best".parse::<EvidenceTier>().is_err());
}

#[test]
fn a_refusal_reads_as_every_error_does() {
    let refusal = Refusal {
        error: ApiError {
            code: "drift".to_owned(),
            message: "line 3: the reply differs".to_owned(),
            mend: None,
        },
        place: Some(Place { episode: "7.r1.play".parse().expect("a key"), line: Some(3) }),
    };
    let json = serde_json::to_string(&refusal).expect("JSON");
    let error: ApiError = serde_json::from_str(&json).expect("an error");
    assert_eq!(error, refusal.error);
    assert_eq!(serde_json::from_str::<Refusal>(&json).expect("a refusal"), refusal);
}

#[test]
fn findings_that_were_stored_under_an_older_name_are_read() {
    let about: FindingAbout = serde_json::from_str("\"taped\"").expect("a name");
    assert_eq!(about, FindingAbout::Recorded);
}
