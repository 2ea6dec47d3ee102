//! Reading an answer as mathematics: the LaTeX that answers use, and the same in plain text.
//!
//! The reader refuses whatever two people could read in two ways (`1/2x`, `f(2x)`, `3 4`, `AB`):
//! what it accepts has one meaning.

mod value;

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::expr::{Expr, INFINITY};
use super::tokens::{Token, tokens};
use value::small;

/// The longest answer that is read, in bytes; longer ones go to the grader.
const MOST_BYTES: usize = 2_000;
const MOST_DEPTH: usize = 40;

#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    Value(Expr),
    /// Several, by what they stand in: `()`, `[)` and so on for tuples and intervals, else one of the constants below.
    Many((char, char), Vec<Said>),
    /// `=`, `≠`, `<` or `≤` between something and zero.
    Relation(char, Expr),
}

pub const SET: (char, char) = ('{', '}');
/// Values parted by commas only.
pub const BARE: (char, char) = (',', ',');
pub const UNION: (char, char) = ('∪', '∪');
const MATRIX: (char, char) = ('▦', '▦');
const ROW: (char, char) = ('&', '&');
/// A number and its base.
const BASED: (char, char) = ('_', '_');
/// The least residue and its modulus.
const RESIDUE: (char, char) = ('≡', '≡');

/// An answer and how its numbers are written.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub said: Said,
    /// The letter before it, as in `x = 5`.
    pub name: Option<String>,
    /// Decimal places, where it is one decimal number and nothing else.
    pub places: Option<usize>,
    /// Whether a decimal number that may be rounded stands anywhere else in it.
    pub is_rounded: bool,
}

/// How signs that have two meanings are read.
#[derive(Debug, Clone, Copy)]
pub struct Mode {
    /// `i` and `j` are the imaginary unit, else letters.
    pub is_complex: bool,
    /// `%` and `°` count, else they are only units.
    pub has_marks: bool,
}

impl Mode {
    pub const USUAL: Mode = Mode { is_complex: false, has_marks: true };
}

/// Why an answer is not read, in a sentence.
pub type Refusal = &'static str;

pub const NOT_MATHS: Refusal = "it is not written in the mathematics that the reader knows";
pub const AMBIGUOUS: Refusal = "it can be read in two ways";
const TOO_DEEP: Refusal = "it is nested too deeply";
const UNCLOSED: Refusal = "a bracket is not closed";

/// Reads a plain answer.
///
/// # Errors
/// Why it is not read.
pub fn read(text: &str, mode: Mode) -> Result<Read, Refusal> {
    if text.len() > MOST_BYTES {
        return Err("it is too long");
    }
    let mut tokens = tokens(text)?;
    tokens.retain(|token| mode.has_marks || !matches!(token, Token::Sign('%' | '°')));
    // Decimals of four digits or more may be rounded.
    let may_be_rounded = |token: &Token| matches!(token, Token::Number(whole, Some(places)) if whole.trim_start_matches('0').len() + places.len() > 3);
    let places = match &tokens[..] {
        [Token::Number(_, places)] | [Token::Sign('-' | '+'), Token::Number(_, places)] => {
            places.as_ref().map(String::len)
        }
        _ => None,
    };
    let is_rounded = places.is_none() && tokens.iter().any(may_be_rounded);
    let both = Token::Sign('±');
    let mut name = None;
    let mut read_with = |sign| -> Result<Said, Refusal> {
        let replaced = tokens
            .iter()
            .map(|token| if *token == both { Token::Sign(sign) } else { token.clone() });
        let mut reader =
            Reader { tokens: replaced.collect(), is_complex: mode.is_complex, ..Reader::default() };
        let said = reader.whole()?;
        name = reader.name;
        Ok(said)
    };
    let said = match tokens.iter().filter(|token| **token == both).count() {
        0 => read_with('+')?,
        1 => Said::Many(SET, vec![read_with('+')?, read_with('-')?]),
        _ => return Err(AMBIGUOUS),
    };
    Ok(Read { said, name, places, is_rounded })
}

#[derive(Default)]
struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// How many bars of absolute values are open.
    bars: usize,
    name: Option<String>,
    is_complex: bool,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, sign: char) -> bool {
        self.peek() == Some(&Token::Sign(sign))
    }

    fn take(&mut self, sign: char) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn take_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(found)) if found == name);
        self.at += usize::from(found);
        found
    }

    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(TOO_DEEP);
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// What is read until none of a sign follows: alone, or together.
    fn parted(
        &mut self,
        sign: char,
        together: (char, char),
        read: fn(&mut Self) -> Result<Said, Refusal>,
    ) -> Result<Said, Refusal> {
        let mut parts = vec![read(self)?];
        while self.take(sign) {
            parts.push(read(self)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Said::Many(together, parts) })
    }

    fn close(&mut self, close: char) -> Result<(), Refusal> {
        match self.take(close) {
            true => Ok(()),
            false if self.peek().is_none() => Err(UNCLOSED),
            false => Err(NOT_MATHS),
        }
    }

    fn whole(&mut self) -> Result<Said, Refusal> {
        let said = self.parted('∨', SET, |reader| reader.parted('∪', UNION, Self::list))?;
        match (self.at == self.tokens.len(), said, &self.name) {
            (false, ..) => Err(NOT_MATHS),
            (_, Said::Many(SET, parts), _)
                if self.tokens.contains(&Token::Sign('∨'))
                    && parts.iter().all(|part| matches!(part, Said::Many(('(' | '[', _), _))) =>
            {
                Ok(Said::Many(UNION, parts))
            }
            // `x = 1, 2` and `x = 1, x = 2` are alternatives.
            (_, Said::Many(BARE, parts), Some(_)) => Ok(Said::Many(SET, parts)),
            (_, said, _) => Ok(said),
        }
    }

    fn list(&mut self) -> Result<Said, Refusal> {
        self.parted(',', BARE, Self::item)
    }

    fn item(&mut self) -> Result<Said, Refusal> {
        self.deeper(|reader| {
            if reader.take('⦃') {
                let inner = reader.list()?;
                reader.close('⦄')?;
                let parts = match inner {
                    Said::Many(BARE, parts) => parts,
                    one => vec![one],
                };
                return Ok(Said::Many(SET, parts));
            }
            if reader.take(MATRIX.0) {
                let rows =
                    reader.parted('↵', MATRIX, |reader| reader.parted('&', ROW, Self::item))?;
                reader.close('■')?;
                return Ok(Said::Many(MATRIX, vec![rows]));
            }
            match reader.peek() {
                Some(Token::Sign(open @ ('(' | '['))) if reader.in_bracket(&[',']) => {
                    let open = *open;
                    reader.at += 1;
                    let Said::Many(_, parts) = reader.list()? else {
                        return Err(NOT_MATHS);
                    };
                    let close = if reader.is(']') { ']' } else { ')' };
                    reader.close(close)?;
                    Ok(Said::Many((open, close), parts))
                }
                _ => reader.chain(),
            }
        })
    }

    /// A letter before what follows.
    fn called(&mut self, name: String, said: Said) -> Result<Said, Refusal> {
        match self.name.replace(name) {
            Some(before) if self.name.as_ref() != Some(&before) => Err(NOT_MATHS),
            _ => Ok(said),
        }
    }

    /// A value, an equation, a congruence, or bounds of a letter, which are an interval.
    fn chain(&mut self) -> Result<Said, Refusal> {
        if let [Token::Number(digits, None), Token::Sign('_'), ..] = &self.tokens[self.at..] {
            let digits = digits.clone();
            return self.based(&digits);
        }
        let first = self.sum()?;
        if self.take('≡') {
            let Expr::Symbol(name) = first else {
                return Err(NOT_MATHS);
            };
            let residue = self.sum()?;
            let said = self.residue(residue)?;
            return self.called(name, said);
        }
        if matches!(self.peek(), Some(Token::Name(name)) if name == "mod") || self.is('(') {
            return self.residue(first);
        }
        if let (Expr::Symbol(name), true) = (&first, self.take('∈')) {
            let said = self.parted('∪', UNION, Self::item)?;
            return self.called(name.clone(), said);
        }
        if self.take('=') {
            return match (first, self.item()?) {
                (Expr::Symbol(name), said) if !matches!(&said, Said::Value(expr) if expr.letters().contains(name.as_str())) => {
                    self.called(name, said)
                }
                (one, Said::Value(Expr::Symbol(name))) if one.letters().is_empty() => {
                    self.called(name, Said::Value(one))
                }
                (one, Said::Value(other)) => Ok(Said::Relation('=', one.minus(other))),
                _ => Err(NOT_MATHS),
            };
        }
        let (mut sides, mut signs) = (vec![first], Vec::new());
        while let Some(Token::Sign(sign @ ('<' | '≤' | '>' | '≥' | '≠'))) = self.peek() {
            signs.push(*sign);
            self.at += 1;
            sides.push(self.sum()?);
        }
        if signs.iter().all(|sign| ">≥".contains(*sign)) {
            sides.reverse();
            signs.reverse();
            signs.iter_mut().for_each(|sign| *sign = if *sign == '>' { '<' } else { '≤' });
        }
        let is_closed = |expr: &Expr| expr.letters().is_empty();
        if let (['<' | '≤'], [one, other]) = (&signs[..], &sides[..]) {
            // The other side is open.
            let infinity = Expr::symbol(INFINITY);
            let end = match (one, other) {
                (Expr::Symbol(_), bound) if is_closed(bound) => Some((0, infinity.negative())),
                (bound, Expr::Symbol(_)) if is_closed(bound) => Some((2, infinity)),
                _ => None,
            };
            if let Some((at, end)) = end {
                sides.insert(at, end);
                signs.insert(at / 2, '<');
            }
        }
        match (&signs[..], &sides[..]) {
            ([], [one]) => {
                let is_fit = one.infinite().is_some() || !one.letters().contains(INFINITY);
                if is_fit { Ok(Said::Value(one.clone())) } else { Err(NOT_MATHS) }
            }
            (&[sign], [one, other]) => Ok(Said::Relation(sign, one.clone().minus(other.clone()))),
            (&[low @ ('<' | '≤'), high @ ('<' | '≤')], [from, Expr::Symbol(name), to]) => {
                let open = if low == '<' { '(' } else { '[' };
                let close = if high == '<' { ')' } else { ']' };
                let ends = [from, to].map(|end| Said::Value(end.clone()));
                self.called(name.clone(), Said::Many((open, close), ends.into()))
            }
            _ => Err(NOT_MATHS),
        }
    }

    /// What follows a residue: its modulus.
    fn residue(&mut self, residue: Expr) -> Result<Said, Refusal> {
        let is_bracketed = self.take('(');
        if !self.take_name("mod") {
            return Err(NOT_MATHS);
        }
        let modulus = self.sum()?;
        if is_bracketed {
            self.close(')')?;
        }
        let whole = |expr: &Expr| {
            super::normal::rational(expr)
                .filter(RBig::is_int)
                .map(|number| number.numerator().clone())
        };
        match (whole(&residue), whole(&modulus)) {
            (Some(residue), Some(modulus)) if modulus > IBig::ZERO => {
                let least = ((residue % &modulus) + &modulus) % &modulus;
                let part = |number: IBig| Said::Value(Expr::Number(number.into()));
                Ok(Said::Many(RESIDUE, vec![part(least), part(modulus)]))
            }
            _ => Err(NOT_MATHS),
        }
    }

    /// A number in the base that follows.
    fn based(&mut self, digits: &str) -> Result<Said, Refusal> {
        self.at += 2;
        let radix = small(&self.argument()?, 2..=36)?;
        let number = IBig::from_str_radix(digits, radix).map_err(|_| NOT_MATHS)?;
        let base = Expr::Symbol(format!("base {radix}"));
        Ok(Said::Many(BASED, vec![Said::Value(Expr::Number(number.into())), Said::Value(base)]))
    }

    /// Whether a sign stands in the bracket that opens here, and in none within it.
    fn in_bracket(&self, signs: &[char]) -> bool {
        let mut depth = 0;
        for token in &self.tokens[self.at..] {
            match token {
                Token::Sign('(' | '[' | '{' | '⦃') => depth += 1,
                Token::Sign(')' | ']' | '}' | '⦄') => depth -= 1,
                Token::Sign(sign) if depth == 1 && signs.contains(sign) => return true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        false
    }
}
