//! The reader.

use std::collections::BTreeMap;
use std::fmt;

use super::{DEPTH, DIGITS, Int, Json, Object};

/// Which texts count as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// What Python's `json.loads` takes: also `NaN`, `Infinity`, `-Infinity` and numbers too large for a float; of equal
    /// keys the last value holds, in the first one's place; no raw control characters in strings. A lone surrogate,
    /// which Python keeps, becomes U+FFFD.
    Python,
    /// The standard, unambiguously: equal keys, lone surrogates and numbers beyond a float are refused. Raw line breaks
    /// and tabs in strings are let through and reported in [`Eased`], because their meaning is plain.
    Strict,
    /// What models write for JSON: also single quotes, keys without quotes, a comma before the closing bracket, control characters in
    /// strings, and Python's words. A backslash before a character that needs none is left out. Of equal keys the last value holds.
    Loose,
}

/// What the strict dialect let through although the standard does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Eased {
    /// A line break or tab stood in a string as it is, not as `\n` or `\t`.
    pub raw_breaks: bool,
}

/// A value at the beginning of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Prefix {
    pub value: Json,
    /// Where it ends, in bytes.
    pub end: usize,
    pub eased: Eased,
}

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at byte {at}")]
pub struct JsonError {
    /// Bytes from the beginning of the text.
    pub at: usize,
    pub problem: Problem,
}

/// What can be wrong with JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// The text ends in the middle of a value.
    Ended,
    /// Something stands where a value should.
    NoValue,
    /// Something stands where a key, in double quotes, should.
    NoKey,
    /// Something stands where a colon should.
    NoColon,
    /// Something stands where a comma or the closing bracket should.
    NoComma,
    /// A control character stands in a string as it is.
    RawControl,
    /// A backslash with something that is no escape.
    BadEscape,
    /// Half of a surrogate pair (strict only).
    LoneSurrogate,
    /// A key stands twice in one object (strict only).
    SameKey,
    /// A number that a float cannot hold (strict only), or a whole number of more than [`DIGITS`] digits.
    NumberTooLarge,
    /// More than [`DEPTH`] lists and objects are open.
    TooDeep,
    /// Something follows after the value.
    More,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::Ended => "the text ends too early",
            Problem::NoValue => "a value is missing",
            Problem::NoKey => "a key in double quotes is missing",
            Problem::NoColon => "a colon is missing",
            Problem::NoComma => "a comma or a closing bracket is missing",
            Problem::RawControl => "a control character stands unescaped in a string",
            Problem::BadEscape => "a backslash is not followed by an escape",
            Problem::LoneSurrogate => "an escape is half of a surrogate pair",
            Problem::SameKey => "a key stands twice in one object",
            Problem::NumberTooLarge => "a number is too large",
            Problem::TooDeep => "lists and objects are nested too deeply",
            Problem::More => "something follows after the value",
        })
    }
}

/// Reads a text that is one JSON value, with white space around it at most.
pub fn parse(text: &str, dialect: Dialect) -> Result<Json, JsonError> {
    let mut reader = Reader::new(text, dialect);
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.at < text.len() {
        return Err(reader.wrong(Problem::More));
    }
    Ok(value)
}

/// Reads the value at the beginning of a text, whatever follows it.
pub fn parse_prefix(text: &str, dialect: Dialect) -> Result<Prefix, JsonError> {
    let mut reader = Reader::new(text, dialect);
    let value = reader.value(0)?;
    Ok(Prefix { value, end: reader.at, eased: reader.eased })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    eased: Eased,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, dialect: Dialect) -> Self {
        Reader { text, at: 0, dialect, eased: Eased::default() }
    }

    fn wrong(&self, problem: Problem) -> JsonError {
        JsonError { at: self.at, problem }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The next byte after white space must be this one.
    fn expect(&mut self, byte: u8, problem: Problem) -> Result<(), JsonError> {
        self.skip_space();
        match self.peek() {
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(self.wrong(problem)),
            None => Err(self.wrong(Problem::Ended)),
        }
    }

    fn value(&mut self, open: usize) -> Result<Json, JsonError> {
        self.skip_space();
        match self.peek() {
            None => Err(self.wrong(Problem::Ended)),
            Some(b'{' | b'[') if open == DEPTH => Err(self.wrong(Problem::TooDeep)),
            Some(b'{') => self.object(open + 1).map(Json::Object),
            Some(b'[') => self.list(open + 1).map(Json::List),
            Some(b'"') => self.string(b'"').map(Json::Text),
            Some(b'\'') if self.is_loose() => self.string(b'\'').map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.word(),
        }
    }

    fn is_loose(&self) -> bool {
        self.dialect == Dialect::Loose
    }

    fn word(&mut self) -> Result<Json, JsonError> {
        let (python, loose) = (self.dialect == Dialect::Python, self.is_loose());
        let words = [
            ("null", Json::Null, true),
            ("true", Json::Bool(true), true),
            ("false", Json::Bool(false), true),
            ("NaN", Json::Float(f64::NAN), python),
            ("Infinity", Json::Float(f64::INFINITY), python),
            ("None", Json::Null, loose),
            ("True", Json::Bool(true), loose),
            ("False", Json::Bool(false), loose),
        ];
        for (word, value, known) in words {
            if known && self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.wrong(Problem::NoValue))
    }

    fn number(&mut self) -> Result<Json, JsonError> {
        let bytes = self.text.as_bytes();
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let start = self.at;
        let mut at = start + usize::from(bytes[start] == b'-');
        let whole = at;
        at = if bytes.get(at) == Some(&b'0') { at + 1 } else { digits(at) };
        if at == whole {
            if self.dialect == Dialect::Python && self.text[at..].starts_with("Infinity") {
                self.at = at + "Infinity".len();
                return Ok(Json::Float(f64::NEG_INFINITY));
            }
            return Err(self.wrong(Problem::NoValue));
        }
        let end_of_whole = at;
        if bytes.get(at) == Some(&b'.') && digits(at + 1) > at + 1 {
            at = digits(at + 1);
        }
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            let first = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            if digits(first) > first {
                at = digits(first);
            }
        }
        let literal = &self.text[start..at];
        if at == end_of_whole {
            if at - whole > DIGITS {
                return Err(self.wrong(Problem::NumberTooLarge));
            }
            self.at = at;
            return Ok(Json::Int(Int::from_digits(literal)));
        }
        let number: f64 = literal.parse().map_err(|_| self.wrong(Problem::NoValue))?;
        if self.dialect != Dialect::Python && !number.is_finite() {
            return Err(self.wrong(Problem::NumberTooLarge));
        }
        self.at = at;
        Ok(Json::Float(number))
    }

    fn list(&mut self, open: usize) -> Result<Vec<Json>, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items);
        }
        loop {
            items.push(self.value(open)?);
            self.skip_space();
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(items);
            }
            self.expect(b',', Problem::NoComma)?;
            if self.ends_after_comma(b']') {
                return Ok(items);
            }
        }
    }

    /// Whether the list or object is closed right behind a comma, where that is let through.
    fn ends_after_comma(&mut self, close: u8) -> bool {
        self.skip_space();
        let ends = self.is_loose() && self.peek() == Some(close);
        self.at += usize::from(ends);
        ends
    }

    fn object(&mut self, open: usize) -> Result<Object, JsonError> {
        self.at += 1;
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Object(members));
        }
        loop {
            self.skip_space();
            let key_at = self.at;
            let key = match self.peek() {
                Some(b'"') => self.string(b'"')?,
                Some(b'\'') if self.is_loose() => self.string(b'\'')?,
                Some(_) if self.is_loose() => self.bare_key()?,
                Some(_) => return Err(self.wrong(Problem::NoKey)),
                None => return Err(self.wrong(Problem::Ended)),
            };
            self.expect(b':', Problem::NoColon)?;
            let value = self.value(open)?;
            match places.get(&key) {
                Some(_) if self.dialect == Dialect::Strict => {
                    return Err(JsonError { at: key_at, problem: Problem::SameKey });
                }
                Some(&place) => members[place].1 = value,
                None => {
                    places.insert(key.clone(), members.len());
                    members.push((key, value));
                }
            }
            self.skip_space();
            if self.peek() == Some(b'}') {
                self.at += 1;
                return Ok(Object(members));
            }
            self.expect(b',', Problem::NoComma)?;
            if self.ends_after_comma(b'}') {
                return Ok(Object(members));
            }
        }
    }

    fn bare_key(&mut self) -> Result<String, JsonError> {
        let rest = &self.text[self.at..];
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let key = &rest[..rest.find(|character| !is_part(character)).unwrap_or(rest.len())];
        if key.is_empty() {
            return Err(self.wrong(Problem::NoKey));
        }
        self.at += key.len();
        Ok(key.to_owned())
    }

    fn string(&mut self, quote: u8) -> Result<String, JsonError> {
        let (strict, loose) = (self.dialect == Dialect::Strict, self.is_loose());
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .find(|character: char| {
                    character == char::from(quote) || character == '\\' || character < ' '
                })
                .unwrap_or(rest.len());
            out.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                None => return Err(self.wrong(Problem::Ended)),
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => match self.escape() {
                    Err(bad) if loose && bad.problem == Problem::BadEscape => {
                        let plain = self.text[self.at + 1..].chars().next();
                        self.at += 1 + plain.map_or(0, char::len_utf8);
                        out.extend(plain);
                    }
                    read => out.push(read?),
                },
                Some(byte) if loose || strict && matches!(byte, b'\n' | b'\r' | b'\t') => {
                    self.eased.raw_breaks = true;
                    out.push(char::from(byte));
                    self.at += 1;
                }
                Some(_) => return Err(self.wrong(Problem::RawControl)),
            }
        }
    }

    /// Stands on a backslash; reads one character, which may take two escapes.
    fn escape(&mut self) -> Result<char, JsonError> {
        let simple = match self.text.as_bytes().get(self.at + 1) {
            None => return Err(self.wrong(Problem::Ended)),
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            Some(_) => return Err(self.wrong(Problem::BadEscape)),
        };
        self.at += 2;
        Ok(simple)
    }

    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let Some(first) = self.code_unit(self.at) else {
            return Err(self.wrong(Problem::BadEscape));
        };
        let second = match first {
            0xd800..=0xdbff => self.code_unit(self.at + 6),
            _ => None,
        };
        if let Some(second @ 0xdc00..=0xdfff) = second {
            self.at += 12;
            let code = 0x10000 + (u32::from(first - 0xd800) << 10) + u32::from(second - 0xdc00);
            return Ok(char::from_u32(code).expect("a surrogate pair is a character"));
        }
        match char::from_u32(u32::from(first)) {
            None if self.dialect == Dialect::Strict => Err(self.wrong(Problem::LoneSurrogate)),
            character => {
                self.at += 6;
                Ok(character.unwrap_or(char::REPLACEMENT_CHARACTER))
            }
        }
    }

    /// The number in `\uXXXX` at a place, if that is what stands there.
    fn code_unit(&self, at: usize) -> Option<u16> {
        let digits = self.text.get(at..at + 6)?.strip_prefix("\\u")?;
        let all_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        all_hex.then(|| u16::from_str_radix(digits, 16).ok())?
    }
}
