//! Reading a large JSON object entry by entry, so that whoever scrolls or types meanwhile is not held up.

use serde::de::DeserializeOwned;

/// An object of JSON that is read from its beginning to its end.
pub struct Entries {
    bytes: Vec<u8>,
    at: usize,
    /// What may stand where the next entry is looked for.
    next: &'static [u8],
}

/// The text is not the JSON that it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl Entries {
    /// The entries of an object.
    ///
    /// # Errors
    /// If it is none.
    pub fn of(bytes: Vec<u8>) -> Result<Self, Malformed> {
        let mut entries = Entries {
            bytes,
            at: 0,
            next: b"\"}",
        };
        entries.sign(b"{").map(|_| entries)
    }

    /// The next entry; `None` after the last.
    ///
    /// # Errors
    /// If it is of another kind, or the object ends too early.
    pub fn entry<K: DeserializeOwned, V: DeserializeOwned>(
        &mut self,
    ) -> Result<Option<(K, V)>, Malformed> {
        match self.sign(self.next)? {
            b'}' => return Ok(None),
            // It is part of the first name.
            b'"' => self.at -= 1,
            _ => {}
        }
        self.next = b",}";
        let name = self.value()?;
        self.sign(b":")?;
        Ok(Some((name, self.value()?)))
    }

    /// Goes past the next sign, which must be one of these.
    fn sign(&mut self, wanted: &[u8]) -> Result<u8, Malformed> {
        let rest = &self.bytes[self.at..];
        let blank = rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let sign = *rest.get(blank).ok_or(Malformed)?;
        self.at += blank + 1;
        wanted.contains(&sign).then_some(sign).ok_or(Malformed)
    }

    fn value<T: DeserializeOwned>(&mut self) -> Result<T, Malformed> {
        let mut values =
            serde_json::Deserializer::from_slice(&self.bytes[self.at..]).into_iter::<T>();
        let value = values.next().ok_or(Malformed)?.map_err(|_| Malformed)?;
        self.at += values.byte_offset();
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<(String, Vec<u32>)>, Malformed> {
        let mut entries = Entries::of(text.as_bytes().to_vec())?;
        let mut all = Vec::new();
        while let Some(entry) = entries.entry()? {
            all.push(entry);
        }
        Ok(all)
    }

    #[test]
    fn an_object_is_read_entry_by_entry() {
        assert_eq!(all("{}"), Ok(Vec::new()));
        assert_eq!(
            all(" { \"a\\\"b\" : [1, 2] ,\"c\":[]}"),
            Ok(vec![
                ("a\"b".to_owned(), vec![1, 2]),
                ("c".to_owned(), Vec::new())
            ])
        );
    }

    #[test]
    fn what_is_no_such_object_is_refused() {
        for text in [
            "",
            "[]",
            "{",
            "{\"a\":[1]",
            "{\"a\" [1]}",
            "{\"a\":7}",
            "{\"a\":[1] \"b\":[2]",
        ] {
            assert_eq!(all(text), Err(Malformed), "{text}");
        }
    }
}
