//! Nothing that is hidden is in what is handed out, and nothing that a seat says is in what is told.

use crate::effect::Reply;
use crate::hash::Digest;
use crate::prompt::Said;
use crate::registry;
use crate::seat::Player;
use crate::seat::Seat;
use crate::spec::Spec;
use crate::task::OPEN_FIELD;
use crate::task::TaskSet;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::benchmark::{Benchmark as _, default_spec};
use crate::benchmarks::interactcomp::InteractComp;
use crate::benchmarks::interactcomp::prompts::{ask_grader, ask_responder};
use crate::benchmarks::interactcomp::{responder, verdict};
use crate::benchmarks::poker::Poker;
use crate::prompt::ThreadId;
use crate::run::{Doing, Ingredients, Run};
use crate::scheduler::Limits;
use crate::sealed::*;
use crate::seat::{Sampling, Sitting};
use crate::spec::{Named, Profile};
use crate::wire::Outgoing;

static SEAL: LazyLock<Seal> = LazyLock::new(|| Seal::new([7; 32]));

fn sealed() -> (TaskSet, TaskSet) {
    let whole = SEAL.keep(InteractComp.samples());
    let told = handed_out(InteractComp.sealing().unwrap(), &whole);
    (whole, told)
}

fn spec(told: &TaskSet) -> Spec {
    let mut spec = default_spec(&InteractComp);
    spec.tasks = Named {
        name: told.name.clone(),
        digest: told.digest,
    };
    spec.settings["mode"] = "ask_only".into();
    spec
}

fn refused(spec: &Spec) -> String {
    check(&InteractComp, spec).map(|_| ()).unwrap_err().field
}

#[test]
fn what_is_handed_out_has_the_question_and_commitments() {
    let open = InteractComp.samples();
    let (whole, told) = sealed();
    assert_eq!(whole.digest, told.digest);
    for ((open, whole), told) in open.tasks.iter().zip(&whole.tasks).zip(&told.tasks) {
        assert_eq!(told.fields.keys().collect::<Vec<_>>(), [OPEN_FIELD]);
        assert_eq!(whole.fields, open.fields);
        assert_eq!((whole.digest, &whole.id), (told.digest, &open.id));
        assert_ne!(told.digest, open.digest);
        let text = open.digest.to_string();
        let salt = SEAL.salt("task", &text);
        let opened = Digest::of_parts([salt.bytes().as_slice(), text.as_bytes()]);
        assert_eq!(opened, told.digest, "the commitment can be opened");
    }
    assert_ne!(Seal::new([8; 32]).keep(open).digest, told.digest);
}

#[test]
fn a_run_over_sealed_tasks_says_only_which_seat_is_asked() {
    let (_, told) = sealed();
    let mut run = Run::new(Ingredients {
        benchmark: registry::find("interactcomp").expect("it is registered"),
        spec: spec(&told),
        tasks: told,
        pack: InteractComp.pack(),
        tapes: BTreeMap::new(),
        limits: Limits::new(1),
    })
    .unwrap();
    let mut asked = Vec::new();
    loop {
        match run.poll() {
            Doing::Call { ticket, request } => {
                let Outgoing::Sealed { seat } = request else {
                    panic!("{request:?}");
                };
                let word = match seat.as_str() {
                    Seat::RESPONDER => "no",
                    _ => "yes",
                };
                asked.push(seat);
                run.tell(&ticket, Reply::Said(Said::text(word))).unwrap();
            }
            Doing::Wait => panic!("nothing else is outside"),
            Doing::Over => break,
            _ => {}
        }
    }
    assert!(asked.contains(&Seat::new(Seat::GRADER)), "{asked:?}");
    assert_eq!(run.progress().graded, run.progress().planned);
}

#[test]
fn what_is_told_reads_as_what_was_said_and_holds_nothing_of_it() {
    let said = [
        "Yes. The context says that MARKED is green.",
        "no, MARKED is blue",
        "i don't know; nothing about MARKED",
        "MARKED is what it says",
        "",
    ];
    let (whole, told) = sealed();
    for profile in [Profile::Strict, Profile::Reference] {
        let mut spec = spec(&told);
        spec.profile = profile;
        let sealing = check(&InteractComp, &spec).unwrap();
        for text in said.map(Some).into_iter().chain([None]) {
            for ask in [
                ask_responder(ThreadId(1), "Is it green?"),
                ask_grader(ThreadId(1), "Green"),
            ] {
                let seat = ask.seat.clone();
                let mut inquiry = sealing.inquire(&spec, &whole.tasks[0], ask).unwrap();
                assert!(matches!(inquiry.begin(), Inquired::Ask(_)));
                let reply = Reply::Said(Said {
                    text: text.map(str::to_owned),
                    ..Said::default()
                });
                let Inquired::Told(Verdict(word)) = inquiry.hear(reply) else {
                    panic!("it was answered");
                };
                assert!(["yes", "no", "i don't know", ""].contains(&word.as_str()));
                let word = Some(word.as_str());
                match (seat.as_str(), profile) {
                    (Seat::RESPONDER, Profile::Strict) => {
                        assert_eq!(responder::strict(text), responder::strict(word));
                    }
                    (Seat::RESPONDER, Profile::Reference) => {
                        assert_eq!(responder::reference(text), responder::reference(word));
                    }
                    (_, Profile::Strict) => {
                        assert_eq!(verdict::strict(text), verdict::strict(word));
                    }
                    (_, Profile::Reference) => {
                        assert_eq!(verdict::reference(text), verdict::reference(word));
                    }
                }
            }
        }
    }
}

#[test]
fn who_would_be_told_is_refused() {
    let (_, told) = sealed();
    let sound = spec(&told);
    assert!(check(&InteractComp, &sound).is_ok());
    let with = |seat: &str, player: Player| {
        let mut spec = sound.clone();
        let sampling = Sampling::default();
        spec.seats
            .insert(Seat::new(seat), Sitting { player, sampling });
        spec
    };
    assert!(check(&InteractComp, &with(Seat::PLAYER, Player::Person)).is_ok());
    for seat in [Seat::RESPONDER, Seat::GRADER] {
        let field = format!("seats.{seat}");
        assert_eq!(refused(&with(seat, Player::Person)), field);
        assert_eq!(refused(&with(seat, Player::Tape("x".to_owned()))), field);
    }
    for mode in ["full_with_context", "answer_only_with_context"] {
        let mut shows = sound.clone();
        shows.settings["mode"] = mode.into();
        assert_eq!(refused(&shows), "settings.mode");
    }
    let mut asks = sound.clone();
    asks.pack.digest = Digest::of("a template that asks for the context");
    assert_eq!(refused(&asks), "pack");
    let mut old = sound.clone();
    old.protocol += 1;
    assert_eq!(refused(&old), "protocol");
    assert!(check(&Poker, &default_spec(&Poker)).is_err());
}

#[test]
fn requests_are_shown_with_the_names_of_what_is_sealed() {
    let (_, told) = sealed();
    let ask = ask_responder(ThreadId(1), "Is it green?");
    let (task, pack) = (&told.tasks[0], InteractComp.pack());
    assert!(pack.render(&ask, task).is_err());
    let shown = pack.render(&ask, &named(task, &ask)).unwrap();
    assert!(shown[0].text.contains("[context: sealed]"));
    assert!(!format!("{SEAL:?}").contains('7'));
}
