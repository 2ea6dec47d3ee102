//! Packs our own pages: `cargo run -p turnwise-ui2html --example pack -- FOLDER` writes `samples/pages.jsonl` and
//! `samples/pictures.zip` from `samples/pages.toml` and from NAME.png and NAME.txt in the folder, which `turnwise render NAME.html --width WIDTH --out NAME.png
//! --layout NAME.txt` makes of each page.

#![allow(clippy::disallowed_methods, reason = "a tool for our own files, no part of the benchmark")]

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::json;
use turnwise_core::exchange::inspect::archive::Packer;
use turnwise_core::picture::PictureRef;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder with pictures and layouts")?;
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let pages: toml::Table = fs::read_to_string(samples.join("pages.toml"))?.parse()?;
    let mut zip = Packer::new(Vec::new());
    let mut rows = String::new();
    for page in pages["page"].as_array().ok_or("expected a list of pages")? {
        let name = page["name"].as_str().ok_or("expected a name")?;
        let mut row = json!(page);
        row["id"] = name.into();
        let png = fs::read(Path::new(&folder).join(format!("{name}.png")))?;
        row["picture"] = PictureRef::of(&png)?.to_string().into();
        row["layout"] = fs::read_to_string(Path::new(&folder).join(format!("{name}.txt")))?.into();
        rows += &format!("{row}\n");
        zip.add(&format!("{name}.png"), &png)?;
    }
    fs::write(samples.join("pages.jsonl"), rows)?;
    fs::write(samples.join("pictures.zip"), zip.finish()?)?;
    Ok(())
}
