//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;
use turnwise_core::metrics::metric::COST;
use turnwise_core::metrics::metric::Better::{Less, More, Neither};
use turnwise_core::metrics::report::Unit::{Count, Fraction, Number};

pub const METRICS: &[Section] = &[
    Section { title: HEADLINE, metrics: &[&TOTAL, &GAIN, &LIKENESS, &MISSING_QUESTION, &MISSING_HTML, &JUDGE_INVALID, &COST] },
    Section { title: "Sub-scores", metrics: &PARTS },
    Section { title: "Likeness in parts", metrics: &DESIGN2CODE },
    Section { title: "Episodes", metrics: &[&SCORE_FAILED, &UNRENDERABLE, &QUESTIONS] },
];

pub const TOTAL: Metric = metric("total", "Total", Count, More, "Mean sum of the scorer's five sub-scores of the final page, 0 to 100.");
pub const GAIN: Metric = metric("gain", "Gain", Number, More, "Total with the most rounds of the sweep less that with one round (with the fewest, where one is not among them), over the same pages.").optional();
pub const LIKENESS: Metric = metric("likeness", "Likeness", Fraction, More, "Mean likeness of the final page's layout and the target's, measured without a judge; targets without a layout are left out.");
pub const MISSING_QUESTION: Metric = metric("missing_question_rate", "No question", Fraction, Less, "Share of the rounds whose message had no question that counts; each costs the round.");
pub const MISSING_HTML: Metric = metric("missing_html_rate", "No page", Fraction, Less, "Share of the player's messages without a document that can be read; the page before stays.");
pub const JUDGE_INVALID: Metric = metric("judge_invalid_rate", "Judge invalid", Fraction, Less, "Share of the questions on which the judge could not be read.");
pub const SCORE_FAILED: Metric = metric("score_failed", "Scorer unread", Fraction, Less, "Share of the final pages whose scorer could not be read twice; they have no score.");
pub const UNRENDERABLE: Metric = metric("unrenderable_rate", "Not rendered", Fraction, Less, "Share of the player's messages whose page needed too much time or memory.");
pub const QUESTIONS: Metric = metric("questions", "Questions", Count, Neither, "Mean questions per page that the judge was asked.");

pub const PARTS: [&Metric; 5] = [
    &metric("scores.layout", "Layout", Count, More, "Mean sub-score for arrangement, sizes and distances, 0 to 20."),
    &metric("scores.component", "Component", Count, More, "Mean sub-score for the parts that are there, 0 to 20."),
    &metric("scores.style", "Style", Count, More, "Mean sub-score for colours, fonts and borders, 0 to 20."),
    &metric("scores.text", "Text", Count, More, "Mean sub-score for the words, 0 to 20."),
    &metric("scores.polish", "Polish", Count, More, "Mean sub-score for how finished it looks, 0 to 20."),
];

pub const DESIGN2CODE: [&Metric; 4] = [
    &metric("design2code.block_match", "Block match", Fraction, More, "Share of the area of all blocks that lies in matched ones, as in Design2Code."),
    &metric("design2code.text", "Text alike", Fraction, More, "How much of the letters of matched blocks is the same, as in Design2Code."),
    &metric("design2code.position", "Position", Fraction, More, "How near matched blocks are, as in Design2Code."),
    &metric("design2code.colour", "Colour", Fraction, More, "How near the text colours of matched blocks are, as in Design2Code."),
];
