//! The log notices whatever is changed in it; words survive.

use super::*;

fn entry(number: u64, previous: Digest) -> LogEntry {
    let mut entry = LogEntry {
        number,
        time: 1_790_000_000_000 + number,
        change: Change::Admitted,
        run: RunId::new([7; 16]),
        board: Digest::of("a board"),
        standing: Standing::Verified,
        headline: Some(Measure {
            label: "Accuracy".to_owned(),
            value: Some(0.5),
            interval: Some((0.4, 0.6)),
            unit: Unit::Fraction,
        }),
        numbers: Digest::of_value(&Numbers::default()),
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
    assert_eq!(
        second.follows(0, &log_beginning()),
        Err(BadLog::Gap {
            expected: 1,
            found: 2
        })
    );
    let mut edited = first.clone();
    edited.reason.push('!');
    assert_eq!(edited.follows(0, &log_beginning()), Err(BadLog::Changed(1)));
    // Whoever makes the hash fit again parts it from the next entry.
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

#[test]
fn words_survive() {
    for standing in Standing::ALL {
        assert_eq!(standing.word().parse(), Ok(standing));
        assert_eq!(
            serde_json::to_value(standing).expect("JSON"),
            standing.word()
        );
    }
    assert_eq!("best".parse::<Standing>(), Err(BadStanding));
}

#[test]
fn a_refusal_reads_as_every_error_does() {
    let refusal = Refusal {
        error: ApiError {
            code: "drift".to_owned(),
            message: "line 3: the reply differs".to_owned(),
            mend: None,
        },
        place: Some(Place {
            episode: "7.r1.play".parse().expect("a key"),
            line: Some(3),
        }),
    };
    let json = serde_json::to_string(&refusal).expect("JSON");
    let error: ApiError = serde_json::from_str(&json).expect("an error");
    assert_eq!(error, refusal.error);
    assert_eq!(
        serde_json::from_str::<Refusal>(&json).expect("a refusal"),
        refusal
    );
}
