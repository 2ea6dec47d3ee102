//! The normal form of an expression: a quotient of sums of monomials over the rationals.
//!
//! Monomials are powers of letters, π, e, the imaginary unit, prime numbers (the roots that are left), logarithms, towers such as
//! `2^n`, and whatever else is taken as it is. Equal forms are equal expressions. Different forms are different values only where [`Poly::is_independent`].

use std::collections::BTreeMap;

use dashu_base::{BitTest, Inverse, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use turnwise_core::hash::Digest;

use super::read::{CONSTANTS, Expr, Mode, Op, Said, read};

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
    /// A letter or a constant; the exponent of the imaginary unit is 1.
    Symbol(String),
    /// The natural logarithm of a positive atom.
    Log(Box<Atom>),
    /// A letter, or e, to the power of a monomial.
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
    let bits = number.numerator().bit_len().max(number.denominator().bit_len());
    if bits > MOST_BITS { Err(Stop::TooLarge) } else { Ok(number) }
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
            product((0..few).map(|step| (n - RBig::from(step)) / RBig::from(step + 1)), work)
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
        true => {
            u32::try_from(number.numerator()).ok().filter(|n| *n <= 2_000).ok_or(Stop::TooLarge)
        }
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
            pi |= atom.is("π");
            e |= atom.is("e");
            match atom {
                Atom::Prime(number) => *number < bound,
                Atom::Symbol(_) => !(pi && e),
                Atom::Log(_) | Atom::Tower(..) | Atom::Other(_) => false,
            }
        })
    }

    /// The number that this is of another sum, if their terms are alike but for it and for what has no letters.
    fn ratio(&self, other: &Poly) -> Option<RBig> {
        let leading = |poly: &Poly| {
            poly.0
                .iter()
                .rfind(|(mono, _)| !mono.is_empty())
                .map(|(mono, number)| (mono.clone(), number.clone()))
        };
        match (leading(self), leading(other)) {
            (Some((one, a)), Some((two, b))) => (one == two).then(|| a / b),
            (None, None) => other
                .as_constant()
                .filter(|number| !number.is_zero())
                .and_then(|number| Some(self.as_constant()? / number)),
            _ => None,
        }
    }
}

/// Multiplies a monomial, and the number before it, by a power; whole powers of primes go to the number.
fn raise(mono: &mut Mono, atom: Atom, exponent: RBig, number: &mut RBig) -> Result<(), Stop> {
    let mut exponent = bounded(mono.remove(&atom).unwrap_or(RBig::ZERO) + exponent)?;
    if let Atom::Prime(prime) = &atom {
        let floor = exponent.floor();
        *number = bounded(&*number * whole_power(&IBig::from(prime.clone()).into(), &floor)?)?;
        exponent -= RBig::from(floor);
    }
    if atom.is(CONSTANTS[2]) && exponent.is_int() {
        let quarter = ((exponent.numerator() % 4) + IBig::from(4)) % 4;
        if quarter > 1 {
            *number = -&*number;
        }
        exponent = RBig::from(quarter % 2);
    }
    if !exponent.is_zero() {
        mono.insert(atom, exponent);
    }
    Ok(())
}

/// The factors of a positive rational with their exponents: primes, and what is left without small factors.
fn factors(number: &RBig, work: &mut Work) -> Result<Vec<(Atom, RBig)>, Stop> {
    let mut found = Vec::new();
    for (mut part, sign) in
        [(number.numerator().unsigned_abs(), 1), (number.denominator().clone(), -1)]
    {
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
        Form { top, bottom: Poly::term(Mono::new(), RBig::ONE) }
    }

    fn constant(number: RBig) -> Self {
        Form::whole(Poly::term(Mono::new(), number))
    }

    fn atom(atom: Atom) -> Self {
        Form::whole(Poly::term(Mono::from([(atom, RBig::ONE)]), RBig::ONE))
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

    /// Whether it is a polynomial in one letter, with rational numbers.
    pub fn is_polynomial_in_one_letter(&self) -> bool {
        let mut powers = self.top.0.keys().flat_map(BTreeMap::iter);
        let first = powers.clone().next().map(|(atom, _)| atom);
        let is_power = |(atom, exponent): (&Atom, &RBig)| {
            Some(atom) == first
                && matches!(atom, Atom::Symbol(name) if !CONSTANTS.contains(&name.as_str()))
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

    /// A monomial to a rational power: exponent by exponent. `None` where that would not hold for all values.
    fn monomial_power(&self, exponent: &RBig, work: &mut Work) -> Result<Option<Form>, Stop> {
        let Some((mono, number)) = self.term() else {
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

    /// The factors of a positive term with their exponents; `None` if it may be something else.
    fn positive(&self, work: &mut Work) -> Result<Option<Vec<(Atom, RBig)>>, Stop> {
        let Some((mono, number)) = self
            .term()
            .filter(|(mono, number)| is_positive(number) && mono.keys().all(Atom::is_positive))
        else {
            return Ok(None);
        };
        let mut parts = factors(number, work)?;
        parts.extend(mono.iter().map(|(atom, power)| (atom.clone(), power.clone())));
        Ok(Some(parts))
    }

    /// A power whose exponent is no number: `b^(c + d·n) = b^c · (b^n)^d`, where b is positive, or a letter. Positive numbers are
    /// powers of e.
    fn tower(&self, exponent: &Form, work: &mut Work) -> Result<Form, Stop> {
        let one = Form::constant(RBig::ONE);
        let is_letter = |(mono, number): &(&Mono, &RBig)| {
            number.is_one() && mono.len() == 1 && mono.values().all(RBig::is_one)
        };
        let letter = self.term().filter(is_letter).and_then(|(mono, _)| mono.keys().next());
        let parts = match (self.positive(work)?, letter) {
            _ if exponent.bottom != one.top => None,
            (None, Some(letter)) => Some(vec![(letter.clone(), RBig::ONE)]),
            (parts, _) => parts,
        };
        let Some(parts) = parts else {
            return Ok(Form::other(Op::Power, &[self.clone(), exponent.clone()]));
        };
        let e = Atom::Symbol("e".to_owned());
        let mut product = one;
        for (raised, factor) in &exponent.top.0 {
            if raised.is_empty() {
                product = product.times(&self.power(factor, work)?, work)?;
                continue;
            }
            for (atom, power) in &parts {
                let (mut inner, mut number) = (raised.clone(), power * factor);
                let base = match atom {
                    Atom::Tower(base, mono) => {
                        for (atom, power) in mono {
                            raise(&mut inner, atom.clone(), power.clone(), &mut number)?;
                        }
                        base
                    }
                    atom if *atom != e && atom.is_positive() => {
                        raise(
                            &mut inner,
                            Atom::Log(Box::new(atom.clone())),
                            RBig::ONE,
                            &mut number,
                        )?;
                        &e
                    }
                    atom => atom,
                };
                product = product.times(&tower_of(base, inner, number, work)?, work)?;
            }
        }
        Ok(product)
    }

    /// The natural logarithm.
    fn ln(&self, work: &mut Work) -> Result<Form, Stop> {
        let Some(parts) = self.positive(work)? else {
            return Ok(Form::other(Op::Ln, std::slice::from_ref(self)));
        };
        parts.into_iter().try_fold(Form::constant(RBig::ZERO), |sum, (atom, power)| {
            let log = match atom {
                Atom::Symbol(name) if name == "e" => Poly::term(Mono::new(), power),
                Atom::Tower(base, mono) if base.is("e") => Poly::term(mono, power),
                atom => Poly::term(Mono::from([(Atom::Log(Box::new(atom)), RBig::ONE)]), power),
            };
            sum.plus(&Form::whole(log), work)
        })
    }

    /// How many times π this is.
    fn half_turns(&self) -> Option<RBig> {
        let (mono, number) = match self.term() {
            None => return self.top.is_zero().then_some(RBig::ZERO),
            Some(term) => term,
        };
        (mono.len() == 1 && mono.iter().all(|(atom, power)| atom.is("π") && power.is_one()))
            .then(|| number.clone())
    }
}

/// A base to the power of a number times a monomial.
fn tower_of(base: &Atom, mono: Mono, number: RBig, work: &mut Work) -> Result<Form, Stop> {
    let (mut power, mut outside) = (Mono::new(), RBig::ONE);
    let keys: Vec<&Atom> =
        mono.keys().filter(|atom| base.is("e") && mono[*atom].is_one()).collect();
    match (&keys[..], mono.len()) {
        ([Atom::Log(inner)], 1) => raise(&mut power, (**inner).clone(), number, &mut outside)?,
        ([one, other], 2) if one.is("π") && other.is(CONSTANTS[2]) => {
            if let (Some(cos), Some(sin)) = (
                cosine(&number, work)?,
                cosine(&(RBig::from_parts(1.into(), 2_u8.into()) - &number), work)?,
            ) {
                return cos.plus(
                    &sin.times(&Form::atom(Atom::Symbol(CONSTANTS[2].to_owned())), work)?,
                    work,
                );
            }
            raise(&mut power, Atom::Tower(Box::new(base.clone()), mono), number, &mut outside)?;
        }
        _ => raise(&mut power, Atom::Tower(Box::new(base.clone()), mono), number, &mut outside)?,
    }
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
    let Some((_, text)) = COSINES.iter().find(|(at, _)| *at == half.min(60 - half)) else {
        return Ok(None);
    };
    let mode = Mode { is_complex: false, has_marks: true };
    let Ok(Said::Value(expr)) = read(text, mode).map(|read| read.said) else {
        return Ok(None);
    };
    let cosine = form(&expr, work)?;
    match half > 30 {
        true => Form::constant(-RBig::ONE).times(&cosine, work).map(Some),
        false => Ok(Some(cosine)),
    }
}

impl Atom {
    fn is(&self, symbol: &str) -> bool {
        matches!(self, Atom::Symbol(name) if name == symbol)
    }

    /// Whether it is a positive number for all real values of its letters.
    fn is_positive(&self) -> bool {
        let is_real = |atom: &Atom| {
            matches!(atom, Atom::Symbol(name) if name != CONSTANTS[2])
                || matches!(atom, Atom::Log(_))
                || atom.is_positive()
        };
        match self {
            Atom::Prime(_) => true,
            Atom::Symbol(_) => self.is("π") || self.is("e"),
            Atom::Tower(base, exponent) => base.is_positive() && exponent.keys().all(is_real),
            Atom::Log(_) | Atom::Other(_) => false,
        }
    }
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
        Expr::Symbol(name) => return Ok(Form::atom(Atom::Symbol(name.clone()))),
        Expr::Made(op, parts) => {
            (*op, parts.iter().map(|part| form(part, work)).collect::<Result<Vec<_>, _>>()?)
        }
    };
    let factorial_of = |of: &Form, work: &mut Work| match of.as_rational() {
        Some(n) => factorial(&n, work).map(Form::constant),
        None => Ok(Form::other(Op::Factorial, std::slice::from_ref(of))),
    };
    let minus = Form::constant(-RBig::ONE);
    let (one, number) = (&parts[0], parts[0].as_rational());
    let half = || RBig::from_parts(1.into(), 2_u8.into());
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
                    let before = if degree == 2 {
                        Form::atom(Atom::Symbol(CONSTANTS[2].to_owned()))
                    } else {
                        minus.clone()
                    };
                    before.times(&minus.times(one, work)?.power(&exponent, work)?, work)
                }
                None => one.power(&exponent, work),
            }
        }
        Op::Factorial => factorial_of(one, work),
        Op::Binomial => {
            if let (Some(n), Some(k)) = (&number, parts[1].as_rational()) {
                return Ok(Form::constant(binomial(n, &k, work)?));
            }
            let rest = one.plus(&minus.times(&parts[1], work)?, work)?;
            let below = factorial_of(&parts[1], work)?.times(&factorial_of(&rest, work)?, work)?;
            factorial_of(one, work)?.times(&below.inverse(work)?, work)
        }
        Op::Ln => one.ln(work),
        Op::Sin | Op::Cos => {
            work.spend(20)?;
            let turns =
                one.half_turns().map(|turns| if op == Op::Sin { half() - turns } else { turns });
            let known = turns.map_or(Ok(None), |turns| cosine(&turns, work))?;
            Ok(known.unwrap_or_else(|| Form::other(op, &parts)))
        }
        Op::Abs => {
            let unit = Mono::from([(Atom::Symbol(CONSTANTS[2].to_owned()), RBig::ONE)]);
            if let Some(number) = number {
                return Ok(Form::constant(if number < RBig::ZERO { -number } else { number }));
            }
            if one.positive(work)?.is_some() {
                return Ok(one.clone());
            }
            // |a + bi|
            let is_plane = one.top.0.keys().all(|mono| mono.is_empty() || *mono == unit)
                && one.bottom.as_constant().is_some();
            match is_plane {
                true => {
                    let bottom = one.bottom.as_constant().unwrap_or(RBig::ONE);
                    let squares: RBig =
                        one.top.0.values().fold(RBig::ZERO, |sum, number| sum + number * number);
                    Form::constant(bounded(squares / (&bottom * &bottom))?).power(&half(), work)
                }
                false => Ok(Form::other(op, &parts)),
            }
        }
        Op::Floor => Ok(number.map_or_else(
            || Form::other(op, &parts),
            |number| Form::constant(number.floor().into()),
        )),
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
