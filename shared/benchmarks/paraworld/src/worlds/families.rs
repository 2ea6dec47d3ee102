//! The five kinds of question: what facts each needs, how it is asked, and what the answer is.
//!
//! Every question names its years one by one and says how it counts, so that it can be read in one way only. A family
//! answers `None` where the dice fell on a tie, a threshold or the edge of a rounding; the builder then throws again.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::super::task::{Language, Tier};
use super::Family;
use super::making::{Making, points};
use super::pools::Attribute;
use super::wording::{amount, list, number, period, sentence, years};

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

/// Sizes of a family in a tier (`data/shapes.toml`): entities (for a chain: hops) and years.
fn shapes(family: Family, tier: Tier) -> &'static [(usize, usize)] {
    type Shapes = BTreeMap<Tier, Vec<(usize, usize)>>;
    static SHAPES: LazyLock<BTreeMap<Family, Shapes>> = LazyLock::new(|| {
        toml::from_str(include_str!("../../data/shapes.toml")).expect("every test reads them")
    });
    &SHAPES[&family][&tier]
}

fn comparison(making: &mut Making, (entities, span): (usize, usize)) -> Option<Asked> {
    let language = making.language;
    let (names, span) = (making.some_entities(entities)?, making.years(span));
    let attribute = making.attribute();
    let totals = totals(making, &names, attribute, &span)?;
    let (winner, gap) = lead(&names, &totals)?;
    let parts = [
        ("what", attribute.name.say(language)),
        ("noun", making.domain.noun.say(language)),
        ("one", making.domain.one.say(language)),
        ("when", &years(language, &span)),
        ("both", &list(language, &names)),
    ];
    let question = sentence(language, Family::Comparison, of_sums(&span), parts);
    Some(won(language, question, &winner, gap, attribute.unit.say(language)))
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
    let parts: [(&str, &str); 7] = [
        ("who", &list(language, &names)),
        ("when", &years(language, &span)),
        ("over", above.name.say(language)),
        ("under", below.name.say(language)),
        ("top", &number(language, top)),
        ("bottom", &number(language, bottom)),
        ("written", &written),
    ];
    Some(Asked {
        question: sentence(language, Family::Ratio, "question", parts),
        final_answer: sentence(language, Family::Ratio, "final", parts),
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
    let parts = [
        ("what", attribute.name.say(language)),
        ("noun", making.domain.noun.say(language)),
        ("when", &years(language, &span)),
        ("who", &list(language, &names)),
        ("floor", &number(language, threshold)),
        ("many", &met.len().to_string()),
        ("all", &names.len().to_string()),
        ("sum", &amount(language, together, attribute.unit.say(language))),
    ];
    let say = |name: &str| sentence(language, Family::Count, name, parts);
    Some(Asked { question: say(of_sums(&span)), answer: say("answer"), final_answer: say("final") })
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
    let written = amount(language, total, points(language));
    let parts = [
        ("index", index.as_str()),
        ("who", &list(language, &names)),
        ("when", &years(language, &span)),
        ("a", first.name.say(language)),
        ("b", second.name.say(language)),
        ("one_a", first.one.say(language)),
        ("one_b", second.one.say(language)),
        ("one", domain.one.say(language)),
        ("written", &written),
    ];
    Some(Asked {
        question: sentence(language, Family::Index, "question", parts),
        final_answer: sentence(language, Family::Index, "final", parts),
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
    let domain = making.domain;
    let relation = domain.relation.say(language);
    let step = |year: &i64| {
        let parts = [("relation", relation), ("year", &period(language, *year))];
        sentence(language, Family::Chain, "step", parts)
    };
    let path: Vec<String> = steps.iter().map(step).collect();
    let parts = [
        ("first", starts[0].as_str()),
        ("second", &starts[1]),
        ("path", &path.join(&sentence(language, Family::Chain, "then", []))),
        ("what", attribute.name.say(language)),
        ("noun", domain.noun.say(language)),
        ("one", domain.one.say(language)),
        ("when", &years(language, &span)),
    ];
    let question = sentence(language, Family::Chain, of_sums(&span), parts);
    Some(won(language, question, &winner, gap, attribute.unit.say(language)))
}

/// The question about one year, or about a sum over several.
fn of_sums(span: &[i64]) -> &'static str {
    if span.len() == 1 { "question" } else { "question_of_sums" }
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

fn won(language: Language, question: String, winner: &str, gap: i64, unit: &str) -> Asked {
    let parts = [("winner", winner), ("gap", &amount(language, gap, unit))];
    let say = |name: &str| sentence(language, Family::Comparison, name, parts);
    Asked { question, answer: say("answer"), final_answer: say("final") }
}
