//! Reading the sentences in which built worlds ask.

use super::super::super::task::Fact;
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

/// What a question asks; `None` if it is of no known form.
pub(super) fn read(question: &str, facts: &[Fact]) -> Option<Question> {
    let text = question.trim();
    compare(text, facts)
        .or_else(|| divide(text))
        .or_else(|| reach(text, facts))
        .or_else(|| points(text))
        .or_else(|| chain(text))
}

fn compare(text: &str, facts: &[Fact]) -> Option<Question> {
    // Each with the positions of who, attribute and years among its gaps.
    let forms = [
        (
            "Add up the number of {} in {} for each of the two {}. Which of them has the larger total, and by how much?",
            (2, 0, 1),
        ),
        ("In {}, which of the two {} had the larger number of {}, and by how much?", (1, 2, 0)),
        ("请把{}这两{}在{}的{}分别逐年相加。哪一个的总数更大？大多少？", (0, 3, 2)),
        ("{}，{}这两{}中，哪一个的{}更多？多多少？", (1, 3, 0)),
    ];
    let (gaps, (who, attribute, years)) =
        forms.iter().find_map(|(form, places)| Some((gaps(form, text)?, *places)))?;
    Some(Question::Compare {
        pair: people(gaps[who], facts),
        attribute: gaps[attribute].to_owned(),
        years: years_of(gaps[years]),
    })
}

fn divide(text: &str) -> Option<Question> {
    let forms = [
        "Take {} in {} together. Divide the total number of {} by the total number of {}. What is the result, rounded to two decimal places?",
        "请把{}在{}的数据合并计算：{}总和除以{}总和等于多少？结果四舍五入，保留两位小数。",
    ];
    let gaps = forms.iter().find_map(|form| gaps(form, text))?;
    Some(Question::Divide {
        who: items(gaps[0]),
        years: years_of(gaps[1]),
        above: gaps[2].to_owned(),
        below: gaps[3].to_owned(),
    })
}

fn reach(text: &str, facts: &[Fact]) -> Option<Question> {
    let forms = [
        (
            "Consider the {}. For how many of them is the number of {}, added up over {}, at least {}, and what is the sum for those that qualify?",
            (1, 2),
        ),
        (
            "Consider the {}. For how many of them was the number of {} in {} at least {}, and what is the sum for those that qualify?",
            (1, 2),
        ),
        ("在{}当中，把{}的{}逐年相加，总数不少于{}的有几个？符合条件者的合计是多少？", (2, 1)),
        ("在{}当中，{}的{}不少于{}的有几个？符合条件者的合计是多少？", (2, 1)),
    ];
    let (gaps, (attribute, years)) =
        forms.iter().find_map(|(form, places)| Some((gaps(form, text)?, *places)))?;
    let (threshold, rest) = fraction::read(gaps[3])?;
    rest.trim().is_empty().then(|| Question::Reach {
        who: people(gaps[0], facts),
        attribute: gaps[attribute].to_owned(),
        years: years_of(gaps[years]),
        threshold,
    })
}

fn points(text: &str) -> Option<Question> {
    let english = "The {} of a {} in a year is the number of {} times the points per {}, plus the number of {} times the points per {}; nothing else counts, and the {} fixes the points anew each year. How many points do the {} values of {} in {} add up to?";
    let chinese = "{}的算法是：{}乘以每{}积分，加上{}乘以每{}积分，其他一概不计；积分标准由{}逐年规定。{}在{}的{}合计是多少分？";
    if let Some(gaps) = gaps(english, text) {
        let rule = |one: &str| format!("points per {one}");
        let same = gaps[0] == gaps[6] && gaps[0] == gaps[7];
        return same.then(|| Question::Points {
            index: gaps[0].to_owned(),
            who: items(gaps[8]),
            years: years_of(gaps[9]),
            counted: [(gaps[2].to_owned(), rule(gaps[3])), (gaps[4].to_owned(), rule(gaps[5]))],
        });
    }
    let gaps = gaps(chinese, text)?;
    let rule = |one: &str| format!("每{one}积分");
    let same = gaps[0] == gaps[5] && gaps[0] == gaps[8];
    same.then(|| Question::Points {
        index: gaps[0].to_owned(),
        who: items(gaps[6]),
        years: years_of(gaps[7]),
        counted: [(gaps[1].to_owned(), rule(gaps[2])), (gaps[3].to_owned(), rule(gaps[4]))],
    })
}

fn chain(text: &str) -> Option<Question> {
    let english = "Start from {} and, separately, from {}. Go from each to its {}. Of the two {} reached, which has the larger number of {}, added up over {}, and by how much?";
    let chinese =
        "分别从{}和{}出发，先找到各自{}。最终到达的这两{}中，哪一个在{}的{}总数更大？大多少？";
    let text = &text.replace(", counted in ", ", added up over ");
    if let Some(gaps) = gaps(english, text) {
        let steps = gaps[2].split(", then from there to its ").map(|step| {
            let (relation, year) = step.rsplit_once(" of ")?;
            Some((relation.to_owned(), year.to_owned()))
        });
        return Some(Question::Chain {
            starts: vec![gaps[0].to_owned(), gaps[1].to_owned()],
            steps: steps.collect::<Option<_>>()?,
            attribute: gaps[4].to_owned(),
            years: years_of(gaps[5]),
        });
    }
    let gaps = gaps(chinese, text)?;
    let steps = gaps[2].split("，再找到后者").map(|step| {
        let (year, relation) = step.split_once("年的")?;
        Some((relation.to_owned(), year.to_owned()))
    });
    Some(Question::Chain {
        starts: vec![gaps[0].to_owned(), gaps[1].to_owned()],
        steps: steps.collect::<Option<_>>()?,
        attribute: gaps[5].to_owned(),
        years: years_of(gaps[4]),
    })
}

/// What stands in the gaps `{}` of a form; each gap is as short as it can be.
fn gaps<'a>(form: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut parts = form.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut found = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let end =
            if parts.peek().is_none() { rest.strip_suffix(part)?.len() } else { rest.find(part)? };
        found.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    found.iter().all(|gap| !gap.is_empty()).then_some(found)
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
