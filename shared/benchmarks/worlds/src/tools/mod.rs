//! Commands that make worlds, check a file of them, and write what a run accepted as one.

mod build;
mod check;
mod freeze;

use std::fmt::Write as _;

use turnwise_core::benchmark::tool::{Argument, Presence, Takes};
use turnwise_core::benchmark::{Tool, Tools};

use turnwise_paraworld::task::Manifest;

/// The ending of a manifest, which lies beside its file of worlds.
const MANIFEST: &str = "manifest.json";

pub(super) const TOOLS: Tools = Tools {
    command: "worlds",
    about: "Make worlds for Mind-ParaWorld, or check a file of worlds",
    tools: &[
        Tool {
            verb: "build",
            about: "Build fresh worlds by rule: questions about an invented future, with facts and a computed answer",
            details: "The same words build the same worlds, anywhere. Every world has exactly one answer, which a solver of its \
                      own finds again from the question and the facts; no fact alone gives it, and none can be left out. Beside \
                      FILE a manifest is written, FILE without its ending + .manifest.json, with hashes, counts and the seed. \
                      Keep the seed secret where the worlds are to stay unknown.",
            arguments: &[
                Argument::flag("seed", "N", "Decides everything else", Takes::Whole(0, u64::MAX))
                    .presence(Presence::Required),
                Argument::flag(
                    "tier",
                    "TIER",
                    "The size of the worlds: easy 1 to 5 facts, mid 6 to 10, hard 11 and more; all = the three in turn",
                    Takes::Word(&["easy", "mid", "hard", "all"]),
                )
                .presence(Presence::Default("all")),
                Argument::flag("count", "N", "How many worlds", Takes::Whole(1, 100_000))
                    .presence(Presence::Default("100")),
                Argument::flag(
                    "lang",
                    "LANGUAGE",
                    "The language; both = three in English, three in Chinese, and again",
                    Takes::Word(&["en", "zh", "both"]),
                )
                .presence(Presence::Default("en")),
                Argument::flag(
                    "family",
                    "FAMILY",
                    "Only this kind of question. Default: by chance",
                    Takes::Word(&["comparison", "ratio", "count", "index", "chain"]),
                ),
                Argument::flag(
                    "category",
                    "CATEGORY",
                    "Only this category, e.g. Band. Default: by chance",
                    Takes::Text,
                ),
                Argument::flag(
                    "pool",
                    "FILE",
                    "Names to use in place of invented ones: a file of pools as the world studio reads it, a JSON object a \
                     line: {\"domain\": \"Band\", \"entities\": [\"…\", {\"name\": \"Ada Choir\", \"aliases\": \
                     [\"阿达合唱团\"]}]}. The domain is one of the categories; each needs at least 12 names in the language, \
                     none of which lies in another, without digits, commas, \"and\" or \"和\"",
                    Takes::File,
                ),
            ],
            writes: &["", MANIFEST],
            run: build::run,
        },
        Tool {
            verb: "check",
            about: "Check a file of worlds, the official ones and ours",
            details: "A row that cannot be used is named with its row and field, and the others are still checked. Worlds of our \
                      builder are held to all its guarantees; on worlds from elsewhere what cannot be checked, bare keys and \
                      shared values are warnings. Exit status 1 if there is an error, 0 if there are warnings only.",
            arguments: &[
                Argument::at("FILE", "The file, JSON Lines", Takes::FileWith(MANIFEST)),
                Argument::flag("json", "", "Print JSON for programs", Takes::Switch),
            ],
            writes: &[],
            run: check::run,
        },
        Tool {
            verb: "freeze",
            about: "Write what a run of the world studio accepted as a file of worlds, with its manifest",
            details: "The run is one of `turnwise run --benchmark worlds`, finished or not. Worlds stand in the order of domains, \
                      pairs and levels, whatever the order in which they were made. Exit status 1 if a world has an error.",
            arguments: &[
                Argument::at(
                    "DIR|FILE",
                    "The folders of one run of the benchmark worlds, or its transcripts",
                    Takes::Transcripts,
                ),
                Argument::flag(
                    "filter",
                    "UNIT",
                    "What one rejected question takes with it: its whole pair, or nothing. Default: as the run's settings say",
                    Takes::Word(&["pair", "question"]),
                ),
            ],
            writes: &["", MANIFEST],
            run: freeze::run,
        },
    ],
};

/// Counts by tier, category and language, in words.
fn counted(manifest: &Manifest) -> String {
    let mut text = format!("{} worlds", manifest.worlds);
    let mut part = |name: &str, counts: Vec<(String, u32)>| {
        let counts: Vec<String> =
            counts.into_iter().map(|(value, n)| format!("{value} {n}")).collect();
        if !counts.is_empty() {
            let _ = write!(text, "; {name} {}", counts.join(", "));
        }
    };
    let tiers = manifest.per_tier.iter();
    part("tier", tiers.map(|(tier, n)| (tier.name().to_owned(), *n)).collect());
    let languages = manifest.per_language.iter();
    part("language", languages.map(|(language, n)| (language.code().to_owned(), *n)).collect());
    let categories = manifest.per_category.iter();
    part("category", categories.map(|(name, n)| (name.clone(), *n)).collect());
    text
}

/// A manifest as its file has it.
fn written(manifest: &Manifest) -> Result<Vec<u8>, String> {
    let text = serde_json::to_string_pretty(manifest).map_err(|error| error.to_string())?;
    Ok(format!("{text}\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_paraworld::worlds::Family;

    #[test]
    fn the_help_names_every_family() {
        let build = TOOLS.tools.iter().find(|tool| tool.verb == "build");
        let arguments = build.map(|tool| tool.arguments).unwrap_or_default();
        let family = arguments.iter().find(|one| one.flag == "family");
        match family.map(|one| one.takes) {
            Some(Takes::Word(words)) => assert_eq!(words, Family::ALL.map(Family::name)),
            other => panic!("{other:?}"),
        }
    }
}
