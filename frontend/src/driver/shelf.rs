//! Transcript lines on their way to the server, without the network: which piece of which episode goes next.
//!
//! Lines of an episode go in order, one piece at a time. An episode that is over goes at once; one that runs waits until
//! enough has come together, or until the driver flushes.

use std::collections::BTreeMap;

use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::MAX_REQUEST_BYTES;

/// A piece is sent when it has so many bytes, even if its episode runs.
const ENOUGH: usize = 128 * 1024;

/// A piece has at most so many bytes, unless a single line is longer.
const MOST: usize = MAX_REQUEST_BYTES - 100_000;

/// See the module's head.
#[derive(Debug, Default)]
pub struct Shelf {
    episodes: BTreeMap<EpisodeKey, Pending>,
}

#[derive(Debug, Default)]
struct Pending {
    /// The number of the first line that the server does not have.
    from: u64,
    /// Lines from there on.
    lines: Vec<String>,
    bytes: usize,
    /// How many of them are on their way.
    flying: usize,
    /// Whether no further lines will come.
    over: bool,
    /// Whether they should go without waiting for more.
    urgent: bool,
}

/// Lines of one episode that should be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Which episode.
    pub episode: EpisodeKey,
    /// The number of the first line, from 0.
    pub from: u64,
    /// The lines, each with its line break.
    pub text: String,
}

impl Shelf {
    /// Further lines of an episode. Lines that are there already are passed over.
    pub fn add(&mut self, episode: &EpisodeKey, from: u64, lines: &[String]) {
        let pending = self
            .episodes
            .entry(episode.clone())
            .or_insert_with(|| Pending {
                from,
                ..Pending::default()
            });
        let next = pending.from + pending.lines.len() as u64;
        let known = usize::try_from(next.saturating_sub(from)).unwrap_or(usize::MAX);
        for line in lines.iter().skip(known) {
            pending.bytes += line.len() + 1;
            pending.lines.push(line.clone());
        }
    }

    /// No further lines will come of this episode for now.
    pub fn ended(&mut self, episode: &EpisodeKey) {
        if let Some(pending) = self.episodes.get_mut(episode) {
            pending.over = true;
        }
    }

    /// Everything that waits should go now.
    pub fn flush(&mut self) {
        for pending in self.episodes.values_mut() {
            pending.urgent = true;
        }
    }

    /// The next piece that should go, if one should; it counts as on its way until told otherwise.
    pub fn next_piece(&mut self) -> Option<Piece> {
        let (episode, pending) = self.episodes.iter_mut().find(|(_, pending)| {
            pending.flying == 0
                && !pending.lines.is_empty()
                && (pending.over || pending.urgent || pending.bytes >= ENOUGH)
        })?;
        let mut text = String::new();
        for line in &pending.lines {
            if !text.is_empty() && text.len() + line.len() + 1 > MOST {
                break;
            }
            text.push_str(line);
            text.push('\n');
            pending.flying += 1;
        }
        Some(Piece {
            episode: episode.clone(),
            from: pending.from,
            text,
        })
    }

    /// The server has so many lines of an episode now.
    pub fn stored(&mut self, episode: &EpisodeKey, lines: u64) {
        let Some(pending) = self.episodes.get_mut(episode) else {
            return;
        };
        let done = usize::try_from(lines.saturating_sub(pending.from)).unwrap_or(usize::MAX);
        let done = done.min(pending.lines.len());
        pending.bytes -= pending.lines[..done]
            .iter()
            .map(|line| line.len() + 1)
            .sum::<usize>();
        pending.lines.drain(..done);
        pending.from += done as u64;
        pending.flying = 0;
        if pending.lines.is_empty() {
            pending.urgent = false;
            if pending.over {
                self.episodes.remove(episode);
            }
        }
    }

    /// The piece did not arrive; it goes again.
    pub fn failed(&mut self, episode: &EpisodeKey) {
        if let Some(pending) = self.episodes.get_mut(episode) {
            pending.flying = 0;
        }
    }

    /// The server will never take this episode; its lines stay in this browser alone.
    pub fn give_up(&mut self, episode: &EpisodeKey) {
        self.episodes.remove(episode);
    }

    /// How many lines the server does not have yet.
    pub fn unstored(&self) -> usize {
        self.episodes
            .values()
            .map(|pending| pending.lines.len())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use turnwise_shared::task::TaskId;

    use super::*;

    fn key(task: &str) -> EpisodeKey {
        EpisodeKey::play(&TaskId(task.to_owned()), 1)
    }

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn an_episode_goes_when_it_is_over_and_in_order() {
        let mut shelf = Shelf::default();
        shelf.add(&key("1"), 0, &lines(&["a", "b"]));
        shelf.add(&key("2"), 0, &lines(&["x"]));
        assert_eq!(shelf.next_piece(), None);
        shelf.ended(&key("2"));
        let piece = shelf.next_piece().unwrap();
        assert_eq!(
            (piece.episode, piece.from, piece.text.as_str()),
            (key("2"), 0, "x\n")
        );
        assert_eq!(
            shelf.next_piece(),
            None,
            "one piece of an episode at a time"
        );
        shelf.stored(&key("2"), 1);
        assert_eq!(shelf.unstored(), 2);
        shelf.flush();
        assert_eq!(shelf.next_piece().unwrap().text, "a\nb\n");
        shelf.add(&key("1"), 2, &lines(&["c"]));
        shelf.stored(&key("1"), 2);
        shelf.ended(&key("1"));
        let piece = shelf.next_piece().unwrap();
        assert_eq!((piece.from, piece.text.as_str()), (2, "c\n"));
        shelf.stored(&key("1"), 3);
        assert_eq!((shelf.unstored(), shelf.next_piece()), (0, None));
    }

    #[test]
    fn a_failed_piece_goes_again_with_what_came_meanwhile() {
        let mut shelf = Shelf::default();
        shelf.add(&key("1"), 4, &lines(&["a"]));
        shelf.flush();
        shelf.next_piece().unwrap();
        shelf.add(&key("1"), 5, &lines(&["b"]));
        shelf.failed(&key("1"));
        let piece = shelf.next_piece().unwrap();
        assert_eq!((piece.from, piece.text.as_str()), (4, "a\nb\n"));
        shelf.stored(&key("1"), 5);
        assert_eq!(shelf.unstored(), 1, "the server took only a part");
    }

    #[test]
    fn long_episodes_go_in_pieces() {
        let mut shelf = Shelf::default();
        let long = "x".repeat(500_000);
        shelf.add(&key("1"), 0, &lines(&[&long, &long, &long]));
        let piece = shelf.next_piece().unwrap();
        assert_eq!(piece.text.lines().count(), 1);
        assert!(piece.text.len() < MAX_REQUEST_BYTES);
        shelf.stored(&key("1"), 1);
        assert_eq!(shelf.next_piece().unwrap().from, 1);
    }
}
