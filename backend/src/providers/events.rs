//! Server-sent events: bytes in, whole events out.

use serde::de::IgnoredAny;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty if it has none.
    pub name: String,
    pub data: String,
}

/// Reads a stream of events that arrives in pieces of any size.
#[derive(Debug, Default)]
pub struct Events {
    /// Bytes of a line that is not whole yet.
    line: Vec<u8>,
    /// The line before ended with a carriage return, so a line feed that follows belongs to it.
    after_return: bool,
    name: String,
    /// The data of the event that is not whole yet.
    data: Option<String>,
}

impl Events {
    /// Takes further bytes and returns the events that are whole now. Bytes that are not UTF-8 become U+FFFD.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut whole = Vec::new();
        for byte in bytes {
            let ended = std::mem::replace(&mut self.after_return, *byte == b'\r');
            match *byte {
                b'\n' if ended => {}
                b'\n' | b'\r' => whole.extend(self.end_line()),
                byte => self.line.push(byte),
            }
        }
        whole
    }

    /// The event that lacks its empty line, where the stream came to its end without being cut.
    pub fn last(&mut self) -> Option<Event> {
        self.end_line().or_else(|| self.end_event())
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_start_matches(['\u{feff}', ' ']);
        if line.is_empty() {
            return self.end_event();
        }
        // Comments, ids and waits are of no use here.
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.name = value.to_owned(),
            "data" => match &mut self.data {
                Some(before) => {
                    before.push('\n');
                    before.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // Some services put an error between the events as it is.
            _ if line.starts_with('{') && serde_json::from_str::<IgnoredAny>(line).is_ok() => {
                return Some(Event { name: String::new(), data: line.to_owned() });
            }
            _ => {}
        }
        None
    }

    fn end_event(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let data = self.data.take()?;
        Some(Event { name, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The data of the events of a stream that arrives in pieces of `size` bytes.
    fn data(stream: &str, size: usize) -> Vec<String> {
        let mut events = Events::default();
        let mut found = Vec::new();
        for chunk in stream.as_bytes().chunks(size) {
            found.extend(events.feed(chunk));
        }
        found.into_iter().map(|event| event.data).collect()
    }

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut_and_lines_end() {
        let stream = "\u{feff}: hello\ndata: {\"a\":\"问题é\"}\n\nevent: x\ndata:1\ndata:  2\n\n\n\nid: 3\n\nretry\n:\ndata\n\n\
                      {\"error\": 1}\ndata: [DONE]\n\n";
        let expected = ["{\"a\":\"问题é\"}", "1\n 2", "", "{\"error\": 1}", "[DONE]"];
        for end in ["\n", "\r\n", "\r"] {
            let stream = stream.replace('\n', end);
            for size in 1..stream.len() {
                assert_eq!(data(&stream, size), expected, "{end:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn an_event_has_the_name_that_stands_before_it() {
        let mut events = Events::default();
        let found = events.feed(b"event: error\ndata: 1\n\ndata: 2\n\nevent: lost\n\ndata: 3\n\n");
        let names: Vec<&str> = found.iter().map(|event| event.name.as_str()).collect();
        assert_eq!(names, ["error", "", ""]);
    }

    #[test]
    fn an_event_without_its_empty_line_is_whole_only_at_the_end() {
        let mut events = Events::default();
        assert!(events.feed(b"data: 1\n").is_empty());
        assert_eq!(events.last().map(|event| event.data), Some("1".to_owned()));
        let mut events = Events::default();
        assert!(events.feed(b"data: [DONE]").is_empty());
        let last = events.last().map(|event| event.data);
        assert_eq!(last.as_deref(), Some("[DONE]"));
        assert_eq!(events.last(), None);
    }
}
