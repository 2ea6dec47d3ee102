//! The five kinds of question: what facts each needs, how it is asked, and what the answer is.
//!
//! Every question names its years one by one and says how it counts, so that it can be read in one way only. A family
//! answers `None` where the dice fell on a tie, a threshold or the edge of a rounding; the builder then throws again.

use super::super::task::{Language, Tier};
use super::Family;
use super::making::{Making, points};
use super::pools::Attribute;
use super::wording::{amount, list, number, period, years};

/// Numbers closer than this many hundredths of the larger are a near-tie; decision 39 asks for 2.
const MARGIN: i64 = 3;

/// A question with its answer.
pub(super) struct Asked {
    pub question: String,
    pub answer: String,
    pub final_answer: String,
}

pub(super) fn make(family: Family, tier: Tier, making: &mut Making) -> Option<Asked> {
    let shapes = shapes(family, tier);
    let shape = *making.chance.pick(shapes);
    match family {
        Family::Comparison => comparison(making, shape),
        Family::Ratio => ratio(making, shape),
        Family::Count => count(making, shape),
        Family::Index => index(making, shape),
        Family::Chain => chain(making, shape),
    }
}

/// Sizes of a family in a tier: entities (for a chain: hops) and years.
fn shapes(family: Family, tier: Tier) -> &'static [(usize, usize)] {
    match (family, tier) {
        (Family::Comparison, Tier::Easy) => &[(2, 1), (2, 2)],
        (Family::Comparison, Tier::Mid) => &[(2, 3), (2, 4), (2, 5)],
        (Family::Comparison, Tier::Hard) => &[(2, 6), (2, 8), (2, 10)],
        (Family::Ratio, Tier::Easy) => &[(1, 1), (1, 2), (2, 1)],
        (Family::Ratio, Tier::Mid) => &[(1, 3), (1, 4), (2, 2), (3, 1), (5, 1)],
        (Family::Ratio, Tier::Hard) => &[(2, 3), (3, 2), (4, 2), (3, 4), (2, 7), (3, 5)],
        (Family::Count, Tier::Easy) => &[(3, 1), (4, 1), (5, 1)],
        (Family::Count, Tier::Mid) => &[(6, 1), (8, 1), (3, 2), (5, 2), (3, 3)],
        (Family::Count, Tier::Hard) => &[(4, 3), (6, 2), (5, 3), (7, 2), (6, 4), (6, 5)],
        (Family::Index, Tier::Easy) => &[(1, 1)],
        (Family::Index, Tier::Mid) => &[(2, 1), (3, 1), (4, 1), (1, 2)],
        (Family::Index, Tier::Hard) => &[(2, 2), (5, 1), (3, 2), (4, 2), (3, 3), (4, 3)],
        (Family::Chain, Tier::Easy) => &[(1, 1)],
        (Family::Chain, Tier::Mid) => &[(1, 2), (2, 1), (2, 2), (1, 3), (2, 3)],
        (Family::Chain, Tier::Hard) => &[(3, 3), (2, 4), (3, 4), (3, 5), (4, 3), (4, 5)],
    }
}

fn comparison(making: &mut Making, (entities, span): (usize, usize)) -> Option<Asked> {
    let language = making.language;
    let (names, span) = (making.some_entities(entities)?, making.years(span));
    let attribute = making.attribute();
    let totals = totals(making, &names, attribute, &span)?;
    let (winner, gap) = lead(&names, &totals)?;
    let what = attribute.name.say(language);
    let (noun, one) = (making.domain.noun.say(language), making.domain.one.say(language));
    let (when, both) = (years(language, &span), list(language, &names));
    let question = match (language, span.len()) {
        (Language::En, 1) => format!(
            "In {when}, which of the two {noun} {both} had the larger number of {what}, and by how much?"
        ),
        (Language::En, _) => format!(
            "Add up the number of {what} in {when} for each of the two {noun} {both}. Which of them has the larger total, and by how much?"
        ),
        (Language::Zh, 1) => {
            format!("{when}，{both}这两{one}中，哪一个的{what}更多？多多少？")
        }
        (Language::Zh, _) => {
            format!("请把{both}这两{one}在{when}的{what}分别逐年相加。哪一个的总数更大？大多少？")
        }
    };
    Some(won(language, &question, &winner, gap, attribute.unit.say(language)))
}

fn ratio(making: &mut Making, (entities, span): (usize, usize)) -> Option<Asked> {
    let language = making.language;
    let (names, span) = (making.some_entities(entities)?, making.years(span));
    let (above, below) = making.domain.ratio;
    let domain = making.domain;
    let (above, below) = (&domain.attributes[above], &domain.attributes[below]);
    let (mut top, mut bottom) = (0, 0);
    for name in &names {
        for year in &span {
            top += making.number(name, above, *year)?;
            bottom += making.number(name, below, *year)?;
        }
    }
    // Hundredths, and how far the exact value lies above them: so small that cutting off gives the same as rounding.
    let (hundredths, rest) = (100 * top / bottom, 100 * top % bottom);
    if rest * 100 < bottom * 5 || rest * 100 > bottom * 45 {
        return None;
    }
    let written = format!("{}.{:02}", number(language, hundredths / 100), hundredths % 100);
    let (who, when) = (list(language, &names), years(language, &span));
    let (over, under) = (above.name.say(language), below.name.say(language));
    let question = match language {
        Language::En => format!(
            "Take {who} in {when} together. Divide the total number of {over} by the total number of {under}. What is the result, rounded to two decimal places?"
        ),
        Language::Zh => format!(
            "请把{who}在{when}的数据合并计算：{over}总和除以{under}总和等于多少？结果四舍五入，保留两位小数。"
        ),
    };
    let (top, bottom) = (number(language, top), number(language, bottom));
    Some(Asked {
        final_answer: match language {
            Language::En => format!("{top} {over} divided by {bottom} {under} is {written}."),
            Language::Zh => {
                format!("{over}总和为{top}，{under}总和为{bottom}，两者相除得{written}。")
            }
        },
        question,
        answer: written,
    })
}

fn count(making: &mut Making, (entities, span): (usize, usize)) -> Option<Asked> {
    let language = making.language;
    let (names, span) = (making.some_entities(entities)?, making.years(span));
    let attribute = making.attribute();
    let (totals, greatest) = totals_with_greatest(making, &names, attribute, &span)?;
    let threshold = threshold(&totals)?;
    let met: Vec<i64> = totals.iter().copied().filter(|total| *total > threshold).collect();
    let together: i64 = met.iter().sum();
    // Every number of those below must be able to lift its entity over the threshold, the greatest one, too.
    let (_, high) = attribute.domain;
    let mut each = totals.iter().zip(&greatest);
    let room = each.all(|(total, most)| *total > threshold || total - most + high > threshold);
    if !room {
        return None;
    }
    let what = attribute.name.say(language);
    let (noun, when) = (making.domain.noun.say(language), years(language, &span));
    let who = list(language, &names);
    let (unit, floor) = (attribute.unit.say(language), number(language, threshold));
    let question = match (language, span.len()) {
        (Language::En, 1) => format!(
            "Consider the {noun} {who}. For how many of them was the number of {what} in {when} at least {floor}, and what is the sum for those that qualify?"
        ),
        (Language::En, _) => format!(
            "Consider the {noun} {who}. For how many of them is the number of {what}, added up over {when}, at least {floor}, and what is the sum for those that qualify?"
        ),
        (Language::Zh, 1) => {
            format!("在{who}当中，{when}的{what}不少于{floor}的有几个？符合条件者的合计是多少？")
        }
        (Language::Zh, _) => format!(
            "在{who}当中，把{when}的{what}逐年相加，总数不少于{floor}的有几个？符合条件者的合计是多少？"
        ),
    };
    let (many, sum) = (met.len(), amount(language, together, unit));
    let (answer, final_answer) = match language {
        Language::En => (
            format!("{many}; {sum} together"),
            format!(
                "{many} of the {} {noun} reach {floor}; together they have {sum}.",
                names.len()
            ),
        ),
        Language::Zh => (
            format!("{many}个，合计{sum}"),
            format!("{}个对象中有{many}个达到{floor}，合计{sum}。", names.len()),
        ),
    };
    Some(Asked { question, answer, final_answer })
}

fn index(making: &mut Making, (entities, span): (usize, usize)) -> Option<Asked> {
    let language = making.language;
    let (index, names) = (making.index(), making.some_entities(entities)?);
    let span = making.years(span);
    let domain = making.domain;
    let (first, second) = (&domain.attributes[domain.rated.0], &domain.attributes[domain.rated.1]);
    let mut total = 0;
    for year in &span {
        let rules = [making.rule(&index, first, *year)?, making.rule(&index, second, *year)?];
        for name in &names {
            total += rules[0] * making.number(name, first, *year)?;
            total += rules[1] * making.number(name, second, *year)?;
        }
    }
    let (who, when) = (list(language, &names), years(language, &span));
    let (a, b) = (first.name.say(language), second.name.say(language));
    let (one_a, one_b) = (first.one.say(language), second.one.say(language));
    let one = domain.one.say(language);
    let question = match language {
        Language::En => format!(
            "The {index} of a {one} in a year is the number of {a} times the points per {one_a}, plus the number of {b} times the points per {one_b}; nothing else counts, and the {index} fixes the points anew each year. How many points do the {index} values of {who} in {when} add up to?"
        ),
        Language::Zh => format!(
            "{index}的算法是：{a}乘以每{one_a}积分，加上{b}乘以每{one_b}积分，其他一概不计；积分标准由{index}逐年规定。{who}在{when}的{index}合计是多少分？"
        ),
    };
    let written = amount(language, total, points(language));
    Some(Asked {
        question,
        final_answer: match language {
            Language::En => format!("By the rules of the {index} the values add up to {written}."),
            Language::Zh => format!("按{index}的规则，合计为{written}。"),
        },
        answer: written,
    })
}

fn chain(making: &mut Making, (hops, span): (usize, usize)) -> Option<Asked> {
    let language = making.language;
    let starts = making.some_entities(2)?;
    let (steps, span) = (making.years(hops), making.years(span));
    let mut ends = Vec::new();
    for start in &starts {
        let mut here = start.clone();
        for step in &steps {
            let there = making.entity()?;
            making.link(&here, &there, *step);
            here = there;
        }
        ends.push(here);
    }
    let attribute = making.attribute();
    let totals = totals(making, &ends, attribute, &span)?;
    let (winner, gap) = lead(&ends, &totals)?;
    let what = attribute.name.say(language);
    let domain = making.domain;
    let (noun, one) = (domain.noun.say(language), domain.one.say(language));
    let relation = domain.relation.say(language);
    let when = years(language, &span);
    let counted = if span.len() == 1 { "counted in" } else { "added up over" };
    let path: Vec<String> = steps
        .iter()
        .map(|step| match language {
            Language::En => format!("{relation} of {step}"),
            Language::Zh => format!("{}的{relation}", period(language, *step)),
        })
        .collect();
    let question = match language {
        Language::En => format!(
            "Start from {} and, separately, from {}. Go from each to its {}. Of the two {noun} reached, which has the larger number of {what}, {counted} {when}, and by how much?",
            starts[0],
            starts[1],
            path.join(", then from there to its "),
        ),
        Language::Zh => format!(
            "分别从{}和{}出发，先找到各自{}。最终到达的这两{one}中，哪一个在{when}的{what}总数更大？大多少？",
            starts[0],
            starts[1],
            path.join("，再找到后者"),
        ),
    };
    Some(won(language, &question, &winner, gap, attribute.unit.say(language)))
}

/// The sum of each entity over the years.
fn totals(
    making: &mut Making,
    names: &[String],
    attribute: &Attribute,
    span: &[i64],
) -> Option<Vec<i64>> {
    Some(totals_with_greatest(making, names, attribute, span)?.0)
}

/// The sum of each entity over the years, and the greatest of its numbers.
fn totals_with_greatest(
    making: &mut Making,
    names: &[String],
    attribute: &Attribute,
    span: &[i64],
) -> Option<(Vec<i64>, Vec<i64>)> {
    let mut totals = (Vec::new(), Vec::new());
    for name in names {
        let (mut total, mut greatest) = (0, 0);
        for year in span {
            let number = making.number(name, attribute, *year)?;
            total += number;
            greatest = greatest.max(number);
        }
        totals.0.push(total);
        totals.1.push(greatest);
    }
    Some(totals)
}

/// The first of two with the larger number, and by how much; `None` if that is too close.
fn lead(names: &[String], totals: &[i64]) -> Option<(String, i64)> {
    let (winner, loser) = if totals[0] > totals[1] { (0, 1) } else { (1, 0) };
    let gap = totals[winner] - totals[loser];
    (gap * 100 > totals[winner] * MARGIN).then(|| (names[winner].clone(), gap))
}

/// A round number in the widest gap between totals, far from all; at least two totals lie above and one below.
fn threshold(totals: &[i64]) -> Option<i64> {
    let mut sorted = totals.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let gaps = sorted.windows(2).skip(1);
    let pair = gaps.max_by_key(|pair| pair[0] - pair[1])?;
    let middle = (pair[0] + pair[1]) / 2;
    let step =
        [100_000, 10_000, 1_000, 100, 10].into_iter().find(|step| pair[0] - pair[1] > 2 * step)?;
    let round = middle / step * step;
    let far = totals.iter().all(|total| (total - round).abs() * 100 > round.max(*total) * MARGIN);
    far.then_some(round)
}

fn won(language: Language, question: &str, winner: &str, gap: i64, unit: &str) -> Asked {
    let gap = amount(language, gap, unit);
    let (answer, final_answer) = match language {
        Language::En => (
            format!("{winner}, by {gap}"),
            format!("{winner} has the larger number; the difference is {gap}."),
        ),
        Language::Zh => (format!("{winner}，多{gap}"), format!("{winner}更多，相差{gap}。")),
    };
    Asked { question: question.to_owned(), answer, final_answer }
}
