//! Built-in players: rules without keys or network, so that it runs offline. They read the variables of their request and nothing
//! else.

use serde_json::json;
use turnwise_core::benchmark::Prompt;
use turnwise_core::layout::{Block, Colour, Layout};
use turnwise_core::prelude::*;

use crate::change::{Change, name};
use crate::likeness::Likeness;
use crate::prompts::{FINAL, variable};
use crate::reading::{ABSENT, MOST_POINTS, PARTS, Scores};
use crate::settings::{JUDGE, METER, SCORER, SUMMARIZER};
use crate::tasks::field;

pub const BOTS: &[BotInfo] = &[
    BotInfo::new(
        "asks",
        Seat::PLAYER,
        "writes the quoted texts of the description below each other, proposes a change a round, and makes it if the judge says yes",
        |asked| player(asked, true),
    ),
    BotInfo::new(
        "silent",
        Seat::PLAYER,
        "writes the same first page in every round and asks nothing: the floor of the gain",
        |asked| player(asked, false),
    ),
    BotInfo::new(
        "likeness",
        JUDGE,
        "says yes to a proposal of bot:asks that raises the likeness; of other questions it says that it cannot tell",
        judge,
    ),
    BotInfo::new(
        "frozen",
        SUMMARIZER,
        "repeats the description of the task set, and what it leaves out",
        |asked| {
            let (text, omits) =
                (asked.variable(variable::DESCRIPTION), asked.variable(field::OMITS));
            format!("{text}\n\nLEFT OUT:\n{omits}")
        },
    ),
    BotInfo::new(
        "rubric",
        SCORER,
        "derives the five sub-scores from the likeness of both layouts; without a layout of the target it gives none",
        rubric,
    ),
    BotInfo::new(
        "likeness",
        METER,
        "computes the likeness of both layouts",
        |asked| match layouts(asked) {
            Some([target, attempt]) => json!(Likeness::of(&target, &attempt)).to_string(),
            None => ABSENT.to_owned(),
        },
    ),
];

/// Target and attempt; `None` where the target has none.
fn layouts(asked: &Asked<'_>) -> Option<[Layout; 2]> {
    let layout = |name| asked.variable(name).parse().ok();
    Some([layout(variable::TARGET)?, layout(variable::ATTEMPT)?])
}

fn judge(asked: &Asked<'_>) -> String {
    let (Some([target, attempt]), Ok(change)) =
        (layouts(asked), asked.variable(variable::QUESTION).parse::<Change>())
    else {
        return "I cannot tell.".to_owned();
    };
    let mut changed = attempt.clone();
    change.apply(&mut changed);
    let likeness = |page: &Layout| Likeness::of(&target, page).likeness;
    if likeness(&changed) > likeness(&attempt) { "yes" } else { "no" }.to_owned()
}

fn rubric(asked: &Asked<'_>) -> String {
    let Some([target, attempt]) = layouts(asked) else {
        return "I cannot see pictures.".to_owned();
    };
    let Likeness { likeness, block_match, text, position, colour } =
        Likeness::of(&target, &attempt);
    let shares =
        [position * block_match, block_match, colour * block_match, text * block_match, likeness];
    Scores(shares.map(|share| (share * f64::from(MOST_POINTS)).round() as u8)).text()
}

/// The page after the answers so far, and the next proposal.
fn player(asked: &Asked<'_>, asks: bool) -> String {
    let side = |name| asked.variable(name).parse().unwrap_or(800).max(100);
    let mut page =
        first(asked.variable(variable::DESCRIPTION), side(variable::WIDTH), side(variable::HEIGHT));
    if !asks {
        return fenced(&page);
    }
    let mut plan = Plan::of(&page);
    for answer in asked.variable(variable::ANSWERS).lines() {
        let is_yes = answer == "yes";
        if is_yes {
            plan.next().apply(&mut page);
        }
        plan.heard(is_yes);
    }
    match asked.uses(FINAL) {
        true => fenced(&page),
        false => format!("{}\nQUESTION: {}", fenced(&page), plan.next()),
    }
}

/// The most blocks of a page.
const MOST_BLOCKS: usize = 60;
/// Pixels around the first page.
const MARGIN: u32 = 40;

/// The quoted texts of a description below each other, the first of them as a heading; without quotes the description itself.
fn first(description: &str, width: u32, height: u32) -> Layout {
    let quoted: Vec<&str> = description.split('"').skip(1).step_by(2).collect();
    let texts = if quoted.is_empty() { vec![description] } else { quoted };
    let mut page = Layout { width, height, blocks: Vec::new() };
    let mut top = MARGIN;
    for (at, text) in texts.into_iter().take(MOST_BLOCKS).enumerate() {
        let font = if at == 0 { 32 } else { 16 };
        // About as wide as letters of a sans-serif font are.
        let long = saturated(text.chars().count()).saturating_mul(font) / 2;
        let wide = long.clamp(1, width.saturating_sub(2 * MARGIN).max(1));
        let high = long.div_ceil(wide).max(1) * font * 6 / 5;
        page.blocks.push(Block {
            left: MARGIN.cast_signed(),
            top: top.cast_signed(),
            width: wide,
            height: high,
            font,
            colour: Colour([34, 34, 34]),
            background: Colour([255; 3]),
            text: text.to_owned(),
        });
        top += high + font / 2;
    }
    page
}

/// A page whose blocks are where its layout has them.
fn fenced(page: &Layout) -> String {
    let background = page.blocks.first().map_or(Colour([255; 3]), |block| block.background);
    let mut html = format!(
        "<!doctype html><html><head><meta charset=\"utf-8\"></head><body style=\"margin:0;background:{background};font-family:sans-serif\">\n"
    );
    for Block { left, top, width, font, colour, text, .. } in &page.blocks {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('`', "&#96;");
        html += &format!(
            "<div style=\"position:absolute;left:{left}px;top:{top}px;width:{}px;font-size:{font}px;line-height:1.2;color:{colour}\">{text}</div>\n",
            // Fonts differ a little; a line that just fits must not break.
            width + width / 8,
        );
    }
    format!("```html\n{html}</body></html>\n```")
}

/// What is tried: each kind of change in steps that become smaller, first one way, then the other.
struct Plan {
    kinds: Vec<Kind>,
    at: usize,
    /// How often the list was gone through.
    turn: u32,
    is_back: bool,
    /// Whether the change that is tried was good before.
    is_good: bool,
}

enum Kind {
    Move {
        what: Option<String>,
        is_down: bool,
        far: i32,
    },
    Spread,
    Scale(Option<String>),
    /// One colour or the other.
    Background([Colour; 2]),
}

impl Plan {
    fn of(page: &Layout) -> Self {
        let far = page.width.cast_signed() / 6;
        let mut kinds = vec![
            Kind::Move { what: None, is_down: false, far },
            Kind::Spread,
            Kind::Scale(None),
            Kind::Move { what: None, is_down: true, far: page.height.cast_signed() / 8 },
            Kind::Background([Colour([255, 240, 228]), Colour([232, 238, 246])]),
        ];
        let mut blocks: Vec<&Block> = page.blocks.iter().collect();
        blocks.sort_by_key(|block| std::cmp::Reverse(block.area()));
        for block in blocks {
            let what = Some(name(block));
            kinds.push(Kind::Move { what: what.clone(), is_down: false, far });
            kinds.push(Kind::Move { what: what.clone(), is_down: true, far: far / 2 });
            kinds.push(Kind::Scale(what));
        }
        Plan { kinds, at: 0, turn: 0, is_back: false, is_good: false }
    }

    fn next(&self) -> Change {
        // 1.5, 1.25, 1.125 …
        let percent = 100 + (50 >> self.turn.min(4));
        let percent = if self.is_back { 10_000 / percent } else { percent };
        match &self.kinds[self.at] {
            Kind::Move { what, is_down, far } => {
                let far = (far >> self.turn.min(4)).max(2);
                let far = if self.is_back { -far } else { far };
                let by = if *is_down { [0, far] } else { [far, 0] };
                Change::Move { what: what.clone(), by }
            }
            Kind::Spread => Change::Spread(percent),
            Kind::Scale(what) => Change::Scale { what: what.clone(), percent },
            Kind::Background(colours) => Change::Background(colours[usize::from(self.is_back)]),
        }
    }

    /// What was good is tried again; what was bad is tried the other way.
    fn heard(&mut self, is_good: bool) {
        let is_once = matches!(self.kinds[self.at], Kind::Background(_));
        match (is_good, self.is_good || self.is_back) {
            (true, _) if !is_once => self.is_good = true,
            (false, false) => self.is_back = true,
            _ => {
                (self.is_good, self.is_back) = (false, false);
                self.at = (self.at + 1) % self.kinds.len();
                self.turn += u32::from(self.at == 0);
            }
        }
    }
}

/// What scripted models reply, by what the prompt asks for.
pub(crate) fn scripted(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
    match prompt.seat {
        JUDGE if prompt.last.contains("Reply with one word: yes or no") => {
            Some(dice.pick(&["yes", "No.", "It depends."]).to_owned())
        }
        SUMMARIZER if prompt.last.contains("LEFT OUT:") => {
            Some("A page that says \"Hello\".\nLEFT OUT:\n- its colours".to_owned())
        }
        SCORER if prompt.last.contains("\"polish\"") => {
            Some(Scores(PARTS.map(|_| dice.below(21) as u8)).text())
        }
        METER if prompt.last.contains("block_match") => Some(json!(Likeness::EQUAL).to_string()),
        Seat::PLAYER if prompt.last.contains("fenced as ```html") => {
            let page = "```html\n<!doctype html><html><body>Hello</body></html>\n```";
            let question = "QUESTION: Compared with the target, should I enlarge the header?";
            Some(match prompt.last.contains("QUESTION:") && dice.below(20) > 0 {
                true => format!("{page}\n{question}"),
                false => page.to_owned(),
            })
        }
        _ => None,
    }
}
