//! The first script of a page: it fetches and compiles what the page needs, and asks the server for what the page will ask,
//! while the scripts that start the app are still on their way. Nothing breaks without it; everything would come later.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// Which part a page needs, by its address or the first piece of it, as `frontend/src/routes.rs` has it.
const PAGES: [(&str, &str); 13] = [
    ("board", "plain"),
    ("boards", "plain"),
    ("compare", "work"),
    ("connections", "plain"),
    ("grid", "work"),
    ("log", "plain"),
    ("logs", "work"),
    ("new", "work"),
    ("play", "play"),
    ("run", "runs"),
    ("runs", "plain"),
    ("runs/import", "work"),
    ("shared", "work"),
];

/// The screens of phones. Their lines and processors are slow, so what the server wrote is drawn there before the program is
/// fetched; elsewhere both happen at once.
pub const PHONE: &str = "(max-width: 640px)";

/// What only a reader does; as in `frontend/src/reader.rs`.
const TOUCHES: &str =
    r#"["pointerdown", "touchstart", "click", "wheel", "scroll", "keydown", "focusin"]"#;

/// The script, but for what differs from build to build.
///
/// It fetches and compiles a file once, for all that ask for it. A worker has no screen, and a hidden page draws nothing. Where the
/// server wrote into the page what it shows first (`backend/src/preview`), that is drawn before a program takes the processor's
/// time; and where nothing of it will change, a phone only fetches files until the reader begins to read: it shows all of that
/// already.
///
/// What pages ask the server for first, it asks as `frontend/src/api.rs` does; the app takes the answers from `turnwiseAsked`
/// (`frontend/src/api/early.rs`). A user who has typed an access token asks with it, and this script does not. Answers that
/// are not taken soon would be out of date.
const SCRIPT: &str = include_str!("early.js");

/// The script. `main` is the file of the app's main part; `loader`, if the app was cut, the script that fetches its parts, with
/// the files as they are named in the site.
pub fn script(main: &str, loader: Option<&str>) -> Result<String> {
    let files = loader.map(files_by_part).unwrap_or_default();
    let mut pages = BTreeMap::new();
    for (page, part) in PAGES.into_iter().filter(|_| loader.is_some()) {
        let files = files.get(part).with_context(|| {
            format!("the pages under /{page} need a part {part:?}, and there is none")
        })?;
        pages.insert(page, files);
    }
    Ok(SCRIPT
        .replace("PHONE", &serde_json::to_string(PHONE)?)
        .replace("TOUCHES", TOUCHES)
        .replace("MAIN", main)
        .replace("PAGES", &serde_json::to_string(&pages)?))
}

/// The script that fetches parts, as its generator wrote it, made to take them from the first script, whose name is `early`.
///
/// # Errors
/// If its generator writes it in another way.
pub fn take_parts_from(loader: &str, early: &str) -> Result<String> {
    const FETCH: (&str, &str) = ("fetch(new URL(\"./", "\", import.meta.url))");
    const JOIN: &str = "WebAssembly.instantiateStreaming(src, imports)";
    let (fetched, joined) = (loader.matches(FETCH.0).count(), loader.matches(JOIN).count());
    if fetched == 0 || fetched != joined || fetched != loader.matches(FETCH.1).count() {
        bail!(
            "the script that fetches parts fetches {fetched} files and joins {joined}; its generator writes it in another way"
        );
    }
    let loader = loader
        .replace(FETCH.0, "part(\"")
        .replace(FETCH.1, "\")")
        .replace(JOIN, "WebAssembly.instantiate(await src, imports)");
    Ok(format!("import {{ part }} from \"./{early}\";\n{loader}"))
}

/// The files that each part consists of: what several parts share stands below a comment with their names, what belongs to
/// one alone in the function that loads it.
fn files_by_part(loader: &str) -> BTreeMap<String, Vec<String>> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut users = Vec::new();
    for line in loader.lines() {
        if let Some(names) = line.strip_prefix("/* ").and_then(|line| line.strip_suffix(" */")) {
            users = names.split(", ").map(str::to_owned).collect();
        } else if let Some((_, rest)) = line.split_once("const __wasm_split_load_") {
            let name = rest.split(' ').next().unwrap_or(rest);
            users = vec![name.to_owned()];
        } else if let Some(file) =
            line.split_once("URL(\"./").and_then(|(_, rest)| rest.split_once('"'))
        {
            for user in users.drain(..) {
                files.entry(user).or_default().push(file.0.to_owned());
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOADER: &str = "/* forms, runs */\n\
        const __chunk_1 = makeLoad(() => {\n\
        \x20   const src = fetch(new URL(\"./chunk_1-0a.wasm\", import.meta.url));\n\
        \x20   return async (imports) => (WebAssembly.instantiateStreaming(src, imports));\n\
        }\n, []);\n\
        export const __wasm_split_load_runs = wrapAsyncCb(makeLoad(() => {\n\
        \x20   const src = fetch(new URL(\"./split_runs-0b.wasm\", import.meta.url));\n\
        \x20   return async (imports) => (WebAssembly.instantiateStreaming(src, imports));\n\
        }\n, [__chunk_1]));\n\
        export const __wasm_split_load_forms = wrapAsyncCb(makeLoad(() => {\n\
        \x20   const src = fetch(new URL(\"./split_forms-0c.wasm\", import.meta.url));\n\
        \x20   return async (imports) => (WebAssembly.instantiateStreaming(src, imports));\n\
        }\n, [__chunk_1]));\n";

    #[test]
    fn the_files_of_a_part_are_found() {
        let files = files_by_part(LOADER);
        assert_eq!(files["runs"], ["chunk_1-0a.wasm", "split_runs-0b.wasm"]);
        assert_eq!(files["forms"], ["chunk_1-0a.wasm", "split_forms-0c.wasm"]);
        assert_eq!(files.len(), 2);
    }

    /// The first pieces of the app's addresses with the parts that are fetched for them.
    fn routes() -> BTreeMap<&'static str, &'static str> {
        let app = include_str!("../../../frontend/src/routes.rs");
        let pages = app.split("path!(\"/").skip(1).filter_map(|route| {
            let (address, view) = route.split_once('"')?;
            let (_, part) = view.split_once("page(fetch_")?;
            // What an address says at its place does not choose the page.
            let page = address.split("/:").next()?;
            Some((page, part.split(',').next()?))
        });
        pages.filter(|(page, _)| !page.is_empty()).collect()
    }

    #[test]
    fn every_page_of_the_app_has_its_part() {
        let routes = routes();
        assert!(routes.len() > 5, "{routes:?}");
        assert_eq!(routes, BTreeMap::from(PAGES));
    }

    #[test]
    fn a_page_without_its_part_is_said() {
        let error = script("main.wasm", Some(LOADER)).unwrap_err().to_string();
        assert!(error.contains("\"plain\""), "{error}");
        let more = ["plain", "play", "work"]
            .map(|part| LOADER.replace("_load_forms", &format!("_load_{part}")));
        let more = more.concat() + LOADER;
        let script = script("main.wasm", Some(&more)).expect("every page has its part");
        assert!(script.contains("part(\"main.wasm\");"), "{script}");
        assert!(script.contains("\"run\":[\"chunk_1-0a.wasm\",\"split_runs-0b.wasm\""), "{script}");
    }

    #[test]
    fn an_app_that_was_not_cut_has_its_main_part_alone() {
        let script = script("main.wasm", None).expect("nothing was cut");
        assert!(script.contains("const pages = {};"), "{script}");
    }

    #[test]
    fn what_a_reader_does_is_the_same_for_the_app() {
        let reader = include_str!("../../../frontend/src/reader.rs");
        let (_, names) = reader.split_once("const TOUCHES: [&str; 7] =").expect("seven of them");
        let (names, _) = names.split_once("];").expect("the list ends");
        let theirs: Vec<&str> = names.split('"').skip(1).step_by(2).collect();
        let ours: Vec<String> = serde_json::from_str(TOUCHES).expect("a list of names");
        assert_eq!(ours, theirs);
        let script = script("main.wasm", None).expect("nothing was cut");
        assert!(script.contains(r#"of ["pointerdown", "#), "{script}");
    }

    #[test]
    fn parts_are_taken_from_the_first_script() {
        let taken = take_parts_from(LOADER, "early-1.js").expect("the loader fetches its parts");
        assert!(taken.starts_with("import { part } from \"./early-1.js\";\n"));
        assert!(taken.contains("const src = part(\"chunk_1-0a.wasm\");"));
        assert!(!taken.contains("fetch(") && !taken.contains("Streaming"));
        let other = LOADER.replace("instantiateStreaming", "instantiate");
        assert!(take_parts_from(&other, "early-1.js").is_err());
    }
}
