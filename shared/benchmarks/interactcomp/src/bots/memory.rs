//! What a player can read from its memory text (specification 3.5): earlier searches and asks.

/// A result of an earlier search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub title: String,
    pub snippet: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// The results of each search.
    pub searches: Vec<Vec<Seen>>,
    /// Questions to the user and their replies.
    pub asks: Vec<(String, String)>,
}

/// Reads a memory text. Lines that fit no pattern are passed over.
pub fn read(memory: &str) -> Past {
    let mut past = Past::default();
    let mut asking: Option<String> = None;
    for line in memory.lines() {
        if let Some(question) = line.strip_prefix("    Action: ask (question: ") {
            asking = Some(question.trim_end_matches(')').to_owned());
        } else if line.starts_with("    Action: search (") {
            asking = None;
            past.searches.push(Vec::new());
        } else if let Some(observation) = line.strip_prefix("Observation: ") {
            match asking.take() {
                Some(question) => past.asks.push((question, observation.trim().to_owned())),
                None => past.seen(observation),
            }
        } else {
            past.seen(line);
        }
    }
    past
}

impl Past {
    fn seen(&mut self, line: &str) {
        if let (Some(results), Some(seen)) = (self.searches.last_mut(), result(line)) {
            results.push(seen);
        }
    }

    /// Every result once, in the order in which titles were first met.
    pub fn results(&self) -> Vec<&Seen> {
        let mut results: Vec<&Seen> = Vec::new();
        for seen in self.searches.iter().flatten() {
            if !results
                .iter()
                .any(|other| other.title == seen.title && other.snippet == seen.snippet)
            {
                results.push(seen);
            }
        }
        results
    }
}

/// `1. Title — snippet (src: url)`
fn result(line: &str) -> Option<Seen> {
    let (number, rest) = line.split_once(". ")?;
    number.parse::<u32>().ok()?;
    let (title, rest) = rest.split_once(" — ")?;
    let (snippet, _) = rest.rsplit_once(" (src: ")?;
    Some(Seen { title: title.to_owned(), snippet: snippet.to_owned() })
}
