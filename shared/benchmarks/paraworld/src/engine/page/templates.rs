//! Texts of results (`data/pages.toml`).

use std::sync::LazyLock;

use serde::Deserialize;

use super::super::super::task::Language;

type Text = (&'static str, &'static str);

#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
struct Texts {
    en: Vec<Text>,
    zh: Vec<Text>,
}

pub(super) fn of(language: Language) -> &'static [Text] {
    static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
        let text = include_str!("../../../data/pages.toml");
        toml::from_str(text).expect("every test reads them")
    });
    match language {
        Language::En => &TEXTS.en,
        Language::Zh => &TEXTS.zh,
    }
}

/// The subject of a page if the query names none.
pub(super) fn nobody(language: Language) -> &'static str {
    match language {
        Language::En => "the subject",
        Language::Zh => "这一话题",
    }
}

pub(super) fn fill((title, content): Text, topic: &str) -> (String, String) {
    (title.replace("{topic}", topic), content.replace("{topic}", topic))
}

/// The result that tells a fact.
pub(super) fn told(language: Language, key: &str, value: &str) -> (String, String) {
    match language {
        Language::En => (
            key.to_owned(),
            format!(
                "The register has one entry on this. {key}: {value}. The entry has been confirmed and is not expected to change."
            ),
        ),
        Language::Zh => (
            key.to_owned(),
            format!("公开名录中有一条相关记录。{key}：{value}。该记录已经核实，预计不会再有变动。"),
        ),
    }
}
