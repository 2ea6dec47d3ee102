//! What a service said, without the secrets that it was sent: every text that comes from a service passes here before any caller
//! sees, stores or signs it.

use reqwest::Url;
use serde_json::Value;
use turnwise_shared::prompt::Said;

use crate::secret::Secret;

/// How many characters of a service's own sentence are kept.
const LONGEST: usize = 300;

/// A key shorter than this may be an ordinary word (`ollama`, `EMPTY`), so answers keep it.
const SHORTEST_KEY: usize = 8;

/// Stands for what was taken out.
const GONE: &str = "…";

/// The secrets of one endpoint.
pub struct Words {
    key: Option<Secret>,
    address: Url,
}

impl Words {
    /// An endpoint with this key at this address.
    pub fn new(key: Option<Secret>, address: &Url) -> Self {
        Words { key, address: address.clone() }
    }

    /// The key, if it is one that cannot be an ordinary word.
    fn key(&self) -> Option<&str> {
        let key = self.key.as_ref()?.open();
        (key.len() >= SHORTEST_KEY).then_some(key)
    }

    /// Whether a text holds the key.
    pub fn tells(&self, text: &str) -> bool {
        self.key.as_ref().is_some_and(|key| !key.open().is_empty() && text.contains(key.open()))
    }

    /// A service's own sentence, as it may be shown: no key, no address, nothing that looks like a key, and not too long.
    pub fn of_service(&self, sentence: &str) -> String {
        let secrets = [
            self.key.as_ref().map(Secret::open),
            Some(self.address.as_str()),
            self.address.host_str(),
        ];
        let mut sentence = sentence.to_owned();
        for secret in secrets.into_iter().flatten().filter(|it| !it.is_empty()) {
            sentence = sentence.replace(secret, GONE);
        }
        let sentence = self.without_parts_of_keys(&sentence);
        // A terminal would take some of them for orders.
        let sentence = sentence.replace(|character: char| character.is_control(), " ");
        match sentence.char_indices().nth(LONGEST) {
            Some(_) => sentence.chars().take(LONGEST - 1).chain(GONE.chars()).collect(),
            None => sentence,
        }
    }

    /// Services repeat keys with their middle masked, so what begins or ends like one goes too.
    fn without_parts_of_keys(&self, sentence: &str) -> String {
        let goes_on = |character: char| {
            character.is_alphanumeric() || matches!(character, '-' | '_' | '*' | '.')
        };
        let mut clean = String::with_capacity(sentence.len());
        let mut rest = sentence;
        while !rest.is_empty() {
            let word = rest.find(|character: char| !goes_on(character)).unwrap_or(rest.len());
            match self.is_of_a_key(&rest[..word]) {
                true => clean.push_str(GONE),
                false => clean.push_str(&rest[..word]),
            }
            rest = &rest[word..];
            let between = rest.find(goes_on).unwrap_or(rest.len());
            clean.push_str(&rest[..between]);
            rest = &rest[between..];
        }
        clean
    }

    fn is_of_a_key(&self, word: &str) -> bool {
        let shares = self.key().is_some_and(|key| {
            let same = |(one, other): &(char, char)| one == other;
            let front = word.chars().zip(key.chars()).take_while(same);
            let back = word.chars().rev().zip(key.chars().rev()).take_while(same);
            front.count().max(back.count()) >= SHORTEST_KEY
        });
        let is_masked = word.len() >= 6 && word.contains("***");
        let begins = ["sk-", "AIza", "xai-", "gsk_"];
        shares
            || is_masked
            || (word.len() >= 12 && begins.iter().any(|begin| word.starts_with(begin)))
    }

    /// What a model said, without the key: texts, names and the service's own account.
    pub fn of_model(&self, mut said: Said) -> Said {
        let Some(key) = self.key() else {
            return said;
        };
        let texts = [&mut said.text, &mut said.reasoning, &mut said.refusal, &mut said.model];
        for text in texts.into_iter().flatten() {
            if text.contains(key) {
                *text = text.replace(key, GONE);
            }
        }
        clean(&mut said.usage.raw, key);
        said
    }

    /// Pieces of a text as they come, without the key, however it is cut into pieces.
    pub fn of_pieces(&self) -> Pieces<'_> {
        Pieces { key: self.key(), held: String::new() }
    }
}

fn clean(value: &mut Value, key: &str) {
    match value {
        Value::String(text) if text.contains(key) => *text = text.replace(key, GONE),
        Value::Array(items) => items.iter_mut().for_each(|item| clean(item, key)),
        Value::Object(fields) => {
            if fields.keys().any(|name| name.contains(key)) {
                let old = std::mem::take(fields);
                fields.extend(old.into_iter().map(|(name, item)| (name.replace(key, GONE), item)));
            }
            fields.values_mut().for_each(|item| clean(item, key));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// See [`Words::of_pieces`].
#[derive(Default)]
pub struct Pieces<'a> {
    key: Option<&'a str>,
    /// What may be the beginning of the key.
    held: String,
}

impl Pieces<'_> {
    /// Takes a piece and returns what may be shown by now.
    pub fn take(&mut self, piece: &str) -> String {
        let Some(key) = self.key else {
            return piece.to_owned();
        };
        self.held.push_str(piece);
        let text = self.held.replace(key, GONE);
        let longest = key.len().saturating_sub(1).min(text.len());
        let begins = (1..=longest)
            .rev()
            .filter(|length| text.is_char_boundary(text.len() - length))
            .find(|length| key.starts_with(&text[text.len() - length..]))
            .unwrap_or(0);
        let (shown, held) = text.split_at(text.len() - begins);
        let shown = shown.to_owned();
        self.held = held.to_owned();
        shown
    }

    /// What was held back at the end of the text.
    pub fn rest(self) -> String {
        self.held
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use turnwise_shared::prompt::Usage;

    use super::*;

    fn words(key: &str) -> Words {
        let address = Url::parse("https://box.internal/v1").expect("an address");
        Words::new(Some(Secret::new(key)), &address)
    }

    #[test]
    fn a_services_sentence_loses_keys_and_addresses_and_is_shortened() {
        let words = words("marked-key-0123456789");
        for (said, shown) in [
            (
                "key marked-key-0123456789 at https://box.internal/v1/chat/completions, box.internal",
                "key … at …/chat/completions, …",
            ),
            ("Incorrect API key provided: marked-k*********6789.", "Incorrect API key provided: …"),
            ("you sent sk-proj-abcdefghijkl, twice", "you sent …, twice"),
            ("it ends with key-0123456789", "it ends with …"),
            ("temperature must be 1", "temperature must be 1"),
            ("\u{1b}[31mred\u{7}", " [31mred "),
            ("问题 sk- no key", "问题 sk- no key"),
        ] {
            assert_eq!(words.of_service(said), shown);
        }
        assert_eq!(words.of_service(&"x y".repeat(1000)).chars().count(), LONGEST);
    }

    #[test]
    fn what_a_model_said_loses_the_key_wherever_it_stands() {
        let key = "marked-key-0123456789";
        let said = || Said {
            text: Some(format!("it is {key}")),
            reasoning: Some(key.to_owned()),
            refusal: Some(key.to_owned()),
            model: Some(format!("m-{key}")),
            usage: Usage {
                raw: json!({ "by": { key: [key, 1, { "of": format!("x{key}") }] } }),
                ..Usage::default()
            },
            ..Said::default()
        };
        let shown = serde_json::to_string(&words(key).of_model(said())).expect("JSON");
        assert!(!shown.contains("marked"), "{shown}");
        assert_eq!(shown.matches('…').count(), 7);
        // A key that is an ordinary word stays in what models say.
        let plain = Said::text("llamas: EMPTY");
        assert_eq!(words("EMPTY").of_model(plain.clone()), plain);
    }

    #[test]
    fn pieces_lose_the_key_however_they_are_cut() {
        let words = words("marked-key-0123");
        let text = "a marked-key-0123 b marked-mark é marked-key-012";
        for size in 1..text.chars().count() {
            let characters: Vec<char> = text.chars().collect();
            let mut pieces = words.of_pieces();
            let mut heard: String = characters
                .chunks(size)
                .map(|piece| pieces.take(&piece.iter().collect::<String>()))
                .collect();
            heard.push_str(&pieces.rest());
            assert_eq!(heard, "a … b marked-mark é marked-key-012", "{size}");
        }
    }
}
