//! Values of real expressions between two bounds, to about 120 digits.
//!
//! Numbers are whole multiples of 2^-[`BITS`]. Every operation rounds its bounds outwards, so the value lies between them for certain.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::normal::{Stop, Work, binomial, factorial};
use super::read::{Expr, Function};

/// Binary places.
const BITS: u64 = 420;
/// The most bits before the point.
const MOST_BITS: u64 = 2_000;

/// A value between two bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    low: BigInt,
    high: BigInt,
}

impl Interval {
    fn new(low: BigInt, high: BigInt) -> Result<Self, Stop> {
        match low.bits().max(high.bits()) > BITS + MOST_BITS {
            true => Err(Stop::TooLarge),
            false => Ok(Interval { low, high }),
        }
    }

    fn whole(number: i64) -> Self {
        let number = BigInt::from(number) << BITS;
        Interval { low: number.clone(), high: number }
    }

    /// The bounds of a rational number.
    pub fn of(number: &BigRational) -> Result<Self, Stop> {
        let scaled = number.numer() << BITS;
        Interval::new(floor_div(&scaled, number.denom()), ceil_div(&scaled, number.denom()))
    }

    /// The bounds as rational numbers.
    pub fn bounds(&self) -> (BigRational, BigRational) {
        let scale = BigInt::one() << BITS;
        (
            BigRational::new(self.low.clone(), scale.clone()),
            BigRational::new(self.high.clone(), scale),
        )
    }

    /// Whether no value lies within both.
    pub fn is_apart(&self, other: &Interval) -> bool {
        self.high < other.low || other.high < self.low
    }

    /// The whole number that this is for certain.
    fn exact(&self) -> Option<BigInt> {
        let number = &self.low >> BITS;
        (self.low == self.high && &number << BITS == self.low).then_some(number)
    }

    fn neg(&self) -> Self {
        Interval {
            low: -&self.high,
            high: -&self.low,
        }
    }

    fn plus(&self, other: &Self) -> Result<Self, Stop> {
        Interval::new(&self.low + &other.low, &self.high + &other.high)
    }

    fn times(&self, other: &Self, work: &mut Work) -> Result<Self, Stop> {
        work.spend(4)?;
        let products = [
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ];
        let (low, high) = ends(&products);
        Interval::new(low >> BITS, -((-high) >> BITS))
    }

    fn over(&self, other: &Self, work: &mut Work) -> Result<Self, Stop> {
        if !other.low.is_positive() && !other.high.is_negative() {
            return Err(Stop::DivisionByZero);
        }
        work.spend(6)?;
        let quotient = |round: fn(&BigInt, &BigInt) -> BigInt| {
            let of = |top: &BigInt, bottom: &BigInt| round(&(top << BITS), bottom);
            [
                of(&self.low, &other.low),
                of(&self.low, &other.high),
                of(&self.high, &other.low),
                of(&self.high, &other.high),
            ]
        };
        Interval::new(ends(&quotient(floor_div)).0, ends(&quotient(ceil_div)).1)
    }

    fn halved(&self, times: u64) -> Self {
        Interval {
            low: &self.low >> times,
            high: -((-&self.high) >> times),
        }
    }

    fn power(&self, exponent: &BigInt, work: &mut Work) -> Result<Self, Stop> {
        let mut left = exponent.abs().to_u64().filter(|size| *size <= 1 << 20).ok_or(Stop::TooLarge)?;
        let (mut power, mut square) = (Interval::whole(1), self.clone());
        while left > 0 {
            if left & 1 == 1 {
                power = power.times(&square, work)?;
            }
            left >>= 1;
            if left > 0 {
                square = square.times(&square, work)?;
            }
        }
        match exponent.is_negative() {
            true => Interval::whole(1).over(&power, work),
            false => Ok(power),
        }
    }

    fn root(&self, degree: u32, work: &mut Work) -> Result<Self, Stop> {
        if self.high.is_negative() && degree % 2 == 1 {
            return Ok(self.neg().root(degree, work)?.neg());
        }
        if self.low.is_negative() {
            return Err(Stop::Outside);
        }
        work.spend(40 * u64::from(degree))?;
        let shift = BITS * u64::from(degree - 1);
        let root = |number: &BigInt| (number << shift).nth_root(degree);
        Interval::new(root(&self.low), root(&self.high) + 1)
    }

    fn exp(&self, work: &mut Work) -> Result<Self, Stop> {
        let one = |bound: &BigInt, work: &mut Work| {
            let halvings = bound.bits().saturating_sub(BITS) + 8;
            let small = Interval::new(bound.clone(), bound.clone())?.halved(halvings);
            let (mut sum, mut term) = (Interval::whole(1), Interval::whole(1));
            for n in 1..80 {
                term = term.times(&small, work)?.over(&Interval::whole(n), work)?;
                sum = sum.plus(&term)?;
                // |small| < 2^-7: what is left is less than the last term.
                if term.low.abs().max(term.high.abs()) <= BigInt::one() {
                    break;
                }
            }
            let rest = BigInt::from(2);
            sum = Interval::new(sum.low - &rest, sum.high + &rest)?;
            for _ in 0..halvings {
                sum = sum.times(&sum, work)?;
            }
            Ok(sum)
        };
        if self.low.bits().max(self.high.bits()) > BITS + 12 {
            return Err(Stop::TooLarge);
        }
        Interval::new(one(&self.low, work)?.low, one(&self.high, work)?.high)
    }

    fn ln(&self, work: &mut Work) -> Result<Self, Stop> {
        if !self.low.is_positive() {
            return Err(Stop::Outside);
        }
        let two = inverse_tangent(3, false, work)?;
        let two = two.plus(&two)?;
        let mut one = |bound: &BigInt| {
            // bound = m · 2^k with m from 1/2 to 1.
            let k = i64::try_from(bound.bits()).unwrap_or(i64::MAX) - i64::try_from(BITS).unwrap_or(0);
            let exact = Interval::new(bound.clone(), bound.clone())?;
            let scaled = match u64::try_from(k) {
                Ok(k) => exact.halved(k),
                Err(_) => Interval::new(&exact.low << k.unsigned_abs(), &exact.high << k.unsigned_abs())?,
            };
            let z = scaled
                .plus(&Interval::whole(-1))?
                .over(&scaled.plus(&Interval::whole(1))?, work)?;
            let square = z.times(&z, work)?;
            let (mut sum, mut power) = (z.clone(), z);
            // |z| ≤ 1/3: each term is less than a ninth of the one before.
            for n in 1..150 {
                power = power.times(&square, work)?;
                let term = power.over(&Interval::whole(2 * n + 1), work)?;
                sum = sum.plus(&term)?;
                if term.low.abs().max(term.high.abs()) <= BigInt::one() {
                    break;
                }
            }
            let rest = BigInt::from(2);
            let sum = Interval::new(sum.low - &rest, sum.high + &rest)?;
            sum.plus(&sum)?.plus(&two.times(&Interval::whole(k), work)?)
        };
        Interval::new(one(&self.low)?.low, one(&self.high)?.high)
    }

    /// Cosine and sine.
    fn cos_sin(&self, work: &mut Work) -> Result<(Self, Self), Stop> {
        if self.low.bits().max(self.high.bits()) > BITS + 64 {
            return Err(Stop::TooLarge);
        }
        let turn = pi(work)?.times(&Interval::whole(2), work)?;
        let turns = self.over(&turn, work)?.low >> BITS;
        let turns = Interval::new(&turns << BITS, &turns << BITS)?;
        let angle = self.plus(&turns.times(&turn, work)?.neg())?;
        let (mut cos, mut sin, mut term) = (Interval::whole(1), Interval::whole(0), Interval::whole(1));
        // The angle is below 7, so after 140 terms what is left is below 2^-420.
        for n in 1..160 {
            term = term.times(&angle, work)?.over(&Interval::whole(n), work)?;
            let signed = match n % 4 {
                0 | 1 => term.clone(),
                _ => term.neg(),
            };
            match n % 2 {
                0 => cos = cos.plus(&signed)?,
                _ => sin = sin.plus(&signed)?,
            }
        }
        let wide = |one: Interval| Interval::new(one.low - 1, one.high + 1);
        Ok((wide(cos)?, wide(sin)?))
    }
}

fn ends(numbers: &[BigInt; 4]) -> (BigInt, BigInt) {
    let low = numbers.iter().min().cloned().unwrap_or_default();
    let high = numbers.iter().max().cloned().unwrap_or_default();
    (low, high)
}

fn floor_div(top: &BigInt, bottom: &BigInt) -> BigInt {
    let (top, bottom) = match bottom.is_negative() {
        true => (-top, -bottom),
        false => (top.clone(), bottom.clone()),
    };
    let quotient = &top / &bottom;
    match top.is_negative() && &quotient * &bottom != top {
        true => quotient - 1,
        false => quotient,
    }
}

fn ceil_div(top: &BigInt, bottom: &BigInt) -> BigInt {
    -floor_div(&-top, bottom)
}

/// arctan(1/x), or artanh(1/x) where signs do not alternate, for a whole x above 1.
fn inverse_tangent(x: i64, alternates: bool, work: &mut Work) -> Result<Interval, Stop> {
    let mut sum = Interval::whole(0);
    let mut power = Interval::whole(1).over(&Interval::whole(x), work)?;
    for n in 0..150 {
        let term = power.over(&Interval::whole(2 * n + 1), work)?;
        let is_minus = alternates && n % 2 == 1;
        sum = sum.plus(&if is_minus { term.neg() } else { term })?;
        power = power.over(&Interval::whole(x * x), work)?;
        if power.high <= BigInt::one() {
            break;
        }
    }
    Interval::new(sum.low - 2, sum.high + 2)
}

fn pi(work: &mut Work) -> Result<Interval, Stop> {
    let five = inverse_tangent(5, true, work)?.times(&Interval::whole(16), work)?;
    let other = inverse_tangent(239, true, work)?.times(&Interval::whole(4), work)?;
    five.plus(&other.neg())
}

/// The value of an expression, with numbers for its letters.
///
/// # Errors
/// Why it has none here.
pub fn value(expr: &Expr, letters: &BTreeMap<&str, i64>, work: &mut Work) -> Result<Interval, Stop> {
    work.spend(1)?;
    let of = |expr: &Expr, work: &mut Work| value(expr, letters, work);
    match expr {
        Expr::Number(number) => Interval::of(number),
        Expr::Symbol(name) => {
            let number = letters.get(name.as_str()).ok_or(Stop::Outside)?;
            Ok(Interval::whole(*number))
        }
        Expr::Pi => pi(work),
        Expr::E => Interval::whole(1).exp(work),
        Expr::Infinity => Err(Stop::Outside),
        Expr::Neg(inner) => Ok(of(inner, work)?.neg()),
        Expr::Sum(terms) => terms
            .iter()
            .try_fold(Interval::whole(0), |sum, term| sum.plus(&of(term, work)?)),
        Expr::Product(factors) => factors
            .iter()
            .try_fold(Interval::whole(1), |product, factor| {
                let factor = of(factor, work)?;
                product.times(&factor, work)
            }),
        Expr::Quotient(top, bottom) => {
            let bottom = of(bottom, work)?;
            of(top, work)?.over(&bottom, work)
        }
        Expr::Power(base, exponent) if **base == Expr::E => of(exponent, work)?.exp(work),
        Expr::Power(base, exponent) => {
            let (base, exponent) = (of(base, work)?, of(exponent, work)?);
            match exponent.exact() {
                Some(whole) if whole.is_zero() && !base.low.is_positive() && !base.high.is_negative() => Err(Stop::Outside),
                Some(whole) => base.power(&whole, work),
                None => base.ln(work)?.times(&exponent, work)?.exp(work),
            }
        }
        Expr::Root(degree, inner) => of(inner, work)?.root(*degree, work),
        Expr::Factorial(inner) => {
            let n = of(inner, work)?.exact().ok_or(Stop::Outside)?;
            Interval::of(&factorial(&n.into(), work)?)
        }
        Expr::Binomial(n, k) => {
            let n = of(n, work)?.exact().ok_or(Stop::Outside)?;
            let k = of(k, work)?.exact().ok_or(Stop::Outside)?;
            Interval::of(&binomial(&n.into(), &k.into(), work)?)
        }
        Expr::Call(function, inner) => {
            let inner = of(inner, work)?;
            match function {
                Function::Exp => inner.exp(work),
                Function::Ln => inner.ln(work),
                Function::Log => Err(Stop::Outside),
                Function::Cos => Ok(inner.cos_sin(work)?.0),
                Function::Sin => Ok(inner.cos_sin(work)?.1),
                Function::Tan => {
                    let (cos, sin) = inner.cos_sin(work)?;
                    sin.over(&cos, work)
                }
            }
        }
    }
}
