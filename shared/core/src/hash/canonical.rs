//! Canonical JSON, written in one go: each object is put in order where it ends, while it is the last that was written.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// Compact JSON with the keys of every object sorted; of a key that stands twice, the last value.
///
/// # Errors
/// If the value cannot be JSON.
pub fn write(value: &impl Serialize) -> serde_json::Result<String> {
    // Room for most of what is hashed: a receipt, a line of a transcript.
    let (text, entries) = (Vec::with_capacity(1024), Vec::with_capacity(32));
    let sheet = RefCell::new(Sheet { text, entries, objects: Vec::new() });
    value.serialize(&mut Serializer::with_formatter(Pen(&sheet), Order(&sheet)))?;
    Ok(String::from_utf8(sheet.into_inner().text).expect("JSON is written from texts"))
}

/// What is written so far.
struct Sheet {
    text: Vec<u8>,
    /// The entries of all objects that are open, those of the innermost last.
    entries: Vec<Entry>,
    /// For each open object, where its entries begin in `entries`.
    objects: Vec<usize>,
}

/// An entry of an open object, by its places in the text.
#[derive(Clone, Copy)]
struct Entry {
    /// The key's opening quotation mark.
    start: usize,
    /// After the key's closing quotation mark.
    key_end: usize,
    /// After the value.
    end: usize,
}

impl Sheet {
    fn key(&self, entry: Entry) -> &[u8] {
        &self.text[entry.start + 1..entry.key_end - 1]
    }

    /// Puts the innermost object in order and closes it; its last entry is the last that was written.
    fn close(&mut self) {
        let first = self.objects.pop().unwrap_or_default();
        let in_order =
            self.entries[first..].windows(2).all(|pair| self.key(pair[0]) < self.key(pair[1]));
        // Signs that are escaped are sorted as what they stand for.
        let escaped = self.entries[first..].iter().any(|entry| self.key(*entry).contains(&b'\\'));
        if !in_order || escaped {
            self.sort(first);
        }
        self.entries.truncate(first);
    }

    fn sort(&mut self, first: usize) {
        let Some(begin) = self.entries.get(first).map(|entry| entry.start) else {
            return;
        };
        let mut order: Vec<(Cow<'_, [u8]>, Entry)> =
            self.entries[first..].iter().map(|entry| (plain(self.key(*entry)), *entry)).collect();
        order.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut sorted = Vec::with_capacity(self.text.len() - begin);
        for (position, (key, entry)) in order.iter().enumerate() {
            let said_again = order.get(position + 1).is_some_and(|(next, _)| next == key);
            if said_again {
                continue;
            }
            if !sorted.is_empty() {
                sorted.push(b',');
            }
            sorted.extend_from_slice(&self.text[entry.start..entry.end]);
        }
        drop(order);
        self.text.truncate(begin);
        self.text.extend_from_slice(&sorted);
    }
}

/// A key as it is without escapes.
fn plain(key: &[u8]) -> Cow<'_, [u8]> {
    if !key.contains(&b'\\') {
        return key.into();
    }
    let quoted = [b"\"", key, b"\""].concat();
    serde_json::from_slice::<String>(&quoted)
        .expect("a key that was written can be read")
        .into_bytes()
        .into()
}

struct Pen<'a>(&'a RefCell<Sheet>);

impl Write for Pen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.borrow_mut().text.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Watches where objects and their entries begin and end.
struct Order<'a>(&'a RefCell<Sheet>);

impl Formatter for Order<'_> {
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"{")?;
        let sheet = &mut *self.0.borrow_mut();
        sheet.objects.push(sheet.entries.len());
        Ok(())
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        let sheet = &mut *self.0.borrow_mut();
        let start = sheet.text.len();
        sheet.entries.push(Entry { start, key_end: start, end: start });
        Ok(())
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        let sheet = &mut *self.0.borrow_mut();
        if let Some(entry) = sheet.entries.last_mut() {
            entry.key_end = sheet.text.len();
        }
        Ok(())
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        let sheet = &mut *self.0.borrow_mut();
        if let Some(entry) = sheet.entries.last_mut() {
            entry.end = sheet.text.len();
        }
        Ok(())
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.borrow_mut().close();
        writer.write_all(b"}")
    }

    /// As the same number with more digits is written, so that a value and its JSON are written alike.
    fn write_f32<W: ?Sized + Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        self.write_f64(writer, f64::from(value))
    }

    /// JSON that was kept as it came is put in order, too.
    fn write_raw_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let value: Value = serde_json::from_str(fragment)?;
        writer.write_all(write(&value)?.as_bytes())
    }
}
