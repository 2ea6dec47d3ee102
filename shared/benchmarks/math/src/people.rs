//! How people play it.

use turnwise_core::benchmark::people::{People, Tasks, Understands};
use turnwise_core::benchmark::schema::setting;
use turnwise_core::prelude::*;

use crate::asking;
use crate::bots::COMPARES;
use crate::prompts::{JUDGE, field};
use crate::protocol::TURNS;
use crate::reading::{self, Move};
use crate::settings::MOST_ROUNDS;

pub(super) const PEOPLE: People = People {
    about: "A problem, and a judge who knows its solution. Ask what yes or no can answer, and guess until you have it.",
    rules: include_str!("rules.txt"),
    episode: ("problem", "problems"),
    late: "the problem ends without a result",
    absent: "the problem ends without a result when it is asked",
    practice: "After each problem you see how it went; its solution is shown at the end.",
    seats: &[Seat::PLAYER, JUDGE],
    settings: Schema::new(
        "Rounds",
        &[setting(
            "rounds",
            "Questions and guesses at most",
            "a free final answer follows",
            Holds::Number(1, MOST_ROUNDS as u64),
        )],
    ),
    tasks: Some(Tasks { label: "Which problem", by: Some("answer"), ..Tasks::OWN }),
    reveals: &[(field::ANSWER, "Answer"), (field::SOLUTION, "Solution")],
    choices: &[("$$$$ 1", "Right"), ("$$$$ 0", "Wrong")],
    forms,
    understands: &[Understands {
        from: Seat::PLAYER,
        seat: JUDGE,
        bot: COMPARES,
        about: asking::UNDERSTOOD,
        reads: is_understood,
    }],
    ..People::OF_TASKS
};

/// A guess is graded by rules, and what is neither a question nor a guess is a matter of the protocol.
fn is_understood(text: &str) -> bool {
    match reading::player_strict(text) {
        Ok(Move::Question(question)) => asking::read(&question).is_some(),
        Ok(Move::Guess(_)) | Err(_) => true,
    }
}

/// The player's two tags; once the rounds are used up, and where there are guesses alone, only an answer counts.
fn forms(seat: &Seat, scene: &Scene) -> Vec<ActionForm> {
    if seat.as_str() != Seat::PLAYER {
        return Vec::new();
    }
    let mut gauges = scene.gauges.iter();
    let may_ask = gauges.any(|gauge| gauge.label == TURNS && gauge.left > 0);
    let ask = may_ask.then(|| form("ask", "question", "QQQQ:", "what yes or no can answer"));
    let guess = form("guess", "answer", "####", "a number, an expression or a word");
    ask.into_iter().chain([guess]).collect()
}

fn form(name: &str, parameter: &str, tag: &str, hint: &str) -> ActionForm {
    ActionForm::new(name, Written::Line { tag: tag.to_owned() }, &[(parameter, hint)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::player_strict;
    use turnwise_core::scene::Gauge;

    #[test]
    fn what_a_person_fills_in_is_read_as_a_model_is() {
        let scene = |left| Scene {
            gauges: vec![Gauge { label: TURNS.to_owned(), left, of: 3 }],
            ..Scene::default()
        };
        let player = Seat::new(Seat::PLAYER);
        let written = |left| -> Vec<_> {
            let forms = forms(&player, &scene(left)).into_iter();
            forms.map(|form| player_strict(&form.text(&["Is it\n 12?".to_owned()]))).collect()
        };
        let (asked, guessed) =
            (Ok(Move::Question("Is it 12?".to_owned())), Ok(Move::Guess("Is it 12?".to_owned())));
        assert_eq!(written(2), [asked, guessed.clone()]);
        assert_eq!(written(0), [guessed], "the rounds are used up");
        assert!(forms(&Seat::new(JUDGE), &scene(2)).is_empty());
    }
}
