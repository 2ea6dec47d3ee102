//! Quotients of sums, and the one that an expression is.

use std::collections::BTreeMap;

use dashu_base::{Inverse, UnsignedAbs};
use dashu_ratio::RBig;
use turnwise_core::prelude::*;

use super::{Atom, Mono, Poly, factors, is_positive, raise};
use crate::answer::bounded::{Stop, Work, binomial, bounded, factorial, whole_power};
use crate::answer::expr::{CONSTANTS, Expr, Op};
use crate::answer::read::{Mode, Said, read};

/// A quotient of two sums. Nothing is cancelled: forms are compared crosswise.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    top: Poly,
    bottom: Poly,
}

impl Form {
    fn whole(top: Poly) -> Self {
        Form { top, bottom: Poly::term(Mono::new(), RBig::ONE) }
    }

    fn constant(number: RBig) -> Self {
        Form::whole(Poly::term(Mono::new(), number))
    }

    fn atom(atom: Atom) -> Self {
        Form::whole(Poly::term(Mono::from([(atom, RBig::ONE)]), RBig::ONE))
    }

    fn symbol(name: &str) -> Self {
        Form::atom(Atom::Symbol(name.to_owned()))
    }

    fn other(op: Op, of: &[Form]) -> Self {
        Form::atom(Atom::Other(format!("{op:?} {}", Digest::of(format!("{of:?}")))))
    }

    /// The only term, where there is one and nothing below the line.
    fn term(&self) -> Option<(&Mono, &RBig)> {
        self.top.only_term().filter(|_| self.bottom == Form::constant(RBig::ONE).top)
    }

    /// The rational number that this is, if it is one.
    pub fn as_rational(&self) -> Option<RBig> {
        Some(self.top.as_constant()? / self.bottom.as_constant()?)
    }

    /// Whether it is a polynomial in letters, with rational numbers.
    pub fn is_polynomial(&self) -> bool {
        let is_power = |(atom, exponent): (&Atom, &RBig)| {
            matches!(atom, Atom::Symbol(name) if !CONSTANTS.contains(&name.as_str()))
                && exponent.is_int()
                && is_positive(exponent)
        };
        self.bottom.as_constant().is_some()
            && self.top.0.keys().flat_map(BTreeMap::iter).all(is_power)
    }

    /// This less another, over one line: zero exactly if they are equal.
    pub fn minus(&self, other: &Form, work: &mut Work) -> Result<Poly, Stop> {
        Ok(self.plus(&other.negative(work)?, work)?.top)
    }

    fn negative(&self, work: &mut Work) -> Result<Form, Stop> {
        Form::constant(-RBig::ONE).times(self, work)
    }

    fn plus(&self, other: &Form, work: &mut Work) -> Result<Form, Stop> {
        if self.bottom == other.bottom {
            let top = self.top.clone().plus(&other.top, work)?;
            return Ok(Form { top, bottom: self.bottom.clone() });
        }
        let top = self
            .top
            .times(&other.bottom, work)?
            .plus(&other.top.times(&self.bottom, work)?, work)?;
        Ok(Form { top, bottom: self.bottom.times(&other.bottom, work)? })
    }

    fn times(&self, other: &Form, work: &mut Work) -> Result<Form, Stop> {
        Ok(Form {
            top: self.top.times(&other.top, work)?,
            bottom: self.bottom.times(&other.bottom, work)?,
        })
    }

    fn inverse(&self, work: &mut Work) -> Result<Form, Stop> {
        let bottom = match self.top.only_term() {
            None if self.top.is_zero() => return Err(Stop::DivisionByZero),
            None => {
                return Ok(Form { top: self.bottom.clone(), bottom: self.top.clone() });
            }
            Some(term) => term,
        };
        // A single monomial goes over the line, so that `1/x` and `x^{-1}` are one form.
        let (mut mono, mut number) = (Mono::new(), bottom.1.inv());
        for (atom, exponent) in bottom.0 {
            raise(&mut mono, atom.clone(), -exponent, &mut number)?;
        }
        Ok(Form::whole(self.bottom.times(&Poly::term(mono, number), work)?))
    }

    fn power(&self, exponent: &RBig, work: &mut Work) -> Result<Form, Stop> {
        match (self.top.is_zero(), is_positive(exponent)) {
            (true, true) => return Ok(self.clone()),
            (true, false) => return Err(Stop::DivisionByZero),
            _ if exponent.is_zero() => return Ok(Form::constant(RBig::ONE)),
            _ => {}
        }
        let (mut mono, mut number) = (Mono::new(), RBig::ONE);
        let parts = match (self.term(), exponent.is_int()) {
            (Some((whole, factor)), true) => {
                number = whole_power(factor, exponent.numerator())?;
                Some(whole.clone().into_iter().collect())
            }
            (_, true) => None,
            (_, false) => self.parts(work)?,
        };
        if let Some(parts) = parts {
            for (atom, power) in parts {
                raise(&mut mono, atom, power * exponent, &mut number)?;
            }
            return Ok(Form::whole(Poly::term(mono, number)));
        }
        if exponent.is_int() {
            let base = if is_positive(exponent) { self.clone() } else { self.inverse(work)? };
            let count =
                u32::try_from(exponent.numerator().unsigned_abs()).map_err(|_| Stop::TooLarge)?;
            return (1..count).try_fold(base.clone(), |power, _| power.times(&base, work));
        }
        match self.as_rational() {
            Some(_) => Err(Stop::Outside),
            None => Ok(Form::other(Op::Power, &[self.clone(), Form::constant(exponent.clone())])),
        }
    }

    /// The factors of a term with their exponents; `None` where a power of it may be another than the product of theirs: all are
    /// positive, but for one at most.
    fn parts(&self, work: &mut Work) -> Result<Option<Vec<(Atom, RBig)>>, Stop> {
        let Some((mono, number)) = self.term().filter(|(_, number)| is_positive(number)) else {
            return Ok(None);
        };
        let mut others = mono.iter().filter(|(atom, _)| !atom.is_positive());
        if others.next().is_some_and(|(_, power)| !power.is_one()) || others.next().is_some() {
            return Ok(None);
        }
        let mut parts = factors(number, work)?;
        parts.extend(mono.iter().map(|(atom, power)| (atom.clone(), power.clone())));
        Ok(Some(parts))
    }

    /// The same, if all are positive.
    fn positive(&self, work: &mut Work) -> Result<Option<Vec<(Atom, RBig)>>, Stop> {
        let parts = self.parts(work)?;
        Ok(parts.filter(|parts| parts.iter().all(|(atom, _)| atom.is_positive())))
    }

    /// A power whose exponent is no number: `b^(c + d·n) = b^c · (b^n)^d`, where b is positive, or a letter. Positive numbers are
    /// powers of e.
    fn tower(&self, exponent: &Form, work: &mut Work) -> Result<Form, Stop> {
        let one = Form::constant(RBig::ONE);
        let parts = if exponent.bottom == one.top { self.parts(work)? } else { None };
        let Some(parts) = parts else {
            return Ok(Form::other(Op::Power, &[self.clone(), exponent.clone()]));
        };
        let mut product = one;
        for (raised, factor) in &exponent.top.0 {
            if raised.is_empty() {
                product = product.times(&self.power(factor, work)?, work)?;
                continue;
            }
            for (atom, power) in &parts {
                let (mut inner, mut number) = (raised.clone(), power * factor);
                for (log, power) in atom.clone().log() {
                    raise(&mut inner, log, power, &mut number)?;
                }
                product = product.times(&exp(inner, number, work)?, work)?;
            }
        }
        Ok(product)
    }

    fn factorial(&self, work: &mut Work) -> Result<Form, Stop> {
        match self.as_rational() {
            Some(n) => factorial(&n, work).map(Form::constant),
            None => Ok(Form::other(Op::Factorial, std::slice::from_ref(self))),
        }
    }

    fn ln(&self, work: &mut Work) -> Result<Form, Stop> {
        let Some(parts) = self.positive(work)? else {
            return Ok(Form::other(Op::Ln, std::slice::from_ref(self)));
        };
        parts.into_iter().try_fold(Form::constant(RBig::ZERO), |sum, (atom, power)| {
            sum.plus(&Form::whole(Poly::term(atom.log(), power)), work)
        })
    }
}

fn half() -> RBig {
    RBig::from_parts(1.into(), 2_u8.into())
}

/// e to the power of a number times a monomial.
fn exp(mono: Mono, number: RBig, work: &mut Work) -> Result<Form, Stop> {
    let atoms: Vec<&Atom> = mono.keys().filter(|atom| mono[*atom].is_one()).collect();
    let atom = match (&atoms[..], mono.len()) {
        ([Atom::Log(of)], 1) => (**of).clone(),
        ([one, other], 2) if one.is("π") && other.is(CONSTANTS[2]) => {
            match (cosine(&number, work)?, cosine(&(half() - &number), work)?) {
                (Some(cos), Some(sin)) => {
                    return cos.plus(&sin.times(&Form::symbol(CONSTANTS[2]), work)?, work);
                }
                _ => Atom::Exp(mono),
            }
        }
        _ => Atom::Exp(mono),
    };
    let (mut power, mut outside) = (Mono::new(), RBig::ONE);
    raise(&mut power, atom, number, &mut outside)?;
    Ok(Form::whole(Poly::term(power, outside)))
}

/// Cosines in a right angle, by sixtieths of a half turn.
const COSINES: [(i32, &str); 9] = [
    (0, "1"),
    (5, "(√6+√2)/4"),
    (10, "√3/2"),
    (12, "(1+√5)/4"),
    (15, "√2/2"),
    (20, "1/2"),
    (24, "(√5-1)/4"),
    (25, "(√6-√2)/4"),
    (30, "0"),
];

/// The cosine of a number of half turns, where it is a simple one.
fn cosine(half_turns: &RBig, work: &mut Work) -> Result<Option<Form>, Stop> {
    let sixtieths = half_turns * RBig::from(60);
    if !sixtieths.is_int() {
        return Ok(None);
    }
    let around: i32 = sixtieths.numerator() % 120;
    let half = around.abs().min(120 - around.abs());
    let known = COSINES.iter().find(|(at, _)| *at == half.min(60 - half));
    let read = known.and_then(|(_, text)| read(text, Mode::USUAL).ok());
    let Some(Said::Value(expr)) = read.map(|read| read.said) else {
        return Ok(None);
    };
    let cosine = form(&expr, work)?;
    Ok(Some(if half > 30 { cosine.negative(work)? } else { cosine }))
}

/// The rational number that an expression is, if it is one.
pub fn rational(expr: &Expr) -> Option<RBig> {
    form(expr, &mut Work::default()).ok()?.as_rational()
}

/// The normal form of an expression.
///
/// # Errors
/// Why it has none here.
pub fn form(expr: &Expr, work: &mut Work) -> Result<Form, Stop> {
    work.spend(1)?;
    let (op, parts) = match expr {
        Expr::Number(number) => return Ok(Form::constant(bounded(number.clone())?)),
        Expr::Symbol(name) => return Ok(Form::symbol(name)),
        Expr::Made(op, parts) => {
            (*op, parts.iter().map(|part| form(part, work)).collect::<Result<Vec<_>, _>>()?)
        }
    };
    let (one, number) = (&parts[0], parts[0].as_rational());
    match op {
        Op::Sum => {
            parts.iter().try_fold(Form::constant(RBig::ZERO), |sum, term| sum.plus(term, work))
        }
        Op::Product => parts
            .iter()
            .try_fold(Form::constant(RBig::ONE), |product, factor| product.times(factor, work)),
        Op::Power => match parts[1].as_rational() {
            Some(exponent) if exponent == -RBig::ONE => one.inverse(work),
            Some(exponent) => one.power(&exponent, work),
            None if one.top.is_zero() => Err(Stop::Outside),
            None => one.tower(&parts[1], work),
        },
        Op::Root(degree) => {
            let exponent = RBig::from_parts(1.into(), degree.into());
            match number.filter(|number| *number < RBig::ZERO && (degree == 2 || degree % 2 == 1)) {
                Some(_) => {
                    let root = one.negative(work)?.power(&exponent, work)?;
                    if degree == 2 {
                        root.times(&Form::symbol(CONSTANTS[2]), work)
                    } else {
                        root.negative(work)
                    }
                }
                None => one.power(&exponent, work),
            }
        }
        Op::Factorial => one.factorial(work),
        Op::Binomial => {
            let k = &parts[1];
            if let (Some(n), Some(k)) = (&number, k.as_rational()) {
                return Ok(Form::constant(binomial(n, &k, work)?));
            }
            let rest = one.plus(&k.negative(work)?, work)?;
            let below = k.factorial(work)?.times(&rest.factorial(work)?, work)?;
            one.factorial(work)?.times(&below.inverse(work)?, work)
        }
        Op::Ln => one.ln(work),
        Op::Cos => {
            work.spend(20)?;
            let turns = one.times(&Form::symbol("π").inverse(work)?, work)?.as_rational();
            let known = turns.map_or(Ok(None), |turns| cosine(&turns, work))?;
            Ok(known.unwrap_or_else(|| Form::other(op, &parts)))
        }
        Op::Abs => {
            let is_plane =
                one.top.0.keys().flat_map(BTreeMap::keys).all(|atom| atom.is(CONSTANTS[2]));
            match (number, one.bottom.as_constant().filter(|_| is_plane)) {
                (Some(number), _) => Ok(Form::constant((-&number).max(number))),
                // |a + bi|
                (None, Some(bottom)) => {
                    let squares =
                        one.top.0.values().fold(RBig::ZERO, |sum, number| sum + number * number);
                    Form::constant(bounded(squares / (&bottom * &bottom))?).power(&half(), work)
                }
                _ if one.positive(work)?.is_some() => Ok(one.clone()),
                _ => Ok(Form::other(op, &parts)),
            }
        }
        Op::Floor => Ok(match number {
            Some(number) => Form::constant(number.floor().into()),
            None => Form::other(op, &parts),
        }),
    }
}

/// How one expression compares with another times a number: `Some(true)` if it is that, `Some(false)` if they differ by a number
/// besides, with the sign of the factor.
pub fn proportional(one: &Expr, other: &Expr, work: &mut Work) -> Option<(bool, bool)> {
    let (one, other) = (form(one, work).ok()?, form(other, work).ok()?);
    one.bottom.as_constant().zip(other.bottom.as_constant())?;
    let ratio = one.top.ratio(&other.top)?;
    let rest = one
        .top
        .clone()
        .plus(&other.top.times(&Poly::term(Mono::new(), -&ratio), work).ok()?, work)
        .ok()?;
    Some((rest.is_zero(), is_positive(&ratio))).filter(|_| rest.as_constant().is_some())
}
