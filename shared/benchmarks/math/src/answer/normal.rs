//! The normal form of an expression: a quotient of sums of monomials over the rationals.
//!
//! Monomials are powers of letters, π, e, prime numbers (the roots that are left), towers such as `2^n`, and whatever else is taken
//! as it is. Equal forms are equal expressions. Different forms are different values only where [`Poly::is_independent`].

use std::collections::BTreeMap;

use dashu_base::{BitTest, Inverse, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use turnwise_core::hash::Digest;

use super::read::{Expr, Function};

/// The most bits of a number.
const MOST_BITS: usize = 10_000;
/// The steps that one comparison may take; a step is a product of two monomials, or of two values.
const MOST_STEPS: u64 = 1_000;
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
    Prime(UBig),
    Pi,
    E,
    Symbol(String),
    /// An atom to the power of a monomial.
    Tower(Box<Atom>, Mono),
    /// Anything else, by name and digest.
    Other(String),
}

type Mono = BTreeMap<Atom, RBig>;

/// A sum of monomials.
#[derive(Debug, Clone, PartialEq)]
pub struct Poly(BTreeMap<Mono, RBig>);

/// A quotient of two sums. Nothing is cancelled: forms are compared crosswise.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    top: Poly,
    bottom: Poly,
}

pub fn bounded(number: RBig) -> Result<RBig, Stop> {
    let bits = number
        .numerator()
        .bit_len()
        .max(number.denominator().bit_len());
    if bits > MOST_BITS {
        Err(Stop::TooLarge)
    } else {
        Ok(number)
    }
}

/// A rational to a whole power.
fn whole_power(base: &RBig, exponent: &IBig) -> Result<RBig, Stop> {
    if base.is_zero() && *exponent <= IBig::ZERO {
        return Err(Stop::DivisionByZero);
    }
    if base.is_zero() || base.is_one() {
        return Ok(base.clone());
    }
    if (-base).is_one() {
        let is_even = exponent.unsigned_abs().is_multiple_of(&UBig::from(2_u8));
        return Ok(if is_even { RBig::ONE } else { -RBig::ONE });
    }
    let size = isize::try_from(exponent).map_err(|_| Stop::TooLarge)?;
    let bits = base.numerator().bit_len().max(base.denominator().bit_len());
    // A number of b bits is at least 2^(b-1).
    if (bits - 1).saturating_mul(size.unsigned_abs()) > MOST_BITS {
        return Err(Stop::TooLarge);
    }
    bounded(base.pow(size))
}

/// n!, for 0 ≤ n.
pub fn factorial(n: &RBig, work: &mut Work) -> Result<RBig, Stop> {
    let n = whole(n)?;
    product((2..=n).map(RBig::from), work)
}

/// n over k, for 0 ≤ n and 0 ≤ k.
pub fn binomial(n: &RBig, k: &RBig, work: &mut Work) -> Result<RBig, Stop> {
    let (k, rest) = (whole(k)?, n - k);
    match (n.is_int() && *n >= RBig::ZERO, rest < RBig::ZERO) {
        (false, _) => Err(Stop::Outside),
        (true, true) => Ok(RBig::ZERO),
        (true, false) => {
            let few = whole(&rest).map_or(k, |rest| rest.min(k));
            product(
                (0..few).map(|step| (n - RBig::from(step)) / RBig::from(step + 1)),
                work,
            )
        }
    }
}

fn product(factors: impl Iterator<Item = RBig>, work: &mut Work) -> Result<RBig, Stop> {
    let mut product = RBig::ONE;
    for factor in factors {
        work.spend(1 + product.numerator().bit_len() as u64 / 1024)?;
        product = bounded(product * factor)?;
    }
    Ok(product)
}

fn whole(number: &RBig) -> Result<u32, Stop> {
    match number.is_int() && *number >= RBig::ZERO {
        true => u32::try_from(number.numerator())
            .ok()
            .filter(|n| *n <= 2_000)
            .ok_or(Stop::TooLarge),
        false => Err(Stop::Outside),
    }
}

fn is_positive(number: &RBig) -> bool {
    *number > RBig::ZERO
}

impl Poly {
    fn term(mono: Mono, number: RBig) -> Self {
        match number.is_zero() {
            true => Poly(BTreeMap::new()),
            false => Poly(BTreeMap::from([(mono, number)])),
        }
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn only_term(&self) -> Option<(&Mono, &RBig)> {
        self.0.first_key_value().filter(|_| self.0.len() == 1)
    }

    fn as_constant(&self) -> Option<RBig> {
        match self.only_term() {
            Some((mono, number)) => mono.is_empty().then(|| number.clone()),
            None => self.is_zero().then_some(RBig::ZERO),
        }
    }

    fn add_term(&mut self, mono: Mono, number: RBig) -> Result<(), Stop> {
        let sum = bounded(self.0.remove(&mono).unwrap_or(RBig::ZERO) + number)?;
        if !sum.is_zero() {
            self.0.insert(mono, sum);
        }
        Ok(())
    }

    fn plus(mut self, other: &Poly, work: &mut Work) -> Result<Poly, Stop> {
        work.spend(1 + other.0.len() as u64)?;
        for (mono, number) in &other.0 {
            self.add_term(mono.clone(), number.clone())?;
        }
        Ok(self)
    }

    fn times(&self, other: &Poly, work: &mut Work) -> Result<Poly, Stop> {
        let bits = |number: &RBig| number.numerator().bit_len() + number.denominator().bit_len();
        let mut product = Poly(BTreeMap::new());
        for (one, a) in &self.0 {
            for (two, b) in &other.0 {
                work.spend(1 + (bits(a) + bits(b)) as u64 / 128 + two.len() as u64)?;
                let (mut mono, mut number) = (one.clone(), bounded(a * b)?);
                for (atom, exponent) in two {
                    raise(&mut mono, atom.clone(), exponent.clone(), &mut number)?;
                }
                product.add_term(mono, number)?;
            }
        }
        Ok(product)
    }

    /// Whether different monomials of this sum are linearly independent over the rationals, so that it is zero only if it has none:
    /// roots of primes with powers of letters and of at most one of π and e.
    pub fn is_independent(&self) -> bool {
        let bound = UBig::from(MOST_FACTOR) * MOST_FACTOR;
        let (mut pi, mut e) = (false, false);
        self.0.keys().flat_map(BTreeMap::keys).all(|atom| {
            pi |= *atom == Atom::Pi;
            e |= *atom == Atom::E;
            match atom {
                Atom::Prime(number) => *number < bound,
                Atom::Symbol(name) => !is_imaginary(name),
                Atom::Pi | Atom::E => !(pi && e),
                Atom::Tower(..) | Atom::Other(_) => false,
            }
        })
    }
}

/// Whether a letter may be the imaginary unit.
pub fn is_imaginary(name: &str) -> bool {
    name == "i" || name == "j"
}

/// Multiplies a monomial, and the number before it, by a power; whole powers of primes go to the number.
fn raise(mono: &mut Mono, atom: Atom, exponent: RBig, number: &mut RBig) -> Result<(), Stop> {
    let mut exponent = bounded(mono.remove(&atom).unwrap_or(RBig::ZERO) + exponent)?;
    if let Atom::Prime(prime) = &atom {
        let floor = exponent.floor();
        *number = bounded(&*number * whole_power(&IBig::from(prime.clone()).into(), &floor)?)?;
        exponent -= RBig::from(floor);
    }
    if !exponent.is_zero() {
        mono.insert(atom, exponent);
    }
    Ok(())
}

/// The factors of a positive rational with their exponents: primes, and what is left without small factors.
fn factors(number: &RBig, work: &mut Work) -> Result<Vec<(Atom, RBig)>, Stop> {
    let mut found = Vec::new();
    for (mut part, sign) in [
        (number.numerator().unsigned_abs(), 1),
        (number.denominator().clone(), -1),
    ] {
        work.spend(4 + part.bit_len() as u64 / 8)?;
        for factor in (2..MOST_FACTOR).map(UBig::from) {
            if part < &factor * &factor {
                break;
            }
            let mut count = 0;
            while part.is_multiple_of(&factor) {
                part /= &factor;
                count += sign;
            }
            if count != 0 {
                found.push((Atom::Prime(factor), RBig::from(count)));
            }
        }
        if !part.is_one() {
            found.push((Atom::Prime(part), RBig::from(sign)));
        }
    }
    Ok(found)
}

impl Form {
    fn whole(top: Poly) -> Self {
        Form {
            top,
            bottom: Poly::term(Mono::new(), RBig::ONE),
        }
    }

    fn constant(number: RBig) -> Self {
        Form::whole(Poly::term(Mono::new(), number))
    }

    fn atom(atom: Atom) -> Self {
        Form::whole(Poly::term(Mono::from([(atom, RBig::ONE)]), RBig::ONE))
    }

    fn other(name: &str, of: &[&Form]) -> Self {
        Form::atom(Atom::Other(format!(
            "{name} {}",
            Digest::of(format!("{of:?}"))
        )))
    }

    /// The rational number that this is, if it is one.
    pub fn as_rational(&self) -> Option<RBig> {
        Some(self.top.as_constant()? / self.bottom.as_constant()?)
    }

    /// Whether it is a polynomial in one letter, with rational numbers.
    pub fn is_polynomial_in_one_letter(&self) -> bool {
        let mut powers = self.top.0.keys().flat_map(BTreeMap::iter);
        let first = powers.clone().next().map(|(atom, _)| atom);
        let is_power = |(atom, exponent): (&Atom, &RBig)| {
            Some(atom) == first
                && matches!(atom, Atom::Symbol(_))
                && exponent.is_int()
                && is_positive(exponent)
        };
        self.bottom.as_constant().is_some() && first.is_some() && powers.all(is_power)
    }

    /// This less another, over one line: zero exactly if they are equal.
    pub fn minus(&self, other: &Form, work: &mut Work) -> Result<Poly, Stop> {
        let minus = Form::constant(-RBig::ONE).times(other, work)?;
        Ok(self.plus(&minus, work)?.top)
    }

    fn plus(&self, other: &Form, work: &mut Work) -> Result<Form, Stop> {
        if self.bottom == other.bottom {
            let top = self.top.clone().plus(&other.top, work)?;
            return Ok(Form {
                top,
                bottom: self.bottom.clone(),
            });
        }
        let top = self
            .top
            .times(&other.bottom, work)?
            .plus(&other.top.times(&self.bottom, work)?, work)?;
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
        let bottom = match self.top.only_term() {
            None if self.top.is_zero() => return Err(Stop::DivisionByZero),
            None => {
                return Ok(Form {
                    top: self.bottom.clone(),
                    bottom: self.top.clone(),
                });
            }
            Some(term) => term,
        };
        // A single monomial goes over the line, so that `1/x` and `x^{-1}` are one form.
        let (mut mono, mut number) = (Mono::new(), bottom.1.inv());
        for (atom, exponent) in bottom.0 {
            raise(&mut mono, atom.clone(), -exponent, &mut number)?;
        }
        Ok(Form::whole(
            self.bottom.times(&Poly::term(mono, number), work)?,
        ))
    }

    fn power(&self, exponent: &RBig, work: &mut Work) -> Result<Form, Stop> {
        if let (Some(number), true) = (self.as_rational(), exponent.is_int()) {
            return Ok(Form::constant(whole_power(&number, exponent.numerator())?));
        }
        if self.top.is_zero() || exponent.is_zero() {
            return match (is_positive(exponent), exponent.is_zero()) {
                (true, _) => Ok(self.clone()),
                (false, true) => Ok(Form::constant(RBig::ONE)),
                (false, false) => Err(Stop::DivisionByZero),
            };
        }
        if let Some(power) = self.monomial_power(exponent, work)? {
            return Ok(power);
        }
        if exponent.is_int() {
            let base = if is_positive(exponent) {
                self.clone()
            } else {
                self.inverse(work)?
            };
            let count =
                u32::try_from(exponent.numerator().unsigned_abs()).map_err(|_| Stop::TooLarge)?;
            return (1..count).try_fold(base.clone(), |power, _| power.times(&base, work));
        }
        match self.as_rational() {
            Some(_) => Err(Stop::Outside),
            None => Ok(Form::other(&format!("power {exponent}"), &[self])),
        }
    }

    /// A monomial to a rational power: exponent by exponent. `None` where that would not hold for all values.
    fn monomial_power(&self, exponent: &RBig, work: &mut Work) -> Result<Option<Form>, Stop> {
        let (Some((mono, number)), true) = (
            self.top.only_term(),
            self.bottom == Form::constant(RBig::ONE).top,
        ) else {
            return Ok(None);
        };
        let is_plain =
            |(atom, power): (&Atom, &RBig)| atom.is_positive() || power.is_one() && mono.len() == 1;
        let holds = is_positive(number) && mono.iter().all(is_plain);
        if !(exponent.is_int() || holds) {
            return Ok(None);
        }
        let (mut raised, mut outside) = (Mono::new(), RBig::ONE);
        if exponent.is_int() {
            outside = whole_power(number, exponent.numerator())?;
        } else {
            for (prime, count) in factors(number, work)? {
                raise(&mut raised, prime, count * exponent, &mut outside)?;
            }
        }
        for (atom, power) in mono {
            raise(&mut raised, atom.clone(), power * exponent, &mut outside)?;
        }
        Ok(Some(Form::whole(Poly::term(raised, outside))))
    }

    /// A power whose exponent is no number: `b^(c + d·n) = b^c · (b^n)^d`, where b is positive, or a letter.
    fn tower(&self, exponent: &Form, work: &mut Work) -> Result<Form, Stop> {
        let one = Form::constant(RBig::ONE);
        let is_whole = self.bottom == one.top && exponent.bottom == one.top;
        let base = self.top.only_term().filter(|(mono, number)| {
            let is_letter = number.is_one() && mono.len() == 1 && mono.values().all(RBig::is_one);
            is_whole && is_positive(number) && (is_letter || mono.keys().all(Atom::is_positive))
        });
        let Some((mono, number)) = base else {
            return Ok(Form::other("power", &[self, exponent]));
        };
        let mut parts = factors(number, work)?;
        parts.extend(
            mono.iter()
                .map(|(atom, power)| (atom.clone(), power.clone())),
        );
        let mut product = one;
        for (raised, factor) in &exponent.top.0 {
            let power = match raised.is_empty() {
                true => self.power(factor, work)?,
                false => {
                    let (mut towers, mut number) = (Mono::new(), RBig::ONE);
                    for (atom, power) in &parts {
                        let tower = Atom::Tower(Box::new(atom.clone()), raised.clone());
                        raise(&mut towers, tower, power * factor, &mut number)?;
                    }
                    Form::whole(Poly::term(towers, number))
                }
            };
            product = product.times(&power, work)?;
        }
        Ok(product)
    }
}

impl Atom {
    /// Whether it is a positive number for all real values of its letters.
    fn is_positive(&self) -> bool {
        let is_real = |atom: &Atom| match atom {
            Atom::Symbol(name) => !is_imaginary(name),
            other => other.is_positive(),
        };
        match self {
            Atom::Prime(_) | Atom::Pi | Atom::E => true,
            Atom::Tower(base, exponent) => base.is_positive() && exponent.keys().all(is_real),
            Atom::Symbol(_) | Atom::Other(_) => false,
        }
    }
}

/// The normal form of an expression.
///
/// # Errors
/// Why it has none here.
pub fn form(expr: &Expr, work: &mut Work) -> Result<Form, Stop> {
    work.spend(1)?;
    let factorial_of = |of: &Form, work: &mut Work| match of.as_rational() {
        Some(n) => factorial(&n, work).map(Form::constant),
        None => Ok(Form::other("factorial", &[of])),
    };
    let minus = Form::constant(-RBig::ONE);
    match expr {
        Expr::Number(number) => Ok(Form::constant(bounded(number.clone())?)),
        Expr::Symbol(name) => Ok(Form::atom(Atom::Symbol(name.clone()))),
        Expr::Pi => Ok(Form::atom(Atom::Pi)),
        Expr::E => Ok(Form::atom(Atom::E)),
        Expr::Neg(inner) => minus.times(&form(inner, work)?, work),
        Expr::Sum(terms) => terms
            .iter()
            .try_fold(Form::constant(RBig::ZERO), |sum, term| {
                sum.plus(&form(term, work)?, work)
            }),
        Expr::Product(factors) => factors
            .iter()
            .try_fold(Form::constant(RBig::ONE), |product, factor| {
                product.times(&form(factor, work)?, work)
            }),
        Expr::Quotient(top, bottom) => {
            let bottom = form(bottom, work)?.inverse(work)?;
            form(top, work)?.times(&bottom, work)
        }
        Expr::Power(base, exponent) => {
            let (base, exponent) = (form(base, work)?, form(exponent, work)?);
            match exponent.as_rational() {
                Some(exponent) => base.power(&exponent, work),
                None if base.top.is_zero() => Err(Stop::Outside),
                None => base.tower(&exponent, work),
            }
        }
        Expr::Root(degree, inner) => {
            let inner = form(inner, work)?;
            let exponent = RBig::from_parts(1.into(), (*degree).into());
            match degree % 2 == 1
                && inner
                    .as_rational()
                    .is_some_and(|number| number < RBig::ZERO)
            {
                true => minus.times(&minus.times(&inner, work)?.power(&exponent, work)?, work),
                false => inner.power(&exponent, work),
            }
        }
        Expr::Factorial(inner) => factorial_of(&form(inner, work)?, work),
        Expr::Binomial(n, k) => {
            let (n, k) = (form(n, work)?, form(k, work)?);
            if let (Some(n), Some(k)) = (n.as_rational(), k.as_rational()) {
                return Ok(Form::constant(binomial(&n, &k, work)?));
            }
            let rest = n.plus(&minus.times(&k, work)?, work)?;
            let below = factorial_of(&k, work)?.times(&factorial_of(&rest, work)?, work)?;
            factorial_of(&n, work)?.times(&below.inverse(work)?, work)
        }
        Expr::Call(Function::Exp, inner) => {
            let (e, inner) = (Form::atom(Atom::E), form(inner, work)?);
            match inner.as_rational() {
                Some(power) => e.power(&power, work),
                None => e.tower(&inner, work),
            }
        }
        Expr::Call(function, inner) => {
            work.spend(20)?;
            Ok(Form::other(
                &format!("{function:?}"),
                &[&form(inner, work)?],
            ))
        }
    }
}
