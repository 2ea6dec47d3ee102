//! A server that should not start does not, and says why.

use std::path::Path;
use std::process::Stdio;

use turnwise_tests::server::{command, needed_program, printed};

/// What the program says when it refuses to start.
fn refusal(program: &Path, folder: &Path, addr: &str, variables: &[(&str, &str)]) -> String {
    let mut serve = command(program, variables);
    serve.args(["serve", "--addr", addr, "--data"]).arg(folder).stdin(Stdio::null());
    let output = serve.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    printed(&output)
}

#[test]
fn a_server_that_should_not_start_does_not() {
    let Some(program) = needed_program() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = refusal(&program, folder.path(), "0.0.0.0:0", &[]);
    insta::assert_snapshot!(said, @"
    error: the configuration has 1 mistake:
      - 0.0.0.0:0 can be reached from other machines: set TURNWISE_ACCESS_TOKEN to a long random text (for example from `openssl rand -hex 24`), or listen on 127.0.0.1:8080
    ");
    let mistakes = [
        ("TURNWISE_ACCESS_TOKEN", "short"),
        ("OPENAI_API_KEY", "marked key"),
        ("TURNWISE_PROVIDER_MINE_API_KEY", "marked-key"),
        ("TURNWISE_PROVIDER_MINE_COLOUR", "blue"),
    ];
    let said = refusal(&program, folder.path(), "127.0.0.1:0", &mistakes);
    assert!(!said.contains("marked"), "{said}");
    insta::assert_snapshot!(said, @r#"
    error: the configuration has 4 mistakes:
      - TURNWISE_ACCESS_TOKEN: a token has at least 16 characters, all of them plain letters, digits or punctuation
      - TURNWISE_PROVIDER_MINE_COLOUR: the name ends in none of _BASE_URL, _API_KEY, _MODELS, _FORMAT, _IN_FLIGHT, _PROXY
      - provider "mine", base_url: it is missing
      - provider "openai", key: it has spaces or characters that no key has
    "#);
}
