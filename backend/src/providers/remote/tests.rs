use super::super::openai::OpenAi;
use super::*;

#[test]
fn a_services_words_lose_key_and_address() {
    let url = Url::parse("https://box.internal/v1").expect("an address");
    let key = Some(Secret::new("marked-key"));
    let format = OpenAi::new(&url, "max_tokens");
    let remote =
        Remote::new(format, &url, key, &Limits::default(), &Reach::default()).expect("a client");
    let said =
        remote.harmless("key marked-key at https://box.internal/v1/chat/completions, box.internal");
    assert_eq!(said, "key … at …/chat/completions, …");
    assert_eq!(remote.harmless(&"x".repeat(1000)).len(), WORDS);
}

#[test]
fn a_models_name_leads_nowhere_else() {
    let base = Url::parse("https://box.internal/v1/").expect("an address");
    let url = below(&base, ["models", "..", "a/b?c#d", "e:f"]);
    assert_eq!(
        url.as_str(),
        "https://box.internal/v1/models/a%2Fb%3Fc%23d/e:f"
    );
}
