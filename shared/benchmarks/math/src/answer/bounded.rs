//! Exact arithmetic that is bounded in size and steps.

use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_ratio::RBig;

/// The most bits of a number.
const MOST_BITS: usize = 10_000;
/// The steps that one comparison may take; a step is a product of two monomials, or of two values.
const MOST_STEPS: u64 = 1_000;
/// Why an expression has no normal form or no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It would take too long or become too large.
    TooLarge,
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

pub fn bounded(number: RBig) -> Result<RBig, Stop> {
    let bits = number.numerator().bit_len().max(number.denominator().bit_len());
    if bits > MOST_BITS { Err(Stop::TooLarge) } else { Ok(number) }
}

/// A rational to a whole power.
pub fn whole_power(base: &RBig, exponent: &IBig) -> Result<RBig, Stop> {
    if base.is_zero() && *exponent <= IBig::ZERO {
        return Err(Stop::DivisionByZero);
    }
    let bits = base.numerator().bit_len().max(base.denominator().bit_len());
    let size = match bits {
        _ if base.is_zero() => 1,
        1 => exponent % 2_isize,
        _ => isize::try_from(exponent).map_err(|_| Stop::TooLarge)?,
    };
    // A number of b bits is at least 2^(b-1).
    if (bits - 1).saturating_mul(size.unsigned_abs()) > MOST_BITS {
        return Err(Stop::TooLarge);
    }
    bounded(base.pow(size))
}

/// n!, for 0 ≤ n.
pub fn factorial(n: &RBig, work: &mut Work) -> Result<RBig, Stop> {
    product((2..=whole(n)?).map(RBig::from), work)
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
