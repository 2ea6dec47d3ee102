//! `turnwise worlds build`.

use std::collections::BTreeMap;

use turnwise_core::benchmark::tool::{Done, File, Given, Printed};

use super::{counted, written};
use crate::pools;
use turnwise_paraworld::task::{Language, Manifest, Tier, lines, load};
use turnwise_paraworld::worlds::{self, Family, Names, Recipe};

/// How many worlds are built between two lines of progress.
const SLICE: u32 = 250;

pub(super) fn run(given: &Given<'_>) -> Result<Done, String> {
    let names = given.file("pool").map(names).transpose()?;
    let seed = given.whole("seed").unwrap_or_default();
    let count = given.whole("count").and_then(|count| count.try_into().ok()).unwrap_or_default();
    let family = given.text("family").and_then(Family::named);
    let recipe = Recipe {
        seed,
        tier: given.text("tier").and_then(Tier::named),
        count,
        language: given.text("lang").and_then(Language::named),
        family,
        category: given.text("category").map(str::to_owned),
    };
    let mut text = String::new();
    for number in 0..count {
        let order = recipe.order(number);
        let built = worlds::build_of(&order, names.as_ref()).map_err(|error| error.to_string())?;
        for mut world in built {
            world.line = number;
            text.push_str(&lines([&world]));
        }
        let done = number + 1;
        if done % SLICE == 0 && done < count {
            given.progress(&format!("{done} of {count} worlds"));
        }
    }
    let set = load(text.as_bytes()).map_err(|error| error.to_string())?;
    let mut manifest = Manifest::of(given.out_name(), &set);
    manifest.seeds = BTreeMap::from([("worlds".to_owned(), seed)]);
    let said = format!(
        "{}: {}\n{}: sha256 {}",
        given.out(0),
        counted(&manifest),
        given.out(1),
        manifest.sha256
    );
    Ok(Done {
        printed: Printed::Text(said),
        files: vec![text.into_bytes(), written(&manifest)?],
        is_sound: true,
    })
}

fn names(file: &File) -> Result<Names, String> {
    let read = pools::read(&file.name, &file.bytes).map_err(|error| error.to_string())?;
    let named = read.pools.into_iter();
    let names = Names::new(named.map(|pool| (pool.domain, pool.entities)));
    names.map_err(|error| format!("{}: {error}", file.path))
}
