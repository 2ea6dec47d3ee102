//! What a viewer sees of a match. A seat sees its own side of what has been played: not the length, not the cap, not who
//! the other is, and nothing of a round before both have moved.

use super::game::{Payoffs, Played};
use super::prompts::Prompts;
use super::protocol::{ATTEMPTS, tone};
use turnwise_core::prelude::*;
use turnwise_core::scene::{LaneCell, LaneRound, Lanes};

/// A match, as scenes need it.
pub struct View<'a> {
    /// Who sits in each place.
    pub seats: [&'a Seat; 2],
    pub names: [&'a str; 2],
    /// How many times each has been asked for this round's move.
    pub attempts: [u32; 2],
    /// Whether the last attempt of each place brought no reply at all.
    pub silent: [bool; 2],
    pub prompts: &'a Prompts,
    pub played: &'a Played,
    /// Which moves were the fallback.
    pub forced: &'a [[bool; 2]],
    /// How it ended, once it has.
    pub outcome: Option<&'a Outcome>,
}

/// The scene of a viewer. Seats that do not play in this match see nothing.
pub fn scene(view: &View<'_>, viewer: &Viewer, awaits: Option<Expect>) -> Scene {
    let order = match viewer {
        Viewer::Reader => [0, 1],
        Viewer::Seat(seat) => match view.seats.iter().position(|other| *other == seat) {
            Some(place) => [place, 1 - place],
            None => return Scene::default(),
        },
    };
    let mut blocks =
        vec![Block::text("Rules", rules(view.prompts)), Block::Lanes(lanes(view, viewer, order))];
    let attempt = view.attempts[order[0]];
    if matches!(viewer, Viewer::Seat(_)) && awaits.is_some() && attempt > 1 {
        let why = match view.silent[order[0]] {
            true => "Nothing came in time.",
            false => "The last reply was no move.",
        };
        blocks.push(Block::remark(format!(
            "{why} Choose one of the two words; this is attempt {attempt} of {ATTEMPTS}."
        )));
    }
    if let Some(outcome) = view.outcome {
        let [own, other] = order.map(|place| view.played.totals[place]);
        let text = format!("{own} : {other} after {} rounds", view.played.rounds());
        blocks.push(Block::end(&outcome.ending, text));
    }
    Scene { blocks, gauges: Vec::new(), awaits }
}

fn rules(prompts: &Prompts) -> String {
    let Payoffs { cc, cd, dc, dd } = prompts.payoffs;
    format!(
        "Both choose at the same time. Both cooperate: {cc:+} each; both defect: {dd:+} each; who defects alone gets \
         {dc:+}, and the other {cd:+}. After each round the game goes on with probability {}.",
        prompts.delta
    )
}

fn lanes(view: &View<'_>, viewer: &Viewer, order: [usize; 2]) -> Lanes {
    let played = view.played;
    let names = match viewer {
        Viewer::Seat(_) => ["You", "The other"],
        Viewer::Reader => view.names,
    };
    let payoffs = &view.prompts.payoffs;
    let rounds = played.actions[0]
        .iter()
        .zip(&played.actions[1])
        .zip(view.forced)
        .zip(1..)
        .map(|(((first, second), forced), round)| {
            let actions = [*first, *second];
            let earned = payoffs.both(actions);
            LaneRound {
                round,
                cells: order
                    .iter()
                    .map(|place| LaneCell {
                        letter: actions[*place].letter().to_string(),
                        word: actions[*place].verb().to_owned(),
                        tone: tone(actions[*place]),
                        payoff: earned[*place],
                        forced: forced[*place],
                    })
                    .collect(),
            }
        })
        .collect();
    Lanes {
        names: names.map(str::to_owned).to_vec(),
        rounds,
        totals: order.map(|place| played.totals[place]).to_vec(),
    }
}
