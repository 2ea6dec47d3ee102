use super::*;
use crate::effect::{Effect, Failure, Reply};
use crate::episode::{Episode, Step};
use crate::parse::verdict::{self, NO, Word, YES};
use crate::prompt::{Expect, Said, ThreadId};
use crate::seat::Seat;

const WORDS: [Word<&str>; 2] = [Word::of("yes", YES), Word::of("no", NO)];

/// Which seat judges which answer.
type Vote = (&'static str, &'static str);

fn request(vote: &Vote, asked: Asked) -> Ask {
    let thread = ThreadId(10 * asked.number + asked.attempt);
    Ask::new(vote.0, thread, Vec::new(), Expect::Text)
}

/// Two judges and, where they do not agree, an arbiter.
struct Panel {
    out: Outbox,
    judge: Judge<Vote>,
    votes: Vec<Option<&'static str>>,
}

impl Panel {
    fn open() -> Self {
        let (out, judge) = (Outbox::default(), Judge::new(2, request));
        let mut panel = Panel { out, judge, votes: Vec::new() };
        for seat in ["one", "other"] {
            panel.judge.ask((seat, "Oslo"), &mut panel.out);
        }
        panel
    }
}

impl Episode for Panel {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, seat: &str, said: Said) {
        let about = self.judge.about(&self.out);
        assert!(about.is_some_and(|(asked, answer)| *asked == seat && *answer == "Oslo"));
        let text = said.text.as_deref();
        let word = verdict::read(text.unwrap_or_default(), &WORDS);
        let reading = heard(text, word, || Fault::new("unreadable", "neither yes nor no"));
        let round = self.judge.number();
        super::turn(seat, round, word.unwrap_or("unreadable"), reading, &mut self.out);
        let Some(((_, answer), word)) = self.judge.said(word, &mut self.out) else {
            return;
        };
        self.votes.push(word);
        let most = majority(self.votes.iter().flatten(), self.votes.len());
        match (self.votes.len(), most) {
            (1, _) => {}
            (2, None) => self.judge.ask(("arbiter", answer), &mut self.out),
            (_, most) => self.out.finish("graded", json!({ "verdict": most })),
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        super::scene(&self.out, viewer, "arbiter", "Answer", "Oslo")
    }
}

/// What a panel decides when replies arrive in the order of calls; and the seats and threads that were asked.
fn decided(replies: &[&str]) -> (Option<String>, Vec<(String, u32)>) {
    let mut grading = Panel::open();
    let (mut replies, mut asked, mut open) = (replies.iter(), Vec::new(), Vec::new());
    loop {
        match grading.poll() {
            Step::Request(call, Effect::Ask(ask)) => {
                asked.push((ask.seat.to_string(), ask.thread.0));
                open.push(call);
            }
            Step::Request(..) => panic!("only seats are asked"),
            Step::Note(_) => {}
            Step::Wait => {
                let said = Said::text(*replies.next().expect("a reply for each call"));
                grading.resume(open.remove(0), Reply::Said(said)).expect("it is open");
            }
            Step::Done(outcome) => {
                assert_eq!(replies.len(), 0, "every reply was asked for");
                return (outcome.verdict().map(str::to_owned), asked);
            }
        }
    }
}

#[test]
fn judges_who_agree_decide_and_others_need_an_arbiter() {
    let word = |word: &str| Some(word.to_owned());
    let (agreed, asked) = decided(&["Yes.", "yes"]);
    assert_eq!(agreed, word("yes"));
    assert_eq!(asked, [("one".to_owned(), 11), ("other".to_owned(), 21)]);
    let (arbitrated, asked) = decided(&["yes", "no", "**No**"]);
    assert_eq!(arbitrated, word("no"));
    assert_eq!(asked[2..], [("arbiter".to_owned(), 31)]);
}

#[test]
fn what_cannot_be_read_is_asked_for_once_more() {
    let (decision, asked) = decided(&["perhaps", "no", "no"]);
    assert_eq!(decision.as_deref(), Some("no"));
    assert_eq!(asked[2..], [("one".to_owned(), 32)], "the second attempt of the third request");
    let (open, asked) = decided(&["perhaps", "no", "well", "yes"]);
    assert_eq!((open, asked.len()), (None, 4), "one yes, one no, one that says neither");
}

#[test]
fn a_failed_call_leaves_the_grading_open() {
    let mut panel = Panel::open();
    assert!(panel.judge.is_asked());
    panel.resume(CallId(1), Reply::Failed(Failure::of_cancelled_call())).expect("it is open");
    let last = std::iter::repeat_with(|| panel.poll()).nth(2);
    assert!(matches!(last, Some(Step::Done(outcome)) if !outcome.is_complete()));
    assert_eq!(panel.judge.give_up(&panel.out), Some(("one", "Oslo")));
}

#[test]
fn the_answer_is_shown_to_the_judge_and_the_reader() {
    let panel = Panel::open();
    let shown = |viewer| panel.scene(&viewer).blocks.len();
    let seat = |name| Viewer::Seat(Seat::new(name));
    assert_eq!([Viewer::Reader, seat("arbiter"), seat("player")].map(shown), [1, 1, 0]);
}

#[test]
fn most_is_more_than_half() {
    assert_eq!(majority([1, 2, 1], 3), Some(1));
    assert_eq!(majority([1, 2], 2), None);
    assert_eq!(majority([1], 2), None, "the other has no verdict");
    assert_eq!(majority([1], 1), Some(1));
    assert_eq!(majority([0; 0], 0), None);
}

#[test]
fn what_is_not_the_word_itself_was_read_as_it() {
    let fault = || Fault::new("unreadable", "");
    let repaired = |text, word| heard(text, word, fault).repaired;
    assert_eq!(repaired(Some("Yes."), Some("yes")), ["read as “yes”"]);
    assert!(repaired(Some("yes"), Some("yes")).is_empty());
    assert!(repaired(None, Some("no")).is_empty());
    let unread = heard(Some("hm"), None, fault);
    assert!(unread.repaired.is_empty() && unread.fault.is_some() && unread.applied.is_null());
}
