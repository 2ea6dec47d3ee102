use serde_json::{Value, json};
use turnwise_core::exchange::inspect::archive::Packer;

use super::*;

fn png(width: u32, height: u32) -> Vec<u8> {
    turnwise_core::testing::png(width, height, "")
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = Packer::new(Vec::new());
    for (name, bytes) in files {
        zip.add(name, bytes).expect("it is written to memory");
    }
    zip.finish().expect("it is written to memory")
}

fn rows(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut row = json!({
        "id": "a", "picture": "a.png", "description": "A page.", "layout": "40x30\n0 0 9 9 9 #000000 #ffffff x",
        "spec": "It is small.", "omits": ["the colour", "the  size"], "language": "en", "clarity": "high",
    });
    change(&mut row);
    row.to_string().into_bytes()
}

#[test]
fn a_zip_with_rows_is_a_set() {
    let png = png(40, 30);
    let set = read("x.zip", &zip(&[("a.png", &png), ("tasks.jsonl", &rows(|_| {}))]));
    let set = set.expect("it is valid");
    let task = &set.tasks[0];
    let picture: PictureRef =
        task.fields[field::PICTURE].parse().expect("it is the text of a reference");
    assert_eq!(set.pictures[&picture.digest].as_ref(), png);
    assert_eq!((size(task), task.labels["clarity"].as_str()), (Some((40, 30)), "high"));
    assert_eq!(task.field(field::OMITS), Some("the colour\nthe size"));
    assert_eq!(task.field(field::DESCRIPTION), Some("A page."));
}

#[test]
fn bare_pictures_are_tasks_of_their_names() {
    let files: [(&str, &[u8]); 4] = [
        ("b.PNG", &png(8, 9)),
        ("a/c.png", &png(3, 2)),
        ("readme.txt", b"hello"),
        ("__MACOSX/b.png", b"not one"),
    ];
    let set = read("x.zip", &zip(&files)).expect("it is valid");
    let ids: Vec<_> = set.tasks.iter().map(|task| task.id.0.as_str()).collect();
    assert_eq!((ids, set.pictures.len()), (vec!["a/c", "b"], 2));
    let one = read("folder/one.png", &png(8, 9)).expect("one picture");
    assert_eq!((one.tasks[0].id.0.as_str(), one.tasks[0].field(field::LAYOUT)), ("one", Some("")));
}

#[test]
fn bad_sets_are_refused_by_row_field_and_file() {
    let picture = png(40, 30);
    let with = |rows: Vec<u8>| zip(&[("a.png", &picture), ("tasks.jsonl", &rows)]);
    let field = |name: &'static str, value: Value| with(rows(|row| row[name] = value));
    let bomb = zip(&[("a.png", &vec![0; 10_000_000])]);
    // The writer would tidy such names.
    let renamed = |name: [u8; 8]| {
        let mut zip = zip(&[("xx/a.png", &picture)]);
        for at in 0..zip.len() - name.len() {
            if zip[at..].starts_with(b"xx/a.png") {
                zip[at..at + name.len()].copy_from_slice(&name);
            }
        }
        zip
    };
    for (file, problem) in [
        (field("picture", json!("b.png")), "row 1, field picture: there is no b.png in it"),
        (field("picture", json!(7)), "row 1, field picture: expected text"),
        (field("layout", json!("41x30")), "field layout: it is 41 x 30, but the picture 40 x 30"),
        (field("layout", json!("40x30\n1 2")), "field layout: line 2 of the layout"),
        (field("description", json!("x".repeat(2_001))), "more than 2000 characters"),
        (field("omits", json!("one")), "row 1, field omits"),
        (field("clarity", json!("great")), "field clarity: expected low, medium or high"),
        (field("id", json!("")), "row 1, field id"),
        (
            with([rows(|_| {}), b"\n".to_vec(), rows(|_| {})].concat()),
            "row 2, field id: a is the id",
        ),
        (zip(&[("a.png", b"GIF89a")]), "a.png: it is not a whole PNG file"),
        (zip(&[("a.png", &png(10_000, 10_000))]), "a picture has at most 8000 pixels a side"),
        (zip(&[("a.png", &png(5_000, 10))]), "a target has at most 4000 pixels a side"),
        (renamed(*b"../a.png"), "the name \"../a.png\" leaves the folder"),
        (renamed(*b"/x/a.png"), "leaves the folder"),
        (renamed(*b"x\\/a.png"), "leaves the folder"),
        (zip(&[("a.txt", b"")]), "neither rows in tasks.jsonl nor PNG files"),
        (bomb, "a.png is larger than 3700000 bytes when it is unpacked"),
        (picture[..20].to_vec(), "it is not a whole PNG file"),
        (b"nothing".to_vec(), "this is no zip file"),
    ] {
        let error = read("x.zip", &file).expect_err(problem).message;
        assert!(error.contains(problem), "{error}");
    }
}

/// `examples/pack.rs` makes them of `pages.toml`, and of what our renderer makes of the pages.
#[test]
fn the_samples_are_the_pages() {
    let set = own(crate::PAGES, crate::PICTURES).expect("they are valid");
    // The web app has the same set without its pictures.
    let bare = own(crate::PAGES, &[]).expect("they are valid");
    assert_eq!((bare.digest, bare.pictures.len()), (set.digest, 0));
    let pages: toml::Table =
        include_str!("../../samples/pages.toml").parse().expect("the file is TOML");
    let pages = pages["page"].as_array().expect("a list of pages");
    assert_eq!(set.tasks.len(), pages.len());
    for (task, page) in set.tasks.iter().zip(pages) {
        let text = |name: &str| page[name].as_str().expect("a text");
        assert_eq!(task.id.0, text("name"));
        assert_eq!(task.field(field::DESCRIPTION), Some(text("description").trim()));
        assert_eq!(task.field(field::SPEC), Some(text("spec").trim()));
        assert!(CRITERIA.iter().all(|name| task.labels[*name] == text(name)));
        assert!(task.field(field::OMITS).is_some_and(|omits| omits.lines().count() >= 5));
        let width = size(task).map(|(width, _)| i64::from(width));
        assert_eq!(width, page["width"].as_integer());
        let picture: PictureRef = task.fields[field::PICTURE].parse().expect("a reference");
        assert_eq!(picture.check(&set.pictures[&picture.digest]), Ok(()));
        let layout: Layout = task.field(field::LAYOUT).unwrap_or_default().parse().expect("one");
        assert!(!layout.blocks.is_empty());
    }
}
