//! The order in which people sort texts.

use std::cmp::Ordering;

/// Texts as people sort them: runs of digits by their value.
pub fn natural(one: &str, other: &str) -> Ordering {
    let (mut one_rest, mut other_rest) = (one, other);
    loop {
        let (a, b) = (chunk(one_rest), chunk(other_rest));
        match (a.is_empty(), b.is_empty()) {
            (true, true) => return one.cmp(other),
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        let ordering = if is_digits(a) && is_digits(b) {
            let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
            a.len().cmp(&b.len()).then_with(|| a.cmp(b))
        } else {
            a.cmp(b)
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
        one_rest = &one_rest[a.len()..];
        other_rest = &other_rest[b.len()..];
    }
}

/// Bytes that are ordered as [`natural`] orders texts; texts that differ only in zeros before a number have the same.
pub fn natural_key(text: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(text.len() + 4);
    write_key(text, &mut key);
    key
}

/// The keys ([`natural_key`]) of many texts, which are compared many times.
#[derive(Debug, Clone, Default)]
pub struct NaturalKeys {
    /// One key after the other.
    bytes: Vec<u8>,
    keys: Vec<KeyAt>,
}

#[derive(Debug, Clone, Copy)]
struct KeyAt {
    /// Its first bytes as a number, which decide most comparisons.
    head: u64,
    start: usize,
    end: usize,
}

impl NaturalKeys {
    pub fn push(&mut self, text: &str) {
        let start = self.bytes.len();
        write_key(text, &mut self.bytes);
        let mut head = [0; 8];
        for (first, byte) in head.iter_mut().zip(&self.bytes[start..]) {
            *first = *byte;
        }
        self.keys.push(KeyAt { head: u64::from_be_bytes(head), start, end: self.bytes.len() });
    }

    /// Compares two of the texts, by the order in which they came.
    ///
    /// # Panics
    /// If one of them has not come.
    pub fn compare(&self, one: usize, other: usize) -> Ordering {
        let (one, other) = (self.keys[one], self.keys[other]);
        let whole = |key: KeyAt| &self.bytes[key.start..key.end];
        let heads = one.head.cmp(&other.head);
        heads.then_with(|| whole(one).cmp(whole(other)))
    }
}

fn write_key(text: &str, key: &mut Vec<u8>) {
    let mut rest = text;
    while !rest.is_empty() {
        let part = chunk(rest);
        if is_digits(part) {
            let value = part.trim_start_matches('0');
            // A number stands among texts by its first sign, among numbers by how many it has.
            key.push(b'0');
            key.extend(u32::try_from(value.len()).unwrap_or(u32::MAX).to_be_bytes());
            key.extend(value.bytes());
        } else {
            key.extend(part.bytes());
            // A text that ends comes before one that goes on.
            key.push(0);
        }
        rest = &rest[part.len()..];
    }
}

/// The first run of digits or of other signs. Digits are single bytes, so a run ends where a sign ends.
fn chunk(text: &str) -> &str {
    let digits = is_digits(text);
    let end = text.bytes().position(|byte| byte.is_ascii_digit() != digits).unwrap_or(text.len());
    &text[..end]
}

fn is_digits(text: &str) -> bool {
    text.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_texts_are_sorted_by_their_value() {
        assert_eq!(natural("a2b", "a10b"), Ordering::Less);
        assert_eq!(natural("a", "a1"), Ordering::Less);
        assert_eq!(natural("x01", "x1"), "x01".cmp("x1"), "equal values by their text");
        assert_eq!(natural("问题9", "问题10"), Ordering::Less);
    }

    #[test]
    fn the_keys_of_ids_are_ordered_as_the_ids() {
        let ids = [
            "",
            "1",
            "2",
            "9",
            "10",
            "010",
            "99999999999999999999",
            "a",
            "a-",
            "a1",
            "a-1",
            "a2b",
            "a10b",
            "ab",
            "ab1",
            "ab-",
            "abc",
            "t1-h2",
            "t1-h11",
            "t10-h1",
            "x01",
            "x1",
            "问题9",
            "问题10",
            "7-k10",
            "7-k5",
        ];
        let mut keys = NaturalKeys::default();
        for id in ids {
            keys.push(id);
        }
        for (place, one) in ids.into_iter().enumerate() {
            for (other_place, other) in ids.into_iter().enumerate() {
                let by_key = natural_key(one).cmp(&natural_key(other));
                assert_eq!(keys.compare(place, other_place), by_key, "{one:?} and {other:?}");
                let by_key = by_key.then_with(|| one.cmp(other));
                assert_eq!(by_key, natural(one, other), "{one:?} and {other:?}");
            }
        }
    }
}
