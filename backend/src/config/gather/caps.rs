//! What may be spent in a day, and by whom.

use turnwise_shared::caps::{Caps, MOST_DOLLARS, millionths};

use super::fields::{Wrong, check_name, key};
use super::{Gathering, SHORTEST_TOKEN};
use crate::config::AccessToken;
use crate::config::file::{File, FileCaps, FileToken};
use crate::secret::Secret;

/// The server's caps for a day: those of the file, and before them those of the environment.
pub fn server(file: &File, gathering: &mut Gathering) -> Caps {
    let mut caps = read("caps", &file.caps, gathering);
    let place = "TURNWISE_CAP_USD_PER_DAY";
    if let Some(text) = gathering.environment.var(place) {
        let usd = text.trim().parse();
        let usd = usd.map_err(|_| format!("{text:?} is no amount of dollars"));
        caps.money = gathering.sound(place, usd).and_then(|usd| dollars(place, usd, gathering));
    }
    for (place, cap) in [
        ("TURNWISE_CAP_TOKENS_PER_DAY", &mut caps.tokens),
        ("TURNWISE_CAP_CALLS_PER_DAY", &mut caps.calls),
        ("TURNWISE_CAP_SECONDS_PER_DAY", &mut caps.seconds),
    ] {
        if let Some(text) = gathering.environment.var(place) {
            let number = text.trim().parse();
            let number = number.map_err(|_| format!("{text:?} is no whole number from 0"));
            *cap = gathering.sound(place, number).or(*cap);
        }
    }
    caps.unpriced.extend(gathering.words("TURNWISE_UNPRICED").map(str::to_owned));
    caps
}

/// The access tokens of the file, each with its caps for a day.
pub fn tokens(file: &[FileToken], gathering: &mut Gathering) -> Vec<AccessToken> {
    let mut tokens: Vec<AccessToken> = Vec::new();
    for (at, written) in file.iter().enumerate() {
        let place = match written.name.is_empty() {
            true => format!("token {}", at + 1),
            false => format!("token {:?}", written.name),
        };
        gathering.sound(&place, check_name(&written.name));
        let mut wrong = Wrong::default();
        let variable = written.token_env.as_deref();
        let secret = key(written.token.as_ref(), variable, gathering.environment, &mut wrong);
        for (field, why) in wrong.0 {
            gathering.mistake(format!("{place}: {}: {why}", field.replace("key", "token")));
        }
        let caps = read(&place, &written.caps, gathering);
        let is_known = |secret: &Secret, other: &AccessToken| {
            other.name == written.name || other.secret.is(secret.open())
        };
        let secret = match secret {
            None => Err("give token or token_env".to_owned()),
            Some(secret) if secret.open().len() < SHORTEST_TOKEN => {
                Err(format!("a token has at least {SHORTEST_TOKEN} characters"))
            }
            Some(secret) if tokens.iter().any(|other| is_known(&secret, other)) => {
                Err("its name or its token stands twice".to_owned())
            }
            Some(secret) => Ok(secret),
        };
        if let Some(secret) = gathering.sound(&place, secret) {
            tokens.push(AccessToken { name: written.name.clone(), secret, caps });
        }
    }
    tokens
}

fn read(place: &str, file: &FileCaps, gathering: &mut Gathering) -> Caps {
    Caps {
        money: file.usd.and_then(|usd| dollars(&format!("{place}.usd"), usd, gathering)),
        tokens: file.tokens,
        calls: file.calls,
        seconds: file.seconds,
        unpriced: file.unpriced.clone(),
    }
}

/// Dollars as millionths.
fn dollars(place: &str, usd: f64, gathering: &mut Gathering) -> Option<u64> {
    let expected =
        || format!("an amount of dollars is from 0 to {MOST_DOLLARS} and has at most six decimals");
    gathering.sound(place, millionths(usd).ok_or_else(expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, file};

    fn gather(text: &str, variables: &[(&str, &str)]) -> (Caps, Vec<AccessToken>, Vec<String>) {
        let file = file::read(text).expect("a sound file");
        let environment = Environment::from_iter(variables.iter().copied());
        let mut gathering = Gathering { environment: &environment, mistakes: Vec::new() };
        let caps = server(&file, &mut gathering);
        let tokens = tokens(&file.token, &mut gathering);
        (caps, tokens, gathering.mistakes)
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
