//! Bots over the samples, with a renderer that lays out nothing but the blocks of their own HTML.

use serde_json::json;
use turnwise_core::effect::{Made, Tool};
use turnwise_core::layout::{Block, Layout};
use turnwise_core::metrics::scored::reported;
use turnwise_core::prelude::*;
use turnwise_core::sweep;
use turnwise_core::testing::{Case, made, spec, tasks};

use crate::Ui2Html;

/// The blocks of a page as a browser would lay them out: boxes as wide as their text, in lines that break at their width.
fn laid_out(html: &str, width: u32, height: u32) -> String {
    let value = |from: &str, name: &str| -> String {
        let rest = from.split_once(name).map_or("", |(_, rest)| rest);
        rest.split([';', '"']).next().unwrap_or_default().trim_end_matches("px").to_owned()
    };
    let colour = |text: String| format!("1x1\n0 0 1 1 1 {text} {text} x").parse::<Layout>();
    let background = colour(value(html, "background:")).expect("a colour").blocks[0].colour;
    let mut page = Layout { width, height, blocks: Vec::new() };
    for div in html.split("<div ").skip(1) {
        let (style, text) = div.split_once("\">").expect("a style");
        let text = text.split("</div>").next().expect("a text");
        let text = text.replace("&lt;", "<").replace("&amp;", "&");
        let number = |name: &str| value(style, name).parse::<i32>().expect(name);
        let (font, box_width) = (number("font-size:"), number(";width:"));
        let long = text.chars().count() as i32 * font * 11 / 20;
        let lines = long.div_euclid(box_width) + 1;
        page.blocks.push(Block {
            left: number("left:"),
            top: number("top:"),
            width: long.min(box_width).max(1) as u32,
            height: (lines * font * 6 / 5) as u32,
            font: font as u32,
            colour: colour(value(style, ";color:")).expect("a colour").blocks[0].colour,
            background,
            text,
        });
    }
    page.to_string()
}

/// Plays all samples at every value of the sweep.
fn summaries(spec: &Spec) -> Vec<Summary> {
    let set = tasks(&Ui2Html, spec);
    let tasks = sweep::tasks(&Ui2Html, spec, &set).expect("they can be played");
    let play = |task| {
        let case = Case::new(&Ui2Html, spec, task);
        let played = case.play_by(|call, effect| match effect {
            Effect::Use(tool @ Tool::Render(job)) => {
                let mut made = made(tool);
                if let Made::Picture(made) = &mut made {
                    made.layout = laid_out(&job.html, job.width, job.height);
                }
                Reply::Made(made)
            }
            effect => case.answer(call, effect),
        });
        played.summary
    };
    tasks.iter().map(play).collect()
}

fn record(player: &str) -> serde_json::Value {
    let mut spec = spec(&Ui2Html, Profile::Strict, json!({ "rounds": [0, 1, 20] }));
    let seat = spec.seats.get_mut(&"player".into()).expect("there is a player");
    seat.player = player.parse().expect("a bot");
    let summaries = summaries(&spec);
    let episodes: Vec<&Summary> = summaries.iter().collect();
    let options = MeasureOptions::default();
    let report = Ui2Html.report(&spec, &episodes, &options);
    reported(report, &spec, &episodes, &options).record
}

/// The likeness of a player over the samples with 0, 1 and 20 rounds.
#[test]
fn a_bot_that_asks_gains_and_a_silent_one_does_not() {
    let asks = record("bot:asks");
    let likeness = |record: &serde_json::Value| -> Vec<f64> {
        let sweep = record["sweep"].as_array().expect("a list");
        sweep.iter().map(|value| value["likeness"].as_f64().expect("a number")).collect()
    };
    let rising = likeness(&asks);
    assert!(rising[0] < rising[1] && rising[1] < rising[2], "{rising:?}");
    assert!(rising[2] - rising[0] > 0.05, "{rising:?}");
    let gain = &asks["gain_in_likeness"];
    assert!(gain["interval"][0].as_f64() > Some(0.0), "{gain}");
    assert!(asks["gain_interval"][0].as_f64() > Some(0.0), "{}", asks["gain_interval"]);
    assert_eq!((&asks["rankable"], &asks["n"]), (&json!(true), &json!(51)));
    assert_eq!(asks["missing_question_rate"], json!(0.0));
    let silent = record("bot:silent");
    assert_eq!(silent["gain_in_likeness"]["value"], json!(0.0));
    assert_eq!(silent["missing_question_rate"], json!(1.0));
    assert_eq!(likeness(&silent)[0], rising[0]);
}
