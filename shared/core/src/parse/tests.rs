use super::*;

fn found(text: &str) -> Vec<String> {
    objects(text, 0..text.len(), Dialect::Strict)
        .map(|candidate| match candidate {
            Candidate::Object { span, .. } => format!("object {}", &text[span]),
            Candidate::Broken { span, .. } => format!("broken {}", &text[span]),
            Candidate::Unclosed { at, .. } => format!("unclosed {at}"),
        })
        .collect()
}

#[test]
fn objects_are_found_between_other_things() {
    assert_eq!(
        found(r#"a {"x":1} b [{"y":{"z":2}}] {}"#),
        [r#"object {"x":1}"#, r#"object {"y":{"z":2}}"#, "object {}"]
    );
    assert_eq!(found(r#"{"x":"}{"} } {"#), [r#"object {"x":"}{"}"#, "unclosed 13"]);
    assert!(found("no braces }").is_empty());
}

#[test]
fn a_broken_object_hides_what_is_in_it_and_an_unclosed_brace_does_not() {
    assert_eq!(
        found(r#"{"a":{"b":1},} {"c":2}"#),
        [r#"broken {"a":{"b":1},}"#, r#"object {"c":2}"#]
    );
    assert_eq!(found(r#"{ maybe {"c":2}"#), ["unclosed 0", r#"object {"c":2}"#]);
    assert_eq!(found(r#"{don"t} {"c":2}"#), [r#"broken {don"t}"#, r#"object {"c":2}"#]);
}

#[test]
fn the_place_of_an_error_counts_from_the_beginning_of_the_text() {
    let text = "0123 {x}";
    let Some(Candidate::Broken { error, .. }) =
        objects(text, 3..text.len(), Dialect::Strict).next()
    else {
        panic!("{:?}", found(text));
    };
    assert_eq!(error.at, 6);
}

/// Each of these would take minutes if it were read anew from every brace.
#[test]
fn hostile_texts_are_read_in_linear_time() {
    let n = 1 << 16;
    for text in [
        "{".repeat(4 * n),
        "{\"".repeat(2 * n),
        "{\"a\":".repeat(n),
        "{\"a\":[".repeat(n),
        format!("{{\"a\":\"{}", "{\\\"".repeat(n)),
        format!("{}{}", "{\"a\":[0", ",{\"a\":[0".repeat(n)),
        format!("{}{}", "{ ".repeat(n), " ".repeat(n)),
        "{}".repeat(2 * n),
        "<think>".repeat(n / 2),
        "</think>".repeat(n / 2),
        "<".repeat(4 * n),
    ] {
        let parts = spoken(&text);
        let count: usize =
            parts.into_iter().map(|part| objects(&text, part, Dialect::Strict).count()).sum();
        assert!(count <= 4 * n);
    }
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_read(text in r#"(?s)([{}\[\]":,\\<>/a ]|<think>|</think>|\{"a":1\}|.){0,60}"#) {
        for part in spoken(&text) {
            for candidate in objects(&text, part.clone(), Dialect::Strict) {
                if let Candidate::Object { span, object, .. } = candidate {
                    proptest::prop_assert!(part.start <= span.start && span.end <= part.end);
                    let again = json::parse(&text[span], Dialect::Strict);
                    proptest::prop_assert_eq!(again, Ok(Json::Object(object)));
                }
            }
        }
    }
}
