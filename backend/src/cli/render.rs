//! `turnwise render`: makes a picture of a page, as UI2Html does.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use turnwise_backend::rendering::{MOST_HTML, MOST_PIXELS, Order, Renderer};
use turnwise_shared::hash::Digest;

use super::Status;
use super::out::{self, say};
use super::trouble::with_path;

/// Make a picture of an HTML file, without scripts and without a network
///
/// Every address that the page asks for is refused and listed. The fonts are Liberation and Noto CJK alone. It needs
/// Chromium: chromium-headless-shell, chromium, or what TURNWISE_CHROMIUM names.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The page, at most 256,000 bytes
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The width of window and picture, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1280, value_parser = side())]
    width: u32,

    /// The least height of the picture, in pixels; it is as high as the page, at most 4,000
    #[arg(long, value_name = "PIXELS", default_value_t = 1, value_parser = side())]
    height: u32,

    /// Where the picture goes, a PNG file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Where the blocks of the page go: places, colours and texts, one a line
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,

    /// Print what came of it as JSON
    #[arg(long)]
    json: bool,
}

fn side() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(MOST_PIXELS))
}

/// Renders a file.
///
/// # Errors
/// If it cannot be read, is too large, or cannot be rendered here.
pub fn render(arguments: &Arguments) -> Result<Status> {
    let file = &arguments.file;
    let html = fs::read(file).map_err(|error| with_path(file, error))?;
    if html.len() > MOST_HTML {
        let size = html.len();
        return Err(with_path(file, format!("a page has at most {MOST_HTML} bytes, got {size}")));
    }
    let html = String::from_utf8_lossy(&html);
    let order = Order {
        html: &html,
        width: arguments.width,
        height: arguments.height,
        most_height: MOST_PIXELS,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let shot = runtime.block_on(async {
        let renderer = Renderer::default();
        let shot = renderer.render(order).await;
        renderer.close().await;
        shot
    })?;
    let write = |path: &PathBuf, bytes: &[u8]| {
        fs::write(path, bytes).map_err(|error| with_path(path, error))
    };
    write(&arguments.out, &shot.png)?;
    if let Some(path) = &arguments.layout {
        write(path, format!("{}\n", shot.layout).as_bytes())?;
    }
    let (width, height) = (shot.layout.width, shot.layout.height);
    if arguments.json {
        out::json(&json!({
            "picture": Digest::of(&shot.png),
            "width": width,
            "height": height,
            "bytes": shot.png.len(),
            "blocks": shot.layout.blocks.len(),
            "refused": shot.refused,
            "browser": shot.browser,
        }))?;
        return Ok(Status::Done);
    }
    say!("{width} x {height} pixels, {} blocks, by {}", shot.layout.blocks.len(), shot.browser);
    for address in &shot.refused {
        say!("refused: {address}");
    }
    Ok(Status::Done)
}
