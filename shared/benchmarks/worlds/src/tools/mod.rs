//! Commands that make worlds, check a file of them, and write what a run accepted as one.

mod build;
mod check;
mod freeze;

use std::fmt::Write as _;
use std::sync::LazyLock;

use turnwise_core::benchmark::Tools;

use turnwise_paraworld::task::Manifest;

/// The ending of a manifest, which lies beside its file of worlds.
pub(super) static TOOLS: LazyLock<Tools> = LazyLock::new(|| {
    Tools::read(
        include_str!("tools.toml"),
        &[("build", build::run), ("check", check::run), ("freeze", freeze::run)],
    )
});

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
    part("language", languages.map(|(language, n)| (language.name().to_owned(), *n)).collect());
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
    use turnwise_core::benchmark::tool::Takes;
    use turnwise_paraworld::worlds::Family;

    #[test]
    fn the_help_names_every_family() {
        let build = TOOLS.tools.iter().find(|tool| tool.verb == "build");
        let mut arguments = build.iter().flat_map(|tool| &tool.arguments);
        let family = arguments.find(|one| one.flag == "family");
        match family.map(|one| &one.takes) {
            Some(Takes::Word(words)) => assert_eq!(words[..], Family::ALL.map(Family::name)),
            other => panic!("{other:?}"),
        }
    }
}
