//! Source code of Rust, read without its comments, texts and tests.

use std::ops::Range;

use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, tokenize};

/// The tokens of a file, which are all of its text.
pub fn tokens(source: &str) -> impl Iterator<Item = (TokenKind, &str)> {
    let mut rest = source;
    tokenize(source, FrontmatterAllowed::No).map(move |token| {
        let (text, after) = rest.split_at(token.len as usize);
        rest = after;
        (token.kind, text)
    })
}

pub fn is_comment(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::LineComment { .. } | TokenKind::BlockComment { .. })
}

/// `source` with comments and literals blanked out; what is left stays where it is.
pub fn code_only(source: &str) -> String {
    let blank_or_kept = |(kind, text): (TokenKind, &str)| match kind {
        kind if is_comment(kind) || matches!(kind, TokenKind::Literal { .. }) => blank(text),
        _ => text.to_owned(),
    };
    tokens(source).map(blank_or_kept).collect()
}

/// [`code_only`] with every item under `#[cfg(test)]` blanked out as well.
pub fn without_tests(source: &str) -> String {
    let mut code = code_only(source);
    for item in items_of_tests(&code.clone()) {
        code.replace_range(item.clone(), &blank(&code[item]));
    }
    code
}

/// Where the items under `#[cfg(test)]` are; `code` is as [`code_only`] leaves it.
pub fn items_of_tests(code: &str) -> impl Iterator<Item = Range<usize>> {
    code.match_indices("#[cfg(test)]").map(|(at, _)| at..at + end_of_item(&code[at..]))
}

/// Where the first item of `code` ends: at a `;` or after its outermost braces.
fn end_of_item(code: &str) -> usize {
    let mut depth = 0;
    let ends = |sign| {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth <= 0 && matches!(sign, ';' | '}')
    };
    code.find(ends).map_or(code.len(), |end| end + 1)
}

/// As many bytes of white space, with the same lines.
pub fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}
