use super::*;

fn shown(text: &str) -> Vec<String> {
    let tokens = Tokens::of(text);
    let texts = tokens.items.iter().map(|token| match token {
        Token::Number(number) => number.clone(),
        Token::Word(word) => word.clone(),
        Token::Han(character) | Token::Sign(character) => character.to_string(),
        Token::Minus => "-".to_owned(),
    });
    texts.collect()
}

#[test]
fn numbers_are_the_same_however_they_are_written() {
    for text in [
        "1,200,000 km",
        "1200000km",
        "１，２００，０００　ＫＭ",
        "1.2 million km.",
        "120万 km",
        "1\u{200b}200000 km",
    ] {
        assert_eq!(shown(text), ["1200000", "km"], "{text}");
    }
    assert_eq!(shown("5,791.40"), shown("5791.4"));
    assert_eq!(shown("2031-05-04"), ["2031", "5", "4"]);
    assert_eq!(shown("-3 °C, A-3, 2-3"), ["-", "3", "c", "a", "3", "2", "3"]);
    assert_eq!(shown("50 percent"), shown("50%"));
    assert_eq!(shown("0.5, 00.50 and .5"), ["0.5", "0.5", "and", "5"]);
    assert_eq!(shown("1.25亿美元"), ["125000000", "美", "元"]);
    assert_eq!(shown("3. thousand"), ["3", "thousand"]);
}

#[test]
fn words_lose_case_and_owners_only() {
    assert_eq!(shown("The Oskery Line's “best” day"), ["the", "oskery", "line", "best", "day"]);
    assert_eq!(shown("蓝湖（第2赛段）"), ["蓝", "湖", "第", "2", "赛", "段"]);
}

#[test]
fn sentences_end_at_points_and_lines() {
    let tokens = Tokens::of("A 3.5 b. C d! 甲乙。丙\ne");
    let sentences: Vec<usize> = tokens.sentences().map(<[Token]>::len).collect();
    assert_eq!(sentences, [3, 2, 2, 1, 1]);
    assert_eq!(tokens.sentence(3), &tokens.items[3..5]);
    assert!(tokens.holds(&Tokens::of("3.50 B").items));
    assert!(!tokens.holds(&Tokens::of("3").items));
    assert!(!tokens.holds(&[]));
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_read(text in "(?s).{0,60}", numbers in "[0-9.,万亿 -]{0,40}") {
        for text in [text, numbers] {
            let tokens = Tokens::of(&text);
            proptest::prop_assert_eq!(tokens.items.len(), tokens.sentences.len());
            let all: usize = tokens.sentences().map(<[Token]>::len).sum();
            proptest::prop_assert_eq!(all, tokens.items.len());
        }
    }
}
