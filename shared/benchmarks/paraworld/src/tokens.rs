//! Texts as they are compared where numbers count: `1,200` is `1200`, `5.40` is `5.4`, `48km` is `48 km`, `3 million` is
//! `3000000`; case, width, punctuation and invisible characters do not matter (`norm` and `contains` of specification 4.6).

#[cfg(test)]
mod tests;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Token {
    /// A number without group commas, leading and trailing zeros. A sign is not part of it.
    Number(String),
    /// A word in small letters.
    Word(String),
    /// A Chinese character.
    Han(char),
    /// A sign that belongs to a number: `%` or a currency.
    Sign(char),
    /// A minus before a number.
    Minus,
}

/// The pieces of a text, and in which sentence each stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    pub items: Vec<Token>,
    sentences: Vec<u32>,
}

impl Tokens {
    pub fn of(text: &str) -> Self {
        let mut reader = Reader::new(text);
        reader.read();
        scaled(reader.tokens)
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Where the pieces of another text stand side by side in this one.
    pub fn places<'a>(&'a self, part: &'a [Token]) -> impl Iterator<Item = usize> + 'a {
        let windows = self.items.windows(part.len().max(1)).enumerate();
        windows
            .filter(move |(_, window)| !part.is_empty() && *window == part)
            .map(|(place, _)| place)
    }

    /// Whether the pieces of another text stand side by side in this one.
    pub fn holds(&self, part: &[Token]) -> bool {
        self.places(part).next().is_some()
    }

    /// The pieces of the sentence in which a piece stands.
    pub fn sentence(&self, place: usize) -> &[Token] {
        let Some(number) = self.sentences.get(place) else {
            return &[];
        };
        let from = self.sentences.partition_point(|other| other < number);
        let to = self.sentences.partition_point(|other| other <= number);
        &self.items[from..to]
    }

    /// The sentences, one after the other.
    pub fn sentences(&self) -> impl Iterator<Item = &[Token]> {
        self.sentences.chunk_by(|one, other| one == other).scan(0, |from, chunk| {
            let start = *from;
            *from += chunk.len();
            Some(&self.items[start..*from])
        })
    }

    fn push(&mut self, token: Token, sentence: u32) {
        self.items.push(token);
        self.sentences.push(sentence);
    }
}

/// Whether one list of pieces stands side by side in another.
pub(super) fn within(whole: &[Token], part: &[Token]) -> bool {
    !part.is_empty() && whole.windows(part.len()).any(|window| window == part)
}

/// A text in small letters, full-width and other special forms as plain ones, without invisible characters: NFKC with case
/// folding for what engines and players write.
pub(super) fn plain(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
        .filter(|character| !is_invisible(*character))
        .map(narrow)
        .flat_map(char::to_lowercase)
}

/// Characters without a form of their own: soft hyphens, joiners, marks of direction, selectors of variants, tags.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e01ef}'
    )
}

fn narrow(character: char) -> char {
    let code = u32::from(character);
    let digit = |zero: u32| char::from_digit((code - zero) % 10, 10);
    let plain = match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(code - 0xfee0),
        '\u{3000}' | '\u{a0}' | '\u{202f}' => Some(' '),
        '’' | '‘' => Some('\''),
        '−' => Some('-'),
        '⁰' | '⁴'..='⁹' => digit(0x2070),
        '¹' => Some('1'),
        '²' => Some('2'),
        '³' => Some('3'),
        '₀'..='₉' => digit(0x2080),
        '①'..='⑨' => digit(0x245f),
        '\u{1d7ce}'..='\u{1d7ff}' => digit(0x1d7ce),
        '\u{660}'..='\u{669}' => digit(0x660),
        '\u{6f0}'..='\u{6f9}' => digit(0x6f0),
        '\u{966}'..='\u{96f}' => digit(0x966),
        '￥' => Some('¥'),
        '﹪' => Some('%'),
        other => Some(other),
    };
    plain.unwrap_or(character)
}

/// Whether it is a Chinese character.
pub(super) fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

struct Reader {
    text: Vec<char>,
    at: usize,
    sentence: u32,
    tokens: Tokens,
}

impl Reader {
    fn new(text: &str) -> Self {
        Reader { text: plain(text).collect(), at: 0, sentence: 0, tokens: Tokens::default() }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    fn read(&mut self) {
        while let Some(character) = self.peek(0) {
            if character.is_ascii_digit() {
                let number = self.number();
                self.tokens.push(Token::Number(number), self.sentence);
                continue;
            }
            if is_han(character) {
                self.tokens.push(Token::Han(character), self.sentence);
            } else if character.is_alphanumeric() {
                let word = self.word();
                self.tokens.push(word, self.sentence);
                continue;
            } else if matches!(character, '%' | '‰' | '$' | '€' | '£' | '¥' | '₩' | '₹') {
                self.tokens.push(Token::Sign(character), self.sentence);
            } else if self.is_minus() {
                self.tokens.push(Token::Minus, self.sentence);
            } else if self.ends_sentence(character) {
                self.sentence += 1;
            }
            self.at += 1;
        }
    }

    /// A minus stands before a digit and not after a letter, a digit or a closing bracket.
    fn is_minus(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.text.get(at));
        let free = before.is_none_or(|before| !before.is_alphanumeric() && *before != ')');
        self.peek(0) == Some('-') && free && self.peek(1).is_some_and(|next| next.is_ascii_digit())
    }

    /// A point ends a sentence only before a blank or the end.
    fn ends_sentence(&self, character: char) -> bool {
        match character {
            '。' | '！' | '？' | '!' | '?' | '；' | ';' | '\n' => true,
            '.' => self.peek(1).is_none_or(char::is_whitespace),
            _ => false,
        }
    }

    /// Digits with group commas and at most one point.
    fn number(&mut self) -> String {
        let mut digits = String::new();
        let mut point = false;
        while let Some(character) = self.peek(0) {
            let more = self.peek(1).is_some_and(|next| next.is_ascii_digit());
            match character {
                '0'..='9' => digits.push(character),
                ',' if more && !point => {}
                '.' if more && !point => {
                    point = true;
                    digits.push('.');
                }
                _ => break,
            }
            self.at += 1;
        }
        canonical(&digits)
    }

    fn word(&mut self) -> Token {
        let mut word = String::new();
        while let Some(character) = self.peek(0) {
            let inside =
                character.is_alphanumeric() && !character.is_ascii_digit() && !is_han(character);
            if !inside {
                break;
            }
            word.push(character);
            self.at += 1;
        }
        // An English owner's `'s` is not part of the name.
        let after = self.peek(2).is_none_or(|next| !next.is_alphanumeric());
        if self.peek(0) == Some('\'') && self.peek(1) == Some('s') && after {
            self.at += 2;
        }
        match word.as_str() {
            "percent" => Token::Sign('%'),
            _ => Token::Word(word),
        }
    }
}

/// Digits without leading zeros, and without those after the point that say nothing.
fn canonical(digits: &str) -> String {
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
}

/// Numbers with the words that multiply them made one number.
fn scaled(tokens: Tokens) -> Tokens {
    let mut out = Tokens::default();
    for (token, sentence) in tokens.items.into_iter().zip(tokens.sentences) {
        let beside = out.sentences.last() == Some(&sentence);
        match (zeros(&token), out.items.last_mut()) {
            (Some(zeros), Some(Token::Number(number))) if beside => {
                *number = times_ten(number, zeros);
            }
            _ => out.push(token, sentence),
        }
    }
    out
}

/// By how many zeros a word multiplies the number before it.
fn zeros(token: &Token) -> Option<usize> {
    match token {
        Token::Word(word) => match word.as_str() {
            "thousand" => Some(3),
            "million" => Some(6),
            "billion" => Some(9),
            _ => None,
        },
        Token::Han('万') => Some(4),
        Token::Han('亿') => Some(8),
        _ => None,
    }
}

fn times_ten(number: &str, zeros: usize) -> String {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{part:0<zeros$}");
    let (moved, rest) = digits.split_at(zeros);
    canonical(&format!("{whole}{moved}.{rest}"))
}
