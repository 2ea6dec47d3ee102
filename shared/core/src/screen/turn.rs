//! One cell of a ribbon as the style sheet knows it: classes, letter, and the sentence that says the same in words.

use crate::note::{Tone, Turn, TurnKind};
use crate::scene::Cell;
use crate::shortened::shortened;

use super::words::capitalised;
use crate::metrics::episode_status::EpisodeStatus;

/// The classes of a cell, e.g. `turn k-ask r-yes`.
pub fn classes(cell: &Cell, status: EpisodeStatus) -> String {
    let mut classes = format!("turn {}", kind_class(cell.kind));
    if let Some(lane) = lane(cell) {
        classes.push_str(&format!(" s-{lane}"));
    }
    if let Some(back) = back(cell, status) {
        classes.push(' ');
        classes.push_str(back);
    }
    if cell.fault.is_some() && cell.kind != TurnKind::Invalid {
        classes.push_str(" is-fault");
    }
    classes
}

/// Seats that have a colour of their own.
const COLOURS: u32 = 10;

/// The colour of a move: its seat's number, where seats are numbered. Beyond ten colours begin again.
fn lane(cell: &Cell) -> Option<u32> {
    let number: u32 = cell.seat.as_str().parse().ok()?;
    (cell.kind == TurnKind::Move).then(|| number.saturating_sub(1) % COLOURS + 1)
}

/// Whether a cell stands apart from the one before: in games a new street or round begins with it.
pub fn opens_round(cells: &[Cell], at: usize) -> bool {
    let is_game = |cell: &Cell| matches!(cell.kind, TurnKind::Move | TurnKind::Invalid);
    match at.checked_sub(1).and_then(|before| cells.get(before)).zip(cells.get(at)) {
        Some((before, cell)) => {
            before.round != cell.round
                && is_game(before)
                && is_game(cell)
                && (before.kind == TurnKind::Move || cell.kind == TurnKind::Move)
        }
        None => false,
    }
}

/// The classes of a ribbon of this many cells that stands for itself: the fewer, the larger.
pub fn ribbon_class(cells: usize) -> &'static str {
    match cells {
        0..=24 => "ribbon ribbon-large",
        25..=60 => "ribbon ribbon-mid",
        _ => "ribbon",
    }
}

/// The class of a kind of turn.
pub fn kind_class(kind: TurnKind) -> &'static str {
    match kind {
        TurnKind::Search => "k-search",
        TurnKind::Ask => "k-ask",
        TurnKind::Browse => "k-browse",
        TurnKind::Move => "k-bet",
        TurnKind::Answer => "k-answer",
        TurnKind::Invalid => "k-invalid",
    }
}

/// The class of the bar for what came back, by shape and colour.
pub fn back_class(kind: TurnKind, tone: Tone) -> &'static str {
    match (kind, tone) {
        (_, Tone::Failed) => "r-fault",
        (TurnKind::Ask, Tone::Positive) => "r-yes",
        (TurnKind::Ask, Tone::Negative) => "r-no",
        (TurnKind::Search | TurnKind::Browse, Tone::Positive) => "r-hit",
        (TurnKind::Search | TurnKind::Browse, Tone::Negative) => "r-miss",
        (TurnKind::Search | TurnKind::Browse, Tone::Unknown) => "r-compound",
        (TurnKind::Move, Tone::Positive) => "r-win",
        (TurnKind::Move, Tone::Negative) => "r-loss",
        (TurnKind::Answer | TurnKind::Invalid, Tone::Positive) => "r-correct",
        (TurnKind::Answer | TurnKind::Invalid, Tone::Negative) => "r-wrong",
        (_, Tone::Unknown) => "r-unknown",
        (_, Tone::Neutral) => "r-full",
    }
}

fn back(cell: &Cell, status: EpisodeStatus) -> Option<&'static str> {
    match (cell.tone, cell.kind, verdict(cell, status)) {
        (Some(tone), kind, _) => Some(back_class(kind, tone)),
        (None, TurnKind::Answer, Some(Verdict::Correct)) => Some("r-correct"),
        (None, TurnKind::Answer, Some(Verdict::Wrong)) => Some("r-wrong"),
        (None, TurnKind::Answer, Some(Verdict::Partial)) => Some("r-unknown"),
        (None, TurnKind::Answer, None) if status == EpisodeStatus::Ungraded => Some("r-unknown"),
        (None, kind, _) if status == EpisodeStatus::Live && kind != TurnKind::Invalid => {
            Some("is-live")
        }
        _ => None,
    }
}

/// The verdict on an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Correct,
    Partial,
    Wrong,
}

/// What is known of an answer: what came back for this very turn, since an episode can have wrong answers before the right one; else
/// the verdict of its grading, which is another episode and known from the status.
fn verdict(cell: &Cell, status: EpisodeStatus) -> Option<Verdict> {
    if cell.kind != TurnKind::Answer {
        return None;
    }
    match (cell.tone, status) {
        (Some(Tone::Positive), _) | (None, EpisodeStatus::Correct) => Some(Verdict::Correct),
        (Some(Tone::Negative), _) | (None, EpisodeStatus::Wrong) => Some(Verdict::Wrong),
        (Some(Tone::Unknown), _) | (None, EpisodeStatus::Partial) => Some(Verdict::Partial),
        _ => None,
    }
}

/// The letter of a cell; a graded answer shows its verdict.
pub fn letter(cell: &Cell, status: EpisodeStatus) -> char {
    match (cell.kind, verdict(cell, status)) {
        (TurnKind::Answer, Some(Verdict::Correct)) => '✓',
        (TurnKind::Answer, Some(Verdict::Wrong)) => '✗',
        (TurnKind::Move, _) => move_letter(&cell.sentence),
        (kind, _) => kind.letter(),
    }
}

/// The letter of a move: that of its verb, but X for a check, so that it is no call.
fn move_letter(sentence: &str) -> char {
    match sentence.split_whitespace().next() {
        Some("checks") => 'X',
        Some(verb) => {
            verb.chars().next().map_or(TurnKind::Move.letter(), |sign| sign.to_ascii_uppercase())
        }
        None => TurnKind::Move.letter(),
    }
}

/// What was done, as a heading: `Asks`, `Searches`, …
pub fn heading(kind: TurnKind) -> &'static str {
    match kind {
        TurnKind::Search => "Searches",
        TurnKind::Ask => "Asks",
        TurnKind::Browse => "Opens a page",
        TurnKind::Move => "Moves",
        TurnKind::Answer => "Answers",
        TurnKind::Invalid => "Does nothing that counts",
    }
}

/// The turn in one sentence, verdict included: the readout, and the label for those who do not see the cell.
pub fn sentence(cell: &Cell, status: EpisodeStatus) -> String {
    sentence_of(cell, status, None)
}

/// The same; where seats are numbered with the name of `who` sits there.
pub fn sentence_of(cell: &Cell, status: EpisodeStatus, who: Option<&str>) -> String {
    let verdict = verdict(cell, status).map(|verdict| match verdict {
        Verdict::Correct => "correct",
        Verdict::Wrong => "wrong",
        Verdict::Partial => "partly correct",
    });
    // What came back for the turn, and a grader's turn, say themselves what came of it.
    let is_said = |verdict: &str| match cell.tone {
        Some(_) => cell.sentence.contains(" → "),
        None => cell.sentence.ends_with(&format!("→ {verdict}")),
    };
    let verdict = verdict
        .filter(|verdict| !is_said(verdict))
        .map(|verdict| format!(": {verdict}"))
        .unwrap_or_default();
    let fault = match &cell.fault {
        Some(fault) => format!(" ({})", words(fault)),
        None => String::new(),
    };
    // In games several take turns, and a move says who made it.
    let who = match (cell.seat.as_str().parse::<u32>(), who) {
        (Ok(_), Some(who)) => format!("{who} "),
        (Ok(number), None) => format!("Seat {number} "),
        (Err(_), _) => String::new(),
    };
    format!("{who}{}{verdict}{fault}", cell.sentence)
}

/// What was asked or answered in a turn, word for word, where it consists of that alone.
pub fn text_of(turn: &Turn) -> Option<&str> {
    if !matches!(turn.kind, TurnKind::Ask | TurnKind::Answer) {
        return None;
    }
    let applied = turn.reading.applied.as_object()?;
    let mut members = applied.iter().filter(|(name, _)| *name != "kind");
    let text = members.next()?.1.as_str()?.trim();
    (members.next().is_none() && !text.is_empty()).then_some(text)
}

/// The sentence of a turn with all that was asked or answered in it, so that nothing else has to say it again.
pub fn in_full(turn: &Turn, sentence: &str) -> String {
    let Some(text) = text_of(turn) else {
        return sentence.to_owned();
    };
    let own = &turn.sentence;
    let full = match (own.find('“'), own.rfind('”')) {
        (Some(start), Some(end)) if start < end => {
            format!("{}“{text}{}", &own[..start], &own[end..])
        }
        _ => format!("{own} “{text}”"),
    };
    sentence.replacen(own.as_str(), &full, 1)
}

/// The longest heading of a turn, in characters.
const LONGEST_TITLE: usize = 200;

/// A sentence as the heading of a turn, its beginning where it is long; then the whole sentence as well.
pub fn title(sentence: &str) -> (String, Option<&str>) {
    let whole = sentence.chars().nth(LONGEST_TITLE).map(|_| sentence);
    (capitalised(&shortened(sentence, LONGEST_TITLE)), whole)
}

/// A name of a program as words: `not_allowed` is `not allowed`.
pub fn words(name: &str) -> String {
    match name {
        "no_object" => "no JSON object".to_owned(),
        name => name.replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::sample::cell;

    #[test]
    fn kind_and_answer_decide_the_classes() {
        let mut asks = cell(1, TurnKind::Ask);
        asks.tone = Some(Tone::Negative);
        assert_eq!(classes(&asks, EpisodeStatus::Wrong), "turn k-ask r-no");
        let mut finds = cell(1, TurnKind::Search);
        finds.tone = Some(Tone::Neutral);
        assert_eq!(classes(&finds, EpisodeStatus::Wrong), "turn k-search r-full");
        let answers = cell(3, TurnKind::Answer);
        assert_eq!(classes(&answers, EpisodeStatus::Correct), "turn k-answer r-correct");
        assert_eq!(classes(&answers, EpisodeStatus::Incomplete), "turn k-answer");
        let waits = cell(2, TurnKind::Ask);
        assert_eq!(classes(&waits, EpisodeStatus::Live), "turn k-ask is-live");
    }

    #[test]
    fn a_verdict_is_said_once() {
        let mut one = cell(1, TurnKind::Answer);
        one.sentence = "answers “Kivvet”".into();
        let said = |cell: &Cell| sentence(cell, EpisodeStatus::Wrong);
        assert_eq!(said(&one), "answers “Kivvet”: wrong");
        one.sentence = "the grader says no → wrong".into();
        assert_eq!(said(&one), "the grader says no → wrong");
    }

    #[test]
    fn moves_have_the_colour_of_their_seat_and_the_letter_of_their_verb() {
        let mut folds = cell(1, TurnKind::Move);
        folds.seat = "3".into();
        folds.sentence = "folds → −100".into();
        folds.tone = Some(Tone::Negative);
        assert_eq!(classes(&folds, EpisodeStatus::Played), "turn k-bet s-3 r-loss");
        assert_eq!(letter(&folds, EpisodeStatus::Played), 'F');
        assert_eq!(sentence(&folds, EpisodeStatus::Played), "Seat 3 folds → −100");
        folds.sentence = "checks".into();
        folds.seat = "11".into();
        assert_eq!(letter(&folds, EpisodeStatus::Played), 'X');
        assert_eq!(classes(&folds, EpisodeStatus::Played), "turn k-bet s-1 r-loss");
        let mut calls = folds.clone();
        (calls.turn, calls.round) = (2, folds.round + 1);
        let cells = [folds, calls];
        assert!(!opens_round(&cells, 0) && opens_round(&cells, 1));
        let mut asks = cells.clone().map(|cell| Cell { kind: TurnKind::Ask, ..cell });
        asks[1].round = 9;
        assert!(!opens_round(&asks, 1), "only games have streets");
    }

    #[test]
    fn a_fault_is_marked_where_the_kind_does_not_say_it() {
        let mut turn = cell(1, TurnKind::Invalid);
        turn.fault = Some("no_object".into());
        assert_eq!(classes(&turn, EpisodeStatus::Wrong), "turn k-invalid");
        assert_eq!(sentence(&turn, EpisodeStatus::Wrong), "turn 1 (no JSON object)");
        turn.kind = TurnKind::Search;
        assert_eq!(classes(&turn, EpisodeStatus::Wrong), "turn k-search is-fault");
    }

    #[test]
    fn a_heading_says_the_whole_question_once() {
        let turn = |kind, sentence: &str, applied: serde_json::Value| Turn {
            index: 1,
            round: 1,
            seat: "player".into(),
            call: crate::effect::CallId(1),
            kind,
            sentence: sentence.to_owned(),
            reading: crate::note::Reading { applied, ..crate::note::Reading::default() },
        };
        let asks =
            turn(TurnKind::Ask, "asks", serde_json::json!({ "kind": "ask", "text": "Is x → 3?" }));
        assert_eq!(in_full(&asks, "asks → yes"), "asks “Is x → 3?” → yes");
        assert_eq!(in_full(&asks, "asks"), "asks “Is x → 3?”");
        let cut = turn(
            TurnKind::Answer,
            "submits at last “He …”",
            serde_json::json!({ "kind": "final", "content": "He drank\nsea water" }),
        );
        assert_eq!(
            in_full(&cut, "submits at last “He …” → incorrect"),
            "submits at last “He drank\nsea water” → incorrect"
        );
        let sure = turn(
            TurnKind::Answer,
            "answers “7” with confidence 80",
            serde_json::json!({ "action": "answer", "params": { "answer": "7" } }),
        );
        for other in [sure, turn(TurnKind::Move, "folds", serde_json::json!({ "move": "fold" }))] {
            assert_eq!(in_full(&other, &other.sentence), other.sentence);
        }
    }

    #[test]
    fn a_graded_answer_shows_its_verdict() {
        let answers = cell(3, TurnKind::Answer);
        assert_eq!(letter(&answers, EpisodeStatus::Correct), '✓');
        assert_eq!(letter(&answers, EpisodeStatus::Wrong), '✗');
        assert_eq!(letter(&answers, EpisodeStatus::Ungraded), '=');
        assert_eq!(letter(&cell(1, TurnKind::Ask), EpisodeStatus::Correct), 'A');
        assert_eq!(sentence(&answers, EpisodeStatus::Wrong), "turn 3: wrong");
    }

    #[test]
    fn a_wrong_guess_stays_wrong_in_an_episode_that_is_solved_later() {
        let mut notes = Vec::new();
        let mut guess = |index: u32, tone, word: &str| {
            let sentence = format!("answers “{index}”");
            notes.push(crate::note::Note::Turn(crate::note::Turn {
                index,
                round: index,
                seat: "player".into(),
                call: crate::effect::CallId(index),
                kind: TurnKind::Answer,
                sentence,
                reading: crate::note::Reading::default(),
            }));
            if let Some(tone) = tone {
                notes.push(crate::note::Note::Observation(crate::note::Observation {
                    turn: index,
                    call: None,
                    tone,
                    word: word.to_owned(),
                    shown: String::new(),
                    reading: None,
                }));
            }
        };
        guess(1, Some(Tone::Negative), "incorrect");
        guess(2, Some(Tone::Failed), "unreadable");
        guess(3, Some(Tone::Positive), "correct");
        guess(4, Some(Tone::Negative), "");
        guess(5, None, "");
        let cells = crate::scene::ribbon(&notes);
        let drawn = |status| -> String { cells.iter().map(|cell| letter(cell, status)).collect() };
        assert_eq!(drawn(EpisodeStatus::Correct), "✗=✓✗✓");
        assert_eq!(drawn(EpisodeStatus::Wrong), "✗=✓✗✗");
        assert_eq!(drawn(EpisodeStatus::Ungraded), "✗=✓✗=");
        let said: Vec<_> =
            cells.iter().map(|cell| sentence(cell, EpisodeStatus::Correct)).collect();
        assert_eq!(
            said,
            [
                "answers “1” → incorrect",
                "answers “2” → unreadable",
                "answers “3” → correct",
                "answers “4”: wrong",
                "answers “5”: correct",
            ]
        );
        assert_eq!(classes(&cells[0], EpisodeStatus::Correct), "turn k-answer r-wrong");
    }
}
