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
    folder.run("providers test made/one --data @data", 0).out_has("scripted/one");
    folder.run("providers test nobody/one --data @data", 1).err_has("nobody");
    folder.write("documents.jsonl", "{\"id\":\"1\",\"title\":\"The blue mill\",\"text\":\"It stands by a river.\",\"url\":\"made:up\"}\n");
    folder.run("search test mill --search local:@documents.jsonl", 0).out_has("1. The blue mill");
    folder.run("search test mill --search nowhere", 1).err_has("local");
}

#[test]
fn what_a_page_saved_becomes_the_folder_of_a_run_again() {
    let folder = folder();
    folder.run(&format!("run --benchmark {QUESTIONS} --subset ids=1,2 --out @run"), 0);
    let recorded = folder.transcripts("run");
    let mut saved = bundle::head("a-run", None, None);
    for (name, text) in &recorded {
        let episode = name.trim_end_matches(".jsonl").parse().unwrap();
        saved.push_str(&bundle::line(&episode, text));
    }
    let png = tiny_skia::Pixmap::new(3, 2).unwrap().encode_png().unwrap();
    saved.push_str(&bundle::picture(&png));
    folder.write("saved.jsonl", &saved);
    let import = "import --format transcripts @saved.jsonl";
    folder.run(&format!("{import} --out @again"), 0).out_has("4 transcripts");
    assert_eq!(folder.transcripts("again"), recorded);
    let name = PictureRef::of(&png).unwrap().file_name();
    assert_eq!(std::fs::read(folder.at("again/pictures").join(name)).unwrap(), png);
    folder.run("replay @again", 0);
    folder.run(import, 1).err_has("--out");
    folder.write("saved.jsonl", "{}\n");
    folder.run(&format!("{import} --out @third"), 1).err_has("it does not begin");
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
    let import = |out: &str| folder.say(&format!("import --format inspect @a.eval --out @{out}"));
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
        folder.write("a.eval", log(&header(2), &samples));
        for out in ["run", "deep/down/run"] {
            let said = expect(import(out), 1);
            said.err_has(problem);
            assert!(there().is_empty(), "{:?}", there());
        }
    }
    // Nor does any other format that writes.
    folder.write("x.eval", "question;answer\n");
    let importers = BENCHMARKS.iter().flat_map(|one| one.formats().importers);
    let own = importers.filter(|importer| !matches!(importer.read, Read::Sums(_)));
    for format in own.map(|importer| importer.name).chain(["transcripts"]) {
        let words = format!("import --format {format} @x.eval --out @run");
        folder.run(&words, 1).err_has("x.eval");
    }
    assert!(there().is_empty(), "{:?}", there());
    // What is in order goes where it should, beside what is there already.
    std::fs::create_dir(folder.at("run")).unwrap();
    folder.write("run/notes.txt", "mine");
    let samples = [("1_epoch_1", sample(1, 1.0)), ("2_epoch_1", sample(2, "1"))];
    folder.write("a.eval", log(&header(3), &samples));
    let said = expect(import("run"), 0);
    for told in [
        "the header counts 3 samples, and 2 are in the log",
        "in all, 2 calls have token counts",
        "2 texts are missing",
    ] {
        said.err_has(told);
    }
    assert_eq!(there(), ["run"]);
    assert_eq!(folder.transcripts("run").len(), 2);
    assert_eq!(folder.read("run/notes.txt"), "mine");
    expect(import("deep/down/run"), 0);
    assert_eq!(folder.transcripts("deep/down/run").len(), 2);
    let said = expect(import("run"), 1);
    said.err_has("transcripts in it already");
}

#[test]
fn flags_belong_to_formats() {
    let folder = folder();
    folder.write("x", "question;answer\n");
    let refused = |words: &str, message: &str| {
        folder.run(&format!("import --format {words}"), 1).err_has(message);
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
    let pipe = folder.at("pipe.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for file in ["/dev/zero", "/dev/full", "@pipe.json"] {
        for command in [
            format!("import --format inspect {file} --out @o"),
            format!("import --format transcripts {file} --out @o"),
            format!("run --benchmark {QUESTIONS} --tasks {file} --out @o"),
        ] {
            folder.run(&command, 1).err_has("a device or a pipe");
        }
    }
    let tasks = "/proc/self/cwd/none.jsonl";
    let said = folder.run(&format!("run --benchmark {QUESTIONS} --tasks {tasks} --out @o"), 1);
    assert!(!said.err.contains("a device or a pipe"), "{}", said.err);
}
