//! Runs of the command line, put on a server as a browser would store them.

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::{MAX_REQUEST_BYTES, Opened, PieceHead, PieceStored};

use crate::asking::Asking;
use crate::run_files::transcripts;

/// Stores the finished run of a run folder, and closes it.
///
/// # Panics
/// If the folder holds no run of `episodes` plays, or the server refuses it.
pub async fn store(asking: &Asking, folder: &Path, episodes: u32) -> Opened {
    let head = std::fs::read_to_string(folder.join("run.json")).expect("the run was played");
    let head: Value = serde_json::from_str(&head).expect("run.json is JSON");
    let spec: Spec = serde_json::from_value(head["spec"].clone()).expect("run.json has a spec");
    let opened = asking.open(&spec, episodes).await;
    let mut pieces: Vec<(EpisodeKey, String)> = transcripts(folder)
        .into_iter()
        .map(|(name, text)| {
            let key = name.trim_end_matches(".jsonl").parse();
            (key.expect("the file is named after its episode"), text)
        })
        .collect();
    // A grading names the last line of its episode, so plays come first.
    pieces.sort_by_key(|(key, _)| (key.its_play(), *key != key.its_play()));
    let mut body = String::new();
    for (episode, text) in pieces {
        let head = PieceHead { episode, from: 0, lines: text.lines().count() as u64 };
        let head = serde_json::to_string(&head).expect("a head is plain data");
        if !body.is_empty() && body.len() + head.len() + text.len() >= MAX_REQUEST_BYTES {
            send(asking, &opened, std::mem::take(&mut body)).await;
        }
        body.extend([head.as_str(), "\n", text.as_str()]);
    }
    send(asking, &opened, body).await;
    let path = format!("/api/runs/{}/state", opened.run);
    let closed = json!({ "state": "closed" });
    let came = asking.ask(Method::POST, &path, Some(&opened.token), &closed).await;
    let info: Value = came.json();
    assert_eq!(info["finished"], json!(episodes), "all episodes are stored: {info}");
    opened
}

async fn send(asking: &Asking, opened: &Opened, body: String) {
    let path = format!("/api/runs/{}/lines", opened.run);
    let body = Value::String(body);
    let came = asking.ask(Method::POST, &path, Some(&opened.token), &body).await;
    let refused: Vec<PieceStored> = came
        .json::<Vec<PieceStored>>()
        .into_iter()
        .filter(|piece| matches!(piece, PieceStored::Refused { .. }))
        .collect();
    assert!(refused.is_empty(), "{refused:?}");
}
