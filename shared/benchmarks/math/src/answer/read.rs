//! Reading an answer as mathematics: the LaTeX that answers use, and the same in plain text.
//!
//! The reader refuses whatever two people could read in two ways (`1/2x`, `f(2x)`, `3 4`, `AB`):
//! what it accepts has one meaning.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{is_word, letters};

/// The longest answer that is read, in bytes; longer ones go to the grader.
const MOST_BYTES: usize = 2_000;
/// Nesting that is read.
const MOST_DEPTH: usize = 40;

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
    Sin,
    Cos,
    Abs,
    Floor,
}

impl Expr {
    pub fn symbol(name: &str) -> Self {
        Expr::Symbol(name.to_owned())
    }

    fn made<const N: usize>(op: Op, parts: [Expr; N]) -> Self {
        Expr::Made(op, parts.into())
    }

    /// A quotient.
    pub fn over(self, bottom: Expr) -> Self {
        let inverse = Expr::made(Op::Power, [bottom, Expr::Number(-RBig::ONE)]);
        Expr::made(Op::Product, [self, inverse])
    }

    pub fn minus(self, other: Expr) -> Self {
        Expr::made(Op::Sum, [self, other.negative()])
    }

    fn negative(self) -> Self {
        match self {
            Expr::Number(number) => Expr::Number(-number),
            other => Expr::made(Op::Product, [Expr::Number(-RBig::ONE), other]),
        }
    }

    fn signed(self, is_negative: bool) -> Self {
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
        match self {
            Expr::Symbol(name) => (name == INFINITY).then_some(false),
            Expr::Made(Op::Product, parts)
                if parts.len() == 2 && parts[0] == Expr::Number(-RBig::ONE) =>
            {
                parts[1].infinite().map(|is_negative| !is_negative)
            }
            _ => None,
        }
    }
}

/// What an answer says.
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
/// Intervals or sets together.
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

/// Why an answer is not read, in a sentence.
pub type Refusal = &'static str;

const NOT_MATHS: Refusal = "it is not written in the mathematics that the reader knows";
const AMBIGUOUS: Refusal = "it can be read in two ways";
const TOO_DEEP: Refusal = "it is nested too deeply";
const UNCLOSED: Refusal = "a bracket is not closed";

#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// Digits, and the digits after a decimal point.
    Number(String, Option<String>),
    /// A letter, or the name of a function or a Greek letter.
    Name(String),
    Sign(char),
}

const SIGNS: &str = "()[]{}⦃⦄^_!+-*/,<>≤≥=≠≡∈∪∨±√∛|⌊⌋⌈⌉%°∞&";

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
        let mut reader = Reader {
            tokens: replaced.collect(),
            at: 0,
            depth: 0,
            bars: 0,
            name: None,
            is_complex: mode.is_complex,
        };
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

fn tokens(text: &str) -> Result<Vec<Token>, Refusal> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut rest, mut brackets) = (text, 0_i32);
    let run = |text: &str| text.bytes().take_while(u8::is_ascii_alphabetic).count();
    while let Some(char) = rest.chars().next() {
        let after = &rest[char.len_utf8()..];
        rest = match char {
            ' ' => after,
            '0'..='9' | '.' => number(rest, brackets > 0, &mut tokens)?,
            'a'..='z' | 'A'..='Z' => {
                let (letters, after) = rest.split_at(run(rest));
                word(letters, &mut tokens)?;
                after
            }
            '\\' if after.starts_with('\\') => {
                tokens.push(Token::Sign('\\'));
                &after[1..]
            }
            '\\' => {
                let (name, after) = after.split_at(run(after));
                match (name, after.split_once('}')) {
                    (
                        "begin" | "end",
                        Some(("{matrix" | "{pmatrix" | "{bmatrix" | "{Bmatrix", after)),
                    ) => {
                        brackets += if name == "begin" { 1 } else { -1 };
                        tokens.push(Token::Sign(if name == "begin" { MATRIX.0 } else { '■' }));
                        after
                    }
                    _ if ["command", "name", "greek"].iter().any(|kind| is_word(kind, name)) => {
                        tokens.push(Token::Name(name.to_owned()));
                        after
                    }
                    _ => return Err(NOT_MATHS),
                }
            }
            _ if SIGNS.contains(char) => {
                brackets += i32::from("([⦃".contains(char)) - i32::from(")]⦄".contains(char));
                tokens.push(Token::Sign(char));
                after
            }
            _ => return Err(NOT_MATHS),
        };
    }
    Ok(tokens)
}

/// A number. Groups of three may be parted by a comma, `{,}` or a blank; within brackets a comma parts values.
fn number<'a>(text: &'a str, within: bool, tokens: &mut Vec<Token>) -> Result<&'a str, Refusal> {
    let digits = |text: &'a str| text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
    let (first, mut rest) = digits(text);
    let mut whole = first.to_owned();
    let marks: &[&str] = if within { &["{,}", " "] } else { &["{,}", " ", ","] };
    while let Some(after) = marks.iter().find_map(|mark| rest.strip_prefix(mark)) {
        let (group, after) = digits(after);
        if group.len() != 3 || first.len() > 3 || first.starts_with('0') {
            break;
        }
        whole.push_str(group);
        rest = after;
    }
    let mut places = None;
    if let Some(after) = rest.strip_prefix('.') {
        let (read, after) = digits(after);
        if after.starts_with('.') || whole.is_empty() && read.is_empty() {
            return Err(NOT_MATHS);
        }
        (places, rest) = (Some(read.to_owned()), after);
    }
    // `1e6`, `1.5e-3`, but not `3e-5`, which may be a difference.
    let is_sure = places.is_some() || whole == "1" || rest.starts_with('E');
    let scientific = rest.strip_prefix(['e', 'E']).and_then(|power| {
        let (exponent, after) = digits(power.strip_prefix(['-', '+']).unwrap_or(power));
        (!exponent.is_empty()).then_some((
            power.starts_with('-'),
            power.starts_with(['-', '+']),
            exponent,
            after,
        ))
    });
    tokens.push(Token::Number(whole, places));
    let Some((is_negative, is_signed, exponent, after)) = scientific else {
        return Ok(rest);
    };
    if is_signed && !is_sure {
        return Err(AMBIGUOUS);
    }
    let ten = [Token::Sign('*'), Token::Number("10".to_owned(), None), Token::Sign('^')];
    tokens.extend(ten.into_iter().chain(is_negative.then_some(Token::Sign('-'))));
    tokens.push(Token::Number(exponent.to_owned(), None));
    Ok(after)
}

/// Letters without anything between them: a known name, one letter, or a few letters of one group, such as `xy`. Words are refused.
fn word(letters: &str, tokens: &mut Vec<Token>) -> Result<(), Refusal> {
    if is_word("name", letters) {
        tokens.push(Token::Name(letters.to_owned()));
        return Ok(());
    }
    let is_group = |group: &str| letters.chars().all(|letter| group.contains(letter));
    let group = ["xyz", "abcd", "klmn", "pqrs", "tuvw"].iter().position(|group| is_group(group));
    let is_sorted = letters.as_bytes().is_sorted_by(|one, next| one < next);
    // Three letters in another order may be a word, or the corners of something.
    let is_product = group == Some(0) || group.is_some() && (is_sorted || letters.len() == 2);
    if letters.len() > 1 && !is_product {
        return Err(NOT_MATHS);
    }
    tokens.extend(letters.chars().map(|letter| Token::Name(letter.to_string())));
    Ok(())
}

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
                return Ok(match inner {
                    Said::Many(BARE, parts) => Said::Many(SET, parts),
                    one => Said::Many(SET, vec![one]),
                });
            }
            if reader.take(MATRIX.0) {
                let rows =
                    reader.parted('\\', MATRIX, |reader| reader.parted('&', ROW, Self::item))?;
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
            let (residue, name) = (self.sum()?, first);
            let Expr::Symbol(name) = name else {
                return Err(NOT_MATHS);
            };
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
                (Expr::Symbol(name), said) if !matches!(&said, Said::Value(expr) if letters(expr).contains(name.as_str())) => {
                    self.called(name, said)
                }
                (one, Said::Value(Expr::Symbol(name))) if letters(&one).is_empty() => {
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
        let infinity = || Expr::symbol(INFINITY);
        let bracket =
            |sign: char, open: char, closed: char| if sign == '<' { open } else { closed };
        let interval = |low: Expr, high: Expr, brackets| {
            Said::Many(brackets, vec![Said::Value(low), Said::Value(high)])
        };
        let is_closed = |expr: &Expr| letters(expr).is_empty();
        match (&signs[..], &sides[..]) {
            ([], [one]) => {
                let is_fit = one.infinite().is_some() || !letters(one).contains(INFINITY);
                if is_fit { Ok(Said::Value(one.clone())) } else { Err(NOT_MATHS) }
            }
            (&[sign], [Expr::Symbol(name), bound]) if sign != '≠' && is_closed(bound) => {
                let brackets = ('(', bracket(sign, ')', ']'));
                self.called(name.clone(), interval(infinity().negative(), bound.clone(), brackets))
            }
            (&[sign], [bound, Expr::Symbol(name)]) if sign != '≠' && is_closed(bound) => {
                let brackets = (bracket(sign, '(', '['), ')');
                self.called(name.clone(), interval(bound.clone(), infinity(), brackets))
            }
            (&[sign], [one, other]) => Ok(Said::Relation(sign, one.clone().minus(other.clone()))),
            (&[low @ ('<' | '≤'), high @ ('<' | '≤')], [from, Expr::Symbol(name), to]) => {
                let brackets = (bracket(low, '(', '['), bracket(high, ')', ']'));
                self.called(name.clone(), interval(from.clone(), to.clone(), brackets))
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
        let Expr::Number(base) = self.argument()? else {
            return Err(NOT_MATHS);
        };
        let radix = u32::try_from(base.numerator())
            .ok()
            .filter(|radix| (2..=36).contains(radix))
            .ok_or(NOT_MATHS)?;
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

    fn sum(&mut self) -> Result<Expr, Refusal> {
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
        let mut last = self.peek().cloned();
        let mut factors = vec![self.power()?];
        let mut is_divided = false;
        loop {
            let next = self.peek().cloned();
            if self.take('*') {
                is_divided = false;
                last = self.peek().cloned();
                factors.push(self.factor()?);
            } else if self.take('/') {
                // `a/b/c` has one meaning by convention, `a/b c` has two.
                is_divided = true;
                last = self.peek().cloned();
                let bottom = self.factor()?;
                factors.push(Expr::made(Op::Power, [bottom, Expr::Number(-RBig::ONE)]));
            } else if self.begins_factor() {
                if is_divided || self.is_ambiguous_after(last.as_ref(), factors.last()) {
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
                    && (last != "frac" || factor.is_none_or(|factor| letters(factor).is_empty()))
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
            let number = |number: u8| Expr::Number(number.into());
            if reader.take('%') {
                base = base.over(number(100));
            } else if reader.take('°') {
                base = Expr::made(Op::Product, [base, Expr::symbol("π")]).over(number(180));
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
        let call = |op: Op, argument: &Expr| Expr::made(op, [argument.clone()]);
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
            "log" if self.take('_') => Some(self.argument()?),
            "lg" => Some(Expr::Number(10.into())),
            // Which base it is depends on the author.
            "log" => Some(Expr::symbol("base of log")),
            _ => None,
        };
        let exponent = if self.take('^') { Some(self.argument()?) } else { None };
        if exponent.as_ref().is_some_and(
            |exponent| !matches!(exponent, Expr::Number(number) if *number > RBig::ZERO),
        ) {
            return Err(AMBIGUOUS);
        }
        let x = self.alone(Self::power)?;
        let value = match (name.as_str(), base) {
            ("exp", _) => Expr::made(Op::Power, [Expr::symbol("e"), x]),
            ("sin", _) => call(Op::Sin, &x),
            ("cos", _) => call(Op::Cos, &x),
            ("tan", _) => call(Op::Sin, &x).over(call(Op::Cos, &x)),
            ("cot", _) => call(Op::Cos, &x).over(call(Op::Sin, &x)),
            ("sec", _) => Expr::Number(RBig::ONE).over(call(Op::Cos, &x)),
            ("csc", _) => Expr::Number(RBig::ONE).over(call(Op::Sin, &x)),
            (_, None) => call(Op::Ln, &x),
            (_, Some(base @ Expr::Symbol(_))) if letters(&base).len() == 1 => {
                call(Op::Ln, &x).over(base)
            }
            (_, Some(base)) => call(Op::Ln, &x).over(call(Op::Ln, &base)),
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
        let mut degree = 2;
        if self.take('[') {
            degree = match self.tokens[self.at..] {
                [Token::Number(ref digits, None), Token::Sign(']'), ..] => {
                    digits.parse().unwrap_or(0)
                }
                _ => 0,
            };
            self.at += 2;
        }
        let inner = match self.take('(') {
            _ if !(1..=64).contains(&degree) => return Err(NOT_MATHS),
            true => self.within(')')?,
            false => self.argument()?,
        };
        Ok(Expr::made(Op::Root(degree), [inner]))
    }

    /// The argument of a command: a group, or one character, as in `\frac12`.
    fn argument(&mut self) -> Result<Expr, Refusal> {
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

fn decimal(whole: &str, places: Option<&str>) -> Expr {
    let places = places.unwrap_or_default();
    let digits = IBig::from_str_radix(&format!("0{whole}{places}"), 10);
    let number = digits.expect("the lexer takes digits only");
    Expr::Number(RBig::from_parts(number, UBig::from(10_u8).pow(places.len())))
}
