//! Reading one value.

use std::ops::RangeInclusive;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{AMBIGUOUS, NOT_MATHS, Reader, Refusal, UNCLOSED};
use crate::answer::expr::{Expr, INFINITY, Op};
use crate::answer::is_word;
use crate::answer::tokens::Token;

impl Reader {
    pub(super) fn sum(&mut self) -> Result<Expr, Refusal> {
        self.deeper(|reader| {
            let mut terms = Vec::new();
            loop {
                // Before the first term a sign may be missing; after a sign there may be one more.
                let is_minus = reader.take('-');
                let is_signed = is_minus || reader.take('+');
                if !terms.is_empty() && !is_signed {
                    break;
                }
                let is_negative = is_minus ^ (!terms.is_empty() && reader.take('-'));
                terms.push(reader.product()?.signed(is_negative));
            }
            Ok(if terms.len() == 1 { terms.remove(0) } else { Expr::Made(Op::Sum, terms) })
        })
    }

    fn product(&mut self) -> Result<Expr, Refusal> {
        let mut last = self.at;
        let mut factors = vec![self.power()?];
        let mut is_divided = false;
        loop {
            let next = self.at;
            if self.is('*') || self.is('/') {
                // `a/b/c` has one meaning by convention, `a/b c` has two.
                is_divided = self.is('/');
                self.at += 1;
                last = self.at;
                let factor = self.factor()?;
                factors.push(if is_divided { factor.inverse() } else { factor });
            } else if self.begins_factor() {
                if is_divided || self.is_ambiguous_after(self.tokens.get(last), factors.last()) {
                    return Err(AMBIGUOUS);
                }
                last = next;
                factors.push(self.power()?);
            } else {
                return Ok(if factors.len() == 1 {
                    factors.remove(0)
                } else {
                    Expr::Made(Op::Product, factors)
                });
            }
        }
    }

    /// A factor after a written sign, which may have a sign of its own: `2·-3`.
    fn factor(&mut self) -> Result<Expr, Refusal> {
        let is_negative = self.take('-');
        Ok(self.power()?.signed(is_negative))
    }

    fn begins_factor(&self) -> bool {
        match self.peek() {
            Some(Token::Sign('|')) => self.bars == 0,
            // `2 (mod 5)` is no product.
            Some(Token::Sign('(')) => {
                !matches!(self.tokens.get(self.at + 1), Some(Token::Name(name)) if name == "mod")
            }
            Some(Token::Sign(sign)) => "{√∛⌊⌈".contains(*sign),
            Some(Token::Name(name)) => name != "mod" && name != "choose",
            other => other.is_some(),
        }
    }

    /// Whether what follows side by side may be something else than a factor, after a factor that began with a token.
    fn is_ambiguous_after(&self, last: Option<&Token>, factor: Option<&Expr>) -> bool {
        let is_capital = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase());
        match (last, self.peek()) {
            (Some(Token::Name(last)), Some(Token::Number(..))) => {
                last != "binom"
                    && (last != "frac" || factor.is_none_or(|factor| factor.letters().is_empty()))
            }
            (last, Some(Token::Number(..))) => last != Some(&Token::Sign('(')),
            // Mixed numbers, and decimals with a period: `3\frac{1}{2}`, `0.1(6)`.
            (Some(Token::Number(..)), Some(Token::Name(next))) if next == "frac" => {
                let is_number =
                    |at| matches!(self.tokens.get(self.at + at), Some(Token::Number(..)));
                is_number(1) || is_number(2)
            }
            (Some(Token::Number(_, places)), Some(Token::Sign('('))) => places.is_some(),
            // Matrices, sequences, initials.
            (Some(Token::Name(name)), Some(Token::Name(next))) if name.len() == 1 => {
                is_capital(name) && next.len() == 1 && is_capital(next)
            }
            // `n(n+1)` is a product; `f(2x)` may be the value of a function.
            (Some(Token::Name(name)), Some(Token::Sign('('))) if !is_word("name", name) => {
                is_capital(name)
                    || ["f", "g", "h"].contains(&name.as_str())
                    || !self.in_bracket(&['+', '-'])
            }
            _ => false,
        }
    }

    fn power(&mut self) -> Result<Expr, Refusal> {
        self.deeper(|reader| {
            let mut base = reader.atom()?;
            if reader.take('!') {
                base = Expr::made(Op::Factorial, [base]);
            }
            if reader.take('^') {
                let is_braced = reader.is('{') || reader.is('(');
                let exponent = reader.factor()?;
                if reader.is('!')
                    || (!is_braced && matches!(exponent, Expr::Made(Op::Factorial, _)))
                {
                    return Err(AMBIGUOUS);
                }
                base = Expr::made(Op::Power, [base, exponent]);
            } else if reader.is('!') {
                return Err(AMBIGUOUS);
            }
            if reader.take('%') {
                base = base.over(Expr::Number(100.into()));
            } else if reader.take('°') {
                base = Expr::made(Op::Product, [base, Expr::symbol("π")])
                    .over(Expr::Number(180.into()));
            }
            Ok(base)
        })
    }

    fn atom(&mut self) -> Result<Expr, Refusal> {
        let token = self.peek().cloned().ok_or(UNCLOSED)?;
        self.at += 1;
        match token {
            Token::Number(whole, places) => Ok(decimal(&whole, places.as_deref())),
            Token::Sign('(') => self.within(')'),
            Token::Sign('{') => self.within('}'),
            Token::Sign('⌊') => Ok(Expr::made(Op::Floor, [self.within('⌋')?])),
            Token::Sign('⌈') => {
                Ok(Expr::made(Op::Floor, [self.within('⌉')?.negative()]).negative())
            }
            Token::Sign('|') => {
                self.bars += 1;
                let inner = self.within('|')?;
                self.bars -= 1;
                Ok(Expr::made(Op::Abs, [inner]))
            }
            Token::Sign(root @ ('√' | '∛')) => {
                let inner = self.alone(Self::atom)?;
                Ok(Expr::made(Op::Root(if root == '√' { 2 } else { 3 }), [inner]))
            }
            Token::Sign('∞') => Ok(Expr::symbol(INFINITY)),
            Token::Name(name) => self.named(name),
            Token::Sign(_) => Err(NOT_MATHS),
        }
    }

    fn within(&mut self, close: char) -> Result<Expr, Refusal> {
        let mut inner = self.sum()?;
        if close == '}' && self.take_name("choose") {
            inner = Expr::made(Op::Binomial, [inner, self.sum()?]);
        }
        self.close(close)?;
        Ok(inner)
    }

    /// A letter with its subscript.
    fn symbol(&mut self, mut name: String) -> Result<Expr, Refusal> {
        if self.take('_') {
            name.push('_');
            let is_braced = self.take('{');
            loop {
                match self.peek() {
                    Some(Token::Number(digits, None)) => name.push_str(digits),
                    Some(Token::Name(letter)) if letter.len() == 1 => name.push_str(letter),
                    _ => return Err(NOT_MATHS),
                }
                self.at += 1;
                if !is_braced || self.take('}') {
                    break;
                }
            }
        }
        Ok(Expr::Symbol(match name.as_str() {
            "i" | "j" if self.is_complex => "ⅈ".to_owned(),
            _ => name,
        }))
    }

    fn named(&mut self, name: String) -> Result<Expr, Refusal> {
        match name.as_str() {
            "pi" => return Ok(Expr::symbol("π")),
            "frac" => {
                let top = self.argument()?;
                return Ok(top.over(self.argument()?));
            }
            "binom" => {
                let parts = [self.argument()?, self.argument()?];
                return Ok(Expr::made(Op::Binomial, parts));
            }
            "sqrt" => return self.root(),
            "mod" | "choose" => return Err(NOT_MATHS),
            known if !is_word("name", known) => return self.symbol(name),
            _ => {}
        }
        let base = match name.as_str() {
            "log" if self.take('_') => self.argument()?,
            "lg" => Expr::Number(10.into()),
            // Which base it is depends on the author.
            "log" => Expr::symbol("base of log"),
            _ => Expr::symbol("e"),
        };
        let exponent = if self.take('^') { Some(self.argument()?) } else { None };
        if exponent.as_ref().is_some_and(
            |exponent| !matches!(exponent, Expr::Number(number) if *number > RBig::ZERO),
        ) {
            return Err(AMBIGUOUS);
        }
        let x = self.alone(Self::power)?;
        let ln = |of: Expr| Expr::made(Op::Ln, [of]);
        let cos = |of: Expr| Expr::made(Op::Cos, [of]);
        let quarter = || Expr::symbol("π").over(Expr::Number(2.into()));
        let sin = |of: Expr| cos(quarter().minus(of));
        let value = match name.as_str() {
            "exp" => Expr::made(Op::Power, [base, x]),
            "sin" => sin(x),
            "cos" => cos(x),
            "tan" => sin(x.clone()).over(cos(x)),
            "cot" => cos(x.clone()).over(sin(x)),
            "sec" => cos(x).inverse(),
            "csc" => sin(x).inverse(),
            "ln" => ln(x),
            _ => ln(x).over(ln(base)),
        };
        Ok(match exponent {
            Some(exponent) => Expr::made(Op::Power, [value, exponent]),
            None => value,
        })
    }

    /// `(…)`, or one factor after which nothing follows that could belong to it as well: `\sin x`, `√2`.
    fn alone(&mut self, read: fn(&mut Self) -> Result<Expr, Refusal>) -> Result<Expr, Refusal> {
        if self.take('(') {
            return self.within(')');
        }
        let (is_braced, is_root) =
            (self.is('{'), matches!(self.tokens[self.at - 1], Token::Sign('√' | '∛')));
        let argument = self.deeper(read)?;
        match !is_braced && (self.begins_factor() || self.is('/') && !is_root) {
            true => Err(AMBIGUOUS),
            false => Ok(argument),
        }
    }

    fn root(&mut self) -> Result<Expr, Refusal> {
        let degree = if self.take('[') { small(&self.within(']')?, 1..=64)? } else { 2 };
        let inner = if self.take('(') { self.within(')')? } else { self.argument()? };
        Ok(Expr::made(Op::Root(degree), [inner]))
    }

    /// The argument of a command: a group, or one character, as in `\frac12`.
    pub(super) fn argument(&mut self) -> Result<Expr, Refusal> {
        self.deeper(|reader| match reader.peek().cloned() {
            Some(Token::Number(digits, None)) => {
                let (first, rest) = digits.split_at(1);
                match rest.is_empty() {
                    true => reader.at += 1,
                    false => reader.tokens[reader.at] = Token::Number(rest.to_owned(), None),
                }
                Ok(decimal(first, None))
            }
            Some(Token::Sign('{') | Token::Name(_)) => reader.atom(),
            _ => Err(NOT_MATHS),
        })
    }
}

/// A whole number within a range.
pub(super) fn small(expr: &Expr, range: RangeInclusive<u32>) -> Result<u32, Refusal> {
    let Expr::Number(number) = expr else {
        return Err(NOT_MATHS);
    };
    let whole = u32::try_from(number.numerator()).ok().filter(|_| number.is_int());
    whole.filter(|whole| range.contains(whole)).ok_or(NOT_MATHS)
}

fn decimal(whole: &str, places: Option<&str>) -> Expr {
    let places = places.unwrap_or_default();
    let digits = IBig::from_str_radix(&format!("0{whole}{places}"), 10);
    let number = digits.expect("the lexer takes digits only");
    Expr::Number(RBig::from_parts(number, UBig::from(10_u8).pow(places.len())))
}
