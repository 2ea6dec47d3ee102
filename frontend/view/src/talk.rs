//! An episode about one text as a conversation: the text, and a line for every turn with what came back for it.

use turnwise_shared::evidence::ShownResult;
use turnwise_shared::prelude::*;

/// A reply of at most this many characters is shown in the line of its turn.
const SHORT: usize = 24;

/// A scene as a conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Talk {
    /// What the text is, e.g. `Story`.
    pub heading: String,
    /// The text that everything is about.
    pub text: String,
    /// The turns, oldest first.
    pub lines: Vec<Line>,
    /// What was made so far, with what it shows.
    pub picture: Option<(String, PictureRef)>,
    /// What the rules say now.
    pub remark: Option<String>,
    /// How it ended, and the last answer.
    pub end: Option<(String, String)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub kind: TurnKind,
    pub said: String,
    /// What came back, once it has.
    pub came: Option<Observed>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Observed {
    /// A few words, as they are said in a conversation: `no`.
    Word(Tone, String),
    Text(Tone, String),
    Results(Tone, Vec<ShownResult>),
}

impl Talk {
    /// A scene that begins with a text and goes on in turns; `None` for all others.
    pub fn of(scene: &Scene) -> Option<Self> {
        let mut blocks = scene.blocks.iter();
        let Some(Block::Text { heading, text }) = blocks.next() else {
            return None;
        };
        let mut talk = Talk { heading: heading.clone(), text: text.clone(), ..Talk::default() };
        for block in blocks {
            match block {
                Block::Act { kind, text, .. } => {
                    talk.lines.push(Line { kind: *kind, said: text.clone(), came: None })
                }
                Block::Observation { tone, text } => talk.came(Observed::text(*tone, text))?,
                Block::Results { tone, results } => {
                    talk.came(Observed::Results(*tone, results.clone()))?;
                }
                Block::Picture { label, picture } => {
                    talk.picture = Some((label.clone(), *picture));
                }
                Block::Remark { text } => talk.remark = Some(text.clone()),
                Block::End { ending, text } => talk.end = Some((ending.clone(), text.clone())),
                Block::Text { .. } | Block::CardTable(_) | Block::Lanes(_) => return None,
            }
        }
        Some(talk)
    }

    /// Something came back for the last turn; `None` if there was none.
    fn came(&mut self, came: Observed) -> Option<()> {
        let line = self.lines.last_mut()?;
        line.came.is_none().then(|| line.came = Some(came))
    }

    /// How much came back so far.
    pub fn replies(&self) -> usize {
        self.lines.iter().filter(|line| line.came.is_some()).count()
    }
}

impl Observed {
    fn text(tone: Tone, text: &str) -> Self {
        let text = text.trim();
        let is_short = !text.contains('\n') && text.chars().count() <= SHORT;
        match is_short {
            true => Observed::Word(tone, text.to_lowercase()),
            false => Observed::Text(tone, text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::scene::Lanes;
    use turnwise_shared::seat::Seat;

    fn text(text: &str) -> Block {
        Block::Text { heading: "Story".to_owned(), text: text.to_owned() }
    }

    fn act(said: &str) -> Block {
        Block::Act { seat: Seat::new(Seat::PLAYER), kind: TurnKind::Ask, text: said.to_owned() }
    }

    fn came(said: &str) -> Block {
        Block::Observation { tone: Tone::Negative, text: said.to_owned() }
    }

    fn scene(blocks: Vec<Block>) -> Scene {
        Scene { blocks, ..Scene::default() }
    }

    #[test]
    fn every_turn_is_a_line_with_its_reply() {
        let talk = Talk::of(&scene(vec![
            text("A man…"),
            act("Is it a child?"),
            came("NO"),
            act("Is it old?"),
        ]))
        .expect("it is a conversation");
        assert_eq!((talk.lines.len(), talk.replies()), (2, 1));
        let reply = Observed::Word(Tone::Negative, "no".to_owned());
        assert_eq!(talk.lines[0].came, Some(reply));
        assert_eq!(talk.lines[1].came, None);
    }

    #[test]
    fn a_long_reply_stands_below_its_turn() {
        let long = "A reply of more than a few words, as searches give.";
        let all = vec![text("q"), act("look"), came(long)];
        let talk = Talk::of(&scene(all)).expect("it is a conversation");
        let reply = Observed::Text(Tone::Negative, long.to_owned());
        assert_eq!(talk.lines[0].came, Some(reply));
    }

    #[test]
    fn what_is_no_conversation_is_drawn_block_by_block() {
        let lanes = Block::Lanes(Lanes::default());
        for blocks in [
            vec![],
            vec![act("a")],
            vec![text("a"), text("b")],
            vec![text("a"), lanes],
            vec![text("a"), came("no")],
            vec![text("a"), act("b"), came("no"), came("no")],
        ] {
            assert_eq!(Talk::of(&scene(blocks)), None);
        }
    }
}
