//! Reading an answer as mathematics: the LaTeX that answers use, and the same in plain text.
//!
//! The reader refuses whatever two people could read in two ways (`1/2x`, `f(2x)`, `3 4`, `AB`): what it accepts has one meaning.

use num_bigint::BigInt;
use num_rational::BigRational;

/// The longest answer that is read, in bytes; longer ones go to the grader.
pub const MOST_BYTES: usize = 2_000;
/// Nesting that is read.
const MOST_DEPTH: usize = 40;

/// An expression with one meaning.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Number(BigRational),
    Symbol(String),
    Pi,
    E,
    Infinity,
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

/// A function that is known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Exp,
    Ln,
    /// Its base depends on the author, so it has no value here.
    Log,
    Sin,
    Cos,
    Tan,
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// One value.
    Value(Expr),
    /// A tuple, an interval, or a set, by its brackets.
    Tuple {
        open: char,
        close: char,
        parts: Vec<Expr>,
    },
}

/// An answer and how its numbers are written.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub said: Said,
    /// Decimal places, where it is one decimal number and nothing else.
    pub places: Option<u32>,
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
    Name(String),
    Sign(char),
}

/// Reads a tidy answer.
///
/// # Errors
/// Why it is not read.
pub fn read(text: &str) -> Result<Read, Refusal> {
    if text.len() > MOST_BYTES {
        return Err("it is too long");
    }
    let tokens = tokens(text)?;
    let has_decimals = tokens
        .iter()
        .any(|token| matches!(token, Token::Number(_, Some(_))));
    let places = match &tokens[..] {
        [Token::Number(_, Some(places))]
        | [Token::Sign('-' | '+'), Token::Number(_, Some(places))] => u32::try_from(places.len()).ok(),
        _ => None,
    };
    let said = Reader { tokens, at: 0, depth: 0 }.whole()?;
    Ok(Read {
        said,
        places,
        has_decimals,
    })
}

fn tokens(text: &str) -> Result<Vec<Token>, Refusal> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut round) = (0, 0_i32);
    while at < chars.len() {
        let char = chars[at];
        at += 1;
        match char {
            ' ' | '\t' | '\n' | '\r' | '~' | '\u{a0}' | '\u{2009}' | '\u{202f}' => {
                // Two numbers side by side are told apart by the parser; nothing else depends on spaces.
            }
            '0'..='9' => {
                at -= 1;
                let (token, next) = number(&chars, at, round > 0)?;
                tokens.push(token);
                at = next;
            }
            '.' if chars.get(at).is_some_and(char::is_ascii_digit) => {
                let (digits, next) = digits(&chars, at);
                tokens.push(Token::Number("0".to_owned(), Some(digits)));
                at = next;
            }
            'a'..='z' | 'A'..='Z' => {
                at -= 1;
                let end = (at..chars.len())
                    .find(|end| !chars[*end].is_ascii_alphabetic())
                    .unwrap_or(chars.len());
                letters(&chars[at..end], &mut tokens)?;
                at = end;
            }
            '\\' => {
                at = command(&chars, at, &mut tokens)?;
                round += match tokens.last() {
                    Some(Token::Name(name)) if name == "lbrace" => 1,
                    Some(Token::Name(name)) if name == "rbrace" => -1,
                    _ => 0,
                };
            }
            '(' | '[' | ')' | ']' | '{' | '}' | '^' | '_' | '!' | '+' | '-' | '*' | '/' | ','
            | '<' => {
                round += match char {
                    '(' | '[' => 1,
                    ')' | ']' => -1,
                    _ => 0,
                };
                tokens.push(Token::Sign(char));
            }
            '−' | '–' => tokens.push(Token::Sign('-')),
            '×' | '·' | '⋅' | '∗' => tokens.push(Token::Sign('*')),
            '÷' => tokens.push(Token::Sign('/')),
            '≤' => tokens.push(Token::Sign('≤')),
            'π' => tokens.push(Token::Name("pi".to_owned())),
            '∞' => tokens.push(Token::Name("infty".to_owned())),
            '√' => tokens.push(Token::Name("sqrt".to_owned())),
            '⁰' | '¹' | '²' | '³' | '⁴' | '⁵' | '⁶' | '⁷' | '⁸' | '⁹' => {
                let raised = |char: &char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|one| one == *char);
                let mut digits = String::new();
                at -= 1;
                while let Some(digit) = chars.get(at).and_then(raised) {
                    digits.push_str(&digit.to_string());
                    at += 1;
                }
                tokens.push(Token::Sign('^'));
                tokens.push(Token::Number(digits, None));
            }
            _ => return Err(NOT_MATHS),
        }
    }
    Ok(tokens)
}

fn digits(chars: &[char], at: usize) -> (String, usize) {
    let digits: String = chars[at..]
        .iter()
        .take_while(|char| char.is_ascii_digit())
        .collect();
    let end = at + digits.len();
    (digits, end)
}

/// A number; groups of three may be parted by a comma, `{,}` or `\,`. Within round and square brackets a comma parts values.
fn number(chars: &[char], at: usize, within: bool) -> Result<(Token, usize), Refusal> {
    let (mut whole, mut at) = digits(chars, at);
    if whole.len() <= 3 && !whole.starts_with('0') {
        loop {
            let starts = |text: &str| text.chars().enumerate().all(|(i, one)| chars.get(at + i) == Some(&one));
            let mark = ["{,}", "\\,", ","].into_iter().find(|mark| starts(mark));
            let Some(mark) = mark.filter(|mark| !(within && *mark == ",")) else {
                break;
            };
            let (group, end) = digits(chars, at + mark.len());
            match group.len() {
                3 => {
                    whole.push_str(&group);
                    at = end;
                }
                _ if mark == "\\," && group.is_empty() => break,
                _ => return Err(AMBIGUOUS),
            }
        }
    }
    if chars.get(at) != Some(&'.') {
        return Ok((Token::Number(whole, None), at));
    }
    let (places, end) = digits(chars, at + 1);
    match chars.get(end) {
        Some('.') => Err(NOT_MATHS),
        _ => Ok((Token::Number(whole, Some(places)), end)),
    }
}

/// Letters without anything between them: a known name, one letter, or a few letters of one group in the order of the alphabet,
/// such as `xy`. Words are refused: letters in another order would be another word and the same product.
fn letters(run: &[char], tokens: &mut Vec<Token>) -> Result<(), Refusal> {
    let name: String = run.iter().collect();
    match name.as_str() {
        "sqrt" | "pi" | "exp" | "ln" | "log" | "sin" | "cos" | "tan" => {
            tokens.push(Token::Name(name));
        }
        _ if run.len() == 1 => tokens.push(Token::Letter(run[0])),
        _ => {
            let groups = ["abcd", "klmn", "pqrs", "tuvw", "xyz"];
            let one = groups.iter().any(|group| run.iter().all(|char| group.contains(*char)));
            if !one || !run.windows(2).all(|pair| pair[0] < pair[1]) {
                return Err(NOT_MATHS);
            }
            tokens.extend(run.iter().map(|char| Token::Letter(*char)));
        }
    }
    Ok(())
}

fn command(chars: &[char], at: usize, tokens: &mut Vec<Token>) -> Result<usize, Refusal> {
    let name: String = chars[at..]
        .iter()
        .take_while(|char| char.is_ascii_alphabetic())
        .collect();
    let mut end = at + name.len();
    match name.as_str() {
        "" => {
            match chars.get(at) {
                Some(',' | ';' | ':' | '!' | ' ') => {}
                Some('{') => tokens.push(Token::Name("lbrace".to_owned())),
                Some('}') => tokens.push(Token::Name("rbrace".to_owned())),
                _ => return Err(NOT_MATHS),
            }
            end += 1;
        }
        "left" | "right" | "big" | "bigl" | "bigr" | "Big" | "Bigl" | "Bigr" | "quad" | "displaystyle" => {}
        "cdot" | "times" | "ast" => tokens.push(Token::Sign('*')),
        "div" => tokens.push(Token::Sign('/')),
        "lt" => tokens.push(Token::Sign('<')),
        "le" | "leq" => tokens.push(Token::Sign('≤')),
        "dfrac" | "tfrac" | "cfrac" => tokens.push(Token::Name("frac".to_owned())),
        "dbinom" | "tbinom" => tokens.push(Token::Name("binom".to_owned())),
        "frac" | "binom" | "sqrt" | "pi" | "exp" | "ln" | "log" | "sin" | "cos" | "tan" | "infty"
        | "lbrace" | "rbrace" | "alpha" | "beta" | "gamma" | "delta" | "epsilon" | "varepsilon"
        | "zeta" | "eta" | "theta" | "iota" | "kappa" | "lambda" | "mu" | "nu" | "xi" | "rho"
        | "sigma" | "tau" | "phi" | "varphi" | "chi" | "psi" | "omega" | "Gamma" | "Delta"
        | "Theta" | "Lambda" | "Sigma" | "Phi" | "Psi" | "Omega" => tokens.push(Token::Name(name)),
        _ => return Err(NOT_MATHS),
    }
    Ok(end)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
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

    fn close(&mut self, sign: char) -> Result<(), Refusal> {
        match self.take(sign) {
            true => Ok(()),
            false if self.peek().is_none() => Err(UNCLOSED),
            false => Err(NOT_MATHS),
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(TOO_DEEP);
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn whole(mut self) -> Result<Said, Refusal> {
        if let Some(tuple) = self.tuple()? {
            return Ok(tuple);
        }
        let first = self.side()?;
        let mut signs = Vec::new();
        let mut sides = vec![first];
        while let Some(Token::Sign(sign @ ('<' | '≤'))) = self.peek().cloned() {
            self.at += 1;
            signs.push(sign);
            sides.push(self.side()?);
        }
        if self.at < self.tokens.len() {
            return Err(NOT_MATHS);
        }
        match (&signs[..], sides.len()) {
            ([], _) => Ok(Said::Value(sides.remove(0))),
            // Two bounds around a letter: an interval.
            ([low, high], 3) if matches!(sides[1], Expr::Symbol(_)) => {
                let (open, close) = (
                    if *low == '<' { '(' } else { '[' },
                    if *high == '<' { ')' } else { ']' },
                );
                sides.remove(1);
                Ok(Said::Tuple { open, close, parts: sides })
            }
            _ => Err(NOT_MATHS),
        }
    }

    /// Values within one pair of brackets around the whole answer, with a comma between them; `None` if it is no such thing.
    fn tuple(&mut self) -> Result<Option<Said>, Refusal> {
        let open = match self.peek() {
            Some(Token::Sign(open @ ('(' | '['))) => *open,
            Some(Token::Name(name)) if name == "lbrace" => '{',
            _ => return Ok(None),
        };
        let mut depth = 0_i32;
        let mut commas = 0;
        for (at, token) in self.tokens.iter().enumerate() {
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Name(name) if name == "lbrace" => depth += 1,
                Token::Sign(')' | ']' | '}') => depth -= 1,
                Token::Name(name) if name == "rbrace" => depth -= 1,
                Token::Sign(',') if depth == 1 => commas += 1,
                _ => {}
            }
            if depth == 0 && at + 1 < self.tokens.len() {
                return Ok(None);
            }
        }
        if commas == 0 && open != '{' {
            return Ok(None);
        }
        self.at += 1;
        let mut parts = vec![self.side()?];
        while self.take(',') {
            parts.push(self.side()?);
        }
        let close = match self.peek() {
            Some(Token::Sign(close @ (')' | ']'))) if open != '{' => *close,
            Some(Token::Name(name)) if name == "rbrace" && open == '{' => '}',
            None => return Err(UNCLOSED),
            _ => return Err(NOT_MATHS),
        };
        self.at += 1;
        match self.at == self.tokens.len() {
            true => Ok(Some(Said::Tuple { open, close, parts })),
            false => Err(NOT_MATHS),
        }
    }

    /// A value, or an infinity as a whole: nothing is computed with it.
    fn side(&mut self) -> Result<Expr, Refusal> {
        let start = self.at;
        let is_negative = self.take('-');
        let _ = !is_negative && self.take('+');
        if self.peek() == Some(&Token::Name("infty".to_owned())) {
            self.at += 1;
            return Ok(match is_negative {
                true => Expr::Neg(Box::new(Expr::Infinity)),
                false => Expr::Infinity,
            });
        }
        self.at = start;
        self.sum()
    }

    fn sum(&mut self) -> Result<Expr, Refusal> {
        self.deeper(|reader| {
            let mut terms = vec![reader.signed_product()?];
            loop {
                if reader.take('+') {
                    terms.push(reader.signed_product()?);
                } else if reader.take('-') {
                    terms.push(Expr::Neg(Box::new(reader.signed_product()?)));
                } else {
                    break;
                }
            }
            Ok(match terms.len() {
                1 => terms.remove(0),
                _ => Expr::Sum(terms),
            })
        })
    }

    fn signed_product(&mut self) -> Result<Expr, Refusal> {
        let is_negative = self.take('-');
        let _ = !is_negative && self.take('+');
        let product = self.product()?;
        Ok(match is_negative {
            true => Expr::Neg(Box::new(product)),
            false => product,
        })
    }

    fn product(&mut self) -> Result<Expr, Refusal> {
        let mut product = self.power()?;
        let mut divided = false;
        loop {
            let right = if self.take('*') {
                divided = false;
                self.factor()?
            } else if self.take('/') {
                // `a/b/c` has one meaning by convention, `a/b c` has two.
                divided = true;
                product = Expr::Quotient(Box::new(product), Box::new(self.factor()?));
                continue;
            } else if self.begins_factor() {
                if divided {
                    return Err(AMBIGUOUS);
                }
                self.check_side_by_side(&product)?;
                self.power()?
            } else {
                return Ok(product);
            };
            product = match product {
                Expr::Product(mut factors) => {
                    factors.push(right);
                    Expr::Product(factors)
                }
                one => Expr::Product(vec![one, right]),
            };
        }
    }

    /// A factor after a written sign, which may have a sign of its own: `2·-3`.
    fn factor(&mut self) -> Result<Expr, Refusal> {
        let is_negative = self.take('-');
        let power = self.power()?;
        Ok(match is_negative {
            true => Expr::Neg(Box::new(power)),
            false => power,
        })
    }

    fn begins_factor(&self) -> bool {
        match self.peek() {
            Some(Token::Number(..) | Token::Letter(_) | Token::Sign('(' | '{')) => true,
            Some(Token::Name(name)) => name != "rbrace" && name != "lbrace" && name != "infty",
            _ => false,
        }
    }

    /// Whether what stands side by side can only be a product.
    fn check_side_by_side(&self, product: &Expr) -> Result<(), Refusal> {
        let last = match product {
            Expr::Product(factors) => factors.last().unwrap_or(product),
            one => one,
        };
        let is_capital = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase());
        match (last, self.peek()) {
            (Expr::Binomial(..) | Expr::Sum(_), Some(Token::Number(..))) => Ok(()),
            (Expr::Quotient(..), Some(Token::Number(..))) if !super::scan_letters(last).is_empty() => Ok(()),
            (_, Some(Token::Number(..))) => Err(AMBIGUOUS),
            // Mixed numbers, and decimals with a period: `3\frac{1}{2}`, `0.1(6)`.
            (Expr::Number(_), Some(Token::Name(next))) if next == "frac" => Err(AMBIGUOUS),
            (Expr::Number(number), Some(Token::Sign('('))) if !number.is_integer() => Err(AMBIGUOUS),
            // Matrices, sequences, initials.
            (Expr::Symbol(name), Some(Token::Letter(next))) if is_capital(name) && next.is_ascii_uppercase() => {
                Err(AMBIGUOUS)
            }
            // `n(n+1)` is a product; `f(2x)` may be the value of a function.
            (Expr::Symbol(name), Some(Token::Sign('('))) if is_capital(name) || !self.next_bracket_has_sum() => {
                Err(AMBIGUOUS)
            }
            (Expr::Symbol(name), Some(Token::Sign('('))) if ["f", "g", "h"].contains(&name.as_str()) => {
                Err(AMBIGUOUS)
            }
            _ => Ok(()),
        }
    }

    fn next_bracket_has_sum(&self) -> bool {
        let mut depth = 0;
        for token in &self.tokens[self.at..] {
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') => depth -= 1,
                Token::Sign('+' | '-') if depth == 1 => return true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        false
    }

    fn power(&mut self) -> Result<Expr, Refusal> {
        self.deeper(|reader| {
            let mut base = reader.atom()?;
            if reader.take('!') {
                base = Expr::Factorial(Box::new(base));
                if reader.is('!') {
                    return Err(AMBIGUOUS);
                }
            }
            if !reader.take('^') {
                return Ok(base);
            }
            let is_braced = reader.is('{') || reader.is('(');
            let is_negative = reader.take('-');
            let exponent = reader.power()?;
            if reader.is('!') || (!is_braced && matches!(exponent, Expr::Factorial(_))) {
                return Err(AMBIGUOUS);
            }
            let exponent = match is_negative {
                true => Expr::Neg(Box::new(exponent)),
                false => exponent,
            };
            Ok(Expr::Power(Box::new(base), Box::new(exponent)))
        })
    }

    fn atom(&mut self) -> Result<Expr, Refusal> {
        let token = self.peek().cloned().ok_or(UNCLOSED)?;
        self.at += 1;
        match token {
            Token::Number(whole, places) => Ok(Expr::Number(decimal(&whole, places.as_deref()))),
            Token::Letter('e') if !self.is('_') => Ok(Expr::E),
            Token::Letter(letter) => self.symbol(letter.to_string()),
            Token::Sign('(') => self.within(')'),
            Token::Sign('{') => self.within('}'),
            Token::Name(name) => self.named(&name),
            Token::Sign(_) => Err(NOT_MATHS),
        }
    }

    fn within(&mut self, close: char) -> Result<Expr, Refusal> {
        let inner = self.sum()?;
        self.close(close)?;
        Ok(inner)
    }

    /// A letter with its subscript.
    fn symbol(&mut self, mut name: String) -> Result<Expr, Refusal> {
        if self.take('_') {
            name.push('_');
            let braced = self.take('{');
            loop {
                match self.peek() {
                    Some(Token::Number(digits, None)) => name.push_str(digits),
                    Some(Token::Letter(letter)) => name.push(*letter),
                    _ => return Err(NOT_MATHS),
                }
                self.at += 1;
                if !braced || self.take('}') {
                    break;
                }
            }
        }
        Ok(Expr::Symbol(name))
    }

    fn named(&mut self, name: &str) -> Result<Expr, Refusal> {
        let function = match name {
            "pi" => return Ok(Expr::Pi),
            "frac" => {
                let (top, bottom) = (self.argument()?, self.argument()?);
                return Ok(Expr::Quotient(Box::new(top), Box::new(bottom)));
            }
            "binom" => {
                let (top, bottom) = (self.argument()?, self.argument()?);
                return Ok(Expr::Binomial(Box::new(top), Box::new(bottom)));
            }
            "sqrt" => {
                let degree = match self.take('[') {
                    false => 2,
                    true => match (self.peek().cloned(), self.tokens.get(self.at + 1)) {
                        (Some(Token::Number(digits, None)), Some(Token::Sign(']'))) => {
                            self.at += 2;
                            let degree = digits.parse().ok().filter(|degree| (1..=64).contains(degree));
                            degree.ok_or(NOT_MATHS)?
                        }
                        _ => return Err(NOT_MATHS),
                    },
                };
                let inner = match self.take('(') {
                    true => self.within(')')?,
                    false => self.argument()?,
                };
                return Ok(Expr::Root(degree, Box::new(inner)));
            }
            "exp" => Function::Exp,
            "ln" => Function::Ln,
            "log" => Function::Log,
            "sin" => Function::Sin,
            "cos" => Function::Cos,
            "tan" => Function::Tan,
            "lbrace" | "rbrace" | "infty" => return Err(NOT_MATHS),
            greek => return self.symbol(greek.to_owned()),
        };
        let power = match self.take('^') {
            false => None,
            true => Some(match self.peek().cloned() {
                // `sin^{-1}` is the inverse for some.
                Some(Token::Number(digits, None)) => {
                    self.at += 1;
                    Expr::Number(decimal(&digits, None))
                }
                _ => return Err(AMBIGUOUS),
            }),
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
        let call = Expr::Call(function, Box::new(argument));
        Ok(match power {
            None => call,
            Some(power) => Expr::Power(Box::new(call), Box::new(power)),
        })
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
                Ok(Expr::Number(decimal(first, None)))
            }
            Some(Token::Sign('{')) | Some(Token::Letter(_)) | Some(Token::Name(_)) => reader.atom(),
            _ => Err(NOT_MATHS),
        })
    }
}

fn decimal(whole: &str, places: Option<&str>) -> BigRational {
    let places = places.unwrap_or_default();
    let digits = BigInt::parse_bytes(format!("{whole}{places}").as_bytes(), 10);
    let scale = u32::try_from(places.len()).expect("an answer has at most two thousand bytes");
    BigRational::new(digits.unwrap_or_default(), BigInt::from(10).pow(scale))
}
