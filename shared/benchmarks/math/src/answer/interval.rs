//! Values of real expressions between two bounds, to more than 120 digits.
//!
//! Every operation rounds its lower bound down and its upper bound up, so the value lies between them for certain.

use dashu_base::UnsignedAbs;
use dashu_float::round::Round;
use dashu_float::round::mode::{Down, Up};
use dashu_float::{Context, FBig, FpError, FpResult, Repr};
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::bounded::{Stop, Work};
use super::expr::{Expr, Op};
use super::normal::form;

/// Binary places, 120 digits and some to spare.
const BITS: usize = 430;
/// The largest binary exponent of a number.
const MOST_EXPONENT: isize = 5_000;

/// A value between two bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    low: Repr<2>,
    high: Repr<2>,
}

fn finite<R: Round>(result: FpResult<FBig<R>>) -> Result<Repr<2>, Stop> {
    let number = result.map_err(|error| match error {
        FpError::Overflow(_) | FpError::Underflow(_) => Stop::TooLarge,
        _ => Stop::Outside,
    })?;
    let repr = number.value().into_repr();
    match repr.is_infinite() || repr.exponent().abs() > MOST_EXPONENT {
        true => Err(Stop::TooLarge),
        false => Ok(repr),
    }
}

impl Interval {
    /// An operation, with its bounds rounded outwards.
    fn of(
        low: impl FnOnce(Context<Down>) -> FpResult<FBig<Down>>,
        high: impl FnOnce(Context<Up>) -> FpResult<FBig<Up>>,
    ) -> Result<Self, Stop> {
        Ok(Interval {
            low: finite(low(Context::new(BITS)))?,
            high: finite(high(Context::new(BITS)))?,
        })
    }

    pub fn rational(number: &RBig) -> Result<Self, Stop> {
        Interval::of(|_| Ok(number.to_float(BITS)), |_| Ok(number.to_float(BITS)))
    }

    /// The bounds as rational numbers.
    pub fn bounds(&self) -> Result<(RBig, RBig), Stop> {
        let rational = |bound: &Repr<2>| RBig::try_from(bound.clone()).map_err(|_| Stop::TooLarge);
        Ok((rational(&self.low)?, rational(&self.high)?))
    }

    /// The whole number that this is for certain.
    fn exact(&self) -> Option<RBig> {
        let (low, high) = self.bounds().ok()?;
        (low == high && low.is_int()).then_some(low)
    }

    fn is_positive(&self) -> bool {
        self.low > Repr::zero()
    }

    fn neg(&self) -> Self {
        Interval { low: -self.high.clone(), high: -self.low.clone() }
    }

    fn plus(&self, other: &Self) -> Result<Self, Stop> {
        Interval::of(|down| down.add(&self.low, &other.low), |up| up.add(&self.high, &other.high))
    }

    /// The hull of the products of all pairs of bounds.
    fn times(&self, other: &Self) -> Result<Self, Stop> {
        let product = |one, two| Interval::of(|down| down.mul(one, two), |up| up.mul(one, two));
        let mut hull = product(&self.low, &other.low)?;
        for (one, two) in
            [(&self.low, &other.high), (&self.high, &other.low), (&self.high, &other.high)]
        {
            let next = product(one, two)?;
            hull.low = hull.low.min(next.low);
            hull.high = hull.high.max(next.high);
        }
        Ok(hull)
    }

    fn inverse(&self) -> Result<Self, Stop> {
        if !self.is_positive() && !self.neg().is_positive() {
            return Err(Stop::DivisionByZero);
        }
        let one = Repr::one();
        Interval::of(|down| down.div(&one, &self.high), |up| up.div(&one, &self.low))
    }

    /// A whole power; of a base around zero only zero itself is raised.
    fn power(&self, exponent: &IBig) -> Result<Self, Stop> {
        let size = exponent.unsigned_abs();
        if size > (1_u32 << 20).into() {
            return Err(Stop::TooLarge);
        }
        if *exponent < IBig::ZERO {
            return self.power(&size.into())?.inverse();
        }
        if self.neg().is_positive() {
            let power = self.neg().power(exponent)?;
            return Ok(if size.is_multiple_of(&2_u8.into()) { power } else { power.neg() });
        }
        if self.low < Repr::zero() || !self.is_positive() && exponent.is_zero() {
            return Err(Stop::Outside);
        }
        Interval::of(
            |down| down.powi(&self.low, exponent.clone()),
            |up| up.powi(&self.high, exponent.clone()),
        )
    }

    fn root(&self, degree: u32) -> Result<Self, Stop> {
        if self.neg().is_positive() && degree % 2 == 1 {
            return Ok(self.neg().root(degree)?.neg());
        }
        if self.low < Repr::zero() {
            return Err(Stop::Outside);
        }
        let degree = degree as usize;
        Interval::of(|down| down.nth_root(degree, &self.low), |up| up.nth_root(degree, &self.high))
    }

    fn exp(&self) -> Result<Self, Stop> {
        let limit = Repr::new(MOST_EXPONENT.into(), 0);
        if self.high > limit || self.low < -limit {
            return Err(Stop::TooLarge);
        }
        Interval::of(|down| down.exp(&self.low, None), |up| up.exp(&self.high, None))
    }

    fn ln(&self) -> Result<Self, Stop> {
        match self.is_positive() {
            true => Interval::of(|down| down.ln(&self.low, None), |up| up.ln(&self.high, None)),
            false => Err(Stop::Outside),
        }
    }

    /// It changes by no more than its argument: its value at the lower bound, and the width of the argument either way.
    fn cos(&self) -> Result<Self, Stop> {
        let x = &self.low;
        let width = Interval::of(|down| down.sub(x, &self.high), |up| up.sub(&self.high, x))?;
        Interval::of(|down| down.cos(x, None), |up| up.cos(x, None))?.plus(&width)
    }
}

/// The value of an expression without letters.
///
/// # Errors
/// Why it has none here.
pub fn value(expr: &Expr, work: &mut Work) -> Result<Interval, Stop> {
    let (op, exprs) = match expr {
        Expr::Number(number) => return Interval::rational(number),
        Expr::Symbol(name) => {
            work.spend(20)?;
            return match name.as_str() {
                "π" => Interval::of(|down| Ok(down.pi(None)), |up| Ok(up.pi(None))),
                "e" => Interval::rational(&RBig::ONE)?.exp(),
                _ => Err(Stop::Outside),
            };
        }
        Expr::Made(Op::Factorial | Op::Binomial | Op::Floor, _) => {
            let whole = form(expr, work)?.as_rational();
            return Interval::rational(&whole.ok_or(Stop::Outside)?);
        }
        Expr::Made(op, exprs) => (*op, exprs),
    };
    let parts = exprs.iter().map(|part| value(part, work)).collect::<Result<Vec<_>, _>>()?;
    let (one, last) = (&parts[0], &parts[parts.len() - 1]);
    let (value, steps) = match op {
        Op::Sum => (parts[1..].iter().try_fold(one.clone(), |sum, term| sum.plus(term)), 1),
        Op::Product => {
            (parts[1..].iter().try_fold(one.clone(), |product, factor| product.times(factor)), 4)
        }
        Op::Power => match last.exact() {
            Some(exponent) => (one.power(exponent.numerator()), 8),
            None if exprs[0] == Expr::symbol("e") => (last.exp(), 60),
            None => (one.ln()?.times(last)?.exp(), 150),
        },
        Op::Root(degree) => (one.root(degree), 8),
        Op::Ln => (one.ln(), 150),
        Op::Cos => (one.cos(), 150),
        Op::Abs => (one.power(&2.into()).and_then(|square| square.root(2)), 8),
        _ => (Err(Stop::Outside), 1),
    };
    work.spend(steps)?;
    value
}
