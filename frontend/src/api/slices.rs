//! Reading a large JSON object entry by entry while it comes, so that a user who scrolls or types meanwhile is not held up.

use serde::de::DeserializeOwned;

/// An object of JSON that is read from its beginning to its end, as its bytes come in.
#[derive(Debug)]
pub struct Entries {
    /// What has come and was not read yet.
    bytes: Vec<u8>,
    at: usize,
    /// What may stand where the next entry is looked for.
    next: &'static [u8],
}

/// What comes next in an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next<K, V> {
    Entry(K, V),
    /// Only more bytes tell.
    NotHere,
    End,
}

/// The text is not the JSON that it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

/// Why something cannot be read.
enum Not {
    /// It has not come as a whole.
    Here,
    Malformed,
}

impl Default for Entries {
    fn default() -> Self {
        Entries { bytes: Vec::new(), at: 0, next: b"{" }
    }
}

impl Entries {
    /// More of it has come.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// What comes next.
    ///
    /// # Errors
    /// If it is of another kind.
    pub fn next<K: DeserializeOwned, V: DeserializeOwned>(
        &mut self,
    ) -> Result<Next<K, V>, Malformed> {
        // An entry of which a part has not come is read again from here.
        let start = (self.at, self.next);
        self.try_next().or_else(|not| match not {
            Not::Here => {
                (self.at, self.next) = start;
                Ok(Next::NotHere)
            }
            Not::Malformed => Err(Malformed),
        })
    }

    fn try_next<K: DeserializeOwned, V: DeserializeOwned>(&mut self) -> Result<Next<K, V>, Not> {
        if self.next == b"{" {
            self.sign(b"{")?;
            self.next = b"\"}";
        }
        match self.sign(self.next)? {
            b'}' => {
                self.at -= 1;
                self.next = b"}";
                return Ok(Next::End);
            }
            // It is part of the first name.
            b'"' => self.at -= 1,
            _ => {}
        }
        let name = self.value()?;
        self.sign(b":")?;
        let value = self.value()?;
        self.next = b",}";
        Ok(Next::Entry(name, value))
    }

    /// Goes past the next sign, which must be one of these.
    fn sign(&mut self, wanted: &[u8]) -> Result<u8, Not> {
        let rest = &self.bytes[self.at..];
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let sign = *rest.get(blank).ok_or(Not::Here)?;
        self.at += blank + 1;
        wanted.contains(&sign).then_some(sign).ok_or(Not::Malformed)
    }

    fn value<T: DeserializeOwned>(&mut self) -> Result<T, Not> {
        let rest = &self.bytes[self.at..];
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<T>();
        match values.next() {
            // Of a number that ends here more digits may come.
            Some(Ok(value)) if values.byte_offset() < rest.len() => {
                self.at += values.byte_offset();
                Ok(value)
            }
            Some(Err(error)) if !error.is_eof() => Err(Not::Malformed),
            Some(_) | None => Err(Not::Here),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries of a text that comes in pieces of `piece` bytes.
    fn all(text: &str, piece: usize) -> Result<Vec<(String, Vec<u32>)>, Malformed> {
        let mut entries = Entries::default();
        let mut pieces = text.as_bytes().chunks(piece);
        let mut all = Vec::new();
        loop {
            match entries.next()? {
                Next::Entry(name, value) => all.push((name, value)),
                Next::NotHere => entries.feed(pieces.next().ok_or(Malformed)?),
                Next::End => return Ok(all),
            }
        }
    }

    #[test]
    fn an_object_is_read_entry_by_entry() {
        let text = " { \"a\\\"b\" : [1, 2] ,\"c\":[], \"长\":[30]}";
        for piece in 1..=text.len() {
            assert_eq!(all("{}", piece), Ok(Vec::new()));
            assert_eq!(
                all(text, piece),
                Ok(vec![
                    ("a\"b".to_owned(), vec![1, 2]),
                    ("c".to_owned(), Vec::new()),
                    ("长".to_owned(), vec![30])
                ]),
                "in pieces of {piece} bytes"
            );
        }
    }

    #[test]
    fn a_number_may_go_on_in_the_next_piece() {
        let mut entries = Entries::default();
        entries.feed(b"{\"a\":1");
        assert_eq!(entries.next::<String, u32>(), Ok(Next::NotHere));
        entries.feed(b"2}");
        let entry = Next::Entry("a".to_owned(), 12);
        assert_eq!(entries.next::<String, u32>(), Ok(entry));
        assert_eq!(entries.next::<String, u32>(), Ok(Next::End));
        assert_eq!(entries.next::<String, u32>(), Ok(Next::End));
    }

    #[test]
    fn what_is_no_such_object_is_refused() {
        for text in
            ["", "[]", "{", "{\"a\":[1]", "{\"a\" [1]}", "{\"a\":7}", "{\"a\":[1] \"b\":[2]"]
        {
            for piece in [1, 3, 100] {
                assert_eq!(all(text, piece), Err(Malformed), "{text}");
            }
        }
    }
}
