//! The normal form of an expression: a quotient of sums of monomials over the rationals.
//!
//! Monomials are powers of letters, π, e, the imaginary unit, prime numbers (the roots that are left), logarithms, towers such as
//! `2^n`, and whatever else is taken as it is. Equal forms are equal expressions. Different forms are different values only where [`Poly::is_independent`].

mod form;

use std::collections::BTreeMap;

use dashu_base::{BitTest, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::bounded::{Stop, Work, bounded, whole_power};
use super::expr::CONSTANTS;
pub use form::{form, proportional, rational};

/// Prime factors are sought up to here.
const MOST_FACTOR: u32 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    /// A prime, or what is left of a number without small factors; its exponent lies from 0 to below 1.
    Prime(UBig),
    /// A letter or a constant; the exponent of the imaginary unit is 1.
    Symbol(String),
    /// The natural logarithm of a positive atom.
    Log(Box<Atom>),
    /// e to the power of a monomial.
    Exp(Mono),
    /// Anything else, by name and digest.
    Other(String),
}

type Mono = BTreeMap<Atom, RBig>;

#[derive(Debug, Clone, PartialEq)]
pub struct Poly(BTreeMap<Mono, RBig>);

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
        let atoms = || self.0.keys().flat_map(BTreeMap::keys);
        let has = |name| atoms().any(|atom| atom.is(name));
        atoms().all(|atom| match atom {
            Atom::Prime(number) => *number < bound,
            Atom::Symbol(_) => !(has("π") && has("e")),
            Atom::Log(_) | Atom::Exp(_) | Atom::Other(_) => false,
        })
    }

    /// The number that this is of another sum, if their greatest terms are alike but for it.
    fn ratio(&self, other: &Poly) -> Option<RBig> {
        let ((one, a), (two, b)) = (self.0.last_key_value()?, other.0.last_key_value()?);
        (one == two).then(|| a / b)
    }
}

/// Multiplies a monomial, and the number before it, by a power; whole powers of primes, and even ones of the imaginary unit, go to the number.
fn raise(mono: &mut Mono, atom: Atom, exponent: RBig, number: &mut RBig) -> Result<(), Stop> {
    let mut exponent = bounded(mono.remove(&atom).unwrap_or(RBig::ZERO) + exponent)?;
    let whole = match &atom {
        Atom::Prime(prime) => Some((IBig::from(prime.clone()), 1)),
        unit if unit.is(CONSTANTS[2]) => Some((IBig::NEG_ONE, 2)),
        _ => None,
    };
    if let Some((base, power)) = whole {
        let power = RBig::from(power);
        let times = (&exponent / &power).floor();
        *number = bounded(&*number * whole_power(&base.into(), &times)?)?;
        exponent -= power * RBig::from(times);
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

impl Atom {
    fn log(self) -> Mono {
        match self {
            Atom::Symbol(name) if name == "e" => Mono::new(),
            Atom::Exp(exponent) => exponent,
            atom => Mono::from([(Atom::Log(Box::new(atom)), RBig::ONE)]),
        }
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self, Atom::Symbol(name) if name == symbol)
    }

    /// Whether it is a positive number for all real values of its letters.
    fn is_positive(&self) -> bool {
        let is_real = |atom: &Atom| match atom {
            Atom::Symbol(name) => name != CONSTANTS[2],
            Atom::Log(of) => of.is_positive(),
            atom => atom.is_positive(),
        };
        match self {
            Atom::Prime(_) => true,
            Atom::Symbol(_) => self.is("π") || self.is("e"),
            Atom::Exp(exponent) => exponent.keys().all(is_real),
            Atom::Log(_) | Atom::Other(_) => false,
        }
    }
}
