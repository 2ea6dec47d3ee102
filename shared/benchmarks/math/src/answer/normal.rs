//! The normal form of an expression: a quotient of sums of monomials over the rationals.
//!
//! Monomials are powers of letters, π, e, prime numbers (the roots that are left), towers such as `2^n`, and whatever else is taken
//! as it is. Equal forms are equal expressions. Different forms are different values only where [`Poly::is_independent`].

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use turnwise_shared::hash::Digest;

use super::read::{Expr, Function};

/// The most bits of a number.
pub const MOST_BITS: u64 = 10_000;
/// The steps that one comparison may take; a step is a product of two monomials.
const MOST_STEPS: u64 = 6_000;
/// The same for values between bounds, whose steps are shorter.
const MOST_VALUE_STEPS: u64 = 40_000;
/// The largest whole exponent of a sum.
const MOST_POWER: u32 = 400;
/// Prime factors are sought up to here.
const MOST_FACTOR: u32 = 1_000;

/// Why an expression has no normal form or no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It would take too long or become too large.
    TooLarge,
    /// It divides by zero.
    DivisionByZero,
    /// It is outside of the real numbers, or of what is computed here.
    Outside,
}

impl Stop {
    /// The reason as it is shown.
    pub fn reason(self) -> &'static str {
        match self {
            Stop::TooLarge => "too large to compute exactly",
            Stop::DivisionByZero => "division by zero",
            Stop::Outside => "outside of what is computed exactly",
        }
    }
}

/// What may still be spent on a comparison.
#[derive(Debug)]
pub struct Work(u64);

impl Default for Work {
    fn default() -> Self {
        Work(MOST_STEPS)
    }
}

impl Work {
    /// For comparing values.
    pub fn for_values() -> Self {
        Work(MOST_VALUE_STEPS)
    }

    /// Spends steps.
    ///
    /// # Errors
    /// If they are used up.
    pub fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        self.0 = self.0.checked_sub(steps).ok_or(Stop::TooLarge)?;
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    /// A prime, or what is left of a number without small factors; its exponent lies from 0 to below 1.
    Prime(BigUint),
    Pi,
    E,
    Symbol(String),
    /// An atom to the power of a monomial.
    Tower(Box<Atom>, Mono),
    /// Anything else, by name and digest.
    Other(String),
}

type Mono = BTreeMap<Atom, BigRational>;

/// A sum of monomials.
#[derive(Debug, Clone, PartialEq)]
pub struct Poly(BTreeMap<Mono, BigRational>);

/// A quotient of two sums. Nothing is cancelled: forms are compared crosswise.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    top: Poly,
    bottom: Poly,
}

pub fn bounded(number: BigRational) -> Result<BigRational, Stop> {
    match number.numer().bits().max(number.denom().bits()) > MOST_BITS {
        true => Err(Stop::TooLarge),
        false => Ok(number),
    }
}

/// A rational to a whole power.
pub fn whole_power(base: &BigRational, exponent: &BigInt) -> Result<BigRational, Stop> {
    if base.is_zero() && !exponent.is_positive() {
        return Err(Stop::DivisionByZero);
    }
    if base.is_zero() || base.is_one() {
        return Ok(base.clone());
    }
    let size = exponent.abs().to_u64().ok_or(Stop::TooLarge)?;
    let bits = base.numer().bits().max(base.denom().bits());
    // A number of b bits is at least 2^(b-1).
    if (bits - 1).saturating_mul(size) > MOST_BITS || size > MOST_BITS && !(-base).is_one() {
        return Err(Stop::TooLarge);
    }
    let size = i32::try_from(size % if (-base).is_one() { 2 } else { u64::MAX }).map_err(|_| Stop::TooLarge)?;
    let power = base.pow(size);
    bounded(match exponent.is_negative() {
        true => power.recip(),
        false => power,
    })
}

/// n!, for 0 ≤ n.
pub fn factorial(n: &BigRational, work: &mut Work) -> Result<BigRational, Stop> {
    let n = whole(n)?;
    work.spend(u64::from(n) / 8)?;
    let mut product = BigInt::one();
    for factor in 2..=n {
        product *= factor;
        if product.bits() > MOST_BITS {
            return Err(Stop::TooLarge);
        }
    }
    Ok(product.into())
}

/// n over k, for 0 ≤ n and 0 ≤ k.
pub fn binomial(n: &BigRational, k: &BigRational, work: &mut Work) -> Result<BigRational, Stop> {
    let k = whole(k)?;
    if !n.is_integer() || n.is_negative() {
        return Err(Stop::Outside);
    }
    let n = n.numer().clone();
    let k = match (&n - k).to_u32() {
        None if n < BigInt::from(k) => return Ok(BigRational::zero()),
        other => other.map_or(k, |rest| rest.min(k)),
    };
    work.spend(u64::from(k) / 4)?;
    let mut product = BigInt::one();
    for step in 0..k {
        product = product * (&n - step) / (step + 1);
        if product.bits() > MOST_BITS {
            return Err(Stop::TooLarge);
        }
    }
    Ok(product.into())
}

fn whole(number: &BigRational) -> Result<u32, Stop> {
    if !number.is_integer() || number.is_negative() {
        return Err(Stop::Outside);
    }
    number.numer().to_u32().filter(|n| *n <= 5_000).ok_or(Stop::TooLarge)
}

impl Poly {
    fn constant(number: BigRational) -> Self {
        Poly::term(Mono::new(), number)
    }

    fn term(mono: Mono, number: BigRational) -> Self {
        let mut terms = BTreeMap::new();
        if !number.is_zero() {
            terms.insert(mono, number);
        }
        Poly(terms)
    }

    fn one() -> Self {
        Poly::constant(BigRational::one())
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn only_term(&self) -> Option<(&Mono, &BigRational)> {
        let mut terms = self.0.iter();
        terms.next().filter(|_| self.0.len() == 1)
    }

    fn as_constant(&self) -> Option<BigRational> {
        match self.only_term() {
            Some((mono, number)) => mono.is_empty().then(|| number.clone()),
            None => self.is_zero().then(BigRational::zero),
        }
    }

    fn add(&mut self, other: &Poly, sign: i32, work: &mut Work) -> Result<(), Stop> {
        work.spend(1 + other.0.len() as u64 / 4)?;
        for (mono, number) in &other.0 {
            let sum = self.0.get(mono).cloned().unwrap_or_else(BigRational::zero)
                + number * BigRational::from(BigInt::from(sign));
            match sum.is_zero() {
                true => self.0.remove(mono),
                false => self.0.insert(mono.clone(), bounded(sum)?),
            };
        }
        Ok(())
    }

    fn times(&self, other: &Poly, work: &mut Work) -> Result<Poly, Stop> {
        let mut product = Poly(BTreeMap::new());
        for (one, a) in &self.0 {
            for (two, b) in &other.0 {
                let bits = a.numer().bits() + a.denom().bits() + b.numer().bits() + b.denom().bits();
                work.spend(1 + bits / 128 + (one.len() + two.len()) as u64 / 4)?;
                let (mono, number) = joined(one.clone(), two, bounded(a * b)?)?;
                let sum = product.0.remove(&mono).unwrap_or_else(BigRational::zero) + number;
                if !sum.is_zero() {
                    product.0.insert(mono, bounded(sum)?);
                }
            }
        }
        Ok(product)
    }

    /// Whether different monomials of this sum are linearly independent over the rationals, so that it is zero only if it has none:
    /// roots of primes with powers of letters and of at most one of π and e.
    pub fn is_independent(&self) -> bool {
        let bound = BigUint::from(MOST_FACTOR) * MOST_FACTOR;
        let (mut pi, mut e) = (false, false);
        for atom in self.0.keys().flat_map(BTreeMap::keys) {
            match atom {
                Atom::Prime(number) if *number < bound => {}
                // i may be the imaginary unit.
                Atom::Symbol(name) if name != "i" && name != "j" => {}
                Atom::Pi => pi = true,
                Atom::E => e = true,
                _ => return false,
            }
        }
        !(pi && e)
    }
}

/// The product of two monomials; whole powers of primes go to the number.
fn joined(mut one: Mono, two: &Mono, mut number: BigRational) -> Result<(Mono, BigRational), Stop> {
    for (atom, exponent) in two {
        let sum = one.remove(atom).unwrap_or_else(BigRational::zero) + exponent;
        number = put(&mut one, atom.clone(), bounded(sum)?, number)?;
    }
    Ok((one, number))
}

/// Puts a power into a monomial that does not have the atom.
fn put(mono: &mut Mono, atom: Atom, mut exponent: BigRational, mut number: BigRational) -> Result<BigRational, Stop> {
    if let Atom::Prime(prime) = &atom {
        let floor = exponent.floor();
        number = bounded(number * whole_power(&BigInt::from(prime.clone()).into(), floor.numer())?)?;
        exponent -= floor;
    }
    if !exponent.is_zero() {
        mono.insert(atom, exponent);
    }
    Ok(number)
}

/// The factors of a positive number: primes, and at most one rest without small factors.
fn factors(mut number: BigUint, work: &mut Work) -> Result<Vec<(BigUint, u32)>, Stop> {
    let mut found = Vec::new();
    work.spend(4 + number.bits() / 8)?;
    for factor in 2..MOST_FACTOR {
        if &number < &(BigUint::from(factor) * factor) {
            break;
        }
        let mut count = 0;
        while (&number % factor).is_zero() {
            number /= factor;
            count += 1;
        }
        if count > 0 {
            found.push((BigUint::from(factor), count));
        }
    }
    if !number.is_one() {
        found.push((number, 1));
    }
    Ok(found)
}

/// The exponents of the factors of a positive rational.
fn rational_factors(number: &BigRational, work: &mut Work) -> Result<Vec<(BigUint, BigRational)>, Stop> {
    let mut all = Vec::new();
    for (part, sign) in [(number.numer(), 1), (number.denom(), -1)] {
        for (prime, count) in factors(part.magnitude().clone(), work)? {
            all.push((prime, BigRational::from(BigInt::from(i64::from(count) * sign))));
        }
    }
    Ok(all)
}

impl Form {
    fn constant(number: BigRational) -> Self {
        Form {
            top: Poly::constant(number),
            bottom: Poly::one(),
        }
    }

    fn atom(atom: Atom) -> Self {
        Form {
            top: Poly::term(Mono::from([(atom, BigRational::one())]), BigRational::one()),
            bottom: Poly::one(),
        }
    }

    fn other(name: &str, of: &[&Form]) -> Self {
        Form::atom(Atom::Other(format!("{name} {}", Digest::of(format!("{of:?}")))))
    }

    /// The rational number that this is, if it is one.
    pub fn as_rational(&self) -> Option<BigRational> {
        Some(self.top.as_constant()? / self.bottom.as_constant()?)
    }

    /// Whether it is a polynomial in one letter, with rational numbers.
    pub fn is_polynomial_in_one_letter(&self) -> bool {
        let mut letters = self.top.0.keys().flat_map(BTreeMap::iter);
        let is_letter = |(atom, exponent): (&Atom, &BigRational)| {
            matches!(atom, Atom::Symbol(_)) && exponent.is_integer() && exponent.is_positive()
        };
        let first = letters.clone().next().map(|(atom, _)| atom);
        self.bottom.as_constant().is_some()
            && first.is_some()
            && letters.all(|power| is_letter(power) && Some(power.0) == first)
    }

    /// What is left of one form less another, crosswise: zero exactly if they are equal.
    pub fn difference(&self, other: &Form, work: &mut Work) -> Result<Poly, Stop> {
        let mut left = self.top.times(&other.bottom, work)?;
        left.add(&other.top.times(&self.bottom, work)?, -1, work)?;
        Ok(left)
    }

    fn plus(&self, other: &Form, sign: i32, work: &mut Work) -> Result<Form, Stop> {
        if self.bottom == other.bottom {
            let mut top = self.top.clone();
            top.add(&other.top, sign, work)?;
            return Ok(Form { top, bottom: self.bottom.clone() });
        }
        let mut top = self.top.times(&other.bottom, work)?;
        top.add(&other.top.times(&self.bottom, work)?, sign, work)?;
        Ok(Form {
            top,
            bottom: self.bottom.times(&other.bottom, work)?,
        })
    }

    fn times(&self, other: &Form, work: &mut Work) -> Result<Form, Stop> {
        Ok(Form {
            top: self.top.times(&other.top, work)?,
            bottom: self.bottom.times(&other.bottom, work)?,
        })
    }

    fn inverse(&self, work: &mut Work) -> Result<Form, Stop> {
        if self.top.is_zero() {
            return Err(Stop::DivisionByZero);
        }
        // A single monomial goes over the line, so that `1/x` and `x^{-1}` are one form.
        if let Some((mono, number)) = self.top.only_term() {
            let mut upside_down = Mono::new();
            let mut number = number.recip();
            for (atom, exponent) in mono {
                number = put(&mut upside_down, atom.clone(), -exponent, number)?;
            }
            return Ok(Form {
                top: self.bottom.times(&Poly::term(upside_down, number), work)?,
                bottom: Poly::one(),
            });
        }
        Ok(Form {
            top: self.bottom.clone(),
            bottom: self.top.clone(),
        })
    }

    fn whole_power(&self, exponent: &BigInt, work: &mut Work) -> Result<Form, Stop> {
        if let Some(number) = self.as_rational() {
            work.spend(4)?;
            return Ok(Form::constant(whole_power(&number, exponent)?));
        }
        if exponent.is_zero() {
            return Ok(Form::constant(BigRational::one()));
        }
        let base = match exponent.is_negative() {
            true => self.inverse(work)?,
            false => self.clone(),
        };
        if let Some(power) = base.monomial_power(&exponent.abs().into(), work)? {
            return Ok(power);
        }
        let count = exponent.abs().to_u32().filter(|count| *count <= MOST_POWER).ok_or(Stop::TooLarge)?;
        let mut power = base.clone();
        for _ in 1..count {
            power = power.times(&base, work)?;
        }
        Ok(power)
    }

    /// A monomial to a rational power: exponent by exponent. `None` where that would not hold for all values.
    fn monomial_power(&self, exponent: &BigRational, work: &mut Work) -> Result<Option<Form>, Stop> {
        let (Some((mono, number)), true) = (self.top.only_term(), self.bottom == Poly::one()) else {
            return Ok(None);
        };
        let is_plain = |(atom, power): (&Atom, &BigRational)| is_positive(atom) || power.is_one() && mono.len() == 1;
        if !exponent.is_integer() && !(number.is_positive() && mono.iter().all(is_plain)) {
            return Ok(None);
        }
        let mut raised = Mono::new();
        let mut outside = BigRational::one();
        if exponent.is_integer() {
            outside = whole_power(number, exponent.numer())?;
        } else {
            for (prime, count) in rational_factors(number, work)? {
                outside = raise(&mut raised, Atom::Prime(prime), bounded(count * exponent)?, outside)?;
            }
        }
        for (atom, power) in mono {
            outside = raise(&mut raised, atom.clone(), bounded(power * exponent)?, outside)?;
        }
        Ok(Some(Form {
            top: Poly::term(raised, outside),
            bottom: Poly::one(),
        }))
    }

    fn rational_power(&self, exponent: &BigRational, work: &mut Work) -> Result<Form, Stop> {
        if exponent.is_integer() {
            return self.whole_power(exponent.numer(), work);
        }
        if self.top.is_zero() {
            return match exponent.is_positive() {
                true => Ok(self.clone()),
                false => Err(Stop::DivisionByZero),
            };
        }
        if let Some(power) = self.monomial_power(exponent, work)? {
            return Ok(power);
        }
        if self.as_rational().is_some_and(|number| number.is_negative()) {
            return Err(Stop::Outside);
        }
        Ok(Form::other(&format!("power {exponent}"), &[self]))
    }

    /// A power whose exponent is no number: `b^(c + d·n) = b^c · (b^n)^d`, where b is positive, or a letter.
    fn tower(&self, exponent: &Form, work: &mut Work) -> Result<Form, Stop> {
        let base = match (self.top.only_term(), self.bottom == Poly::one()) {
            (Some((mono, number)), true) if number.is_positive() => Some((mono, number)),
            _ => None,
        };
        let is_letter = |mono: &Mono, number: &BigRational| {
            number.is_one() && mono.len() == 1 && mono.values().all(BigRational::is_one)
        };
        let base = base.filter(|(mono, number)| mono.keys().all(is_positive) || is_letter(mono, number));
        let (Some((mono, number)), true) = (base, exponent.bottom == Poly::one()) else {
            return Ok(Form::other("power", &[self, exponent]));
        };
        let mut parts: Vec<(Atom, BigRational)> = mono.iter().map(|(atom, power)| (atom.clone(), power.clone())).collect();
        for (prime, count) in rational_factors(number, work)? {
            parts.push((Atom::Prime(prime), count));
        }
        let mut product = Form::constant(BigRational::one());
        for (raised, factor) in &exponent.top.0 {
            let power = match raised.is_empty() {
                true => self.rational_power(factor, work)?,
                false => {
                    let mut towers = Mono::new();
                    for (atom, power) in &parts {
                        let exponent = bounded(power * factor)?;
                        put(&mut towers, Atom::Tower(Box::new(atom.clone()), raised.clone()), exponent, BigRational::one())?;
                    }
                    Form { top: Poly::term(towers, BigRational::one()), bottom: Poly::one() }
                }
            };
            product = product.times(&power, work)?;
        }
        Ok(product)
    }
}

fn raise(mono: &mut Mono, atom: Atom, exponent: BigRational, number: BigRational) -> Result<BigRational, Stop> {
    let sum = mono.remove(&atom).unwrap_or_else(BigRational::zero) + exponent;
    put(mono, atom, sum, number)
}

fn is_positive(atom: &Atom) -> bool {
    match atom {
        Atom::Prime(_) | Atom::Pi | Atom::E => true,
        Atom::Tower(base, exponent) => is_positive(base) && exponent.keys().all(is_real),
        Atom::Symbol(_) | Atom::Other(_) => false,
    }
}

/// Whether an atom is a real number for all real values of its letters; i is not.
fn is_real(atom: &Atom) -> bool {
    match atom {
        Atom::Symbol(name) => name != "i" && name != "j",
        other => is_positive(other),
    }
}

/// The normal form of an expression.
///
/// # Errors
/// Why it has none here.
pub fn form(expr: &Expr, work: &mut Work) -> Result<Form, Stop> {
    work.spend(1)?;
    match expr {
        Expr::Number(number) => Ok(Form::constant(bounded(number.clone())?)),
        Expr::Symbol(name) => Ok(Form::atom(Atom::Symbol(name.clone()))),
        Expr::Pi => Ok(Form::atom(Atom::Pi)),
        Expr::E => Ok(Form::atom(Atom::E)),
        Expr::Infinity => Err(Stop::Outside),
        Expr::Neg(inner) => Form::constant(-BigRational::one()).times(&form(inner, work)?, work),
        Expr::Sum(terms) => {
            let mut sum = Form::constant(BigRational::zero());
            for term in terms {
                sum = sum.plus(&form(term, work)?, 1, work)?;
            }
            Ok(sum)
        }
        Expr::Product(factors) => {
            let mut product = Form::constant(BigRational::one());
            for factor in factors {
                product = product.times(&form(factor, work)?, work)?;
            }
            Ok(product)
        }
        Expr::Quotient(top, bottom) => {
            let bottom = form(bottom, work)?.inverse(work)?;
            form(top, work)?.times(&bottom, work)
        }
        Expr::Power(base, exponent) => {
            let (base, exponent) = (form(base, work)?, form(exponent, work)?);
            match exponent.as_rational() {
                Some(exponent) => base.rational_power(&exponent, work),
                None if base.top.is_zero() => Err(Stop::Outside),
                None => base.tower(&exponent, work),
            }
        }
        Expr::Root(degree, inner) => {
            let inner = form(inner, work)?;
            let exponent = BigRational::new(BigInt::one(), BigInt::from(*degree));
            let is_odd_of_negative =
                degree % 2 == 1 && inner.as_rational().is_some_and(|number| number.is_negative());
            if is_odd_of_negative {
                let minus = Form::constant(-BigRational::one());
                return minus.times(&minus.times(&inner, work)?.rational_power(&exponent, work)?, work);
            }
            inner.rational_power(&exponent, work)
        }
        Expr::Factorial(inner) => {
            let inner = form(inner, work)?;
            match inner.as_rational() {
                Some(n) => Ok(Form::constant(factorial(&n, work)?)),
                None => Ok(Form::other("factorial", &[&inner])),
            }
        }
        Expr::Binomial(n, k) => {
            let (n, k) = (form(n, work)?, form(k, work)?);
            if let (Some(n), Some(k)) = (n.as_rational(), k.as_rational()) {
                return Ok(Form::constant(binomial(&n, &k, work)?));
            }
            let factorial = |of: Form, work: &mut Work| match of.as_rational() {
                Some(n) => factorial(&n, work).map(Form::constant),
                None => Ok(Form::other("factorial", &[&of])),
            };
            let rest = n.plus(&k, -1, work)?;
            let below = factorial(k, work)?.times(&factorial(rest, work)?, work)?;
            factorial(n, work)?.times(&below.inverse(work)?, work)
        }
        Expr::Call(function, inner) => {
            let inner = form(inner, work)?;
            match function {
                Function::Exp => match inner.as_rational() {
                    Some(power) => Form::atom(Atom::E).rational_power(&power, work),
                    None => Form::atom(Atom::E).tower(&inner, work),
                },
                Function::Ln => logarithm(&inner, work),
                other => Ok(Form::other(&format!("{other:?}"), &[&inner])),
            }
        }
    }
}

/// The natural logarithm: of a positive rational by its factors, so that ln 8 is 3 ln 2.
fn logarithm(of: &Form, work: &mut Work) -> Result<Form, Stop> {
    let Some(number) = of.as_rational() else {
        return Ok(match of == &Form::atom(Atom::E) {
            true => Form::constant(BigRational::one()),
            false => Form::other("ln", &[of]),
        });
    };
    if !number.is_positive() {
        return Err(Stop::Outside);
    }
    let mut sum = Form::constant(BigRational::zero());
    for (prime, count) in rational_factors(&number, work)? {
        let ln = Form::other("ln", &[&Form::constant(BigInt::from(prime).into())]);
        sum = sum.plus(&ln.times(&Form::constant(count), work)?, 1, work)?;
    }
    Ok(sum)
}
