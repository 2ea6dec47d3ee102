//! The line under the wall: what the cursor or the pointer is on.

use turnwise_shared::screen::row::Labels;

use super::cursor::Cursor;
use crate::prelude::*;
use crate::strings::run::wall as words;

/// What stands in the line under the wall.
pub fn readout(at: &Cursor, all: &Snapshot, labels: Labels) -> AnyView {
    let hint = || {
        any_view! {
            // The line has a way to be laid out of its own on a phone, which would show both.
            <span class="clip">
                <span class="for-mouse">{words::HINT}</span>
                <span class="for-touch">{words::HINT_TOUCH}</span>
            </span>
        }
    };
    let Some(position) = at.episode.as_ref().and_then(|key| all.position(key)) else {
        return hint();
    };
    let (summary, status) = (&all.summaries[position], all.statuses[position]);
    let lang = language(&summary.task.labels);
    let cell = at.turn.and_then(|turn| summary.ribbon.iter().find(|cell| cell.turn == turn));
    match cell {
        Some(cell) => any_view! {
            <b>{words::at(&summary.task.id.0, cell.turn)}</b>
            <span class="clip" lang=lang>
                {turn::sentence(cell, status)}
            </span>
        },
        None => {
            let label = words::label(
                &summary.task.id.0,
                summary.repeat,
                &labels.line(summary),
                summary.ribbon.len(),
                status.label(),
            );
            let answer = summary.measured.answer.clone().filter(|answer| !answer.is_empty());
            any_view! {
                <b>{label}</b>
                {answer.map(|answer| view! { <span class="clip" lang=lang>{answer}</span> })}
            }
        }
    }
}
