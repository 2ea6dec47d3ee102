use super::*;
use turnwise_core::kit::rows::ROW_LIMIT;
use turnwise_core::testing::cases;

fn row(fields: &str) -> String {
    format!(
        "{{\"id\":1,\"domain\":\"d\",\"answer\":\"a\",\"question\":\"q\",\"context\":\"c\"{fields}}}\n"
    )
}

/// The first tasks of the samples, without aliases: the encrypted format has no place for them.
fn samples(count: usize) -> Vec<Task> {
    let tasks = load(include_bytes!("../../samples/tasks.jsonl"), None).unwrap().tasks;
    let plain = |task| Task { aliases: Vec::new(), ..task };
    tasks.into_iter().take(count).map(plain).collect()
}

fn error(file: &str) -> String {
    load(file.as_bytes(), None).unwrap_err().to_string()
}

/// D1 to D4 of the specification, and the check of the key.
#[test]
fn the_d_vectors() {
    let rows = cases::<(&str, &str, &str)>(include_str!("tests/ciphers.jsonl"));
    for (canary, plain, encrypted) in rows {
        let cipher = Cipher::new(canary);
        assert_eq!(cipher.decrypt(encrypted).as_deref(), Ok(plain));
        assert_eq!(cipher.encrypt(plain), encrypted);
    }
    let cipher = Cipher::new("InteractComp");
    assert_eq!(cipher.decrypt(""), Ok(String::new()));
    for broken in ["pdrWnkrlsJm", "pdrWnkrlsJm3\n", "pdrW nkrl", "pdrWnkrlsJm3=", "pdrWnk-_sJm3"] {
        assert_eq!(cipher.decrypt(broken), Err(BadCipher::NotBase64), "{broken:?}");
    }
    assert_eq!(cipher.decrypt("tUmfzevxAr2H"), Err(BadCipher::NotUtf8));
}

#[test]
fn plain_rows_are_read() {
    // As programs write it: with a byte order mark and a line break of Windows.
    let file = format!(
        "\u{feff}{}",
        include_str!("tests/given.jsonl").trim_end().replacen('\n', "\r\n", 1)
    );
    let set = load(file.as_bytes(), None).unwrap();
    assert_eq!(set.origin, TaskSetOrigin::Plain);
    assert_eq!(set.provenance(), Provenance::Own);
    assert_eq!(set.file, Digest::of(&file));
    let [one, two, three] = &set.tasks[..] else { panic!("{:?}", set.tasks) };
    assert_eq!((one.id.0.as_str(), one.answer.as_str(), one.language.code()), ("1", " A ", "en"));
    assert_eq!((two.number(), two.language.code(), two.aliases.len()), (None, "zh", 2));
    assert_eq!((three.number(), three.language.code()), (Some(3), "de"));
    let plain = include_str!("tests/plain.jsonl");
    assert_eq!(plain_lines(&set.tasks), plain);
    assert_eq!(set.plain, Digest::of(plain));
    assert_eq!(one.digest(), Digest::of(plain.lines().next().unwrap()));
    let again = load(plain.as_bytes(), None).unwrap();
    assert_eq!((again.tasks, again.plain), (set.tasks, set.plain));
}

#[test]
fn encrypted_rows_are_read_with_their_canary_or_with_one_from_outside() {
    let tasks = samples(5);
    let file = encrypted_lines(&tasks, "our-canary");
    let set = load(file.as_bytes(), None).unwrap();
    assert_eq!(set.tasks, tasks);
    assert_eq!(set.origin, TaskSetOrigin::Encrypted { canary: "our-canary".to_owned() });
    assert_eq!(set.plain, Digest::of(plain_lines(&tasks)));

    let without = file.replace(",\"canary\":\"our-canary\"", "");
    assert_eq!(load(without.as_bytes(), Some("our-canary")).unwrap().tasks, tasks);
    let wrong = load(without.as_bytes(), Some("another")).unwrap_err();
    assert!(wrong.problem.starts_with(&format!("it cannot be decrypted: {}", BadCipher::NotUtf8)));
}

#[test]
fn an_encrypted_file_is_never_taken_for_plain_text() {
    let file = encrypted_lines(&samples(3), "x").replace(",\"canary\":\"x\"", "");
    assert_eq!(
        error(&file),
        "row 1, field question: it looks encrypted, but the row has no canary; add the column again, or decrypt the \
         file with turnwise import --format interactcomp-tasks --canary WORD"
    );
    // Also where only the hidden context is.
    let question_in_clear =
        row("").replace("\"c\"", "\"woKAyhukppq9V8eV3lzEm+7sj87qiz02eWRLjNwUpgaFy8uDbtPT6cAo\"");
    assert!(error(&question_in_clear).starts_with("row 1, field context: it looks encrypted"));
}

#[test]
fn mixed_files_are_refused() {
    let tasks = samples(2);
    let encrypted = encrypted_lines(&tasks, "x");
    let plain = plain_lines(&tasks);
    let (first, second) = (encrypted.lines().next().unwrap(), plain.lines().nth(1).unwrap());
    let mixed = error(&format!("{first}\n{second}\n"));
    assert!(mixed.starts_with("row 2: some rows of the file have a canary"), "{mixed}");
    let kept_column = plain.replace("}\n", ",\"canary\":\"x\"}\n");
    assert_eq!(
        error(&kept_column),
        "row 1, field question: it cannot be decrypted: it is not base64; check the canary, and if the file is plain \
         already, remove the column"
    );
}

#[test]
fn mistakes_are_named_by_row_and_field() {
    for (file, message) in cases::<(&str, &str)>(include_str!("tests/mistakes.jsonl")) {
        assert_eq!(error(file), message);
    }
    assert_eq!(
        error(&row(",\"language\":\"English\"")),
        format!("row 1, field language: {}", load::NO_LANGUAGE)
    );
    let deep = format!(",\"x\":{}1{}", "[".repeat(64), "]".repeat(64));
    assert_eq!(
        error(&row(&deep)),
        "row 1: it is not JSON: lists and objects are nested too deeply at byte 130"
    );
    assert_eq!(
        error(&row(&format!(",\"x\":\"{}\"", "x".repeat(ROW_LIMIT)))),
        "row 1: it has 1048646 bytes, the most are 1048576"
    );
    let not_utf8 = load(b"{\"id\":\"\xff\"}", None).unwrap_err();
    assert_eq!(not_utf8.to_string(), "row 1: it is not UTF-8; save the file as UTF-8");
}

#[test]
fn neither_debug_nor_errors_show_task_text() {
    let tasks = samples(1);
    let shown = format!("{tasks:?}");
    for text in [&tasks[0].question, &tasks[0].context, &tasks[0].answer] {
        assert!(!shown.contains(text.as_str()), "{shown}");
    }
    let secret = row("").replace("\"q\"", "\"the secret question\"");
    for broken in [
        secret.replace("\"c\"", "5"),
        secret.replace(":\"c\"", ":\"c"),
        secret.replace("1", "\"\\u0001\""),
    ] {
        let error = load(broken.as_bytes(), None).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    }
}

#[test]
fn tasks_become_the_core_s() {
    let file = row(",\"aliases\":[\"x\",\"y\"]");
    let set = load(file.as_bytes(), None).unwrap();
    let digest = set.tasks[0].digest();
    let set = set.into_task_set("mine");
    let task = &set.tasks[0];
    assert_eq!((set.name.as_str(), task.digest), ("mine", digest));
    assert_eq!(task.field("aliases"), Some("x\ny"));
    assert_eq!(task.labels["language"], "en");
    assert_eq!(task.labels["domain"], "d");
}

proptest::proptest! {
    #[test]
    fn what_is_encrypted_is_decrypted(canary in "(?s).*", text in "(?s).*") {
        let cipher = Cipher::new(&canary);
        proptest::prop_assert_eq!(cipher.decrypt(&cipher.encrypt(&text)), Ok(text));
    }

    #[test]
    fn what_is_written_is_read_back(texts in proptest::collection::vec("(?s).{0,30}x y", 3), encrypted in proptest::bool::ANY) {
        let mut task = samples(1).remove(0);
        [task.question, task.context, task.answer] = <[String; 3]>::try_from(texts).unwrap();
        task.language = Language::of(&task.question);
        let tasks = vec![task];
        let file = if encrypted { encrypted_lines(&tasks, "c") } else { plain_lines(&tasks) };
        proptest::prop_assert_eq!(load(file.as_bytes(), None).unwrap().tasks, tasks);
    }

    #[test]
    fn any_bytes_can_be_offered(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200), at in 0_usize..400) {
        let _ = load(&bytes, None);
        // A good file with a piece replaced by noise.
        let mut file = encrypted_lines(&samples(1), "c").into_bytes();
        let at = at.min(file.len());
        let end = (at + bytes.len()).min(file.len());
        file.splice(at..end, bytes);
        let _ = load(&file, None);
        let _ = load(&file, Some("c"));
    }
}
