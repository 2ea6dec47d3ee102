//! What the authors' program says of searches that failed.

use turnwise_shared::benchmarks::interactcomp::search::Shown;
use turnwise_shared::effect::Reply;

use crate::common::upstream::Canned;
use crate::search::plainly;

/// Specification 5, S7: a list is JSON, and no object; S5: what is no JSON at all is another failure.
#[tokio::test]
async fn the_reference_code_has_words_for_an_answer_of_another_shape() {
    let shown = async |body: &str| {
        let trial = plainly("serper", Canned::page(200, body)).await;
        match &trial.answer.reply {
            Reply::Failed(failure) => Shown::failed_in_reference(failure).text,
            other => panic!("it did not fail: {other:?}"),
        }
    };
    assert_eq!(shown("[1]").await, "Search failed");
    let text = shown("<html></html>").await;
    assert!(text.starts_with("1. Search error — "), "{text}");
}
