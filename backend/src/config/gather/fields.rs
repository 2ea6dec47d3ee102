//! What the fields of an endpoint, an engine or a token have in common.

use reqwest::Url;

use crate::config::Environment;
use crate::secret::Secret;
use crate::services::reach::ProxyChoice;

/// What is wrong with the fields of one endpoint or engine.
#[derive(Default)]
pub struct Wrong(pub Vec<(&'static str, String)>);

impl Wrong {
    pub fn add(&mut self, field: &'static str, why: impl Into<String>) {
        self.0.push((field, why.into()));
    }

    /// What was read of a field, unless it is wrong.
    pub fn sound<T>(&mut self, field: &'static str, read: Result<T, String>) -> Option<T> {
        read.map_err(|why| self.add(field, why)).ok()
    }

    /// Refuses the fields that were given.
    pub fn refuse(&mut self, why: &str, fields: &[(&'static str, bool)]) {
        for (field, _) in fields.iter().filter(|(_, is_given)| *is_given) {
            self.add(field, why);
        }
    }

    pub fn proxy(&mut self, written: Option<&str>) -> ProxyChoice {
        self.sound("proxy", ProxyChoice::read(written)).unwrap_or_default()
    }

    pub fn in_flight(&mut self, written: Option<u32>, usual: u32) -> usize {
        let in_flight = written.unwrap_or(usual);
        if in_flight == 0 {
            self.add("in_flight", "at least 1");
        }
        usize::try_from(in_flight).unwrap_or(usize::MAX)
    }

    pub fn base_url(&mut self, text: Option<&str>) -> Option<Url> {
        self.sound("base_url", text.ok_or_else(|| "it is missing".to_owned()).and_then(check_url))
    }
}

/// The key of a service: as the file has it, or in the variable that the file names.
pub fn key(
    written: Option<&Secret>,
    variable: Option<&str>,
    environment: &Environment,
    wrong: &mut Wrong,
) -> Option<Secret> {
    let key = match (written, variable) {
        (Some(_), Some(_)) => {
            wrong.add("key_env", "give either key or key_env, not both");
            None
        }
        (Some(key), None) => Some(key.clone()),
        (None, Some(variable)) => {
            let key = environment.var(variable).map(Secret::new);
            if key.is_none() {
                wrong.add("key_env", format!("the variable {variable} is not set"));
            }
            key
        }
        (None, None) => None,
    };
    let is_plain = |key: &Secret| key.open().bytes().all(|byte| byte.is_ascii_graphic());
    if key.as_ref().is_some_and(|key| !is_plain(key)) {
        wrong.add("key", "it has spaces or characters that no key has");
    }
    key
}

pub fn check_name(name: &str) -> Result<(), String> {
    let plain =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
    if (1..=40).contains(&name.len()) && name.chars().all(plain) {
        Ok(())
    } else {
        Err("a name has 1 to 40 letters, digits, `-`, `_` or `.`".into())
    }
}

/// An address to which paths can be added. It is not repeated in the error, because it may hold a password.
fn check_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim_end_matches('/'))
        .map_err(|error| format!("this is no address ({error}); write one like https://host/v1"))?;
    let sound = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    if sound {
        Ok(url)
    } else {
        Err("write an http or https address without user, query and fragment; the key goes into `key`".into())
    }
}
