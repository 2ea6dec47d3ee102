//! Changes to a page as `bot:asks` proposes them and `bot:likeness` judges them: a closed language, in which each sentence says
//! exactly what becomes of the blocks.

use std::fmt;
use std::str::FromStr;

use turnwise_core::layout::{Block, Colour, Layout};

/// How much of a block's text names it.
const NAME: usize = 40;
const ASKS: &str = "Compared with the target, should I ";

/// What is done to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// Everything, or the block of that name: this many pixels to the right and down.
    Move { what: Option<String>, by: [i32; 2] },
    /// Distances from the upper edge, in percent.
    Spread(u32),
    /// Fonts and sizes, in percent.
    Scale { what: Option<String>, percent: u32 },
    /// Of the page and of all blocks.
    Background(Colour),
}

/// The name of a block.
pub(crate) fn name(block: &Block) -> String {
    let plain = block.text.replace(['“', '”'], "\"");
    plain.chars().take(NAME).collect()
}

impl Change {
    /// Does it. What is not on the page stays undone.
    pub(crate) fn apply(&self, page: &mut Layout) {
        let scaled = |length: u32, percent: u32| length.saturating_mul(percent) / 100;
        let distance = |from: i32, percent: u32| {
            let far = i64::from(from) * i64::from(percent) / 100;
            i32::try_from(far).unwrap_or(from)
        };
        for block in &mut page.blocks {
            match self {
                Change::Move { what, by } if is_meant(what, block) => {
                    block.left = block.left.saturating_add(by[0]);
                    block.top = block.top.saturating_add(by[1]);
                }
                Change::Scale { what, percent } if is_meant(what, block) => {
                    for length in [&mut block.width, &mut block.height, &mut block.font] {
                        *length = scaled(*length, *percent).max(1);
                    }
                }
                Change::Spread(percent) => block.top = distance(block.top, *percent),
                Change::Background(colour) => block.background = *colour,
                _ => {}
            }
        }
    }
}

fn is_meant(what: &Option<String>, block: &Block) -> bool {
    what.as_ref().is_none_or(|what| *what == name(block))
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |what: &Option<String>| match what {
            None => "everything".to_owned(),
            Some(name) => format!("“{name}”"),
        };
        f.write_str(ASKS)?;
        match self {
            Change::Move { what, by: [right, down] } => {
                let (far, way) = match (*right, *down) {
                    (0, down) if down < 0 => (down, "up"),
                    (0, down) => (down, "down"),
                    (right, _) if right < 0 => (right, "left"),
                    (right, _) => (right, "right"),
                };
                write!(f, "move {} {} px {way}", named(what), far.abs())
            }
            Change::Spread(percent) => write!(f, "spread everything to {percent} % down"),
            Change::Scale { what, percent } => write!(f, "resize {} to {percent} %", named(what)),
            Change::Background(colour) => write!(f, "give the page the background {colour}"),
        }?;
        f.write_str("?")
    }
}

impl FromStr for Change {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        read(text.trim()).ok_or(())
    }
}

fn read(text: &str) -> Option<Change> {
    let text = text.strip_prefix(ASKS)?.strip_suffix('?')?;
    let (verb, rest) = text.split_once(' ')?;
    match verb {
        "move" => {
            let (what, rest) = named(rest)?;
            let (far, way) = rest.split_once(" px ")?;
            let far: i32 = far.parse().ok().filter(|far| (0..=10_000).contains(far))?;
            let by = match way {
                "right" => [far, 0],
                "left" => [-far, 0],
                "down" => [0, far],
                "up" => [0, -far],
                _ => return None,
            };
            Some(Change::Move { what, by })
        }
        "resize" => {
            let (what, rest) = named(rest)?;
            let percent = percent(rest.strip_prefix("to ")?.strip_suffix(" %")?)?;
            Some(Change::Scale { what, percent })
        }
        "spread" => {
            let of = rest.strip_prefix("everything to ")?.strip_suffix(" % down")?;
            Some(Change::Spread(percent(of)?))
        }
        "give" => {
            let word = rest.strip_prefix("the page the background ")?;
            Some(Change::Background(colour(word)?))
        }
        _ => None,
    }
}

fn named(rest: &str) -> Option<(Option<String>, &str)> {
    if let Some(rest) = rest.strip_prefix("everything ") {
        return Some((None, rest));
    }
    let (name, rest) = rest.strip_prefix('“')?.split_once("” ")?;
    Some((Some(name.to_owned()), rest))
}

fn percent(word: &str) -> Option<u32> {
    word.parse().ok().filter(|percent| (1..=1_000).contains(percent))
}

fn colour(word: &str) -> Option<Colour> {
    // A layout knows how colours are written.
    let layout: Layout = format!("1x1\n0 0 1 1 1 {word} {word} x").parse().ok()?;
    Some(layout.blocks.first()?.colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_as_it_is_asked() {
        let what = Some("Sign \"in\" now".to_owned());
        for change in [
            Change::Move { what: None, by: [160, 0] },
            Change::Move { what: what.clone(), by: [0, -8] },
            Change::Scale { what, percent: 80 },
            Change::Spread(150),
            Change::Background(Colour([255, 0, 16])),
        ] {
            assert_eq!(change.to_string().parse(), Ok(change.clone()), "{change}");
        }
        for text in ["", "Should I?", "Compared with the target, should I move everything x px up?"]
        {
            assert_eq!(text.parse::<Change>(), Err(()));
        }
    }

    #[test]
    fn a_change_is_done_to_what_it_names() {
        let text = "100x100\n10 20 30 40 16 #000000 #ffffff a\n50 60 7 8 9 #000000 #ffffff b";
        let mut page: Layout = text.parse().expect("two blocks");
        Change::Move { what: Some("b".to_owned()), by: [0, -5] }.apply(&mut page);
        Change::Scale { what: Some("a".to_owned()), percent: 50 }.apply(&mut page);
        Change::Spread(200).apply(&mut page);
        Change::Background(Colour([1, 2, 3])).apply(&mut page);
        let done = "100x100\n10 40 15 20 8 #000000 #010203 a\n50 110 7 8 9 #000000 #010203 b";
        assert_eq!(page.to_string(), done);
    }
}
