use super::*;
use crate::testing::question;
use turnwise_shared::examples::{DIALOGUE, QUESTIONS};
use turnwise_shared::prompt::Written;
use turnwise_shared::registry;

/// The keys and texts of the words with which a question of this kind of benchmark is answered.
fn keys(benchmark: &str, question: &Question) -> Vec<(String, String)> {
    let AnswerForm::Words(all) = desk(registry::find(benchmark).expect("it is there"), question)
    else {
        panic!("it is answered with a word");
    };
    all.into_iter().map(|word| (word.key, word.text)).collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    let all = all.iter();
    all.map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

fn choice(words: &[&str]) -> Expect {
    Expect::Choice(words.iter().map(|word| (*word).to_owned()).collect())
}

#[test]
fn every_choice_has_a_key_of_its_own() {
    for (words, wanted) in [
        (vec!["yes", "no", "i don't know"], "ynd"),
        (vec!["Yes", "No", "Both", "Irrelevant"], "ynbi"),
        (vec!["CORRECT", "INCORRECT"], "ci"),
        (vec!["COOPERATE", "DEFECT"], "cd"),
        // The letter that is taken, a letter of the page, and what has no letter.
        (vec!["red", "rose", "blue"], "rob"),
        (vec!["low", "up", "level"], "ope"),
        (vec!["是", "否"], "12"),
        (vec!["$$$$ 1", "$$$$ 0"], "10"),
        (vec!["a", "a", "a"], "a23"),
    ] {
        let said = words.iter().map(|word| ((*word).to_owned(), String::new()));
        let keys: String = with_keys(said).into_iter().map(|word| word.key).collect();
        assert_eq!(keys, wanted, "{words:?}");
    }
}

#[test]
fn a_word_says_what_a_model_would_write() {
    let responder = question("responder", choice(&["yes", "no", "i don't know"]), &[]);
    assert_eq!(
        keys(QUESTIONS, &responder),
        pairs(&[("y", "yes"), ("n", "no"), ("d", "i don't know")])
    );
    let asked = desk(registry::find(QUESTIONS).expect("it is there"), &responder);
    assert_eq!(said(&asked, "i don't know"), "I don't know");
    assert_eq!(said(&asked, "something else"), words::WRITTEN);
    // A benchmark may call a model's words by names of its own.
    let grader = question("grader", choice(&["$$$$ 1", "$$$$ 0"]), &[]);
    assert_eq!(keys(DIALOGUE, &grader), pairs(&[("r", "$$$$ 1"), ("w", "$$$$ 0")]));
    let benchmark = registry::find(DIALOGUE).expect("it is there");
    assert_eq!(put(benchmark, &grader), Some("Does the given answer agree with the correct one?"));
    let judge = question("judge", choice(&["Yes", "No"]), &[]);
    assert_eq!(put(benchmark, &judge), None, "it grades nothing");
}

#[test]
fn free_text_is_a_form_where_the_benchmark_has_one() {
    let player = question(Seat::PLAYER, Expect::Text, &[]);
    let names =
        |benchmark: &str| match desk(registry::find(benchmark).expect("it is there"), &player) {
            AnswerForm::Forms(Expect::Actions(forms)) => {
                forms.into_iter().map(|form| form.name).collect()
            }
            AnswerForm::Forms(Expect::Text) => Vec::new(),
            other => panic!("{other:?}"),
        };
    assert_eq!(names(DIALOGUE), ["guess"], "nothing is left to ask");
    assert!(names(QUESTIONS).is_empty());
}

#[test]
fn an_answer_of_several_actions_is_called_by_its_name() {
    let form = |name: &str| ActionForm {
        name: name.to_owned(),
        parameters: Vec::new(),
        written: Written::Action,
    };
    let both = Expect::Actions(vec![form("accept"), form("refuse")]);
    let editor = AnswerForm::Forms(both);
    let refused = form("refuse").text(&[]);
    assert_eq!(said(&editor, &refused), "refuse");
    assert_eq!(said(&editor, "{\"action\": \"shrug\"}"), words::WRITTEN);
    let alone = AnswerForm::Forms(Expect::Actions(vec![form("answer")]));
    assert_eq!(said(&alone, &form("answer").text(&[])), words::WRITTEN);
}

#[test]
fn what_ends_a_play_is_offered_last() {
    let form = |name: &str| ActionForm {
        name: name.to_owned(),
        parameters: Vec::new(),
        written: Written::Action,
    };
    let names = |forms: &[&str]| -> Vec<String> {
        let forms = offered(forms.iter().map(|name| form(name)).collect());
        forms.into_iter().map(|form| form.name).collect()
    };
    assert_eq!(names(&["answer", "search", "ask"]), ["search", "ask", "answer"]);
    assert_eq!(names(&["answer"]), ["answer"]);
    assert_eq!(names(&["edit", "accept"]), ["edit", "accept"]);
}

#[test]
fn json_is_set_as_code_and_words_are_not() {
    let code =
        |text: &str| parts(&question("editor", Expect::Text, &[("draft", text)]), &[])[0].is_code;
    assert!(code("{\n  \"text\": \"问\"\n}"));
    assert!(code("[1]"));
    for words in ["{not JSON", "1992", "\"Ada\"", "A choir."] {
        assert!(!code(words), "{words}");
    }
}

#[test]
fn chinese_is_set_as_such_and_empty_parts_are_left_out() {
    let grader = question(
        "grader",
        Expect::Text,
        &[("question", "他是谁？"), ("aliases", " "), ("predicted_answer", "Ada")],
    );
    let shown = parts(&grader, &[]);
    let marks: Vec<_> = shown.iter().map(|part| (part.lang, part.is_point)).collect();
    assert_eq!(marks, [(Some("zh"), false), (None, true)]);
}

#[test]
fn a_player_follows_the_scene_and_is_told_what_was_wrong() {
    let mut player =
        question(Seat::PLAYER, Expect::Text, &[("question", "Who?"), ("fault", "no action")]);
    assert!(!draws_scene(&player));
    assert_eq!(parts(&player, &[]).len(), 2);
    player
        .scene
        .blocks
        .push(Block::Text { heading: "Question".to_owned(), text: "Who?".to_owned() });
    assert!(draws_scene(&player));
    let shown: Vec<_> = parts(&player, &[]).into_iter().map(|part| part.text).collect();
    assert_eq!(shown, ["no action"]);
}

#[test]
fn a_judge_sees_large_what_is_judged() {
    let given = [("problem", "P"), ("solution", "S"), ("asked", "Is it 5?")];
    let judge = question("judge", choice(&["Yes", "No"]), &given);
    let points: Vec<_> = parts(&judge, &[])
        .into_iter()
        .filter(|part| part.is_point)
        .map(|part| (part.title, part.text))
        .collect();
    assert_eq!(points, [("Asked".to_owned(), "Is it 5?".to_owned())]);
    let writes = question("judge", Expect::Text, &given);
    assert!(parts(&writes, &[]).iter().all(|part| !part.is_point));
}
