//! Comparing what two answers say.

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::UBig;
use dashu_ratio::RBig;
use turnwise_core::prelude::*;

use super::bounded::{Stop, Work};
use super::expr::Expr;
use super::interval::value;
use super::normal::{form, proportional};
use super::read::{BARE, Read, SET, Said, UNION};
use super::{Decided, Verdict, same_word, undecided};

pub fn compare(wanted: &Read, given: &Read) -> Decided {
    // Decimals of four places or more may be rounded, and so may any within an expression.
    let places = wanted.places.max(given.places).filter(|places| *places >= ROUNDED_PLACES);
    let unit = match places {
        _ if wanted.is_rounded || given.is_rounded => Unit::Any,
        Some(places) => Unit::Of(RBig::from_parts(1.into(), UBig::from(10_u8).pow(places))),
        None => Unit::None,
    };
    // `y = 2x` beside `y - 2x = 0`.
    let has_relation = [wanted, given].iter().any(|read| matches!(read.said, Said::Relation(..)));
    let said = |read: &Read| match (&read.said, &read.name) {
        (Said::Value(expr), Some(name)) if has_relation => {
            Said::Relation('=', Expr::symbol(name).minus(expr.clone()))
        }
        (said, _) => said.clone(),
    };
    compare_said(&said(wanted), &said(given), &unit, &mut Work::default())
}

fn compare_said(one: &Said, other: &Said, unit: &Unit, work: &mut Work) -> Decided {
    let is_bracket = |form| matches!(form, ('(' | '[', ')' | ']'));
    match (one, other) {
        (Said::Value(one), Said::Value(other)) => compare_values(one, other, unit, work),
        (Said::Relation(sign, one), Said::Relation(other_sign, other)) => {
            match proportional(one, other, work) {
                Some((is_same, is_positive))
                    if sign == other_sign && (is_positive || "=≠".contains(*sign)) =>
                {
                    match (is_same, sign) {
                        (true, _) => (Verdict::Equal, "one is a multiple of the other".to_owned()),
                        (false, '=') => (Verdict::Unequal, "nothing satisfies both".to_owned()),
                        _ => undecided("the bounds differ"),
                    }
                }
                _ => undecided("no rule compares such equations"),
            }
        }
        (Said::Many(form, parts), Said::Many(other_form, others)) => {
            let mut row = |part| -> Vec<Verdict> {
                others.iter().map(|other| compare_said(part, other, unit, work).0).collect()
            };
            let table: Vec<Vec<Verdict>> = parts.iter().map(&mut row).collect();
            match (*form, *other_form) {
                (SET | UNION, other_form) if form == &other_form => {
                    unordered(*form, &table, others.len())
                }
                (SET, BARE) | (BARE, SET) => match unordered(SET, &table, others.len()) {
                    (Verdict::Equal, _) => undecided("one is a set and the other is not"),
                    decided => decided,
                },
                (one, other) if one == other => match in_order(&table, others.len()) {
                    (Verdict::Unequal, _)
                        if one == BARE
                            && unordered(SET, &table, others.len()).0 != Verdict::Unequal =>
                    {
                        undecided("the order differs")
                    }
                    decided => decided,
                },
                // Bounds that belong to one interval and not to the other.
                (one, other)
                    if is_bracket(one)
                        && is_bracket(other)
                        && (parts.len(), others.len()) == (2, 2) =>
                {
                    let is_finite = |part: &Said| matches!(part, Said::Value(expr) if expr.infinite().is_none());
                    let is_proven = in_order(&table, 2).0 == Verdict::Equal
                        && [one, other].iter().any(|form| matches!(form, ('(', ']') | ('[', ')')))
                        && (one.0 != other.0 && is_finite(&parts[0])
                            || one.1 != other.1 && is_finite(&parts[1]))
                        && compare_said(&parts[0], &parts[1], unit, work).0 == Verdict::Unequal;
                    let verdict = if is_proven { Verdict::Unequal } else { Verdict::Undecided };
                    (verdict, "the brackets differ".to_owned())
                }
                _ => undecided("the brackets differ"),
            }
        }
        _ => undecided("one is a single value and the other is not"),
    }
}

/// Compares part by part, by the verdicts on all pairs.
fn in_order(table: &[Vec<Verdict>], others: usize) -> Decided {
    if table.len() != others {
        return (Verdict::Unequal, "the numbers of parts differ".to_owned());
    }
    let verdicts = || table.iter().enumerate().map(|(at, row)| row[at]);
    let part = |wanted| verdicts().position(|verdict| verdict == wanted).map(|at| at + 1);
    match (part(Verdict::Unequal), part(Verdict::Undecided)) {
        (Some(part), _) => (Verdict::Unequal, format!("part {part} differs")),
        (None, Some(part)) => undecided(format!("part {part} is undecided")),
        (None, None) => (Verdict::Equal, "all parts are equal".to_owned()),
    }
}

/// Compares in any order: each part has to be one of the others.
fn unordered(form: (char, char), table: &[Vec<Verdict>], others: usize) -> Decided {
    let rows = table.iter().cloned();
    let columns = (0..others).map(|at| table.iter().map(|row| row[at]).collect::<Vec<_>>());
    let all: Vec<Vec<Verdict>> = rows.chain(columns).collect();
    if all.iter().all(|row| row.contains(&Verdict::Equal)) {
        return (Verdict::Equal, "all parts are equal".to_owned());
    }
    match form != UNION
        && all.iter().any(|row| row.iter().all(|verdict| *verdict == Verdict::Unequal))
    {
        true => (Verdict::Unequal, "one has a part that the other has not".to_owned()),
        false => undecided("a part is undecided"),
    }
}

/// Decimals with at least this many places may be rounded values.
const ROUNDED_PLACES: usize = 4;

/// By how much two different values may differ if one of them is rounded.
enum Unit {
    None,
    /// Less than a unit of the last place: rounded, or cut off.
    Of(RBig),
    Any,
}

fn compare_values(one: &Expr, other: &Expr, unit: &Unit, work: &mut Work) -> Decided {
    match (one.infinite(), other.infinite()) {
        (None, None) => {}
        (Some(one), Some(other)) => return same_word(&one, &other),
        (first, _) => {
            let finite = if first.is_some() { other } else { one };
            return match value(finite, work) {
                Ok(_) => (Verdict::Unequal, "one is infinite".to_owned()),
                Err(stop) => undecided(stop.reason()),
            };
        }
    }
    let names = one.letters();
    if names != other.letters() {
        return undecided("they have different letters");
    }
    let difference = form(one, work).and_then(|one| one.minus(&form(other, work)?, work));
    let is_proven = match difference {
        Err(Stop::DivisionByZero) => return undecided(Stop::DivisionByZero.reason()),
        Ok(difference) if difference.is_zero() => {
            return (Verdict::Equal, "both have one normal form".to_owned());
        }
        // What is too large to compute may still be the same.
        _ if one == other => return (Verdict::Equal, "the same expression".to_owned()),
        Ok(difference) => difference.is_independent(),
        Err(_) => false,
    };
    match unit {
        Unit::Any => return undecided("a number in it may be rounded"),
        Unit::None if is_proven => {
            return (Verdict::Unequal, "their normal forms differ".to_owned());
        }
        Unit::Of(_) if !names.is_empty() => return undecided("a number in it may be rounded"),
        _ if !names.is_empty() => return compare_at_points(one, other, &names),
        _ => {}
    }
    match gap(one, other, &mut Work::default()) {
        Err(stop) => undecided(stop.reason()),
        Ok((least, most)) => match unit {
            Unit::Of(unit) if most < *unit => undecided("one may be the other, rounded"),
            _ if least > RBig::ZERO => (Verdict::Unequal, "their values differ".to_owned()),
            _ => undecided("their values agree to 120 digits, which is no proof"),
        },
    }
}

/// By how much two values differ at least and at most; at least nothing, or less, if they may be equal.
fn gap(one: &Expr, other: &Expr, work: &mut Work) -> Result<(RBig, RBig), Stop> {
    let (one, other) = (value(one, work)?.bounds()?, value(other, work)?.bounds()?);
    let (below, above) = (&other.0 - &one.1, &one.0 - &other.1);
    Ok((below.max(above), (one.1 - other.0).max(other.1 - one.0)))
}

/// Points at which expressions with letters are compared.
const POINTS: u64 = 20;

/// Compares at whole numbers that follow from nothing but the letters' order. Where either has no value, the point is passed over.
fn compare_at_points(one: &Expr, other: &Expr, letters: &BTreeSet<&str>) -> Decided {
    let (mut work, mut tried) = (Work::default(), 0);
    for step in 0..POINTS {
        let number = |at: usize| 1 + i64::from(Digest::of(format!("{step} {at}")).bytes()[0] % 12);
        let point: BTreeMap<&str, i64> =
            letters.iter().enumerate().map(|(at, name)| (*name, number(at))).collect();
        match gap(&one.at(&point), &other.at(&point), &mut work) {
            Ok((least, _)) if least > RBig::ZERO => {
                let at: Vec<String> =
                    point.iter().map(|(letter, number)| format!("{letter} = {number}")).collect();
                return (Verdict::Unequal, format!("their values differ at {}", at.join(", ")));
            }
            Ok(_) => tried += 1,
            Err(_) => {}
        }
    }
    match tried {
        0 => undecided("they have no common value that can be computed"),
        _ => undecided(format!(
            "likely equal: their values agree at {tried} points, which is no proof"
        )),
    }
}
