//! What is read from elsewhere, and endpoints that are tried.

use turnwise_shared::exchange::bundle;
use turnwise_shared::exchange::inspect::archive::Packer;
use turnwise_shared::formats::Read;

use crate::cli::models::endpoint;
use crate::common::*;

#[test]
fn an_endpoint_and_an_engine_can_be_tried() {
    let folder = folder();
    endpoint(&folder, 0.0, 1);
    let said = expect(say(&folder, "providers test made/one --data @data"), 0);
    assert!(said.out.contains("scripted/one"), "{}", said.out);
    let said = expect(say(&folder, "providers test nobody/one --data @data"), 1);
    assert!(said.err.contains("nobody"), "{}", said.err);
    std::fs::write(
        folder.path().join("documents.jsonl"),
        "{\"id\":\"1\",\"title\":\"The blue mill\",\"text\":\"It stands by a river.\",\"url\":\"made:up\"}\n",
    )
    .unwrap();
    let said = expect(say(&folder, "search test mill --search local:@documents.jsonl"), 0);
    assert!(said.out.contains("1. The blue mill"), "{}", said.out);
    let said = expect(say(&folder, "search test mill --search nowhere"), 1);
    assert!(said.err.contains("local"), "{}", said.err);
}

#[test]
fn what_a_page_saved_becomes_the_folder_of_a_run_again() {
    let folder = folder();
    expect(say(&folder, &format!("run --benchmark {QUESTIONS} --subset ids=1,2 --out @run")), 0);
    let recorded = transcripts(&folder.path().join("run"));
    let mut saved = bundle::head("a-run", None, None);
    for (name, text) in &recorded {
        let episode = name.trim_end_matches(".jsonl").parse().unwrap();
        saved.push_str(&bundle::line(&episode, text));
    }
    let png = tiny_skia::Pixmap::new(3, 2).unwrap().encode_png().unwrap();
    saved.push_str(&bundle::picture(&png));
    std::fs::write(folder.path().join("saved.jsonl"), &saved).unwrap();
    let import = "import --format transcripts @saved.jsonl";
    let said = expect(say(&folder, &format!("{import} --out @again")), 0);
    assert!(said.out.contains("4 transcripts"), "{}", said.out);
    assert_eq!(transcripts(&folder.path().join("again")), recorded);
    let name = PictureRef::of(&png).unwrap().file_name();
    assert_eq!(std::fs::read(folder.path().join("again/pictures").join(name)).unwrap(), png);
    expect(say(&folder, "replay @again"), 0);
    let said = expect(say(&folder, import), 1);
    assert!(said.err.contains("--out"), "{}", said.err);
    std::fs::write(folder.path().join("saved.jsonl"), "{}\n").unwrap();
    let said = expect(say(&folder, &format!("{import} --out @third")), 1);
    assert!(said.err.contains("it does not begin"), "{}", said.err);
}

/// A log of these samples, under these names.
fn log(header: &Value, samples: &[(&str, Value)]) -> Vec<u8> {
    let mut packer = Packer::new(Vec::new());
    packer.add("header.json", header.to_string().as_bytes()).unwrap();
    for (name, sample) in samples {
        let name = format!("samples/{name}.json");
        packer.add(&name, sample.to_string().as_bytes()).unwrap();
    }
    packer.finish().unwrap()
}

fn sample(id: impl Into<Value>, epoch: impl Into<Value>) -> Value {
    json!({
        "id": id.into(), "epoch": epoch.into(), "input": "?", "target": "a", "messages": [], "scores": { "exact": { "value": "C" } },
        "events": [{ "event": "model", "output": {
            "choices": [{ "message": { "role": "assistant", "content": "tc://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }, "stop_reason": null }],
            "usage": { "input_tokens": -4, "output_tokens": 4 },
        } }],
    })
}

#[test]
fn an_import_that_fails_leaves_nothing_behind_and_says_what_is_wrong() {
    let folder = folder();
    let header = |total: u32| json!({ "version": 2, "status": "success", "eval": { "task": "t", "model": "a/b" }, "results": { "total_samples": total } });
    let there = || {
        let names = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".eval"));
        names.sort();
        names
    };
    let import = |out: &str| say(&folder, &format!("import --format inspect @a.eval --out @{out}"));
    for (samples, problem) in [
        (
            vec![("1_epoch_1", sample(1, 1)), ("2_epoch_1", sample(2, "first"))],
            "samples/2_epoch_1.json is not as in a log of Inspect: epoch: ",
        ),
        (
            vec![("1_epoch_1", sample(1, 1)), ("1_epoch_01", sample("1", 1))],
            "samples/1_epoch_01.json and samples/1_epoch_1.json have the same id",
        ),
        (
            vec![("1_epoch_1", sample(1, 1)), ("2_epoch_1", json!([]))],
            "samples/2_epoch_1.json is not",
        ),
    ] {
        std::fs::write(folder.path().join("a.eval"), log(&header(2), &samples)).unwrap();
        for out in ["run", "deep/down/run"] {
            let said = expect(import(out), 1);
            assert!(said.err.contains(problem), "{}", said.err);
            assert!(there().is_empty(), "{:?}", there());
        }
    }
    // Nor does any other format that writes.
    std::fs::write(folder.path().join("x.eval"), "question;answer\n").unwrap();
    let importers = BENCHMARKS.iter().flat_map(|one| one.formats().importers);
    let own = importers.filter(|importer| !matches!(importer.read, Read::Sums(_)));
    for format in own.map(|importer| importer.name).chain(["transcripts"]) {
        let words = format!("import --format {format} @x.eval --out @run");
        let said = expect(say(&folder, &words), 1);
        assert!(said.err.contains("x.eval"), "{format}: {}", said.err);
    }
    assert!(there().is_empty(), "{:?}", there());
    // What is in order goes where it should, beside what is there already.
    std::fs::create_dir(folder.path().join("run")).unwrap();
    std::fs::write(folder.path().join("run/notes.txt"), "mine").unwrap();
    let samples = [("1_epoch_1", sample(1, 1.0)), ("2_epoch_1", sample(2, "1"))];
    std::fs::write(folder.path().join("a.eval"), log(&header(3), &samples)).unwrap();
    let said = expect(import("run"), 0);
    for told in [
        "the header counts 3 samples, and 2 are in the log",
        "in all, 2 calls have token counts",
        "2 texts are missing",
    ] {
        assert!(said.err.contains(told), "{}", said.err);
    }
    assert_eq!(there(), ["run"]);
    assert_eq!(transcripts(&folder.path().join("run")).len(), 2);
    assert_eq!(std::fs::read_to_string(folder.path().join("run/notes.txt")).unwrap(), "mine");
    expect(import("deep/down/run"), 0);
    assert_eq!(transcripts(&folder.path().join("deep/down/run")).len(), 2);
    let said = expect(import("run"), 1);
    assert!(said.err.contains("transcripts in it already"), "{}", said.err);
}

#[test]
fn flags_belong_to_formats() {
    let folder = folder();
    std::fs::write(folder.path().join("x"), "question;answer\n").unwrap();
    let refused = |words: &str, message: &str| {
        let said = expect(say(&folder, &format!("import --format {words}")), 1);
        assert!(said.err.contains(message), "{words}: {}", said.err);
    };
    let importers: Vec<_> = BENCHMARKS.iter().flat_map(|one| one.formats().importers).collect();
    let flags: Vec<_> = importers.iter().flat_map(|one| one.flags).collect();
    for importer in &importers {
        let name = importer.name;
        match importer.read {
            Read::Sums(_) => {
                refused(&format!("{name} @x --out @y"), "--out belongs to --format ");
            }
            _ => {
                refused(&format!("{name} @x --json"), "--json belongs to --format ");
                refused(&format!("{name} @x"), "name where to write with --out");
                refused(&format!("{name} @x @x --out @y"), "one file at a time");
            }
        }
        for flag in &flags {
            let value = ["1", "A", "full", "x"]
                .into_iter()
                .find(|value| (flag.check)(value).is_ok())
                .unwrap();
            if !importer.flags.iter().any(|own| own.name == flag.name) {
                let words = format!("{name} @x --{} {value}", flag.name);
                refused(&words, &format!("--{} belongs to --format ", flag.name));
            }
        }
    }
    refused("inspect @x --model m", "--model belongs to --format ");
    refused("transcripts @x --json", "--json belongs to --format ");
}

/// A file without an end, and a pipe without a writer.
#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_are_refused_and_what_a_shell_hands_over_is_read() {
    let folder = folder();
    let pipe = folder.path().join("pipe.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for file in ["/dev/zero", "/dev/full", "@pipe.json"] {
        for command in [
            format!("import --format inspect {file} --out @o"),
            format!("import --format transcripts {file} --out @o"),
            format!("run --benchmark {QUESTIONS} --tasks {file} --out @o"),
        ] {
            let said = expect(say(&folder, &command), 1);
            assert!(said.err.contains("a device or a pipe"), "{command}: {}", said.err);
        }
    }
    let tasks = "/proc/self/cwd/none.jsonl";
    let said =
        expect(say(&folder, &format!("run --benchmark {QUESTIONS} --tasks {tasks} --out @o")), 1);
    assert!(!said.err.contains("a device or a pipe"), "{}", said.err);
}
