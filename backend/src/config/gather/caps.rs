//! What may be spent in a day, and by whom.

use turnwise_shared::caps::{Caps, MOST_DOLLARS, millionths};

use super::{SHORTEST_TOKEN, check_name, key, words};
use crate::config::file::{File, FileCaps, FileToken};
use crate::config::{AccessToken, Environment};

/// The server's caps for a day: those of the file, and before them those of the environment.
pub fn server(file: &File, environment: &Environment, mistakes: &mut Vec<String>) -> Caps {
    let mut caps = read("caps", &file.caps, mistakes);
    if let Some(text) = environment.var("TURNWISE_CAP_USD_PER_DAY") {
        let place = "TURNWISE_CAP_USD_PER_DAY";
        caps.money = match text.trim().parse() {
            Ok(usd) => dollars(place, usd, mistakes),
            Err(_) => {
                mistakes.push(format!("{place}: {text:?} is no amount of dollars"));
                None
            }
        };
    }
    for (name, cap) in [
        ("TURNWISE_CAP_TOKENS_PER_DAY", &mut caps.tokens),
        ("TURNWISE_CAP_CALLS_PER_DAY", &mut caps.calls),
        ("TURNWISE_CAP_SECONDS_PER_DAY", &mut caps.seconds),
    ] {
        if let Some(text) = environment.var(name) {
            match text.trim().parse() {
                Ok(number) => *cap = Some(number),
                Err(_) => mistakes.push(format!("{name}: {text:?} is no whole number from 0")),
            }
        }
    }
    let unpriced = environment.var("TURNWISE_UNPRICED").unwrap_or_default();
    caps.unpriced.extend(words(unpriced).map(str::to_owned));
    caps
}

/// The access tokens of the file, each with its caps for a day.
pub fn tokens(
    file: &[FileToken],
    environment: &Environment,
    mistakes: &mut Vec<String>,
) -> Vec<AccessToken> {
    let mut tokens: Vec<AccessToken> = Vec::new();
    for (at, written) in file.iter().enumerate() {
        let place = match written.name.is_empty() {
            true => format!("token {}", at + 1),
            false => format!("token {:?}", written.name),
        };
        if let Err(why) = check_name(&written.name) {
            mistakes.push(format!("{place}: {why}"));
        }
        let mut wrong = Vec::new();
        let variable = written.token_env.as_deref();
        let secret = key(written.token.as_ref(), variable, environment, &mut wrong);
        mistakes.extend(
            wrong
                .into_iter()
                .map(|(field, why)| format!("{place}: {}: {why}", field.replace("key", "token"))),
        );
        let caps = read(&place, &written.caps, mistakes);
        match secret {
            None => mistakes.push(format!("{place}: give token or token_env")),
            Some(secret) if secret.open().len() < SHORTEST_TOKEN => {
                mistakes.push(format!("{place}: a token has at least {SHORTEST_TOKEN} characters"))
            }
            Some(secret)
                if tokens
                    .iter()
                    .any(|other| other.name == written.name || other.secret.is(secret.open())) =>
            {
                mistakes.push(format!("{place}: its name or its token stands twice"));
            }
            Some(secret) => tokens.push(AccessToken { name: written.name.clone(), secret, caps }),
        }
    }
    tokens
}

fn read(place: &str, file: &FileCaps, mistakes: &mut Vec<String>) -> Caps {
    Caps {
        money: file.usd.and_then(|usd| dollars(&format!("{place}.usd"), usd, mistakes)),
        tokens: file.tokens,
        calls: file.calls,
        seconds: file.seconds,
        unpriced: file.unpriced.clone(),
    }
}

/// Dollars as millionths.
fn dollars(place: &str, usd: f64, mistakes: &mut Vec<String>) -> Option<u64> {
    let read = millionths(usd);
    if read.is_none() {
        mistakes.push(format!(
            "{place}: an amount of dollars is from 0 to {MOST_DOLLARS} and has at most six decimals"
        ));
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::file;

    fn gather(text: &str, variables: &[(&str, &str)]) -> (Caps, Vec<AccessToken>, Vec<String>) {
        let file = file::read(text).expect("a sound file");
        let environment = Environment::from_iter(variables.iter().copied());
        let mut mistakes = Vec::new();
        let caps = server(&file, &environment, &mut mistakes);
        let tokens = tokens(&file.token, &environment, &mut mistakes);
        (caps, tokens, mistakes)
    }

    #[test]
    fn caps_come_from_file_and_environment() {
        let text = "[caps]\nusd = 20.5\ncalls = 7\nseconds = 90\nunpriced = [\"up/m\"]\n";
        let (caps, _, mistakes) = gather(text, &[]);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        assert_eq!(
            (caps.money, caps.calls, caps.tokens, caps.seconds),
            (Some(20_500_000), Some(7), None, Some(90))
        );
        let variables = [
            ("TURNWISE_CAP_USD_PER_DAY", "0.25"),
            ("TURNWISE_CAP_TOKENS_PER_DAY", "1000"),
            ("TURNWISE_CAP_SECONDS_PER_DAY", "3600"),
            ("TURNWISE_UNPRICED", "web, up/other"),
        ];
        let (caps, _, mistakes) = gather(text, &variables);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        assert_eq!((caps.money, caps.tokens), (Some(250_000), Some(1000)));
        assert_eq!(caps.seconds, Some(3600));
        assert_eq!(caps.unpriced, ["up/m", "web", "up/other"]);
    }

    #[test]
    fn every_token_has_a_name_a_secret_and_its_caps() {
        let text = "[[token]]\nname = \"ann\"\ntoken_env = \"ANN\"\ncaps = { usd = 1.0, seconds = 60 }\n\
                    [[token]]\nname = \"bob\"\ntoken = \"a-long-enough-token\"\n";
        let (_, tokens, mistakes) = gather(text, &[("ANN", "another-long-token")]);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        let ann = &tokens[0].caps;
        assert_eq!((ann.money, ann.seconds), (Some(1_000_000), Some(60)));
        assert!(tokens[1].caps.is_open());
        assert!(tokens[0].secret.is("another-long-token"));
    }

    #[test]
    fn mistakes_are_named_with_their_place_and_no_secret() {
        let text = "[caps]\nusd = -1.0\n[[token]]\nname = \"ann\"\n[[token]]\nname = \"\"\ntoken = \"short\"\n\
                    [[token]]\nname = \"bob\"\ntoken = \"the-same-long-token\"\n\
                    [[token]]\nname = \"cat\"\ntoken = \"the-same-long-token\"\n";
        let (_, _, mistakes) = gather(text, &[("TURNWISE_CAP_CALLS_PER_DAY", "many")]);
        let all = mistakes.join("\n");
        for said in [
            "caps.usd",
            "TURNWISE_CAP_CALLS_PER_DAY",
            "token \"ann\": give token",
            "token 2: ",
            "token \"cat\": its name or its token stands twice",
        ] {
            assert!(all.contains(said), "{said} in {all}");
        }
        assert!(!all.contains("the-same-long-token"), "{all}");
    }
}
