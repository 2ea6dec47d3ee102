//! How built worlds write numbers, lists, keys and values.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::Family;
use super::pools::Both;
use crate::task::Language;
use turnwise_core::prompt::substitute;

/// A text of a family (`data/sentences.toml`), filled in.
pub(super) fn sentence<const N: usize>(
    language: Language,
    family: Family,
    name: &str,
    parts: [(&str, &str); N],
) -> String {
    static SENTENCES: LazyLock<BTreeMap<&str, BTreeMap<&str, Both>>> = LazyLock::new(|| {
        toml::from_str(include_str!("../../data/sentences.toml")).expect("every test reads them")
    });
    substitute(SENTENCES[family.name()][name].say(language), &parts.into())
}

/// A whole number: in English with commas between thousands.
pub(super) fn number(language: Language, value: i64) -> String {
    let digits = value.to_string();
    match language {
        Language::Zh => digits,
        Language::En => {
            let mut out = String::new();
            for (position, digit) in digits.chars().enumerate() {
                if position > 0 && (digits.len() - position).is_multiple_of(3) {
                    out.push(',');
                }
                out.push(digit);
            }
            out
        }
    }
}

/// A number with its unit.
pub(super) fn amount(language: Language, value: i64, unit: &str) -> String {
    let blank = match language {
        Language::En => " ",
        Language::Zh => "",
    };
    format!("{}{blank}{unit}", number(language, value))
}

/// `a, b and c`; `a、b和c`.
pub(super) fn list(language: Language, items: &[String]) -> String {
    let (comma, and) = match language {
        Language::En => (", ", " and "),
        Language::Zh => ("、", "和"),
    };
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{}{and}{last}", first.join(comma)),
    }
}

/// Years as a list, in Chinese with 年 after each.
pub(super) fn years(language: Language, years: &[i64]) -> String {
    let written: Vec<String> = years.iter().map(|year| period(language, *year)).collect();
    list(language, &written)
}

pub(super) fn period(language: Language, year: i64) -> String {
    match language {
        Language::En => year.to_string(),
        Language::Zh => format!("{year}年"),
    }
}

/// The key of a fact.
pub(super) fn key(language: Language, entity: &str, attribute: &str, year: i64) -> String {
    match language {
        Language::En => format!("{entity}: {attribute} in {year}"),
        Language::Zh => format!("{entity}{year}年{attribute}"),
    }
}
