//! `cargo xtask bench`: numbers, each beside what it is compared with.
//!
//! A measurement is a line `name  value  ratio  against`, its four parts separated by two spaces or more. Two come from here
//! ([`first_page`], [`idle_memory`]); the others are printed by the `[[bench]]` targets of the workspace, which are found
//! by themselves: to add one, add it to its crate with `harness = false` and print such lines on standard output.
//! With `--peers` they are started with that word, and may install other systems to compare with.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use fs_err as fs;

use serde_json::Value;

use crate::compiler::Compiler;
use crate::project::{Project, emptied};
use crate::tool::Tool;
use crate::web::{self, Size};
use crate::{browser, say, serve, setup};

/// The first page should be no larger, in bytes.
const FIRST_PAGE_AIM: u64 = 300_000;
/// A Leptos app of two pages and nothing else, in bytes.
const SMALLEST_LEPTOS_APP: u64 = 74_000;
/// A server that has nothing to do should need no more memory, in bytes.
const IDLE_MEMORY_AIM: u64 = 40_000_000;
/// How long a server may take to answer after its start.
const START_LIMIT: Duration = Duration::from_secs(30);
/// How long a server is left alone before its memory is read.
const SETTLING: Duration = Duration::from_secs(2);

/// Should other systems be installed to compare with?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peers {
    Install,
    /// Compare with nothing that must be installed.
    Skip,
}

/// What measurements of the whole product need.
struct Stage {
    app: PathBuf,
    server: PathBuf,
    browser: PathBuf,
}

/// One number and what it is compared with: name, value, ratio, against.
#[derive(Debug, PartialEq)]
struct Measurement([String; 4]);

/// The package whose benches drive the whole product.
const WHOLE: &str = "turnwise-tests";

/// Measures everything, or the benches of these names, and prints one table.
pub fn run(project: &Project, peers: Peers, names: &[String]) -> Result<()> {
    let compiler = setup::compiler(project)?;
    let all = targets(&compiler, "bench")?;
    let known = |name: &&String| all.iter().any(|(_, bench)| bench == *name);
    if let Some(strange) = names.iter().find(|name| !known(name)) {
        let known: Vec<_> = all.iter().map(|(_, bench)| bench.as_str()).collect();
        bail!("there is no bench `{strange}`; there are {}", known.join(", "));
    }
    let is_chosen = |bench: &String| names.is_empty() || names.contains(bench);
    let chosen: Vec<_> = all.into_iter().filter(|(_, bench)| is_chosen(bench)).collect();
    let needs_product = chosen.iter().any(|(package, _)| package == WHOLE);
    let stage = if needs_product { Some(stage(project, &compiler)?) } else { None };
    let mut measured = Vec::new();
    if let (Some(stage), true) = (&stage, names.is_empty()) {
        measured = first_page(&stage.app)?;
        measured.extend(idle_memory(project, stage)?);
    }
    if peers == Peers::Skip {
        say::note("other systems are not compared with; `cargo xtask bench --peers` installs them");
    }
    let mut failed = Vec::new();
    for (package, bench) in chosen {
        match run_bench(&compiler, stage.as_ref(), &package, &bench, peers) {
            Ok(more) => measured.extend(more),
            // What the others measured is printed all the same.
            Err(error) => failed.push(format!("{bench} of {package}: {error:#}")),
        }
    }
    print!("{}", table(&measured));
    if failed.is_empty() {
        return Ok(());
    }
    bail!("{} of the benches failed\n- {}", failed.len(), failed.join("\n- "))
}

fn stage(project: &Project, compiler: &Compiler) -> Result<Stage> {
    let app = web::build(project, compiler, Size::Full)?;
    let server = serve::build_server(project, compiler, Size::Full)?;
    let step = say::step("browser", "one measurement drives the built page");
    let browser = browser::prepare()?;
    step.done(browser.display());
    Ok(Stage { app, server, browser })
}

fn first_page(app: &Path) -> Result<Vec<Measurement>> {
    let step =
        say::step("size of the first page", "everything that a first visit downloads, in brotli");
    let page = web::first_page(app)?;
    for (name, bytes) in &page.files {
        say::note(format!("{:>8}  {name}", say::size(*bytes)));
    }
    step.done(say::size(page.bytes()));
    Ok(vec![
        compared("first page", page.bytes(), FIRST_PAGE_AIM, "the aim"),
        compared("first page", page.bytes(), SMALLEST_LEPTOS_APP, "a Leptos app of two pages"),
    ])
}

fn idle_memory(project: &Project, stage: &Stage) -> Result<Vec<Measurement>> {
    if !Path::new("/proc/self/status").exists() {
        say::warn("the memory of the idle server is measured on Linux only; left out");
        return Ok(Vec::new());
    }
    let step = say::step(
        "memory of an idle server",
        "started on an empty data folder, asked once, then left alone",
    );
    let (server, output) = Tool::new(&stage.server)
        .env("TURNWISE_DEMO", "off")
        .args(["serve", "--addr", "127.0.0.1:0", "--data"])
        .arg(emptied(project.target("xtask/bench-data"))?)
        .env("TURNWISE_WEB_DIR", &stage.app)
        .start_and_listen()?;
    wait_for_answer(&address_printed(output)?)?;
    std::thread::sleep(SETTLING);
    let status = fs::read_to_string(format!("/proc/{}/status", server.id()))
        .context("the server ended by itself")?;
    let bytes =
        resident(&status).context("the system does not say how much memory the server has")?;
    step.done(say::size(bytes));
    Ok(vec![compared("memory of an idle server", bytes, IDLE_MEMORY_AIM, "the aim")])
}

/// The first `host:port` that a server prints; the rest of its output is read and dropped, so that it never blocks.
fn address_printed(output: impl Read + Send + 'static) -> Result<String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some(address) = address_in(&line) {
                // The receiver is gone after the first address.
                let _ = sender.send(address);
            }
        }
    });
    receiver.recv_timeout(START_LIMIT).context("the server printed no address")
}

fn address_in(line: &str) -> Option<String> {
    let (_, after) = line.split_once("http://")?;
    let is_of_address = |sign: char| sign.is_ascii_alphanumeric() || ".:-[]".contains(sign);
    let address = after.split(|sign| !is_of_address(sign)).next()?;
    address.contains(':').then(|| address.to_owned())
}

fn wait_for_answer(address: &str) -> Result<()> {
    let started = Instant::now();
    while started.elapsed() < START_LIMIT {
        if answers(address) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    bail!("the server at {address} does not answer")
}

fn answers(address: &str) -> bool {
    let ask = || -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(START_LIMIT))?;
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.starts_with(b"HTTP/1.1 200"))
}

/// The resident memory in bytes, from the text of `/proc/…/status`.
fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}

/// The packages and names of all targets of a kind in the workspace: `bench`, `test`.
pub fn targets(compiler: &Compiler, kind: &str) -> Result<Vec<(String, String)>> {
    let metadata = compiler.cargo().words("metadata --no-deps --format-version 1").read()?;
    let metadata: Value =
        serde_json::from_str(&metadata).context("`cargo metadata` printed no JSON")?;
    Ok(targets_in(&metadata, kind))
}

fn targets_in(metadata: &Value, wanted: &str) -> Vec<(String, String)> {
    fn list(value: &Value) -> impl Iterator<Item = &Value> {
        value.as_array().into_iter().flatten()
    }
    let mut found = Vec::new();
    for package in list(&metadata["packages"]) {
        for target in list(&package["targets"]) {
            if list(&target["kind"]).any(|kind| kind == wanted)
                && let (Some(package), Some(name)) =
                    (package["name"].as_str(), target["name"].as_str())
            {
                found.push((package.to_owned(), name.to_owned()));
            }
        }
    }
    found
}

fn run_bench(
    compiler: &Compiler,
    stage: Option<&Stage>,
    package: &str,
    bench: &str,
    peers: Peers,
) -> Result<Vec<Measurement>> {
    let step = say::step(format!("bench {bench} of {package}"), "measured in a release build");
    let mut tool =
        compiler.cargo().args(["bench", "--quiet", "--package", package, "--bench", bench]);
    if let Some(stage) = stage {
        tool = tool
            .env("TURNWISE_WEB_DIR", &stage.app)
            .env("TURNWISE_BIN", &stage.server)
            .env("TURNWISE_CHROMIUM", &stage.browser);
    }
    let peers = if peers == Peers::Install { "-- --peers" } else { "--" };
    let output = tool.words(peers).read()?;
    let measured: Vec<Measurement> = output.lines().filter_map(Measurement::read).collect();
    if measured.is_empty() {
        say::warn(format!("it printed no line `name  value  ratio  against`:\n{output}"));
    }
    step.done(format!("{} numbers", measured.len()));
    Ok(measured)
}

fn compared(name: &str, bytes: u64, against: u64, whose: &str) -> Measurement {
    Measurement([
        name.to_owned(),
        say::size(bytes),
        format!("{:.2}", bytes as f64 / against as f64),
        format!("{whose}, {}", say::size(against)),
    ])
}

impl Measurement {
    /// Reads `name  value  ratio  against`; other lines are none.
    fn read(line: &str) -> Option<Measurement> {
        let parts = line.split("  ").map(str::trim).filter(|part| !part.is_empty());
        let parts: [&str; 4] = parts.collect::<Vec<_>>().try_into().ok()?;
        let is_number = parts[2].parse::<f64>().is_ok() || parts[2] == "-";
        is_number.then(|| Measurement(parts.map(str::to_owned)))
    }

    fn parts(&self) -> [&str; 4] {
        self.0.each_ref().map(String::as_str)
    }
}

fn table(measured: &[Measurement]) -> String {
    let head = ["name", "value", "ratio", "against"];
    let rows: Vec<[&str; 4]> =
        std::iter::once(head).chain(measured.iter().map(Measurement::parts)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let [name, value, ratio] = [0, 1, 2].map(|column| width(column).unwrap_or_default());
    rows.iter()
        .map(|row| {
            format!("{:<name$}  {:>value$}  {:>ratio$}  {}\n", row[0], row[1], row[2], row[3])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_is_four_parts_with_a_number_in_the_third() {
        let read = Measurement::read("scheduler makespan   12.30 s  1.04   the lower bound")
            .expect("four parts");
        assert_eq!(read.parts(), ["scheduler makespan", "12.30 s", "1.04", "the lower bound"]);
        assert_eq!(Measurement::read("running 3 tests"), None);
        assert_eq!(Measurement::read("name  value  ratio  against"), None);
        assert!(Measurement::read("inspect  skipped  -  not installed").is_some());
    }

    #[test]
    fn the_table_that_is_printed_can_be_read_again() {
        let rows = [compared("first page", 150_000, FIRST_PAGE_AIM, "the aim")];
        let text = table(&rows);
        let again: Vec<Measurement> = text.lines().filter_map(Measurement::read).collect();
        assert_eq!(again, rows);
        assert_eq!(rows[0].parts()[2], "0.50");
    }

    #[test]
    fn an_address_is_found_in_what_a_server_prints() {
        assert_eq!(
            address_in("Turnwise is at http://127.0.0.1:41235/ (Ctrl-C stops it)").as_deref(),
            Some("127.0.0.1:41235")
        );
        assert_eq!(
            address_in("\u{1b}[1mhttp://[::1]:8080\u{1b}[0m").as_deref(),
            Some("[::1]:8080")
        );
        assert_eq!(address_in("nothing here"), None);
    }

    #[test]
    fn memory_and_bench_targets_are_read_from_what_the_system_says() {
        assert_eq!(resident("Name:\tturnwise\nVmRSS:\t   20480 kB\n"), Some(20_971_520));
        let metadata = serde_json::json!({ "packages": [{ "name": "a", "targets": [
            { "name": "lib", "kind": ["lib"] }, { "name": "makespan", "kind": ["bench"] }
        ] }] });
        assert_eq!(targets_in(&metadata, "bench"), [("a".to_owned(), "makespan".to_owned())]);
    }
}
