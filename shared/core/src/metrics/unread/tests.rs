use super::*;

fn summary(score: Option<f64>, heard: &[(&str, Heard)]) -> Summary {
    Summary {
        ending: Some("answered".to_owned()),
        score,
        heard: heard.iter().map(|(seat, heard)| ((*seat).to_owned(), heard.clone())).collect(),
        ..Summary::bare()
    }
}

#[test]
fn what_is_known_of_a_share_is_bounds() {
    for (mean, graded, of, wanted) in [
        (Some(1.0), 18, 32, Some((0.5625, 1.0))),
        (Some(1.0), 5, 8, Some((0.625, 1.0))),
        (Some(0.5), 4, 8, Some((0.25, 0.75))),
        (None, 0, 6, Some((0.0, 1.0))),
        (Some(0.5), 8, 8, None),
        (None, 0, 0, None),
    ] {
        let known = Known::of(mean, graded, of);
        assert_eq!(known.map(|known| known.bounds), wanted, "{graded} of {of}");
    }
    let known = Known::of(Some(1.0), 18, 32).expect("14 are not graded");
    assert_eq!(known.words(), "18 of 32 graded");
}

#[test]
fn seats_are_told_of_over_all_episodes() {
    let judge = |unread, mark: &str| Heard {
        asked: 4,
        unread,
        marks: BTreeMap::from([(mark.to_owned(), 2)]),
        ..Heard::default()
    };
    let odd =
        Heard { unknown_marks: BTreeMap::from([("<ponder>".to_owned(), 1)]), ..Heard::default() };
    let all = [
        summary(None, &[("judge", judge(1, "[THINK]")), ("player", odd)]),
        summary(Some(1.0), &[("judge", judge(2, "<think>"))]),
    ];
    assert_eq!(
        sentences(&all),
        [
            "The judge could not be read on 3 of the 8 questions that it was asked, also when asked again.",
            "Reasoning between marks (<think>, [THINK]) was taken off 4 replies of the judge.",
            "1 reply of the player could not be read and began with <ponder>, which is no known mark of reasoning.",
        ]
    );
    assert!(sentences(&[summary(Some(1.0), &[])]).is_empty());
}
