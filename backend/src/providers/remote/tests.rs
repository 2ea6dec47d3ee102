use super::super::wire_format::below;
use super::*;

#[test]
fn a_reply_that_is_too_long_is_kept_as_far_as_there_is_room() {
    let said = |text: usize, reasoning: usize| Said {
        text: Some("é".repeat(text)),
        reasoning: Some("x".repeat(reasoning)),
        ..Said::default()
    };
    let fits = cut_to_size(said(300_000, 0), Vec::new());
    assert_eq!((fits.stop, fits.departures.len()), (Stop::End, 0));
    for (text, reasoning) in [(300_000, 1), (300_001, 0), (1, 600_000), (400_000, 5)] {
        let cut = cut_to_size(said(text, reasoning), Vec::new());
        let (text, reasoning) = (cut.text.expect("some"), cut.reasoning.expect("some"));
        assert!(text.len() + reasoning.len() <= LONGEST_REPLY);
        assert!(text.len() + reasoning.len() >= LONGEST_REPLY - 1);
        assert_eq!(cut.stop, Stop::Length);
        assert_eq!(cut.departures[0].parameter, "reply");
    }
}

#[test]
fn a_models_name_leads_nowhere_else() {
    let base = Url::parse("https://box.internal/v1/").expect("an address");
    let url = below(&base, ["models", "..", "a/b?c#d", "e:f"]);
    assert_eq!(url.as_str(), "https://box.internal/v1/models/a%2Fb%3Fc%23d/e:f");
}
