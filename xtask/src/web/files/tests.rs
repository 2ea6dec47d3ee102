//! Names, compressed copies, and the count of a first visit.

use super::super::parts::AppPart;
use super::*;

#[test]
fn a_hashed_name_changes_with_the_content_and_keeps_its_ending() {
    let name = hashed_name("app.css", b"a {}");
    assert_ne!(name, hashed_name("app.css", b"b {}"));
    let digits = name.strip_prefix("app-").and_then(|rest| rest.strip_suffix(".css")).unwrap();
    assert_eq!(digits.len(), 16);
    assert!(digits.chars().all(|digit| digit.is_ascii_hexdigit()));
}

#[test]
fn a_fingerprint_sees_bytes_that_move_between_inputs() {
    let of = |parts: [(&str, &[u8]); 2]| {
        let mut fingerprint = Fingerprint::new();
        for (name, bytes) in parts {
            fingerprint.add(name, bytes);
        }
        fingerprint.finish()
    };
    assert_ne!(of([("a", b"xy"), ("b", b"z")]), of([("a", b"x"), ("b", b"yz")]));
    assert_eq!(of([("a", b"xy"), ("b", b"z")]), of([("a", b"xy"), ("b", b"z")]));
}

#[test]
fn compressed_copies_can_be_read_again() {
    let text = b"turn after turn ".repeat(200);
    let small = brotli(&text, 4).unwrap();
    assert!(small.len() < text.len() / 10);
    let mut back = Vec::new();
    brotli::BrotliDecompress(&mut small.as_slice(), &mut back).unwrap();
    assert_eq!(back, text);
}

#[test]
fn a_cut_app_names_its_files_by_their_hashes_and_is_counted_without_its_later_parts() {
    let folder = std::env::temp_dir().join(format!("turnwise-xtask-cut-{}", std::process::id()));
    let mut site = Site::begin(&folder, Size::Quick).unwrap();
    let app = Bound {
        js: "import * as import1 from \"./parts.js\"\nconst imports = { \"./parts.js\": import1 };\n".into(),
        wasm: b"\0asm with /icons.svg#play in it".to_vec(),
        snippets: Default::default(),
    };
    let later = Later {
        loader: "import { initSync } from \"./turnwise.js\";\n/* plain, play, runs, work */\nconst src = fetch(new URL(\"./split_a.wasm\", import.meta.url));\nWebAssembly.instantiateStreaming(src, imports);\n".into(),
        parts: vec![AppPart {
            name: "split_a.wasm".into(),
            wasm: b"\0asm later".to_vec(),
        }],
    };
    let names = site.add_app(&app, Some(&later)).unwrap();
    site.add("icons.svg", b"<svg/>").unwrap();
    let asset = page::assets("<link data-trunk rel=\"rust\" href=\"Cargo.toml\">").unwrap();
    let project = Project::find().unwrap();
    let html = site.add_asset(&project, &asset[0], &names).unwrap();
    site.add_page(&html).unwrap();
    site.finish("inputs").unwrap();

    let [bindings, loader] = names.scripts.as_slice() else {
        panic!("two scripts: {:?}", names.scripts);
    };
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(text(bindings).contains(&format!("from \"./{loader}\"")));
    // The app itself asks for its imports by the name that it was compiled with.
    assert!(text(bindings).contains("{ \"./parts.js\": import1 }"));
    assert!(text(loader).contains(&format!("from \"./{bindings}\"")));
    let part = hashed_name("split_a.wasm", b"\0asm later");
    assert!(text(loader).contains(&format!("part(\"{part}\")")));
    assert!(text(loader).contains(&format!("from \"./{}\"", names.early)));
    assert!(folder.join(&part).is_file());
    assert!(text(&names.early).contains(&format!("\"run\":[\"{part}\"]")));
    let main = format!("module_or_path: part(\"{}\")", names.wasm);
    assert!(text(&names.start).contains(&main));

    let page = first_page(&folder).unwrap();
    let mut counted: Vec<&str> = page.files.iter().map(|(name, _)| name.as_str()).collect();
    counted.sort_unstable();
    let mut wanted =
        ["home.html", "icons.svg", bindings, loader, &names.wasm, &names.early, &names.start];
    wanted.sort_unstable();
    assert_eq!(counted, wanted);

    // A loader that calls its parts in another way must not go out unnoticed.
    assert!(put_in("fetch(\"./a.wasm\")", "URL(", "a.wasm", "a-1.wasm").is_err());
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::remove_file(note_of(&folder)).unwrap();
}

#[test]
fn a_site_counts_what_a_first_visit_downloads() {
    let folder = std::env::temp_dir().join(format!("turnwise-xtask-site-{}", std::process::id()));
    let mut site = Site::begin(&folder, Size::Named).unwrap();
    let long = "a { color: red }\n".repeat(100);
    let css = site
        .add_hashed(
            "app.css",
            format!("{long} @font-face {{ src: url(fonts/x.woff2) }}").as_bytes(),
        )
        .unwrap();
    site.add("fonts/x.woff2", &[7; 1000]).unwrap();
    site.add("never-loaded.txt", long.as_bytes()).unwrap();
    let html = format!("<link rel=\"stylesheet\" href=\"/{css}\"><!--home-->here<!--/home-->");
    site.add_page(&html).unwrap();
    assert!(site.add("index.html", b"").is_err(), "a name is given once");
    site.finish("inputs").unwrap();

    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(text("home.html").contains("here") && !text("index.html").contains("here"));
    let page = first_page(&folder).unwrap();
    let names: Vec<&str> = page.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["home.html", css.as_str(), "fonts/x.woff2"]);
    assert!(page.files[1].1 < 200, "the compressed copy is what travels");
    assert_eq!(page.files[2].1, 1000);
    assert!(is_up_to_date(&folder, "inputs") && !is_up_to_date(&folder, "others"));
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::remove_file(note_of(&folder)).unwrap();
}
