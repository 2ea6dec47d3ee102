//! What pages of games have in common on which a person plays.

use turnwise_shared::transcript::{self, Transcript};

use crate::*;

/// How long a hand or a match may take.
pub const GAME: Duration = Duration::from_secs(120);

/// What the page shows now.
const STATE: &str = "document.querySelector('.section #fairness') ? 'over' : \
     document.querySelector('.bet-next') ? 'next' : \
     document.querySelector('.bet-fold:not(:disabled), .choice-move.is-c:not(:disabled)') ? 'asked' : 'waits'";

pub async fn state(tab: &Tab) -> String {
    tab.read(STATE).await
}

/// The id of the table that a tab shows.
pub async fn table_of(tab: &Tab) -> String {
    tab.wait("the table's page", "location.pathname.startsWith('/play/')").await;
    let path: String = tab.read("location.pathname").await;
    path.trim_start_matches("/play/").to_owned()
}

/// What came in before the first word of the end. The list of what the server offers is the same for everybody.
pub fn before_the_end(received: &[Piece]) -> String {
    let is_last = |piece: &Piece| piece.text.contains("\"stage\":\"over\"");
    before(received, is_last)
}

/// What came in before such a piece.
pub fn before(received: &[Piece], is_last: impl Fn(&Piece) -> bool) -> String {
    let text: String = received
        .iter()
        .take_while(|piece| !is_last(piece))
        .filter(|piece| !piece.url.ends_with("/api/about"))
        .map(|piece| {
            format!(
                "{}
",
                piece.text
            )
        })
        .collect();
    assert!(text.contains("\"stage\":\"playing\""), "frames were kept");
    text
}

/// The one transcript of a run that is over, and its key.
pub async fn released(tab: &Tab, run: &str) -> (String, Transcript) {
    let heads =
        tab.eval(&format!("fetch('/api/runs/{run}/episodes').then(answer => answer.json())")).await;
    let key = heads[0]["episode"].as_str().expect("an episode").to_owned();
    let text = tab
        .eval(&format!("fetch('/api/runs/{run}/episodes/{key}').then(answer => answer.text())"))
        .await;
    let read = transcript::read(text.as_str().expect("a text")).expect("a sound transcript");
    (key, read)
}

/// Opens the replay in a browser without any memory, and goes through it.
pub async fn replays_elsewhere(trial: &Trial, page: &str, shows: &str) {
    let tab = trial.open(page).await;
    tab.wait_for(shows).await;
    tab.press("ArrowRight").await;
    tab.wait_for_query("turn=").await;
    tab.assert_clean();
}
