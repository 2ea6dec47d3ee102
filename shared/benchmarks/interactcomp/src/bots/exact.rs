//! `bot:exact`: a grader that compares names.

/// Whether an answer equals one of the names, letter case, punctuation, blanks, full-width forms and an article aside.
pub fn is_one_of<'a>(answer: &str, names: impl Iterator<Item = &'a str>) -> bool {
    let answer = folded(answer);
    !answer.is_empty() && names.map(folded).any(|name| name == answer)
}

fn folded(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|sign| match sign {
            // Full-width letters and digits.
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(sign) - 0xfee0).unwrap_or(sign),
            other => other,
        })
        .flat_map(char::to_lowercase)
        .map(|sign| if sign.is_alphanumeric() { sign } else { ' ' })
        .collect();
    let words: Vec<_> = plain.split_whitespace().collect();
    let words = match words.as_slice() {
        ["the" | "a" | "an", rest @ ..] if !rest.is_empty() => rest,
        all => all,
    };
    words.join(" ")
}
