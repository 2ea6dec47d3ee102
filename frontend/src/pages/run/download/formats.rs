//! A run in the formats of other tools, made in this page.

use turnwise_shared::benchmark::given::{Episode, Given, Texts};
use turnwise_shared::effect::RENDER;
use turnwise_shared::exchange::csv::table;
use turnwise_shared::exchange::html::{PageWriter, Transcripts};
use turnwise_shared::exchange::inspect::write::LogWriter;
use turnwise_shared::exchange::row::{EpisodeRow, Head};
use turnwise_shared::picture::{self, Pictures};

use crate::components::clipboard::{save, save_bytes};
use crate::components::run_row::listed_name;
use crate::live::{self, Stored};
use crate::prelude::*;
use crate::{api, clock, library, prices};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON Lines, one line an episode.
    Lines,
    /// CSV, one row an episode.
    Table,
    Log,
    /// A page that stands alone.
    Page,
    /// The same with the ends of transcripts only.
    Ends,
}

impl Format {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Format; 5] =
        [Format::Lines, Format::Table, Format::Log, Format::Page, Format::Ends];

    pub fn name(self) -> &'static str {
        match self {
            Format::Lines => "jsonl",
            Format::Table => "csv",
            Format::Log => "eval",
            Format::Page => "html",
            Format::Ends => "html-ends",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Format::Lines => "Episodes (JSON lines)",
            Format::Table => "Episodes (CSV)",
            Format::Log => "Inspect log (.eval)",
            Format::Page => "Page (HTML)",
            Format::Ends => "Short page (HTML)",
        }
    }

    /// What is in it, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Format::Lines => {
                "One line an episode: task, seats, ending, score, answer, figures, tokens, cost"
            }
            Format::Table => {
                "The same as a table, for spreadsheets; it cannot be brought back as a run"
            }
            Format::Log => {
                "Opens in Inspect View; messages, model calls, scores and usage of every episode"
            }
            Format::Page => {
                "One file with numbers, ribbons and every turn; it needs no network and runs nothing"
            }
            Format::Ends => "The same with the first and the last two turns of every episode",
        }
    }
}

/// Saves a run in a format, unless its page is left meanwhile. Returns how many episodes could not be had.
pub async fn save_as(
    format: Format,
    info: &RunInfo,
    all: &Snapshot,
    report: &Report,
    collected: RwSignal<Option<(usize, usize)>>,
) -> usize {
    let Ok(benchmark) = library::benchmark(&info.spec.benchmark) else {
        return all.len();
    };
    let id = &info.run;
    collected.set(Some((0, all.len())));
    let ingredients = live::ingredients(id).await.ok();
    let tasks = ingredients.as_ref().map(|it| &it.tasks);
    let name = id.to_string();
    let given = Given {
        benchmark,
        spec: &info.spec,
        title: &info.title,
        tags: &info.tags,
        id: &name,
        opened: Some(info.opened),
        program: env!("CARGO_PKG_VERSION"),
        tasks,
        pack: ingredients.as_ref().map(|it| &it.pack),
        texts: Texts::of(tasks),
        report,
        pictures: &picture::NONE,
    };
    let pictures = match format {
        Format::Lines | Format::Table => Pictures::new(),
        Format::Log | Format::Page | Format::Ends => pictures(id, benchmark, info, all).await,
    };
    let given = Given { pictures: &pictures, ..given };
    match format {
        Format::Lines | Format::Table => {
            let prices = prices::known().await;
            rows(format, given, all, tasks, PriceBook::clone(&prices));
            0
        }
        Format::Log => {
            // Inspect shows the right answer beside each sample, and this page does as well where the set hides nothing.
            let texts = match tasks.map(|tasks| &tasks.origin) {
                Some(TaskSetOrigin::Plain) => Texts::All,
                _ => given.texts,
            };
            log(id, Given { texts, ..given }, all, collected).await
        }
        Format::Page | Format::Ends => {
            let wanted = match format {
                Format::Ends => Transcripts::Ends,
                _ => Transcripts::All,
            };
            // It is read by people: a run without a title is called as its own page calls it.
            let title = &listed_name(info);
            page(id, Given { title, ..given }, all, collected, wanted).await
        }
    }
}

/// Lines or a table, from the summaries that the page has.
fn rows(
    format: Format,
    given: Given<'_>,
    all: &Snapshot,
    tasks: Option<&TaskSet>,
    prices: PriceBook,
) {
    let options =
        MeasureOptions { prices, day: given.opened.and_then(Day::of), ..MeasureOptions::default() };
    let head = Head {
        run: given.id,
        spec: given.spec,
        canary: match tasks.map(|tasks| &tasks.origin) {
            Some(TaskSetOrigin::Encrypted { canary }) => Some(canary),
            Some(TaskSetOrigin::Plain | TaskSetOrigin::Sealed) | None => None,
        },
        options: &options,
    };
    let rows: Vec<EpisodeRow<'_>> = all
        .keys
        .iter()
        .zip(&all.summaries)
        .map(|(key, summary)| EpisodeRow::of(head, key, summary))
        .collect();
    match format {
        Format::Table => {
            let name = format!("{}.episodes.csv", given.id);
            save(&name, "text/csv; charset=utf-8", &[table(&rows)]);
        }
        _ => {
            let lines: Vec<String> = rows.iter().map(EpisodeRow::line).collect();
            let name = format!("{}.episodes.jsonl", given.id);
            save(&name, "application/x-ndjson", &lines);
        }
    }
}

/// The pictures that the transcripts of a run name, as far as they can be had. Elsewhere than where pages are rendered none is looked
/// for.
pub async fn pictures(
    id: &RunId,
    benchmark: &dyn Benchmark,
    info: &RunInfo,
    all: &Snapshot,
) -> Pictures {
    let mut found = Pictures::new();
    let samples = benchmark.samples();
    if !samples.tasks.first().is_some_and(|task| benchmark.uses(&info.spec, task, RENDER)) {
        return found;
    }
    let stored = Stored::of(id).await;
    for (key, summary) in all.keys.iter().zip(&all.summaries) {
        let Some((play, grading)) = transcripts(id, key, summary, &stored).await else {
            continue;
        };
        for picture in grading.iter().chain([&play]).flat_map(Transcript::pictures) {
            if let Ok(png) = api::picture(id, &picture, None).await {
                found.insert(picture.digest, png);
            }
        }
    }
    found
}

async fn log(
    id: &RunId,
    given: Given<'_>,
    all: &Snapshot,
    collected: RwSignal<Option<(usize, usize)>>,
) -> usize {
    // Without times a log reads as well; its clock then tells the order alone.
    let times = api::timings(id).await.unwrap_or_default();
    let Ok(mut log) = LogWriter::new(given, Vec::new()) else {
        return all.len();
    };
    let stored = Stored::of(id).await;
    let mut missing = 0;
    for (done, (key, summary)) in all.keys.iter().zip(&all.summaries).enumerate() {
        if collected.try_set(Some((done, all.len()))).is_some() {
            // The page was left, and the reader does not wait for a file any more.
            return 0;
        }
        let Some((play, grading)) = transcripts(id, key, summary, &stored).await else {
            missing += 1;
            continue;
        };
        let episode =
            Episode { key, summary, play: &play, grading: grading.as_ref(), times: &times };
        missing += usize::from(log.add(&episode).is_err());
        clock::breathe().await;
    }
    if let Ok(bytes) = log.finish() {
        let name = format!("{}_{id}.eval", given.spec.benchmark);
        save_bytes(&name, "application/zip", &bytes);
    }
    missing
}

async fn page(
    id: &RunId,
    given: Given<'_>,
    all: &Snapshot,
    collected: RwSignal<Option<(usize, usize)>>,
    wanted: Transcripts,
) -> usize {
    let mut page = PageWriter::new(given, all.len(), wanted);
    let stored = Stored::of(id).await;
    let mut missing = 0;
    for (done, (key, summary)) in all.keys.iter().zip(&all.summaries).enumerate() {
        if collected.try_set(Some((done, all.len()))).is_some() {
            // The page was left, and the reader does not wait for a file any more.
            return 0;
        }
        let Some((play, grading)) = transcripts(id, key, summary, &stored).await else {
            missing += 1;
            continue;
        };
        page.add(&Episode { key, summary, play: &play, grading: grading.as_ref(), times: &[] });
        clock::breathe().await;
    }
    let name = match wanted {
        Transcripts::All | Transcripts::None => format!("{id}.html"),
        Transcripts::Ends => format!("{id}.short.html"),
    };
    save(&name, "text/html; charset=utf-8", &[page.finish()]);
    missing
}

/// An episode, and the grading that grades it as it stands; `None` if one of them cannot be had.
async fn transcripts(
    id: &RunId,
    key: &EpisodeKey,
    summary: &Summary,
    stored: &Stored,
) -> Option<(Transcript, Option<Transcript>)> {
    let text = live::transcript(id, key).await.ok()?;
    let play = transcript::read(&text).ok()?;
    let grading = live::grading(id, key, summary, stored).await.ok()?;
    let grading = grading.and_then(|text| transcript::read(&text).ok());
    let grading = grading.filter(|it| it.header.part == Part::Grading { play: play.chain });
    Some((play, grading))
}
