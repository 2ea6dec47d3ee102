//! Pages that are rebuilt unseen: before judges that look, by two people over a link, and read by a stranger.

mod eyes;
mod judged;
mod playing;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::*;

/// Whether the server renders pages; said where it does not.
async fn renders(asking: &Asking) -> bool {
    let about: Value = asking.json("/api/about").await;
    let off = about["rendering_off"].as_str();
    off.inspect(|why| skipped(&format!("rendering is off: {why}"))).is_none()
}

/// How a part of a picture stands in a text that has its bytes as base64, wherever they begin there.
fn traces(png: &[u8]) -> [String; 3] {
    let middle = png.len() / 2 / 3 * 3;
    [0, 1, 2].map(|shift| STANDARD.encode(&png[middle + shift..][..60]))
}

/// Nothing that a tab received, and nothing of its page, has bytes of these pictures.
async fn is_without(tab: &Tab, received: &[Piece], pictures: &[Vec<u8>]) {
    assert!(received.len() > 5, "something was received");
    let page = tab.eval("document.documentElement.outerHTML").await;
    let page =
        Piece { url: "the page".to_owned(), text: page.as_str().expect("a text").to_owned() };
    for trace in pictures.iter().flat_map(|png| traces(png)) {
        for piece in received.iter().chain([&page]) {
            assert!(!piece.text.contains(&trace), "a hidden picture came from {:?}", piece.url);
        }
    }
}
