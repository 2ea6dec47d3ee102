//! Decoration around an answer: whatever does not change what it says.

/// Pairs that mathematics, Markdown and code put around an answer.
const PAIRS: [(&str, &str); 8] = [
    ("$$", "$$"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("**", "**"),
    ("__", "__"),
    ("`", "`"),
    ("\\displaystyle", ""),
];

/// Commands that only say how their argument is set.
const WRAPPERS: [&str; 4] = ["\\boxed{", "\\text{", "\\mathrm{", "\\mathbf{"];

/// Nesting of decoration that is taken off; what is deeper stays.
const LAYERS: usize = 8;

/// The longest answer that is tidied, in bytes; a longer one stays as it is.
const MOST_BYTES: usize = 20_000;

/// The answer without decoration, white space collapsed. Two answers with the same tidy form are the same answer.
pub fn tidy(text: &str) -> String {
    let mut rest = text.trim();
    if rest.len() > MOST_BYTES {
        return rest.to_owned();
    }
    for _ in 0..LAYERS {
        let before = rest.len();
        for (open, close) in PAIRS {
            rest = unwrap(rest, open, close).unwrap_or(rest);
        }
        for open in WRAPPERS {
            rest = unwrap(rest, open, "}")
                .filter(|inner| is_balanced(inner))
                .unwrap_or(rest);
        }
        if let Some(sentence) = rest.strip_suffix('.').filter(|rest| !rest.ends_with('.')) {
            rest = sentence.trim_end();
        }
        if rest.len() == before {
            break;
        }
    }
    let mut tidy = String::with_capacity(rest.len());
    for word in rest.split_whitespace() {
        if !tidy.is_empty() {
            tidy.push(' ');
        }
        tidy.push_str(word);
    }
    tidy
}

fn unwrap<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    let again = !close.is_empty() && close != "}" && inner.contains(close);
    (!again && !inner.is_empty()).then(|| inner.trim())
}

/// Whether no brace of a text closes one that was opened before it, or the other way round.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i64;
    for byte in text.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn decoration_goes_and_content_stays() {
        for (text, wanted) in [
            (" $28$ ", "28"),
            ("**28**.", "28"),
            ("\\boxed{\\frac{1}{2}}", "\\frac{1}{2}"),
            ("$\\boxed{5904}$.", "5904"),
            ("\\(x\\)", "x"),
            ("a \n  b", "a b"),
            ("\\text{yes}", "yes"),
            ("\\text{a} + \\text{b}", "\\text{a} + \\text{b}"),
            ("$1$ or $2$", "$1$ or $2$"),
            ("1...", "1..."),
            ("$", "$"),
            ("", ""),
        ] {
            assert_eq!(tidy(text), wanted, "{text:?}");
        }
    }
}
