//! Reading a value that Python printed: `{'answer': 1, 'ask': 0}`.

use super::is_space;
use crate::json::{DEPTH, DIGITS, Int, Json, Object};

/// A text that is not a printed dict, list, text, number, `True`, `False` or `None`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a value as Python prints it: {why} at byte {at}")]
pub struct BadLiteral {
    /// Bytes from the beginning of the text.
    pub at: usize,
    pub why: &'static str,
}

/// Reads what [`repr`](super::repr) writes, and white space between the parts; the keys of dicts are texts. Neither
/// tuples nor expressions are read.
pub fn literal(text: &str) -> Result<Json, BadLiteral> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.at < text.len() {
        return Err(reader.wrong("something follows after the value"));
    }
    Ok(value)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, why: &'static str) -> BadLiteral {
        BadLiteral { at: self.at, why }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(is_space).len();
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn value(&mut self, open: usize) -> Result<Json, BadLiteral> {
        self.skip_space();
        if self.rest().starts_with(['{', '[']) && open == DEPTH {
            return Err(self.wrong("lists and dicts are nested too deeply"));
        }
        if self.take("{") {
            return self.dict(open + 1).map(Json::Object);
        }
        if self.take("[") {
            return self.list(open + 1).map(Json::List);
        }
        if self.rest().starts_with(['\'', '"']) {
            return self.quoted().map(Json::Text);
        }
        let words = [
            ("None", Json::Null),
            ("True", Json::Bool(true)),
            ("False", Json::Bool(false)),
            ("nan", Json::Float(f64::NAN)),
            ("inf", Json::Float(f64::INFINITY)),
            ("-inf", Json::Float(f64::NEG_INFINITY)),
        ];
        for (word, value) in words {
            if self.take(word) {
                return Ok(value);
            }
        }
        self.number()
    }

    fn number(&mut self) -> Result<Json, BadLiteral> {
        let rest = self.rest();
        let end = rest
            .find(|character: char| !matches!(character, '0'..='9' | '+' | '-' | '.' | 'e'))
            .unwrap_or(rest.len());
        let literal = &rest[..end];
        let whole = literal.strip_prefix('-').unwrap_or(literal);
        let value = if !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit()) {
            let plain = whole == "0" || !whole.starts_with('0');
            (plain && whole.len() <= DIGITS).then(|| Json::Int(Int::from_digits(literal)))
        } else if whole.starts_with(|first: char| first.is_ascii_digit()) {
            literal.parse().ok().map(Json::Float)
        } else {
            None
        };
        let value = value.ok_or_else(|| self.wrong("a value is missing"))?;
        self.at += end;
        Ok(value)
    }

    fn list(&mut self, open: usize) -> Result<Vec<Json>, BadLiteral> {
        let mut items = Vec::new();
        self.skip_space();
        if self.take("]") {
            return Ok(items);
        }
        loop {
            items.push(self.value(open)?);
            self.skip_space();
            if self.take("]") {
                return Ok(items);
            }
            if !self.take(",") {
                return Err(self.wrong("a comma or the closing bracket is missing"));
            }
        }
    }

    fn dict(&mut self, open: usize) -> Result<Object, BadLiteral> {
        let mut members: Vec<(String, Json)> = Vec::new();
        self.skip_space();
        if self.take("}") {
            return Ok(members.into_iter().collect());
        }
        loop {
            self.skip_space();
            if !self.rest().starts_with(['\'', '"']) {
                return Err(self.wrong("a key in quotes is missing"));
            }
            let key = self.quoted()?;
            self.skip_space();
            if !self.take(":") {
                return Err(self.wrong("a colon is missing"));
            }
            let value = self.value(open)?;
            members.push((key, value));
            self.skip_space();
            if self.take("}") {
                break;
            }
            if !self.take(",") {
                return Err(self.wrong("a comma or the closing bracket is missing"));
            }
        }
        // A printed dict has no key twice; text that only looks like one may.
        let mut keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        if keys.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(self.wrong("a key stands twice"));
        }
        Ok(members.into_iter().collect())
    }

    fn quoted(&mut self) -> Result<String, BadLiteral> {
        let quote = if self.rest().starts_with('"') { '"' } else { '\'' };
        self.at += 1;
        let mut out = String::new();
        loop {
            let mut characters = self.rest().chars();
            match characters.next() {
                None | Some('\n') => return Err(self.wrong("a closing quote is missing")),
                Some(found) if found == quote => {
                    self.at += 1;
                    return Ok(out);
                }
                Some('\\') => out.push(self.escape()?),
                Some(plain) => {
                    out.push(plain);
                    self.at += plain.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, BadLiteral> {
        let after = self.rest()[1..].chars().next();
        let digits = match after {
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            _ => 0,
        };
        if digits > 0 {
            let code = self.text.get(self.at + 2..self.at + 2 + digits);
            let character = code
                .filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
                .and_then(|code| u32::from_str_radix(code, 16).ok())
                .map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            let character =
                character.ok_or_else(|| self.wrong("a backslash is not followed by an escape"))?;
            self.at += 2 + digits;
            return Ok(character);
        }
        let character = match after {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(same @ ('\\' | '\'' | '"')) => same,
            _ => return Err(self.wrong("a backslash is not followed by an escape")),
        };
        self.at += 2;
        Ok(character)
    }
}
