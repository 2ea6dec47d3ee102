use super::*;

fn read(file: &[u8]) -> Result<Vec<String>, String> {
    let name = |fields: &Fields<'_>| Ok((fields.id("id")?, fields.filled("name")?.to_owned()));
    let rows = all(each(file, name, ("id", |(id, _): &(TaskId, String)| id.clone())));
    let rows = rows.map_err(|bad| bad.to_string())?;
    Ok(rows.into_iter().map(|(id, name)| format!("{id} {name}")).collect())
}

#[test]
fn lines_and_lists_are_read_in_every_encoding() {
    let lines = "{\"id\": 1, \"name\": \"ä\"}\r\n \r\n{\"id\": \" b \", \"name\": \"2\"}\r\n";
    let list =
        "[{\"id\": 1.0, \"name\": \"ä\"},\n{\"id\": \"b\", \"name\": \"2\", \"more\": []}]\n";
    for text in [lines.to_owned(), lines.replace("\r\n", "\r"), list.to_owned()] {
        let wide = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect()
        };
        for file in [
            text.as_bytes().to_vec(),
            format!("\u{feff}{text}").into_bytes(),
            wide(u16::to_le_bytes),
            wide(u16::to_be_bytes),
        ] {
            assert_eq!(read(&file), Ok(vec!["1 ä".to_owned(), "b 2".to_owned()]), "{text:?}");
        }
    }
}

#[test]
fn mistakes_are_named_by_row_and_field() {
    let row = r#"{"id": 1, "name": "x"}"#;
    for (file, wanted) in [
        (
            String::new(),
            "the file has no rows; expected one JSON object a line, or a list of objects",
        ),
        (
            "[]".to_owned(),
            "the file has no rows; expected one JSON object a line, or a list of objects",
        ),
        ("[{]".to_owned(), "it is not JSON: a key in double quotes is missing at byte 2"),
        ("[".repeat(100_000), "it is not JSON: lists and objects are nested too deeply at byte 64"),
        (format!("{row}\n\n{{"), "row 3: it is not JSON: the text ends too early at byte 1"),
        (format!("[{row}, 7]"), "row 2: expected an object, got a number"),
        (format!("{row}\n{row}"), "row 2, field id: 1 is the id of row 1, too; ids must differ"),
        (row.replace("\"x\"", "[]"), "row 1, field name: expected text, got a list"),
        (
            row.replace("\"x\"", "\" \""),
            "row 1, field name: it is missing or blank; every row needs it",
        ),
        (
            row.replace("\"x\"", "null"),
            "row 1, field name: it is missing or blank; every row needs it",
        ),
        (
            row.replace('1', "1.5"),
            "row 1, field id: expected a whole number, or 1 to 100 characters without control characters",
        ),
        (
            row.replace('x', &"x".repeat(ROW_LIMIT)),
            "row 1: it has 1048597 bytes, the most are 1048576",
        ),
    ] {
        assert_eq!(read(file.as_bytes()).expect_err(wanted), wanted);
    }
    assert_eq!(
        read(b"{\"id\": \"\xff\"}"),
        Err("row 1: it is not UTF-8; save the file as UTF-8".to_owned())
    );
    assert_eq!(
        read(b"\xff\xfea"),
        Err("it is neither UTF-8 nor UTF-16; save it as UTF-8".to_owned())
    );
}

#[test]
fn fields_are_read_in_every_spelling_and_refused_by_their_place() {
    let text = r#"{"a": {"n": "2.0", "x": -1.5, "none": "NaN", "list": [{"n": 3}, 7], "s": 7}, "deep": {"list": [1, "secret"]}}"#;
    let Ok(Json::Object(object)) = json::parse(text, Dialect::Python) else {
        panic!("an object");
    };
    let fields = Fields::new(4, &object);
    assert_eq!(fields.get::<u32>("a.n"), Ok(2));
    assert_eq!(fields.get::<f64>("a.x"), Ok(-1.5));
    assert_eq!(fields.maybe::<u64>("a.none"), Ok(None));
    assert_eq!(fields.maybe::<i64>("a.missing.deep"), Ok(None));
    assert_eq!(fields.get::<String>("a.s"), Ok("7".to_owned()));
    assert_eq!(fields.typed::<Vec<u32>>("none"), Ok(None));
    let said = |bad: BadRow| bad.to_string();
    for (found, wanted) in [
        (
            fields.get::<u32>("a.x").map_err(said).err(),
            "row 4, field a.x: expected a whole number from 0 to 4294967295, got a number",
        ),
        (
            fields.get::<&str>("b").map_err(said).err(),
            "row 4, field b: it is missing; expected text",
        ),
        (
            fields.objects("a.list").map_err(said).err(),
            "row 4, field a.list[1]: expected an object, got a number",
        ),
        (
            fields.typed::<Vec<u32>>("deep.list").map_err(said).err(),
            "row 4, field deep.list[1]: a whole number from 0 on is wanted",
        ),
    ] {
        assert_eq!(found.as_deref(), Some(wanted));
    }
}
