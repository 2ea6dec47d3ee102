//! Server-sent events: bytes in, the data of whole events out.

/// Reads a stream of events that arrives in pieces of any size.
#[derive(Debug, Default)]
pub struct Events {
    /// Bytes of a line that is not whole yet.
    line: Vec<u8>,
    /// The data of the event that is not whole yet.
    data: Option<String>,
}

impl Events {
    /// Takes further bytes and returns the data of the events that are whole now. Bytes that are not UTF-8 become U+FFFD.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut whole = Vec::new();
        for byte in bytes {
            if *byte != b'\n' {
                self.line.push(*byte);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = String::from_utf8_lossy(&line);
            self.take_line(line.trim_end_matches('\r'), &mut whole);
        }
        whole
    }

    fn take_line(&mut self, line: &str, whole: &mut Vec<String>) {
        if line.is_empty() {
            whole.extend(self.data.take());
            return;
        }
        // Comments, names, ids and waits are of no use here.
        if let Some(data) = line.strip_prefix("data:") {
            let data = data.strip_prefix(' ').unwrap_or(data);
            match &mut self.data {
                Some(before) => {
                    before.push('\n');
                    before.push_str(data);
                }
                None => self.data = Some(data.to_owned()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
        let stream = ": hello\r\ndata: {\"a\":\"问题é\"}\r\n\r\nevent: x\ndata:1\ndata:  2\n\n\n\nid: 3\n\ndata: [DONE]\n\n";
        let expected = ["{\"a\":\"问题é\"}", "1\n 2", "[DONE]"];
        for size in 1..stream.len() {
            let mut events = Events::default();
            let found: Vec<_> = stream
                .as_bytes()
                .chunks(size)
                .flat_map(|chunk| events.feed(chunk))
                .collect();
            assert_eq!(found, expected, "in pieces of {size}");
        }
    }

    #[test]
    fn an_event_without_its_empty_line_is_not_whole() {
        let mut events = Events::default();
        assert!(events.feed(b"data: 1\n").is_empty());
        assert!(events.feed(b"data: [DONE]").is_empty());
    }
}
