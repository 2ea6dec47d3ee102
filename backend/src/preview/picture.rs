//! The picture beside a link: what it is, the number to be seen first, and turns as ribbons. 1200 by 630, as those who show
//! links want it.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform,
};
use ttf_parser::{Face, GlyphId, OutlineBuilder};
use turnwise_shared::note::{Tone, TurnKind};

use super::{Mark, Preview};

const WIDTH: f32 = 1200.0;
const HEIGHT: f32 = 630.0;
const EDGE: f32 = 64.0;

/// Turns of one ribbon that find room.
const TURNS: usize = 40;

/// What stands on a graded answer, which the face has no sign for: points around the middle of a cell, in parts of it.
const CHECK: [(f32, f32); 3] = [(-0.2, 0.02), (-0.06, 0.17), (0.22, -0.18)];
const CROSS: [(f32, f32); 4] = [(-0.17, -0.17), (0.17, 0.17), (-0.17, 0.17), (0.17, -0.17)];

/// Signs of a text that are looked at, and more than find room.
const LONGEST: usize = 600;

/// The shipped face, its signs limited to Latin ones (`backend/fonts`).
const REGULAR: &[u8] = include_bytes!("../../fonts/atkinson-next-regular.ttf");
const BOLD: &[u8] = include_bytes!("../../fonts/atkinson-next-bold.ttf");

/// Chinese signs, which the shipped face has none of: those of GB 2312, 6,763 and what stands between them, 1.5 MB of the program. Half
/// of them would be 0.7 MB smaller and leave out what names are written with. No browser ever fetches it.
const CHINESE: &[u8] = include_bytes!("../../fonts/noto-sans-cjk-sc-gb2312.otf");

/// The first sign that is as wide as it is high, and after which a line may end.
const FIRST_WIDE: char = '\u{2e80}';

/// Signs that no line begins with.
const CLOSING: &str = "，。！？；：、）》〉」』】〕％";

/// Signs that no line ends with.
const OPENING: &str = "（《〈「『【〔";

/// How much thicker a Chinese sign is drawn that stands for a bold one, in parts of its size.
const THICKER: f32 = 0.04;

/// Colours of the app's light theme (`public/style.css`).
const PAPER: u32 = 0x00f3_f5f4;
const INK: u32 = 0x0012_181e;
const SOFT: u32 = 0x0046_505a;
const GOOD: u32 = 0x0000_9e73;
const BAD: u32 = 0x00d5_5e00;

/// A picture that cannot be drawn: the fonts that are built in, or memory, are at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct CannotDraw(&'static str);

/// Draws it, as PNG.
pub fn draw(told: &Preview) -> Result<Vec<u8>, CannotDraw> {
    let pixmap = Pixmap::new(WIDTH as u32, HEIGHT as u32).ok_or(CannotDraw("no memory"))?;
    let face = |bytes| Face::parse(bytes, 0).map_err(|_| CannotDraw("a font"));
    let mut sheet =
        Sheet { pixmap, regular: face(REGULAR)?, bold: face(BOLD)?, chinese: face(CHINESE)? };
    sheet.pixmap.fill(colour(PAPER));
    sheet.rect(0.0, 0.0, WIDTH, 12.0, INK);
    sheet.text((EDGE, 92.0), 30.0, Weight::Bold, SOFT, "Turnwise");
    let mut y = 168.0;
    // A name of which a letter is missing would be another one.
    let title = match sheet.has_letters(&told.title) {
        true => &told.title,
        false => &told.plain_title,
    };
    for line in sheet.lines(title, 56.0, WIDTH - 2.0 * EDGE, 2) {
        sheet.text((EDGE, y), 56.0, Weight::Bold, INK, &line);
        y += 66.0;
    }
    // What the face has no signs for stands on the page; a sentence of which a word is missing would be none.
    let sentences = told.sentences.iter().chain(&told.progress);
    let about: Vec<&str> =
        sentences.map(String::as_str).filter(|sentence| sheet.has(sentence)).collect();
    let about = about.join(" ");
    for line in sheet.lines(&about, 28.0, WIDTH - 2.0 * EDGE, 2) {
        sheet.text((EDGE, y), 28.0, Weight::Regular, SOFT, &line);
        y += 38.0;
    }
    let below = match &told.headline {
        Some((number, what)) => {
            let at = HEIGHT - EDGE;
            sheet.text((EDGE, at), 84.0, Weight::Bold, INK, number);
            let after = EDGE + sheet.width(number, 84.0, Weight::Bold) + 24.0;
            sheet.text((after, at), 32.0, Weight::Regular, SOFT, what);
            at - 100.0
        }
        None => HEIGHT - EDGE,
    };
    sheet.ribbons(&told.ribbons, y, below);
    sheet.pixmap.encode_png().map_err(|_| CannotDraw("the PNG"))
}

#[derive(Debug, Clone, Copy)]
enum Weight {
    Regular,
    Bold,
}

struct Sheet {
    pixmap: Pixmap,
    regular: Face<'static>,
    bold: Face<'static>,
    chinese: Face<'static>,
}

impl Sheet {
    /// Whether the face has all signs of a text.
    fn has(&self, text: &str) -> bool {
        text.chars()
            .take(LONGEST)
            .all(|character| character.is_whitespace() || self.can_draw(character))
    }

    /// Whether the faces have all letters and figures of a text; what else it is made of can be left out.
    fn has_letters(&self, text: &str) -> bool {
        let mut letters =
            text.chars().take(LONGEST).filter(|character| character.is_alphanumeric());
        letters.all(|character| self.can_draw(character))
    }

    fn can_draw(&self, character: char) -> bool {
        self.glyph(character, Weight::Regular).is_some()
    }

    /// The face that has a sign, and its outline there.
    fn glyph(&self, character: char, weight: Weight) -> Option<(&Face<'static>, GlyphId)> {
        let own = match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        };
        [own, &self.chinese].into_iter().find_map(|face| Some((face, face.glyph_index(character)?)))
    }

    /// Pixels that a text needs.
    fn width(&self, text: &str, size: f32, weight: Weight) -> f32 {
        let advance = |character| {
            let (face, glyph) = self.glyph(character, weight)?;
            Some(f32::from(face.glyph_hor_advance(glyph)?) / f32::from(face.units_per_em()))
        };
        text.chars().filter_map(advance).sum::<f32>() * size
    }

    /// A text in lines of at most `room` pixels, at most `most` lines; what finds no room ends in an ellipsis. Characters that
    /// the fonts do not have are left out. Lines end at spaces, and between Chinese characters.
    fn lines(&self, text: &str, size: f32, room: f32, most: usize) -> Vec<String> {
        let known = |character: &char| *character == ' ' || self.can_draw(*character);
        let text: String = text
            .chars()
            .take(LONGEST)
            .map(|character| if character.is_whitespace() { ' ' } else { character })
            .filter(known)
            .collect();
        let fits = |line: &str| self.width(line, size, Weight::Bold) <= room;
        let mut lines: Vec<String> = Vec::new();
        for (blank, word) in pieces(&text) {
            let between = if blank { " " } else { "" };
            match lines.last_mut() {
                Some(line) if fits(&format!("{line}{between}{word}")) => {
                    line.push_str(between);
                    line.push_str(&word);
                }
                _ => lines.push(word),
            }
        }
        let is_cut = lines.len() > most;
        lines.truncate(most);
        if let Some(last) = lines.last_mut()
            && (is_cut || !fits(last))
        {
            while !fits(&format!("{last}…")) && last.pop().is_some() {}
            last.push('…');
        }
        lines
    }

    fn text(&mut self, at: (f32, f32), size: f32, weight: Weight, ink: u32, text: &str) {
        let mut x = at.0;
        for character in text.chars() {
            let Some((face, glyph)) = self.glyph(character, weight) else {
                continue;
            };
            let units = f32::from(face.units_per_em());
            let scale = size / units;
            let wide = f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
            let mut outline = Outline(PathBuilder::new());
            face.outline_glyph(glyph, &mut outline);
            if let Some(path) = outline.0.finish() {
                // A font's heights grow upwards.
                let place = Transform::from_row(scale, 0.0, 0.0, -scale, x, at.1);
                let paint = paint(ink);
                self.pixmap.fill_path(&path, &paint, FillRule::Winding, place, None);
                if matches!(weight, Weight::Bold) && character >= FIRST_WIDE {
                    let stroke = Stroke { width: THICKER * units, ..Stroke::default() };
                    self.pixmap.stroke_path(&path, &paint, &stroke, place, None);
                }
            }
            x += wide;
        }
    }

    fn rect(&mut self, x: f32, y: f32, width: f32, height: f32, ink: u32) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.pixmap.fill_rect(rect, &paint(ink), Transform::identity(), None);
        }
    }

    /// A line from point to point around a middle, in parts of a cell.
    fn line(&mut self, points: &[(f32, f32)], (x, y): (f32, f32), cell: f32, ink: u32) {
        let mut path = PathBuilder::new();
        for (at, point) in points.iter().enumerate() {
            let (x, y) = (x + point.0 * cell, y + point.1 * cell);
            match at {
                0 => path.move_to(x, y),
                _ => path.line_to(x, y),
            }
        }
        let stroke = Stroke {
            width: cell * 0.09,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        if let Some(path) = path.finish() {
            let paint = paint(ink);
            self.pixmap.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
        }
    }

    /// The bar under a turn, of the shape that the app's legend has for it: whole, from the left, or in dots.
    fn bar(&mut self, (x, y): (f32, f32), width: f32, mark: Mark, tone: Tone) {
        let ink = bar(tone);
        match (mark.kind, tone) {
            (_, Tone::Unknown) => {
                let dot = width / 5.0;
                for at in [0.0, 2.0, 4.0] {
                    self.rect(x + at * dot, y, dot, 4.0, ink);
                }
            }
            (TurnKind::Ask, Tone::Negative) => self.rect(x, y, width / 2.0, 4.0, ink),
            _ => self.rect(x, y, width, 4.0, ink),
        }
    }

    /// Ribbons between two heights: one large one, or several small ones.
    fn ribbons(&mut self, ribbons: &[Vec<Mark>], from: f32, to: f32) {
        let cell = match ribbons {
            [one] => (WIDTH - 2.0 * EDGE) / (one.len().clamp(18, TURNS) as f32),
            _ => (WIDTH - 2.0 * EDGE) / TURNS as f32,
        };
        let step = cell + 10.0;
        for (row, ribbon) in ribbons.iter().enumerate() {
            let y = from + row as f32 * step;
            if y + cell > to {
                return;
            }
            for (turn, mark) in ribbon.iter().take(TURNS).enumerate() {
                let x = EDGE + turn as f32 * cell;
                let (fill, ink) = colours(*mark);
                self.rect(x, y, cell - 3.0, cell - 8.0, fill);
                if let Some(tone) = mark.tone {
                    self.bar((x, y + cell - 7.0), cell - 3.0, *mark, tone);
                }
                let middle = (x + (cell - 3.0) / 2.0, y + (cell - 8.0) / 2.0);
                match (mark.kind, mark.tone) {
                    (TurnKind::Answer, Some(Tone::Positive)) => {
                        self.line(&CHECK, middle, cell, ink);
                        continue;
                    }
                    (TurnKind::Answer, Some(Tone::Negative)) => {
                        self.line(&CROSS[..2], middle, cell, ink);
                        self.line(&CROSS[2..], middle, cell, ink);
                        continue;
                    }
                    _ => {}
                }
                let letter = mark.kind.letter().to_string();
                let size = cell * 0.55;
                let wide = self.width(&letter, size, Weight::Bold);
                let at = (x + (cell - 3.0 - wide) / 2.0, y + cell * 0.62);
                self.text(at, size, Weight::Bold, ink, &letter);
            }
        }
    }
}

/// The parts of a text that no line ends within, each with whether a blank stands before it: words, and Chinese signs with what belongs
/// to them.
fn pieces(text: &str) -> Vec<(bool, String)> {
    let mut pieces: Vec<(bool, String)> = Vec::new();
    let mut before = ' ';
    for character in text.chars() {
        let is_joined = match (before, character) {
            (' ', _) | (_, ' ') => false,
            (_, character) if CLOSING.contains(character) => true,
            (before, _) if OPENING.contains(before) => true,
            (before, character) => before < FIRST_WIDE && character < FIRST_WIDE,
        };
        match pieces.last_mut() {
            _ if character == ' ' => {}
            Some((_, piece)) if is_joined => piece.push(character),
            _ => pieces.push((before == ' ', character.to_string())),
        }
        before = character;
    }
    pieces
}

/// The bar under a turn.
fn bar(tone: Tone) -> u32 {
    match tone {
        Tone::Positive => GOOD,
        Tone::Negative | Tone::Failed => BAD,
        Tone::Unknown | Tone::Neutral => SOFT,
    }
}

/// Fill and letter of a turn.
fn colours(mark: Mark) -> (u32, u32) {
    match (mark.kind, mark.tone) {
        (TurnKind::Answer, Some(Tone::Positive)) => (GOOD, INK),
        (TurnKind::Answer, Some(Tone::Negative)) => (BAD, INK),
        (TurnKind::Answer, _) => (INK, PAPER),
        (TurnKind::Search, _) => (0x0000_72b2, 0x00ff_ffff),
        (TurnKind::Ask, _) => (0x00e6_9f00, INK),
        (TurnKind::Browse, _) => (0x0056_b4e9, INK),
        (TurnKind::Move, _) => (0x00cc_79a7, INK),
        (TurnKind::Invalid, _) => (0x00f0_e442, INK),
    }
}

struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

fn colour(rgb: u32) -> Color {
    let part = |shift: u32| u8::try_from((rgb >> shift) & 0xff).unwrap_or(u8::MAX);
    Color::from_rgba8(part(16), part(8), part(0), u8::MAX)
}

fn paint(rgb: u32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(colour(rgb));
    paint
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let face = |bytes| Face::parse(bytes, 0).expect("the fonts are part of the program");
        Sheet {
            pixmap: Pixmap::new(600, 100).expect("it is small"),
            regular: face(REGULAR),
            bold: face(BOLD),
            chinese: face(CHINESE),
        }
    }

    #[test]
    fn chinese_names_are_drawn_and_broken_between_signs() {
        let mut sheet = sheet();
        let name = "中文长任务的一次运行：谁先提问，谁先回答（第二轮）";
        assert!(sheet.has(name));
        let lines = sheet.lines(name, 56.0, 600.0, 9);
        assert!(lines.len() > 1, "{lines:?}");
        assert_eq!(lines.concat(), name, "nothing is left out");
        for line in &lines {
            assert!(sheet.width(line, 56.0, Weight::Bold) <= 600.0, "{line}");
            assert!(!line.starts_with(|character| CLOSING.contains(character)), "{line}");
            assert!(!line.ends_with(|character| OPENING.contains(character)), "{line}");
        }
        let mixed = sheet.lines("GPT-5 对 Claude 4.5", 28.0, 600.0, 2);
        assert_eq!(mixed, ["GPT-5 对 Claude 4.5"]);
        let blank = sheet.pixmap.clone();
        sheet.text((0.0, 60.0), 56.0, Weight::Bold, INK, "运行");
        assert!(sheet.pixmap != blank, "something stands there");
    }

    #[test]
    fn a_name_that_cannot_be_written_is_not_written_in_part() {
        let sheet = sheet();
        assert!(!sheet.has_letters("Run of ภาษาไทย"));
        assert!(sheet.has_letters("Run № 2 🚀"), "only letters count");
        assert_eq!(sheet.lines("Run 🚀 2", 28.0, 600.0, 2), ["Run 2"]);
    }
}
