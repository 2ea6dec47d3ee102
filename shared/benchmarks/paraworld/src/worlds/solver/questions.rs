//! Reading the sentences in which built worlds ask.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::super::super::task::{Fact, Language};
use super::super::Family;
use super::super::fraction::{self, Fraction};

pub(super) enum Question {
    Compare {
        pair: Vec<String>,
        attribute: String,
        years: Vec<String>,
    },
    Divide {
        who: Vec<String>,
        years: Vec<String>,
        above: String,
        below: String,
    },
    Reach {
        who: Vec<String>,
        attribute: String,
        years: Vec<String>,
        threshold: Fraction,
    },
    Points {
        index: String,
        who: Vec<String>,
        years: Vec<String>,
        /// Attributes, each with the attribute of its rule.
        counted: [(String, String); 2],
    },
    Chain {
        starts: Vec<String>,
        steps: Vec<(String, String)>,
        attribute: String,
        years: Vec<String>,
    },
}

/// Sentences with named gaps.
type Forms = BTreeMap<Family, BTreeMap<Language, Vec<&'static str>>>;

/// What a question asks; `None` if it is of no known form.
pub(super) fn read(question: &str, facts: &[Fact]) -> Option<Question> {
    static FORMS: LazyLock<Forms> = LazyLock::new(|| {
        toml::from_str(include_str!("../../../data/questions.toml")).expect("every test reads them")
    });
    let text = question.trim();
    FORMS.iter().find_map(|(family, forms)| {
        forms.iter().find_map(|(language, forms)| {
            let gaps = forms.iter().find_map(|form| gaps(form, text))?;
            asked(*family, *language, &gaps, facts)
        })
    })
}

fn asked(
    family: Family,
    language: Language,
    gaps: &BTreeMap<&str, &str>,
    facts: &[Fact],
) -> Option<Question> {
    let text = |name: &str| gaps[name].to_owned();
    let years = years_of(gaps["years"]);
    Some(match family {
        Family::Comparison => Question::Compare {
            pair: people(gaps["who"], facts),
            attribute: text("attribute"),
            years,
        },
        Family::Ratio => Question::Divide {
            who: items(gaps["who"]),
            years,
            above: text("above"),
            below: text("below"),
        },
        Family::Count => {
            let (threshold, rest) = fraction::read(gaps["threshold"])?;
            if !rest.trim().is_empty() {
                return None;
            }
            let who = people(gaps["who"], facts);
            Question::Reach { who, attribute: text("attribute"), years, threshold }
        }
        Family::Index => {
            let rule = |one: &str| match language {
                Language::En => format!("points per {}", gaps[one]),
                Language::Zh => format!("每{}积分", gaps[one]),
            };
            Question::Points {
                index: text("index"),
                who: items(gaps["who"]),
                years,
                counted: [(text("first"), rule("first_one")), (text("second"), rule("second_one"))],
            }
        }
        Family::Chain => {
            let then = match language {
                Language::En => ", then from there to its ",
                Language::Zh => "，再找到后者",
            };
            let step = |step: &str| {
                let (relation, year) = match language {
                    Language::En => step.rsplit_once(" of ")?,
                    Language::Zh => {
                        step.split_once("年的").map(|(year, relation)| (relation, year))?
                    }
                };
                Some((relation.to_owned(), year.to_owned()))
            };
            Question::Chain {
                starts: vec![text("first"), text("second")],
                steps: gaps["path"].split(then).map(step).collect::<Option<_>>()?,
                attribute: text("attribute"),
                years,
            }
        }
    })
}

/// What stands in the gaps of a form, by their names; each gap is as short as it can be.
fn gaps<'a>(form: &'static str, text: &'a str) -> Option<BTreeMap<&'static str, &'a str>> {
    let mut parts = form.split('{');
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut found = BTreeMap::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let (name, after) = part.split_once('}')?;
        let is_last = parts.peek().is_none();
        let end = if is_last { rest.strip_suffix(after)?.len() } else { rest.find(after)? };
        let gap = &rest[..end];
        if gap.is_empty() || *found.entry(name).or_insert(gap) != gap {
            return None;
        }
        rest = &rest[end + after.len()..];
    }
    Some(found)
}

/// The items of a list: `a, b and c`; `a、b和c`.
fn items(list: &str) -> Vec<String> {
    let list = list.replace(" and ", ", ").replace(['、', '和'], ", ");
    list.split(", ").map(str::to_owned).collect()
}

fn years_of(list: &str) -> Vec<String> {
    let year = |item: String| item.trim_end_matches('年').to_owned();
    items(list).into_iter().map(year).collect()
}

/// The items of a list in front of which stands what they are (`bands A and B`): words of the first are dropped until a
/// fact is about what is left.
fn people(list: &str, facts: &[Fact]) -> Vec<String> {
    let mut items = items(list);
    let known = |name: &str| {
        let about = format!("{name}: ");
        facts.iter().any(|fact| fact.key.starts_with(&about))
    };
    if let Some(first) = items.first_mut() {
        let starts = first.match_indices(' ').map(|(at, _)| &first[at + 1..]);
        let name = std::iter::once(first.as_str()).chain(starts).find(|name| known(name));
        if let Some(name) = name {
            *first = name.to_owned();
        }
    }
    items
}
