//! Reading an answer as mathematics: the LaTeX that answers use, and the same in plain text.
//!
//! The reader refuses whatever two people could read in two ways (`1/2x`, `f(2x)`, `3 4`, `AB`):
//! what it accepts has one meaning.

use dashu_int::IBig;
use dashu_ratio::RBig;

/// The longest answer that is read, in bytes; longer ones go to the grader.
const MOST_BYTES: usize = 2_000;
/// Nesting that is read.
const MOST_DEPTH: usize = 40;

/// An expression with one meaning.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Number(RBig),
    Symbol(String),
    Pi,
    E,
    Neg(Box<Expr>),
    Sum(Vec<Expr>),
    Product(Vec<Expr>),
    Quotient(Box<Expr>, Box<Expr>),
    Power(Box<Expr>, Box<Expr>),
    Root(u32, Box<Expr>),
    Factorial(Box<Expr>),
    Binomial(Box<Expr>, Box<Expr>),
    Call(Function, Box<Expr>),
}

impl Expr {
    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Number(_) | Expr::Symbol(_) | Expr::Pi | Expr::E => Vec::new(),
            Expr::Neg(one) | Expr::Root(_, one) | Expr::Factorial(one) | Expr::Call(_, one) => {
                vec![one]
            }
            Expr::Sum(parts) | Expr::Product(parts) => parts.iter().collect(),
            Expr::Quotient(one, other) | Expr::Power(one, other) | Expr::Binomial(one, other) => {
                vec![one, other]
            }
        }
    }
}

/// A function that is known by name. Not `log`, whose base depends on the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Exp,
    Ln,
    Sin,
    Cos,
    Tan,
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    Value(Expr),
    /// A tuple or an interval, by its brackets.
    Tuple {
        brackets: (char, char),
        parts: Vec<Expr>,
    },
}

/// An answer and how its numbers are written.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub said: Said,
    /// Decimal places, where it is one decimal number and nothing else.
    pub places: Option<usize>,
    /// Whether a decimal number stands anywhere in it.
    pub has_decimals: bool,
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
    Letter(char),
    /// A command, function or Greek letter.
    Name(String),
    Sign(char),
}

/// Names with a meaning of their own.
const NAMES: [&str; 9] = [
    "frac", "binom", "sqrt", "pi", "exp", "ln", "sin", "cos", "tan",
];
const GREEK: &str = " alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi rho sigma tau \
                     phi varphi chi psi omega Gamma Delta Theta Lambda Sigma Phi Psi Omega ";

/// Reads a tidy answer.
///
/// # Errors
/// Why it is not read.
pub fn read(text: &str) -> Result<Read, Refusal> {
    if text.len() > MOST_BYTES {
        return Err("it is too long");
    }
    let tokens = tokens(text)?;
    let is_decimal = |token: &Token| matches!(token, Token::Number(_, Some(_)));
    let has_decimals = tokens.iter().any(is_decimal);
    let places = match &tokens[..] {
        [Token::Number(_, places)] | [Token::Sign('-' | '+'), Token::Number(_, places)] => {
            places.as_ref().map(String::len)
        }
        _ => None,
    };
    let said = Reader {
        tokens,
        at: 0,
        depth: 0,
    }
    .whole()?;
    Ok(Read {
        said,
        places,
        has_decimals,
    })
}

fn tokens(text: &str) -> Result<Vec<Token>, Refusal> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut rest, mut brackets) = (text, 0_i32);
    while let Some(char) = rest.chars().next() {
        let after = &rest[char.len_utf8()..];
        let run = |text: &str| text.bytes().take_while(u8::is_ascii_alphabetic).count();
        rest = match char {
            _ if char.is_whitespace() || char == '~' => after,
            '0'..='9' | '.' => number(rest, brackets > 0, &mut tokens)?,
            'a'..='z' | 'A'..='Z' => {
                let (letters, after) = rest.split_at(run(rest));
                word(letters, &mut tokens)?;
                after
            }
            '\\' => {
                // A command without a name is a space.
                let (name, after) = after.split_at(run(after));
                if name.is_empty() {
                    after
                        .strip_prefix([',', ';', ':', '!', ' '])
                        .ok_or(NOT_MATHS)?
                } else {
                    tokens.extend(command(name)?);
                    after
                }
            }
            _ => {
                tokens.push(match char {
                    '(' | ')' | '[' | ']' | '{' | '}' | '^' | '_' | '!' | '+' | '-' | '*' | '/'
                    | ',' | '<' | '≤' => {
                        brackets += i32::from("([".contains(char)) - i32::from(")]".contains(char));
                        Token::Sign(char)
                    }
                    '−' | '–' => Token::Sign('-'),
                    '×' | '·' | '⋅' => Token::Sign('*'),
                    'π' => Token::Name("pi".to_owned()),
                    _ => return Err(NOT_MATHS),
                });
                after
            }
        };
    }
    Ok(tokens)
}

fn command(name: &str) -> Result<Option<Token>, Refusal> {
    Ok(Some(match name {
        "left" | "right" | "quad" | "displaystyle" => return Ok(None),
        "cdot" | "times" => Token::Sign('*'),
        "div" => Token::Sign('/'),
        "lt" => Token::Sign('<'),
        "le" | "leq" => Token::Sign('≤'),
        "dfrac" | "tfrac" => Token::Name("frac".to_owned()),
        "dbinom" | "tbinom" => Token::Name("binom".to_owned()),
        _ if NAMES.contains(&name) || GREEK.contains(&format!(" {name} ")) => {
            Token::Name(name.to_owned())
        }
        _ => return Err(NOT_MATHS),
    }))
}

/// A number. Groups of three may be parted by a comma, `{,}` or `\,`; within brackets a comma parts values.
fn number<'a>(text: &'a str, within: bool, tokens: &mut Vec<Token>) -> Result<&'a str, Refusal> {
    let digits = |text: &'a str| text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
    let (first, mut rest) = digits(text);
    let mut whole = first.to_owned();
    let marks: &[&str] = if within {
        &["{,}", "\\,"]
    } else {
        &["{,}", "\\,", ","]
    };
    while let Some(after) = marks.iter().find_map(|mark| rest.strip_prefix(mark)) {
        let (group, after) = digits(after);
        if group.is_empty() && rest.starts_with("\\,") {
            break;
        }
        if group.len() != 3 || first.len() > 3 || first.starts_with('0') {
            return Err(AMBIGUOUS);
        }
        whole.push_str(group);
        rest = after;
    }
    let Some(after) = rest.strip_prefix('.') else {
        tokens.push(Token::Number(whole, None));
        return Ok(rest);
    };
    let (places, after) = digits(after);
    if after.starts_with('.') || whole.is_empty() && places.is_empty() {
        return Err(NOT_MATHS);
    }
    tokens.push(Token::Number(whole, Some(places.to_owned())));
    Ok(after)
}

/// Letters without anything between them: a known name, one letter, or a few letters of one group in the order of the alphabet,
/// such as `xy`. Words are refused: letters in another order would be another word and the same product.
fn word(letters: &str, tokens: &mut Vec<Token>) -> Result<(), Refusal> {
    if NAMES[2..].contains(&letters) {
        tokens.push(Token::Name(letters.to_owned()));
        return Ok(());
    }
    let is_group = ["abcd", "klmn", "pqrs", "tuvw", "xyz"]
        .iter()
        .any(|group| letters.chars().all(|letter| group.contains(letter)));
    let is_sorted = letters.as_bytes().is_sorted_by(|one, next| one < next);
    if letters.len() > 1 && !(is_group && is_sorted) {
        return Err(NOT_MATHS);
    }
    tokens.extend(letters.chars().map(Token::Letter));
    Ok(())
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

fn negative(is_negative: bool, expr: Expr) -> Expr {
    if is_negative {
        Expr::Neg(Box::new(expr))
    } else {
        expr
    }
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

    fn whole(mut self) -> Result<Said, Refusal> {
        let open = match self.peek() {
            Some(Token::Sign(open @ ('(' | '['))) if self.has_comma_in_bracket() => *open,
            _ => return self.value_or_chain(),
        };
        self.at += 1;
        let mut parts = vec![self.sum()?];
        while self.take(',') {
            parts.push(self.sum()?);
        }
        match self.tokens[self.at..] {
            [Token::Sign(close @ (')' | ']'))] => Ok(Said::Tuple {
                brackets: (open, close),
                parts,
            }),
            [] => Err(UNCLOSED),
            _ => Err(NOT_MATHS),
        }
    }

    /// A value, or two bounds around a letter, which is an interval.
    fn value_or_chain(&mut self) -> Result<Said, Refusal> {
        let mut sides = vec![self.sum()?];
        let mut brackets = Vec::new();
        while let Some(Token::Sign(sign @ ('<' | '≤'))) = self.peek() {
            brackets.push(match (sign, brackets.len()) {
                ('<', 0) => '(',
                ('<', _) => ')',
                (_, 0) => '[',
                _ => ']',
            });
            self.at += 1;
            sides.push(self.sum()?);
        }
        match (&brackets[..], self.at == self.tokens.len()) {
            ([], true) => Ok(Said::Value(sides.remove(0))),
            (&[low, high], true) if matches!(sides[1], Expr::Symbol(_)) => {
                sides.remove(1);
                Ok(Said::Tuple {
                    brackets: (low, high),
                    parts: sides,
                })
            }
            _ => Err(NOT_MATHS),
        }
    }

    /// Whether a sign stands in the bracket that opens here, and in none within it.
    fn in_bracket(&self, signs: &[char]) -> bool {
        let mut depth = 0;
        for token in &self.tokens[self.at..] {
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') => depth -= 1,
                Token::Sign(sign) if depth == 1 && signs.contains(sign) => return true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        false
    }

    fn has_comma_in_bracket(&self) -> bool {
        self.in_bracket(&[','])
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
                terms.push(negative(is_negative, reader.product()?));
            }
            Ok(if terms.len() == 1 {
                terms.remove(0)
            } else {
                Expr::Sum(terms)
            })
        })
    }

    fn product(&mut self) -> Result<Expr, Refusal> {
        let mut product = self.power()?;
        let (mut is_divided, mut divisions) = (false, 0);
        loop {
            let right = if self.take('*') {
                is_divided = false;
                self.factor()?
            } else if self.take('/') {
                // `a/b/c` has one meaning by convention, `a/b c` has two.
                is_divided = true;
                divisions += 1;
                if divisions > MOST_DEPTH {
                    return Err(TOO_DEEP);
                }
                product = Expr::Quotient(Box::new(product), Box::new(self.factor()?));
                continue;
            } else if self.begins_factor() {
                if is_divided || self.is_ambiguous_after(&product) {
                    return Err(AMBIGUOUS);
                }
                self.power()?
            } else {
                return Ok(product);
            };
            match &mut product {
                Expr::Product(factors) => factors.push(right),
                _ => product = Expr::Product(vec![product, right]),
            }
        }
    }

    /// A factor after a written sign, which may have a sign of its own: `2·-3`.
    fn factor(&mut self) -> Result<Expr, Refusal> {
        let is_negative = self.take('-');
        Ok(negative(is_negative, self.power()?))
    }

    fn begins_factor(&self) -> bool {
        match self.peek() {
            Some(Token::Sign(sign)) => "({".contains(*sign),
            other => other.is_some(),
        }
    }

    /// Whether what follows side by side may be something else than a factor.
    fn is_ambiguous_after(&self, product: &Expr) -> bool {
        let last = match product {
            Expr::Product(factors) => factors.last().unwrap_or(product),
            one => one,
        };
        let is_capital = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase());
        match (last, self.peek()) {
            (Expr::Binomial(..) | Expr::Sum(_), Some(Token::Number(..))) => false,
            (Expr::Quotient(..), Some(Token::Number(..))) => super::letters(last).is_empty(),
            (_, Some(Token::Number(..))) => true,
            // Mixed numbers, and decimals with a period: `3\frac{1}{2}`, `0.1(6)`.
            (Expr::Number(_), Some(Token::Name(next))) => next == "frac",
            (Expr::Number(number), Some(Token::Sign('('))) => !number.is_int(),
            // Matrices, sequences, initials.
            (Expr::Symbol(name), Some(Token::Letter(next))) => {
                is_capital(name) && next.is_ascii_uppercase()
            }
            // `n(n+1)` is a product; `f(2x)` may be the value of a function.
            (Expr::Symbol(name), Some(Token::Sign('('))) => {
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
                base = Expr::Factorial(Box::new(base));
            }
            if !reader.take('^') {
                return if reader.is('!') {
                    Err(AMBIGUOUS)
                } else {
                    Ok(base)
                };
            }
            let is_braced = reader.is('{') || reader.is('(');
            let exponent = reader.factor()?;
            if reader.is('!') || (!is_braced && matches!(exponent, Expr::Factorial(_))) {
                return Err(AMBIGUOUS);
            }
            Ok(Expr::Power(Box::new(base), Box::new(exponent)))
        })
    }

    fn atom(&mut self) -> Result<Expr, Refusal> {
        let token = self.peek().cloned().ok_or(UNCLOSED)?;
        self.at += 1;
        match token {
            Token::Number(whole, places) => Ok(decimal(&whole, places.as_deref())),
            Token::Letter('e') if !self.is('_') => Ok(Expr::E),
            Token::Letter(letter) => self.symbol(letter.to_string()),
            Token::Sign('(') => self.within(')'),
            Token::Sign('{') => self.within('}'),
            Token::Name(name) => self.named(name),
            Token::Sign(_) => Err(NOT_MATHS),
        }
    }

    fn within(&mut self, close: char) -> Result<Expr, Refusal> {
        let inner = self.sum()?;
        match self.take(close) {
            true => Ok(inner),
            false => Err(if self.peek().is_none() {
                UNCLOSED
            } else {
                NOT_MATHS
            }),
        }
    }

    /// A letter with its subscript.
    fn symbol(&mut self, mut name: String) -> Result<Expr, Refusal> {
        if self.take('_') {
            name.push('_');
            let is_braced = self.take('{');
            loop {
                match self.peek() {
                    Some(Token::Number(digits, None)) => name.push_str(digits),
                    Some(Token::Letter(letter)) => name.push(*letter),
                    _ => return Err(NOT_MATHS),
                }
                self.at += 1;
                if !is_braced || self.take('}') {
                    break;
                }
            }
        }
        Ok(Expr::Symbol(name))
    }

    fn named(&mut self, name: String) -> Result<Expr, Refusal> {
        let function = match name.as_str() {
            "pi" => return Ok(Expr::Pi),
            "frac" => {
                return Ok(Expr::Quotient(
                    Box::new(self.argument()?),
                    Box::new(self.argument()?),
                ));
            }
            "binom" => {
                return Ok(Expr::Binomial(
                    Box::new(self.argument()?),
                    Box::new(self.argument()?),
                ));
            }
            "sqrt" => return self.root(),
            "exp" => Function::Exp,
            "ln" => Function::Ln,
            "sin" => Function::Sin,
            "cos" => Function::Cos,
            "tan" => Function::Tan,
            _ => return self.symbol(name),
        };
        let argument = match self.take('(') {
            true => self.within(')')?,
            false => {
                // `\sin x`, `\ln 2`: one factor, after which nothing may follow that could belong to it as well.
                let argument = self.power()?;
                if self.begins_factor() || self.is('/') {
                    return Err(AMBIGUOUS);
                }
                argument
            }
        };
        Ok(Expr::Call(function, Box::new(argument)))
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
        Ok(Expr::Root(degree, Box::new(inner)))
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
            Some(Token::Sign('{') | Token::Letter(_) | Token::Name(_)) => reader.atom(),
            _ => Err(NOT_MATHS),
        })
    }
}

fn decimal(whole: &str, places: Option<&str>) -> Expr {
    let places = places.unwrap_or_default();
    let digits = IBig::from_str_radix(&format!("0{whole}{places}"), 10);
    let number = digits.expect("the lexer takes digits only");
    Expr::Number(RBig::from_parts(
        number,
        dashu_int::UBig::from(10_u8).pow(places.len()),
    ))
}
