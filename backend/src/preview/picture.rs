//! The picture beside a link: what it is, the number to be seen first, and turns as ribbons. 1200 by 630, as those who show
//! links want it.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform,
};
use ttf_parser::{Face, OutlineBuilder};
use turnwise_shared::note::{Tone, TurnKind};

use super::{Mark, Told};

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
///
/// # Errors
/// [`CannotDraw`]
pub fn draw(told: &Told) -> Result<Vec<u8>, CannotDraw> {
    let pixmap = Pixmap::new(WIDTH as u32, HEIGHT as u32).ok_or(CannotDraw("no memory"))?;
    let face = |bytes| Face::parse(bytes, 0).map_err(|_| CannotDraw("a font"));
    let mut sheet = Sheet {
        pixmap,
        regular: face(REGULAR)?,
        bold: face(BOLD)?,
    };
    sheet.pixmap.fill(colour(PAPER));
    sheet.rect(0.0, 0.0, WIDTH, 12.0, INK);
    sheet.text((EDGE, 92.0), 30.0, Weight::Bold, SOFT, "Turnwise");
    let mut y = 168.0;
    for line in sheet.lines(&told.title, 56.0, WIDTH - 2.0 * EDGE, 2) {
        sheet.text((EDGE, y), 56.0, Weight::Bold, INK, &line);
        y += 66.0;
    }
    // What the face has no signs for stands on the page; a sentence of which a word is missing would be none.
    let sentences = told.sentences.iter().chain(&told.progress);
    let about: Vec<&str> = sentences
        .map(String::as_str)
        .filter(|sentence| sheet.has(sentence))
        .collect();
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
}

impl Sheet {
    /// Whether the face has all signs of a text.
    fn has(&self, text: &str) -> bool {
        text.chars()
            .take(LONGEST)
            .all(|sign| sign.is_whitespace() || self.regular.glyph_index(sign).is_some())
    }

    fn face(&self, weight: Weight) -> &Face<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// Pixels that a text needs.
    fn width(&self, text: &str, size: f32, weight: Weight) -> f32 {
        let face = self.face(weight);
        let scale = size / f32::from(face.units_per_em());
        let advance = |sign| {
            let glyph = face.glyph_index(sign).unwrap_or_default();
            f32::from(face.glyph_hor_advance(glyph).unwrap_or(0))
        };
        text.chars().map(advance).sum::<f32>() * scale
    }

    /// A text in lines of at most so many pixels, at most so many lines; what finds no room ends in an ellipsis. Signs that the
    /// fonts do not have are left out.
    fn lines(&self, text: &str, size: f32, room: f32, most: usize) -> Vec<String> {
        let known = |sign: &char| *sign == ' ' || self.regular.glyph_index(*sign).is_some();
        let text: String = text
            .chars()
            .take(LONGEST)
            .map(|sign| if sign.is_whitespace() { ' ' } else { sign })
            .filter(known)
            .collect();
        let fits = |line: &str| self.width(line, size, Weight::Bold) <= room;
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            match lines.last_mut() {
                Some(line) if fits(&format!("{line} {word}")) => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
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
        let face = self.face(weight).clone();
        let scale = size / f32::from(face.units_per_em());
        let mut x = at.0;
        for sign in text.chars() {
            let Some(glyph) = face.glyph_index(sign) else {
                continue;
            };
            let mut outline = Outline(PathBuilder::new());
            face.outline_glyph(glyph, &mut outline);
            if let Some(path) = outline.0.finish() {
                // A font's heights grow upwards.
                let place = Transform::from_row(scale, 0.0, 0.0, -scale, x, at.1);
                let paint = paint(ink);
                self.pixmap
                    .fill_path(&path, &paint, FillRule::Winding, place, None);
            }
            x += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        }
    }

    fn rect(&mut self, x: f32, y: f32, width: f32, height: f32, ink: u32) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.pixmap
                .fill_rect(rect, &paint(ink), Transform::identity(), None);
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
            self.pixmap
                .stroke_path(&path, &paint, &stroke, Transform::identity(), None);
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
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color(colour(rgb));
    paint
}
