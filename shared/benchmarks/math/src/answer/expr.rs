//! Expressions of which each has one meaning.

use std::collections::{BTreeMap, BTreeSet};

use dashu_ratio::RBig;

/// An expression with one meaning.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Number(RBig),
    /// A letter, or one of [`CONSTANTS`].
    Symbol(String),
    Made(Op, Vec<Expr>),
}

/// Symbols that are numbers: the last is the imaginary unit.
pub const CONSTANTS: [&str; 3] = ["π", "e", "ⅈ"];
pub const INFINITY: &str = "∞";

/// How an expression is made of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Sum,
    Product,
    Power,
    Root(u32),
    Factorial,
    Binomial,
    Ln,
    Cos,
    Abs,
    Floor,
}

impl Expr {
    pub fn symbol(name: &str) -> Self {
        Expr::Symbol(name.to_owned())
    }

    pub fn made<const N: usize>(op: Op, parts: [Expr; N]) -> Self {
        Expr::Made(op, parts.into())
    }

    pub fn inverse(self) -> Self {
        Expr::made(Op::Power, [self, Expr::Number(-RBig::ONE)])
    }

    pub fn over(self, bottom: Expr) -> Self {
        Expr::made(Op::Product, [self, bottom.inverse()])
    }

    pub fn minus(self, other: Expr) -> Self {
        Expr::made(Op::Sum, [self, other.negative()])
    }

    pub fn negative(self) -> Self {
        match self {
            Expr::Number(number) => Expr::Number(-number),
            other => Expr::made(Op::Product, [Expr::Number(-RBig::ONE), other]),
        }
    }

    pub fn signed(self, is_negative: bool) -> Self {
        if is_negative { self.negative() } else { self }
    }

    /// The expressions that it is made of.
    pub fn parts(&self) -> &[Expr] {
        match self {
            Expr::Made(_, parts) => parts,
            _ => &[],
        }
    }

    /// Whether it is infinite, and then whether it is negative.
    pub fn infinite(&self) -> Option<bool> {
        let infinity = Expr::symbol(INFINITY);
        match *self == infinity {
            true => Some(false),
            false => (*self == infinity.negative()).then_some(true),
        }
    }

    /// Its letters, infinity among them.
    pub fn letters(&self) -> BTreeSet<&str> {
        match self {
            Expr::Symbol(name) if !CONSTANTS.contains(&name.as_str()) => [name.as_str()].into(),
            other => other.parts().iter().flat_map(Expr::letters).collect(),
        }
    }

    /// The expression with numbers for letters.
    pub fn at(&self, point: &BTreeMap<&str, i64>) -> Expr {
        match self {
            Expr::Symbol(name) if point.contains_key(name.as_str()) => {
                Expr::Number(point[name.as_str()].into())
            }
            Expr::Made(op, parts) => {
                Expr::Made(*op, parts.iter().map(|part| part.at(point)).collect())
            }
            other => other.clone(),
        }
    }
}
