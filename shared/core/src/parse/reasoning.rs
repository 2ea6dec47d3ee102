//! What of a reply was said to its reader: the text without reasoning between marks, and without what a model's template leaves
//! around it. Servers that do not parse a model's template return both in the text.
//!
//! The marks are the data of [`marks`]. A mark in the middle of a sentence, with blanks or quotes on both sides, is a word of it.

#[cfg(test)]
mod tests;

mod marks;

use std::ops::Range;

use marks::{CHANNEL, CLOSING, DELIMITERS, Does, REASONING, REPLY, ROLES, SENTENCES, named};

/// A reply without what its template left in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spoken {
    /// The parts that were said, as byte ranges; none is blank.
    pub parts: Vec<Range<usize>>,
    /// Where the part after the last reasoning begins; `None` while reasoning is open.
    pub after: Option<usize>,
    /// The marks around what was left out, as they stand there, each once; the first few.
    pub marks: Vec<String>,
}

/// Reads the marks of a reply. Reasoning that is opened and never closed reaches to the end. Tags do not nest. It takes no longer
/// than a small multiple of the text's length.
pub fn read(text: &str) -> Spoken {
    let marks: Vec<Mark> = marks(text).collect();
    let closes = marks.iter().rfind(|mark| mark.does == Does::Close);
    let mut reader = Reader {
        text,
        spoken: Spoken::default(),
        from: Some(0),
        is_channel: false,
        is_over: false,
        words: 0,
        last_close: closes.map_or(0, |mark| mark.span.start),
    };
    let begins = reader.sentences();
    for mark in marks.iter().filter(|mark| mark.span.start >= begins) {
        reader.take(mark);
    }
    reader.end()
}

/// The parts of a text, as byte ranges, that are neither reasoning nor marks of a template.
pub fn spoken(text: &str) -> Vec<Range<usize>> {
    read(text).parts
}

/// What is left of a text: its [`spoken`] parts, one after the other on lines of their own, without the tag that some templates
/// put around a reply as a whole.
pub fn said(text: &str) -> String {
    let parts: Vec<&str> = spoken(text).into_iter().map(|part| &text[part]).collect();
    let said = parts.join("\n");
    let inside = said.trim().strip_prefix("<answer>");
    match inside.and_then(|inside| inside.strip_suffix("</answer>")) {
        Some(inside) => inside.to_owned(),
        None => said,
    }
}

/// The reasoning within a text, as far as marks tell; `None` where there is none.
pub fn thought(text: &str) -> Option<String> {
    let spoken = read(text);
    if spoken.marks.is_empty() {
        return None;
    }
    let mut at = 0;
    let mut thought = String::new();
    let end = text.len()..text.len();
    for part in spoken.parts.iter().cloned().chain([end]) {
        let gap = &text[at..part.start];
        at = part.end;
        let mut from = 0;
        for mark in marks(gap) {
            thought.push_str(&gap[from..mark.span.start]);
            from = mark.span.end;
        }
        thought.push_str(&gap[from..]);
    }
    Some(thought.trim().to_owned())
}

/// The mark that a reply begins with, where it looks like one of a template, something follows behind the same mark with `/`, and
/// none is known of that name.
pub fn unknown_mark(text: &str) -> Option<&str> {
    let text = text.trim_start();
    DELIMITERS.iter().find_map(|(open, close)| {
        let inside = text.strip_prefix(open)?;
        let name = &inside[..name_length(inside)];
        let rest = inside[name.len()..].strip_prefix(close)?;
        let (_, behind) = rest.rsplit_once(&format!("{open}/{name}{close}"))?;
        let is_mark = !name.is_empty() && does(name, open).is_none() && !behind.trim().is_empty();
        is_mark.then(|| &text[..text.len() - rest.len()])
    })
}

struct Mark {
    does: Does,
    span: Range<usize>,
    is_channel: bool,
}

struct Reader<'a> {
    text: &'a str,
    spoken: Spoken,
    /// Where the part begins that is being said.
    from: Option<usize>,
    /// Whether the reasoning that is open is that of a channel.
    is_channel: bool,
    /// Whether the turn is over.
    is_over: bool,
    /// Opening marks that were words of a sentence: as many closing ones are, too.
    words: u32,
    /// Where the last closing mark stands.
    last_close: usize,
}

impl Reader<'_> {
    /// Sentences in place of marks; where the search for marks begins.
    fn sentences(&mut self) -> usize {
        const AROUND: [char; 5] = ['*', '_', '#', '>', '`'];
        let decoration = |sign: char| sign.is_whitespace() || AROUND.contains(&sign);
        let mut begins = self.text.len() - self.text.trim_start_matches(decoration).len();
        while let Some(mark) = mark_at(self.text, begins).filter(|mark| mark.does == Does::Start) {
            let rest = &self.text[mark.span.end..];
            begins = self.text.len() - rest.trim_start_matches(decoration).len();
        }
        // ASCII alone, so that every byte keeps its place.
        let lower = self.text.to_ascii_lowercase();
        for (opens, closes, only_together) in SENTENCES {
            let start = &lower[begins..];
            let Some(open) = opens.iter().find(|open| start.starts_with(**open)) else {
                continue;
            };
            let last = |close: &&str| Some((lower.rfind(close)?, close.len()));
            match closes.iter().filter_map(last).max() {
                Some((at, length)) => {
                    self.keep(at..at + length);
                    let rest = &self.text[at + length..];
                    let markdown = |sign: char| sign.is_whitespace() || matches!(sign, '*' | '_');
                    let from = self.text.len() - rest.trim_start_matches(markdown).len();
                    self.from = Some(from);
                    return from;
                }
                None if only_together => {}
                None => {
                    self.keep(begins..begins + open.len());
                    self.from = None;
                }
            }
        }
        0
    }

    fn keep(&mut self, span: Range<usize>) {
        const MOST: usize = 8;
        let mark = self.text.get(span).unwrap_or_default().to_owned();
        if self.spoken.marks.len() < MOST && !self.spoken.marks.contains(&mark) {
            self.spoken.marks.push(mark);
        }
    }

    fn say(&mut self, part: Range<usize>) {
        if !self.text[part.clone()].trim().is_empty() {
            self.spoken.parts.push(part);
        }
    }

    fn take(&mut self, mark: &Mark) {
        let span = mark.span.clone();
        match (mark.does, self.from) {
            (Does::Open, Some(_)) if self.is_word(mark) => self.words += 1,
            (Does::Open, Some(from)) => {
                self.keep(span.clone());
                self.say(from..span.start);
                self.from = None;
                self.is_channel = mark.is_channel;
            }
            (Does::Open, None) => {}
            (Does::Close, Some(_)) if self.words > 0 && self.is_word(mark) => self.words -= 1,
            (Does::Close, from) => {
                if from.is_some() || self.is_over {
                    self.spoken.parts.clear();
                }
                self.keep(span.clone());
                self.from = Some(span.end);
                (self.is_channel, self.is_over) = (false, false);
            }
            (Does::Start | Does::End | Does::Another, Some(_)) if self.is_word(mark) => {}
            (Does::Start, Some(from)) => {
                self.say(from..span.start);
                self.from = Some(span.end);
            }
            (Does::End | Does::Another, Some(from)) => {
                self.say(from..span.start);
                self.is_over = mark.does == Does::Another || !self.spoken.parts.is_empty();
                self.from = (!self.is_over).then_some(span.end);
                self.spoken.after = self.is_over.then_some(from);
            }
            (Does::End, None) if self.is_channel => {
                self.from = Some(span.end);
                self.is_channel = false;
            }
            (Does::Start | Does::End | Does::Another, None) => {}
        }
    }

    /// Whether blanks or quotes on both sides, within one line, make the mark a word of a sentence.
    fn is_word(&self, mark: &Mark) -> bool {
        const QUOTES: &str = "\"'`“”‘’„«»「」『』()";
        let is_quote = |sign: &char| QUOTES.contains(*sign);
        let is_apart = |sign: char| sign.is_whitespace() || is_quote(&sign);
        let is_blank = |sign: &char| sign.is_whitespace() && *sign != '\n';
        let (before, after) = (&self.text[..mark.span.start], &self.text[mark.span.end..]);
        let (previous, next) = (before.chars().next_back(), after.chars().next());
        if previous.as_ref().is_some_and(is_quote) && next.as_ref().is_some_and(is_quote) {
            return true;
        }
        let word = before.chars().rev().find(|sign| !is_blank(sign));
        let ends_line = after.chars().find(|sign| !is_blank(sign)).is_none_or(|sign| sign == '\n');
        let goes_on =
            word.is_some_and(|sign| !".?!>]\n".contains(sign)) && previous.is_some_and(is_apart);
        goes_on
            && match (ends_line, next) {
                (false, Some(sign)) => is_apart(sign) || ".,;:?!".contains(sign),
                _ if mark.does == Does::Close => true,
                _ => self.last_close < mark.span.start && word != Some(':'),
            }
    }

    fn end(mut self) -> Spoken {
        if let Some(from) = self.from {
            self.say(from..self.text.len());
            self.spoken.after = Some(from);
        }
        self.spoken
    }
}

/// The marks of a text, from left to right.
fn marks(text: &str) -> impl Iterator<Item = Mark> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let next =
                rest.find(|sign: char| DELIMITERS.iter().any(|(open, _)| open.starts_with(sign)))?;
            let start = at + next;
            match mark_at(text, start) {
                Some(mark) => {
                    at = mark.span.end;
                    return Some(mark);
                }
                None => at = start + text[start..].chars().next().map_or(1, char::len_utf8),
            }
        }
    })
}

/// The mark that begins here.
fn mark_at(text: &str, start: usize) -> Option<Mark> {
    DELIMITERS.iter().find_map(|(open, close)| {
        let inside = text.get(start..)?.strip_prefix(open)?;
        let name = &inside[..name_length(inside)];
        let mut end = start + open.len() + name.len();
        // A link of Markdown is no mark.
        if *open == "[" && text[end..].starts_with("](") {
            return None;
        }
        // A tag may have attributes.
        if *open == "<" && text[end..].starts_with(' ') {
            let line = &text[end..]
                [..text[end..].char_indices().nth(200).map_or(text.len() - end, |(at, _)| at)];
            end += line.find(['>', '<', '\n'])?;
        }
        end += text[end..].starts_with(close).then_some(close.len())?;
        if name.eq_ignore_ascii_case(CHANNEL.0) {
            return Some(channel(text, start, end));
        }
        let mut does = does(name, open)?;
        if does == Does::Start
            && let Some((length, is_model)) = role(&text[end..])
        {
            end += length;
            does = if is_model { Does::Start } else { Does::Another };
        }
        // Gemma names the channel behind the mark.
        if name == "unused94" && text[end..].starts_with("thought") {
            end += "thought".len();
        }
        Some(Mark { does, span: start..end, is_channel: false })
    })
}

/// `<|channel|>NAME<|message|>`: the channel `final` closes the reasoning of the others.
fn channel(text: &str, start: usize, end: usize) -> Mark {
    const MESSAGE: &str = "<|message|>";
    const LONGEST: usize = 120;
    let rest = &text[end..];
    let near = rest.char_indices().nth(LONGEST).map_or(rest, |(at, _)| &rest[..at]);
    let within = near.find(MESSAGE);
    let is_final = near.trim_start().starts_with(CHANNEL.1);
    let name = near.len() - near.trim_start().len() + CHANNEL.1.len();
    Mark {
        does: if is_final { Does::Close } else { Does::Open },
        span: match within {
            Some(length) => start..end + length + MESSAGE.len(),
            None if is_final => start..end + name,
            None => start..end,
        },
        is_channel: true,
    }
}

/// How long the name is with which a text begins.
fn name_length(text: &str) -> usize {
    const LONGEST: usize = 40;
    let is_sign =
        |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | ':' | '-' | '.' | '▁');
    let body = text.strip_prefix('/').map_or(0, |_| 1);
    let signs = text[body..].char_indices().take(LONGEST);
    let name = signs.take_while(|(_, sign)| is_sign(*sign));
    name.last().map_or(0, |(at, sign)| body + at + sign.len_utf8())
}

/// How long the role is with which a text begins, and whether it is the model's.
fn role(text: &str) -> Option<(usize, bool)> {
    ROLES.iter().find_map(|(role, is_model)| {
        let is_role = text.get(..role.len())?.eq_ignore_ascii_case(role);
        let goes_on = text[role.len()..].starts_with(char::is_alphanumeric);
        (is_role && !goes_on).then_some((role.len(), *is_model))
    })
}

/// What a mark of this name does; `None` if it is none.
fn does(name: &str, open: &str) -> Option<Does> {
    let lower = name.to_lowercase();
    let (is_closing, body) = match lower.strip_prefix('/') {
        Some(body) => (true, body),
        None => (false, lower.as_str()),
    };
    let is_bracket = matches!(open, "[" | "【" | "«" | "⟨" | "＜");
    if let Some(does) = named(&lower) {
        let known = lower.as_str();
        let is_plain = matches!(
            known,
            "end"
                | "return"
                | "call"
                | "start"
                | "assistant"
                | "user"
                | "observation"
                | "eot"
                | "eos"
                | "pad"
                | "bos"
        );
        let fits = match open {
            "<|" | "<｜" => !matches!(known, "s" | "/s"),
            "<" => !is_plain || matches!(known, "eos" | "bos" | "pad"),
            _ => known == "/inst" || matches!(known, "eos" | "bos"),
        };
        return fits.then_some(does);
    }
    let mut parts = body.split(['_', ':', '-', '.', '▁']);
    let has = |words: &[&str]| parts.clone().any(|part| words.contains(&part));
    let is_closing = is_closing || has(&CLOSING);
    if has(&REASONING) {
        // An ordinary word in brackets is a remark; marks are written in one case.
        let is_remark = is_bracket
            && open.is_ascii()
            && name.chars().any(char::is_lowercase)
            && name.chars().any(char::is_uppercase);
        let does = if is_closing { Does::Close } else { Does::Open };
        return (!is_remark).then_some(does);
    }
    let is_reply = has(&REPLY) && !is_bracket;
    // Plain tags around a reply are one word, as `<response>`.
    let is_reply = is_reply && (open != "<" || parts.next() == Some(body) && body != "box");
    is_reply.then_some(Does::Start)
}
