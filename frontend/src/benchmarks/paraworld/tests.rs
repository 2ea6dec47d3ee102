use super::*;
use turnwise_shared::prompt::{ActionForm, Parameter, Written};

use crate::view::asked::parts;
use crate::view::testing::question;

#[test]
fn an_engine_without_facts_is_answered_as_text() {
    let bare = question("engine", Expect::Text, &[("query", "q")]);
    assert!(World.answer_form(&bare).is_none());
    let given = [("question", "Q?"), ("facts", r#"{"a": "1"}"#), ("query", "a?")];
    let whole = question("engine", Expect::Text, &given);
    let Some(OwnForm::Controls { lists, .. }) = World.answer_form(&whole) else {
        panic!("the facts are there");
    };
    let shown: Vec<_> =
        parts(&whole, lists).into_iter().map(|part| (part.title, part.is_point)).collect();
    assert_eq!(
        shown,
        [("Question".to_owned(), false), ("Query".to_owned(), true)],
        "the facts stand among the controls"
    );
}

#[test]
fn a_judge_says_one_of_two_words() {
    let form = ActionForm {
        name: "answer".to_owned(),
        parameters: vec![Parameter { name: "verdict".to_owned(), hint: String::new() }],
        written: Written::Tag,
    };
    let judge = question("judge", Expect::Actions(vec![form.clone()]), &[]);
    let Some(OwnForm::Words(words)) = World.answer_form(&judge) else {
        panic!("it is answered with a word");
    };
    let said: Vec<_> = words.iter().map(|word| (word.key.as_str(), word.text.as_str())).collect();
    assert_eq!(said, [("c", "<answer>Correct</answer>"), ("i", "<answer>Incorrect</answer>")]);
    let player = question("player", Expect::Actions(vec![form]), &[]);
    assert!(World.answer_form(&player).is_none());
}
