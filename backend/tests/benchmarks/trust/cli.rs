//! The trust game on the command line: played, replayed, driven again, measured.

use crate::common::*;

#[test]
fn a_tournament_of_the_trust_game_comes_out_as_published_code_plays_it() {
    let folder = folder();
    let words = "run --benchmark trust --players grim,random:0.5,tft --delta 0.8 --cap 35 --repeats 5 --swap --seed 1234 \
                 --profile reference --out @trust";
    folder.run(words, 0);
    is_sound(&folder, "trust", 30);
    let record = folder.json("metrics @trust --json");
    let totals: Vec<_> = record["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| {
            (player["name"].as_str().unwrap(), player["total"].as_i64(), player["rounds"].as_i64())
        })
        .collect();
    assert_eq!(
        totals,
        [
            ("Grim Trigger-1", Some(195), Some(130)),
            ("Random-1", Some(110), Some(138)),
            ("TFT-1", Some(179), Some(132)),
        ]
    );
    folder.run(
        "run --benchmark trust --players gtft,wsls --delta 0.5,0.9 --repeats 1 --out @sweep",
        0,
    );
    assert_eq!(folder.json("metrics @sweep --json")["sweep"].as_array().unwrap().len(), 2);
}

#[test]
fn what_cannot_be_played_is_said() {
    let wrong = [
        ("--benchmark trust --players grim", "2 to"),
        ("--benchmark trust --players grim,nobody", "wsls"),
        ("--benchmark trust --delta 1.5", "settings.delta"),
        ("--benchmark trust --tables 3", "poker"),
        ("--benchmark trust --sweep scaling", "interactcomp"),
    ];
    refused(&folder(), &wrong);
}
