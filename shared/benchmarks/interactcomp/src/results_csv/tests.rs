use super::*;
use crate::dataset;
use crate::interaction::Interaction;
use crate::memory::{self, Record};
use crate::reading::Action;
use turnwise_core::metrics::cost::reference_cost;
use turnwise_core::testing::cases;

/// The counts of a skipped play: the reference code throws the real ones away.
const SKIPPED_COUNTS: &str = "{'valid': True}";

/// The counts of an episode that failed three times.
const ERROR_COUNTS: &str = "{}";

const HEADER: &str =
    "question,correct_answer,predicted_answer,confidence,history,score,cost,action_counts";

/// A file of these rows, quoted as Python's csv module does.
fn file(rows: &[[&str; 8]]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER.split(',')).unwrap();
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

fn search(query: &str, observation: &str) -> Record {
    record(Action::Search { query: query.to_owned() }, observation)
}

fn ask(question: &str, observation: &str) -> Record {
    record(Action::Ask { question: question.to_owned() }, observation)
}

fn answer(answer: &str, confidence: &str) -> Record {
    let action = Action::Answer { answer: answer.to_owned(), confidence: confidence.to_owned() };
    record(action, &memory::answer_observation(answer, confidence))
}

fn record(action: Action, observation: &str) -> Record {
    Record {
        name: action.name().to_string(),
        params: action.params(),
        observation: observation.to_owned(),
    }
}

/// The run-level vector of specification 7.5: right answer, skipped, error, fallback.
fn run_level() -> Vec<u8> {
    let one = memory::render("Q1?", &[search("s1", "1. T — S (src: U)"), answer("Foo", "85%")]);
    let four = memory::render("Q4?", &[ask("k1", "yes"), ask("k2", "no"), fallback()]);
    file(&[
        [
            "Q1?",
            "Foo",
            "Foo",
            "85%",
            &one,
            "1.0",
            "0.00042",
            "{'answer': 1, 'search': 1, 'ask': 0, 'invalid': 0}",
        ],
        [
            "Q2?",
            "Bar",
            "",
            "0",
            "[Round 1]\nUser: Q2?\n    Action:  ()\nObservation: ",
            "0.0",
            "0.00126",
            SKIPPED_COUNTS,
        ],
        ["Q3?", "Baz", "Error", "0", "Error", "0.0", "0.0", ERROR_COUNTS],
        [
            "Q4?",
            "Qux",
            "No Answer",
            "0",
            &four,
            "0.0",
            "0.00252",
            "{'answer': 1, 'search': 0, 'ask': 2, 'invalid': 0}",
        ],
    ])
}

fn fallback() -> Record {
    Record {
        name: "answer".to_owned(),
        params: Object::default(),
        observation: "No Answer".to_owned(),
    }
}

#[test]
fn the_run_level_vector_is_imported() {
    let results = read(&run_level()).unwrap();
    let endings: Vec<_> = results.rows.iter().map(|row| row.ending).collect();
    assert_eq!(endings, [ending::ANSWERED, ending::SKIPPED, ending::ERROR, ending::FALLBACK]);
    assert_eq!(results.mode, Some(Mode::Full));
    let scores: f64 = results.rows.iter().filter_map(|row| row.score).sum();
    assert_eq!(scores / results.rows.len() as f64, 0.25);
    let costs: Vec<f64> = results.rows.iter().filter_map(|row| row.cost).collect();
    let cost = reference_cost(&costs).unwrap();
    assert_eq!((cost.total, cost.average), (0.00252, 0.00063));

    let [first, skipped, error, last] = &results.rows[..] else { panic!() };
    assert_eq!((first.confidence.as_str(), first.predicted_answer.as_str()), ("85%", "Foo"));
    assert_eq!(first.history.given, "Q1?");
    let rounds: Vec<_> = first
        .history
        .rounds
        .iter()
        .map(|round| (round.action.as_str(), round.params.as_str()))
        .collect();
    assert_eq!(rounds, [("search", "query: s1"), ("answer", "answer: Foo, confidence: 85%")]);
    assert_eq!(first.history.rounds[0].observation, "1. T — S (src: U)");
    // A blank cell is a blank answer, not a missing one.
    assert_eq!(skipped.predicted_answer, "");
    assert_eq!((skipped.counts, skipped.history.counts()), (None, Counts::default()));
    assert_eq!((error.counts, error.history.rounds.len()), (None, 0));
    assert_eq!(last.counts.unwrap().ask, 2);

    // Those of the skipped row come from its history; the failed one has none.
    let known = [first.counts, Some(skipped.history.counts()), last.counts];
    let counts: Vec<Counts> = known.into_iter().flatten().collect();
    let interaction = Interaction::of(&counts).unwrap();
    assert_eq!((interaction.n, interaction.iround), (3, 2.0 / 3.0));
}

#[test]
fn counts_of_skipped_rows_come_from_the_history() {
    let history = memory::render("Q?", &[search("s", "No results"), ask("k", "i don't know")]);
    let results =
        read(&file(&[["Q?", "a", "", "0", &history, "0.0", "0.1", SKIPPED_COUNTS]])).unwrap();
    let counts = Counts { search: 1, ask: 1, ..Counts::default() };
    assert_eq!((results.rows[0].counts, results.rows[0].history.counts()), (None, counts));
    assert_eq!(results.mode, None);
}

#[test]
fn the_mode_is_told_by_counts_and_by_the_first_user_line() {
    let mode = |given: &str, counts: &str| {
        let history = memory::render(given, &[answer("A", "1")]);
        read(&file(&[["Q?", "a", "A", "1", &history, "0.0", "0.1", counts]]))
            .map(|results| results.mode)
    };
    let full = "{'answer': 1, 'search': 0, 'ask': 0, 'invalid': 0}";
    let context = "CONTEXT:\nIt is\n\nold.\n\nQUESTION:\nQ?";
    let constraints = "Ask at least 5 times.\n\nQUESTION:\nQ?";
    assert_eq!(mode("Q?", full), Ok(Some(Mode::Full)));
    assert_eq!(mode(context, full), Ok(Some(Mode::FullWithContext)));
    assert_eq!(mode(constraints, full), Ok(Some(Mode::ForcedAsk)));
    assert_eq!(mode("Q?", "{'answer': 1, 'invalid': 0}"), Ok(Some(Mode::AnswerOnly)));
    assert_eq!(mode("Q?", "{'search': 0, 'answer': 1, 'invalid': 0}"), Ok(Some(Mode::SearchOnly)));
    assert_eq!(mode("Q?", "{'ask': 0, 'answer': 1, 'invalid': 0}"), Ok(Some(Mode::AskOnly)));
    // The reference code never decorates the question of these modes.
    let error = mode(context, "{'answer': 1, 'invalid': 0}").unwrap_err();
    assert_eq!(error, BadRow::row(1, MODES_DIFFER));
}

#[test]
fn a_file_is_one_run() {
    let history = memory::render("Q?", &[answer("A", "1")]);
    let with = |counts: &'static str| ["Q?", "a", "A", "1", history.as_str(), "0.0", "0.1", counts];
    let error = read(&file(&[
        with("{'answer': 1, 'invalid': 0}"),
        with("{'search': 0, 'answer': 1, 'invalid': 0}"),
    ]))
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 2: the row belongs to another mode than those before it; one file is one run"
    );
}

#[test]
fn fallbacks_are_told_from_answers_by_the_last_observation() {
    let outcome = |last: Record| {
        let history = memory::render("Q?", &[last]);
        let row = ["Q?", "a", "A", "0", &history, "0.0", "0.1", "{'answer': 1, 'invalid': 0}"];
        read(&file(&[row])).unwrap().rows[0].ending
    };
    assert_eq!(outcome(answer("it's \"A\"", "None")), ending::ANSWERED);
    assert_eq!(outcome(answer("", "50")), ending::ANSWERED);
    assert_eq!(outcome(fallback()), ending::FALLBACK);
    let mut text = answer("Foo", "90");
    text.observation = "Foo".to_owned();
    assert_eq!(outcome(text), ending::FALLBACK);
}

#[test]
fn observations_may_contain_anything() {
    let nasty = "1. T — [Round 2]\n[Round 3]\n    Action: ask (x)\n[Round 2]\nno action here\n\nObservation: z (src: U)";
    let records = [search("a (b)", nasty), ask("two\nlines)", "yes"), answer("A", "1")];
    let text = memory::render(
        "CONTEXT:\n    Action: none (here)\nObservation: x\n\nQUESTION:\nQ?",
        &records,
    );
    let history = History::read(&text, "Q?").unwrap();
    assert_eq!(history.told(), Some(Mode::FullWithContext));
    assert_eq!(history.rounds.len(), 3);
    assert_eq!(history.rounds[0].observation, nasty);
    assert_eq!(history.rounds[0].params, "query: a (b)");
    assert_eq!(history.rounds[1].params, "question: two\nlines)");
    assert_eq!(history.counts(), Counts { answer: 1, search: 1, ask: 1, invalid: 0 });
    let windows = text.replace('\n', "\r\n");
    assert!(History::read(&windows, "Q?").unwrap() == history);
}

#[test]
fn rows_are_matched_to_tasks_by_question() {
    let tasks = include_str!("tests/tasks.jsonl");
    let tasks = dataset::load(tasks.as_bytes(), None).unwrap();
    let mut results = read(&run_level()).unwrap();
    assert_eq!(results.match_tasks(&tasks), [3, 4]);
    let ids: Vec<_> =
        results.rows.iter().map(|row| row.task.as_ref().map(|id| id.0.as_str())).collect();
    assert_eq!(ids, [Some("1"), Some("x"), None, None]);
}

#[test]
fn mistakes_are_named_by_row_and_column() {
    let history = memory::render("Q?", &[answer("A", "1")]);
    let counts = "{'answer': 1, 'invalid': 0}";
    let good = ["Q?", "a", "A", "1", history.as_str(), "0.0", "0.1", counts];
    let with = |column: &str, cell: &'static str| {
        let mut row = good;
        row[COLUMNS.iter().position(|name| *name == column).unwrap()] = cell;
        read(&file(&[good, row])).unwrap_err().to_string()
    };
    for (cell, column, problem) in
        cases::<(&str, &str, &str)>(include_str!("tests/bad_cells.jsonl"))
    {
        assert_eq!(with(column, cell), format!("row 2, field {column}: {problem}"));
    }
    let message = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert_eq!(message(HEADER.as_bytes()), "the file has no rows");
    assert_eq!(
        message(b""),
        "field question: it is missing; this is the per-model CSV of the reference code, not models_summary.csv"
    );
    assert_eq!(
        message(b"model,avg_score\nx,0.1\n"),
        "field question: it is missing; this is the per-model CSV of the reference code, not models_summary.csv"
    );
    assert_eq!(
        message(format!("{HEADER}\na,b\n").as_bytes()),
        "row 1: the row has 2 cells, the header 8; a quote may be missing"
    );
    let mut not_utf8 = file(&[good]);
    let place = not_utf8.len() - 40;
    not_utf8[place] = 0xff;
    assert!(message(&not_utf8).starts_with("row 1: it is not CSV in UTF-8: "));
}

/// A run of two tasks in forced_ask, whose questions have several lines.
fn forced() -> Vec<[String; 8]> {
    let row = |question: &str, key: &str| {
        let given = format!("Ask at least 2 times.\n\nQUESTION:\n{question}");
        let history = memory::render(
            &given,
            &[ask(key, "yes"), search("a; b", "1. T\n— S"), answer("A\tB", "1")],
        );
        [
            question,
            "a",
            "A\tB",
            "1",
            &history,
            "1.0",
            "0.25",
            "{'answer': 1, 'search': 1, 'ask': 1, 'invalid': 0}",
        ]
        .map(str::to_owned)
    };
    vec![row("Which\nof the two?", "k1"), row("And\nwhich now?\n", "k2")]
}

fn written(rows: &[[String; 8]], separator: u8, ends: csv::Terminator) -> Vec<u8> {
    let mut writer =
        csv::WriterBuilder::new().delimiter(separator).terminator(ends).from_writer(Vec::new());
    writer.write_record(HEADER.split(',')).unwrap();
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn what_other_programs_do_to_a_table_changes_nothing() {
    let rows = forced();
    let plain = written(&rows, b',', csv::Terminator::Any(b'\n'));
    let wanted = read(&plain).unwrap();
    assert_eq!(wanted.mode, Some(Mode::ForcedAsk));
    assert!(wanted.remarks.is_empty());
    let mut files = vec![[b"\xef\xbb\xbf".as_slice(), &plain].concat()];
    for ends in ["\r\n", "\r"] {
        // In all cells, and in the questions alone.
        for columns in [0..8, 0..1] {
            let mut rows = rows.clone();
            for row in &mut rows {
                for cell in &mut row[columns.clone()] {
                    *cell = cell.replace('\n', ends);
                }
            }
            for terminator in
                [csv::Terminator::CRLF, csv::Terminator::Any(b'\n'), csv::Terminator::Any(b'\r')]
            {
                for separator in SEPARATORS {
                    files.push(written(&rows, separator, terminator));
                }
            }
        }
    }
    let semicolons = written(&rows, b';', csv::Terminator::CRLF);
    files.push([b"sep=;\r\n".as_slice(), &semicolons].concat());
    let text = String::from_utf8(written(&rows, b'\t', csv::Terminator::CRLF)).unwrap();
    let wide = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    files.push([b"\xff\xfe".as_slice(), &wide(u16::to_le_bytes)].concat());
    files.push([b"\xfe\xff".as_slice(), &wide(u16::to_be_bytes)].concat());
    let text = String::from_utf8(semicolons).unwrap();
    files.push(text.replace(";1.0;0.25;", ";1,0;0,25;").into_bytes());
    let padded = text.replace("action_counts", "action_counts;;").replace("0}\r\n", "0};;\r\n");
    files.push((padded + ";;;;;;;;;\r\n").into_bytes());
    for (at, file) in files.iter().enumerate() {
        let found = read(file).unwrap_or_else(|error| panic!("file {at}: {error}"));
        assert!(found == wanted, "file {at}: {found:?}");
    }
    // The same in the task file.
    let tasks = include_str!("tests/forced_tasks.jsonl");
    for tasks in [
        tasks.to_owned(),
        tasks.replace("\\n", "\\r\\n"),
        tasks.replace('\n', "\r\n"),
        tasks.replace('\n', "\r"),
        tasks.replace("\\n", "\\r"),
    ] {
        let tasks = dataset::load(tasks.as_bytes(), None).unwrap();
        let mut matched = wanted.clone();
        assert!(matched.match_tasks(&tasks).is_empty());
        assert_eq!(matched.rows[1].task.as_ref().map(|id| id.0.as_str()), Some("2"));
    }
}

#[test]
fn numbers_are_read_in_every_spelling_and_nothing_is_nothing() {
    let history = memory::render("Q?", &[answer("A", "1")]);
    let with = |score: &str, cost: &str, counts: &str| {
        let row = ["Q?", "a", "A", "1", history.as_str(), score, cost, counts];
        let results = read(&file(&[row])).unwrap();
        let row = &results.rows[0];
        (row.score, row.cost, row.counts.unwrap().answer)
    };
    let plain = "{'answer': 1, 'invalid': 0}";
    for score in ["1", "1.0", " 1.0 ", "1e0", "True", "true", "1.000"] {
        assert_eq!(with(score, "0.1", plain), (Some(1.0), Some(0.1), 1), "{score}");
    }
    for counts in [
        "{'answer': 1.0, 'invalid': 0.0}",
        "{'answer': '1', 'invalid': \"0\"}",
        "{\"answer\": 1e0, \"invalid\": 0}",
        "{ 'answer':1,'invalid':0 }",
    ] {
        assert_eq!(with("1", "0.1", counts), (Some(1.0), Some(0.1), 1), "{counts}");
    }
    for nothing in ["", "NaN", "nan", "None", "null", "undefined", "inf", "-Infinity", "<NA>"] {
        assert_eq!(with(nothing, nothing, plain), (None, None, 1), "{nothing}");
    }
}

#[test]
fn what_was_cut_or_copied_or_contradicts_itself_is_named() {
    let rows = forced();
    let read = |rows: &[[String; 8]]| super::read(&written(rows, b',', csv::Terminator::CRLF));
    // A spreadsheet cuts a cell after a fixed number of characters.
    for (sign, ends) in [("x", "\n"), ("字", "\n"), ("👩", "\n"), ("x", "\r\n")] {
        let mut rows = rows.clone();
        let long = format!("[Round 1]\nUser: {}\n{}", rows[1][0], sign.repeat(40_000));
        let units: Vec<u16> = long.encode_utf16().take(32_767).collect();
        rows[1][4] = String::from_utf16_lossy(&units).replace('\n', ends);
        let error = read(&rows).unwrap_err();
        assert_eq!(
            (error.row, error.field.as_str(), error.problem.as_str()),
            (Some(2), "history", CUT)
        );
        assert!(
            error.to_string().starts_with("row 2, field history: it has exactly 32,767"),
            "{error}"
        );
    }
    let mut copied = rows.clone();
    copied.push(rows[0].clone());
    let found = read(&copied).unwrap();
    assert_eq!((found.rows.len(), found.remarks.len()), (2, 1));
    assert!(found.remarks[0].contains("row 3 is row 1 once more"), "{:?}", found.remarks);
    copied[2][5] = "0.0".to_owned();
    let found = read(&copied).unwrap();
    assert_eq!(found.rows.len(), 3);
    assert!(found.remarks[0].contains("another repeat"), "{:?}", found.remarks);
    let mut contradicting = rows.clone();
    contradicting[1][7] = "{'answer': 1, 'search': 4, 'ask': 1, 'invalid': 0}".to_owned();
    let found = read(&contradicting).unwrap();
    assert!(
        found.remarks[0].starts_with("row 2: its history has 1 answers, 1 searches"),
        "{:?}",
        found.remarks
    );
}

#[test]
fn neither_debug_nor_errors_show_texts() {
    let history = memory::render("the secret", &[answer("secret", "1")]);
    let results = read(&file(&[[
        "the secret",
        "secret",
        "secret",
        "1",
        &history,
        "0.0",
        "0.1",
        "{'answer': 1, 'invalid': 0}",
    ]]))
    .unwrap();
    assert!(!format!("{results:?}").contains("secret"));
}

proptest::proptest! {
    #[test]
    fn any_bytes_can_be_offered(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300), at in 0_usize..900) {
        let _ = read(&bytes);
        let mut file = run_level();
        let at = at.min(file.len());
        let end = (at + bytes.len() / 10).min(file.len());
        file.splice(at..end, bytes);
        let _ = read(&file);
    }

    #[test]
    fn any_history_can_be_read(text in r"(?s)(\[Round [1-4]\]|\n|User: |    Action: |Observation: | \(|\)|Q\?|.){0,40}") {
        let _ = History::read(&text, "Q?");
        let _ = History::read(&format!("[Round 1]\nUser: {text}"), "Q?");
    }

    #[test]
    fn plain_histories_come_back(words in proptest::collection::vec("[a-z ,:]{0,12}", 1..12)) {
        let records: Vec<Record> = words.iter().map(|word| search(word, word)).collect();
        let history = History::read(&memory::render("Q?", &records), "Q?").unwrap();
        proptest::prop_assert_eq!(history.rounds.len(), records.len());
        for (round, word) in history.rounds.iter().zip(&words) {
            proptest::prop_assert_eq!(&round.params, &format!("query: {word}"));
            proptest::prop_assert_eq!(&round.observation, word);
        }
    }
}

#[test]
fn bent_quotes_change_nothing() {
    for observation in cases::<&str>(include_str!("tests/answers.jsonl")) {
        assert!(is_answer(observation), "{observation}");
    }
    for observation in cases::<&str>(include_str!("tests/no_answers.jsonl")) {
        assert!(!is_answer(observation), "{observation}");
    }
    let plain = run_level();
    let bent = String::from_utf8(plain.clone())
        .unwrap()
        .replace("{'", "{\u{2018}")
        .replace("':", "\u{2019}:");
    let bent =
        bent.replace(": '", ": \u{2018}").replace("',", "\u{2019},").replace(", '", ", \u{2018}");
    let (plain, bent) = (read(&plain).unwrap(), read(bent.as_bytes()).unwrap());
    let told = |results: &Results| -> Vec<(&str, Option<Counts>)> {
        results.rows.iter().map(|row| (row.ending, row.counts)).collect()
    };
    assert_eq!(told(&plain), told(&bent));
}
