//! Nothing that is hidden is in what is handed out, and nothing that a seat says is in what is revealed.

use crate::benchmark::{check_sealed, default_spec};
use crate::examples::{GAME, QUESTIONS, example};
use crate::prelude::*;
use crate::run::{Action, Ingredients};
use crate::scheduler::Limits;
use crate::sealed::*;
use std::sync::LazyLock;

static SEAL: LazyLock<Seal> = LazyLock::new(|| Seal::new([7; 32]));

fn sealed() -> (TaskSet, TaskSet) {
    let whole = SEAL.keep(example(QUESTIONS).samples());
    let told = handed_out(example(QUESTIONS).sealing().unwrap(), &whole);
    (whole, told)
}

fn spec(told: &TaskSet) -> Spec {
    let mut spec = default_spec(example(QUESTIONS));
    spec.tasks = Named { name: told.name.clone(), digest: told.digest };
    spec.settings["mode"] = "ask_only".into();
    spec
}

fn refused(spec: &Spec) -> String {
    check_sealed(example(QUESTIONS), spec).map(|_| ()).unwrap_err().field
}

#[test]
fn what_is_handed_out_has_the_question_and_commitments() {
    let open = example(QUESTIONS).samples();
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
        limits: Limits::new(1),
        ..Ingredients::new(example(QUESTIONS), spec(&told), told, 1)
    })
    .unwrap();
    let mut asked = Vec::new();
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
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
            Action::Wait => panic!("nothing else is outside"),
            Action::Over => break,
            _ => {}
        }
    }
    assert!(asked.contains(&Seat::new(Seat::GRADER)), "{asked:?}");
    assert_eq!(run.progress().graded, run.progress().planned);
}

#[test]
fn who_would_be_told_is_refused() {
    let (_, told) = sealed();
    let sound = spec(&told);
    assert!(check_sealed(example(QUESTIONS), &sound).is_ok());
    let with = |seat: &str, player: Player| {
        let mut spec = sound.clone();
        let sampling = Sampling::default();
        spec.seats.insert(Seat::new(seat), Sitting { player, sampling });
        spec
    };
    assert!(check_sealed(example(QUESTIONS), &with(Seat::PLAYER, Player::Person)).is_ok());
    for seat in [Seat::RESPONDER, Seat::GRADER] {
        let field = format!("seats.{seat}");
        assert_eq!(refused(&with(seat, Player::Person)), field);
        assert_eq!(refused(&with(seat, Player::Recording("x".to_owned()))), field);
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
    assert!(check_sealed(example(GAME), &default_spec(example(GAME))).is_err());
}
