//! Transcript lines on their way to the server, without the network: which piece of which episode goes next.
//!
//! Lines of an episode go in order, one piece at a time. An episode that is over goes at once; one that runs waits until
//! enough has come together, or until the driver flushes. Lines of a grading never arrive before the end of its episode: a page that goes
//! in between would leave a grading of an episode that no page can show.

use turnwise_shared::wire::MAX_REQUEST_BYTES;

use crate::api::Piece;
use crate::prelude::*;

/// A piece is sent when it has this many bytes, even if its episode runs.
const ENOUGH: usize = 128 * 1024;

/// Pieces of one request have together at most this many bytes, unless a single line is longer.
const MOST: usize = MAX_REQUEST_BYTES - 100_000;

#[derive(Debug, Default)]
pub struct Shelf {
    episodes: BTreeMap<EpisodeKey, Pending>,
}

#[derive(Debug, Default)]
struct Pending {
    /// The number of the first line that the server does not have.
    from: u64,
    lines: Vec<String>,
    bytes: usize,
    /// How many of them are on their way.
    flying: usize,
    /// Whether no further lines will come.
    over: bool,
    /// Whether they should go without waiting for more.
    urgent: bool,
}

impl Pending {
    /// Whether a piece of it should go.
    fn is_ready(&self) -> bool {
        self.flying == 0
            && !self.lines.is_empty()
            && (self.over || self.urgent || self.bytes >= ENOUGH)
    }
}

impl Shelf {
    /// Further lines of an episode. Lines that are there already are passed over.
    pub fn add(&mut self, episode: &EpisodeKey, from: u64, lines: &[String]) {
        let pending = self
            .episodes
            .entry(episode.clone())
            .or_insert_with(|| Pending { from, ..Pending::default() });
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

    /// What waits of an episode should go now.
    pub fn hurry(&mut self, episode: &EpisodeKey) {
        if let Some(pending) = self.episodes.get_mut(episode) {
            pending.urgent = !pending.lines.is_empty();
        }
    }

    /// Whether the server has every line of an episode, or will never have more of them.
    pub fn is_stored(&self, episode: &EpisodeKey) -> bool {
        let pending = self.episodes.get(episode);
        pending.is_none_or(|pending| pending.lines.is_empty())
    }

    /// The next pieces that should go in one request, none if nothing should; they count as on their way until reported
    /// otherwise. Together they have at most [`MOST`] bytes, unless a single line is longer.
    pub fn next_pieces(&mut self) -> Vec<Piece> {
        let ready = |part: PartKey| {
            let ready = self
                .episodes
                .iter()
                .filter(move |(episode, pending)| episode.part() == part && pending.is_ready());
            ready.map(|(episode, _)| episode.clone())
        };
        let ready: Vec<_> = ready(PartKey::Play).chain(ready(PartKey::Grading)).collect();
        let mut pieces: Vec<Piece> = Vec::new();
        let mut bytes = 0;
        for episode in ready {
            if episode.part() == PartKey::Grading && !self.goes_first(&episode.its_play(), &pieces)
            {
                continue;
            }
            let Some(pending) = self.episodes.get_mut(&episode) else {
                continue;
            };
            let room = MOST.saturating_sub(bytes);
            if !pieces.is_empty() && pending.bytes.min(ENOUGH) > room {
                break;
            }
            let mut text = String::new();
            for line in &pending.lines {
                if !text.is_empty() && text.len() + line.len() + 1 > room {
                    break;
                }
                text.push_str(line);
                text.push('\n');
                pending.flying += 1;
            }
            bytes += text.len() + Piece::HEAD;
            pieces.push(Piece { episode, from: pending.from, text });
        }
        pieces
    }

    /// Whether the server has a whole episode before it reads what comes after these pieces.
    fn goes_first(&self, play: &EpisodeKey, pieces: &[Piece]) -> bool {
        self.episodes.get(play).is_none_or(|pending| {
            let goes_with_them = || pieces.iter().any(|piece| piece.episode == *play);
            pending.lines.is_empty() || (pending.flying == pending.lines.len() && goes_with_them())
        })
    }

    /// The server has `lines` lines of an episode now.
    pub fn stored(&mut self, episode: &EpisodeKey, lines: u64) {
        let Some(pending) = self.episodes.get_mut(episode) else {
            return;
        };
        let done = usize::try_from(lines.saturating_sub(pending.from)).unwrap_or(usize::MAX);
        let done = done.min(pending.lines.len());
        pending.bytes -= pending.lines[..done].iter().map(|line| line.len() + 1).sum::<usize>();
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

    /// The server will never take this episode; its lines stay in this browser alone.
    pub fn give_up(&mut self, episode: &EpisodeKey) {
        self.episodes.remove(episode);
    }

    /// How many lines the server does not have yet.
    pub fn unstored(&self) -> usize {
        self.episodes.values().map(|pending| pending.lines.len()).sum()
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

    /// The only piece that should go.
    fn only(shelf: &mut Shelf) -> Piece {
        let mut pieces = shelf.next_pieces();
        assert_eq!(pieces.len(), 1);
        pieces.remove(0)
    }

    #[test]
    fn an_episode_goes_when_it_is_over_and_in_order() {
        let mut shelf = Shelf::default();
        shelf.add(&key("1"), 0, &lines(&["a", "b"]));
        shelf.add(&key("2"), 0, &lines(&["x"]));
        assert_eq!(shelf.next_pieces(), []);
        shelf.ended(&key("2"));
        let piece = only(&mut shelf);
        assert_eq!((piece.episode, piece.from, piece.text.as_str()), (key("2"), 0, "x\n"));
        assert_eq!(shelf.next_pieces(), [], "one piece of an episode at a time");
        shelf.stored(&key("2"), 1);
        assert_eq!(shelf.unstored(), 2);
        shelf.flush();
        assert_eq!(only(&mut shelf).text, "a\nb\n");
        shelf.add(&key("1"), 2, &lines(&["c"]));
        shelf.stored(&key("1"), 2);
        shelf.ended(&key("1"));
        let piece = only(&mut shelf);
        assert_eq!((piece.from, piece.text.as_str()), (2, "c\n"));
        shelf.stored(&key("1"), 3);
        assert_eq!((shelf.unstored(), shelf.next_pieces()), (0, vec![]));
    }

    #[test]
    fn a_grading_never_arrives_before_the_end_of_its_play() {
        let mut shelf = Shelf::default();
        let play = key("1");
        shelf.add(&play, 0, &lines(&["a", "b"]));
        shelf.flush();
        only(&mut shelf);
        shelf.add(&play, 2, &lines(&["end"]));
        shelf.ended(&play);
        shelf.add(&play.grading(), 0, &lines(&["x"]));
        shelf.ended(&play.grading());
        assert_eq!(shelf.next_pieces(), [], "the episode is on its way");
        shelf.stored(&play, 2);
        let order: Vec<_> = shelf.next_pieces();
        let order: Vec<_> = order.into_iter().map(|piece| piece.episode).collect();
        assert_eq!(order, [play.clone(), play.grading()]);
        // The server did not take the episode: both go again, in the same order.
        shelf.stored(&play, 2);
        shelf.stored(&play.grading(), 0);
        assert_eq!(shelf.next_pieces().len(), 2);
        shelf.stored(&play, 3);
        shelf.stored(&play.grading(), 0);
        assert_eq!(only(&mut shelf).episode, play.grading());
    }

    #[test]
    fn what_the_server_did_not_take_goes_again() {
        let mut shelf = Shelf::default();
        shelf.add(&key("1"), 4, &lines(&["a", "b"]));
        shelf.flush();
        only(&mut shelf);
        shelf.add(&key("1"), 6, &lines(&["c"]));
        shelf.stored(&key("1"), 5);
        assert_eq!(shelf.unstored(), 2, "the server took only a part");
        let piece = only(&mut shelf);
        assert_eq!((piece.from, piece.text.as_str()), (5, "b\nc\n"));
    }

    #[test]
    fn long_episodes_go_in_pieces() {
        let mut shelf = Shelf::default();
        let long = "x".repeat(500_000);
        shelf.add(&key("1"), 0, &lines(&[&long, &long, &long]));
        let piece = only(&mut shelf);
        assert_eq!(piece.text.lines().count(), 1);
        assert!(piece.text.len() < MAX_REQUEST_BYTES);
        shelf.stored(&key("1"), 1);
        assert_eq!(only(&mut shelf).from, 1);
    }

    #[test]
    fn episodes_go_together_as_far_as_a_request_holds_them() {
        let mut shelf = Shelf::default();
        for episode in 0..40 {
            let key = key(&format!("{episode:02}"));
            shelf.add(&key, 0, &lines(&[&"x".repeat(50_000), "y"]));
            shelf.ended(&key);
        }
        let mut gone = 0;
        for request in 0.. {
            let pieces = shelf.next_pieces();
            if pieces.is_empty() {
                assert_eq!(request, 3);
                break;
            }
            let bytes: usize = pieces.iter().map(Piece::bytes).sum();
            assert!(bytes < MAX_REQUEST_BYTES, "{bytes}");
            gone += pieces.len();
        }
        assert_eq!(gone, 40);
    }
}
