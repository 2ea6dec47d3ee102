//! The browser that the end-to-end tests drive, the one with which the server renders pages, and their fonts.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::tool::{Tool, on_path};
use crate::{packages, say};

const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const ON_A_MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const FONT_PACKAGE: &str = "fonts-noto-cjk";
/// What renders pages, the best first: the first that is packaged is installed.
const RENDERS: [&str; 2] = ["chromium-headless-shell", "chromium"];
const RENDER_FONTS: [&str; 2] = ["fonts-liberation", FONT_PACKAGE];

/// Finds or installs what the server renders pages with. Without it everything else works, so nothing that fails here is an error.
pub fn prepare_rendering() {
    let why = "the server renders the pages of UI2Html with it";
    let is_there = RENDERS.iter().any(|name| on_path(name).is_some())
        || find().is_ok_and(|found| found.is_some());
    if is_there && (has_font("family=Liberation Sans") && has_chinese_font()) {
        return;
    }
    let mut tried = RENDERS.iter().filter(|_| packages::can_install());
    let installed = tried.any(|name| {
        let wanted = [&[*name][..], &RENDER_FONTS].concat();
        packages::install(&wanted, why).is_ok()
    });
    if !installed && !is_there {
        say::warn(
            "no Chromium was found: pages cannot be rendered. Install chromium-headless-shell or chromium, or set TURNWISE_CHROMIUM",
        );
    }
}

/// Finds or installs Chromium and the font. `TURNWISE_CHROMIUM` names another browser.
pub fn prepare() -> Result<PathBuf> {
    let browser = match find()? {
        Some(browser) => browser,
        None => {
            packages::install(&["chromium"], "the end-to-end tests drive a real browser")
                .context("or set TURNWISE_CHROMIUM to a Chromium or Chrome that is installed")?;
            find()?
                .context("the package `chromium` was installed, but no browser is on the PATH")?
        }
    };
    if !has_chinese_font() {
        if packages::can_install() {
            packages::install(
                &[FONT_PACKAGE],
                "without it Chinese text in screenshots is drawn as boxes",
            )?;
        } else {
            say::warn(format!(
                "no font with Chinese characters was found; screenshots will show boxes. Install one, such as {FONT_PACKAGE}"
            ));
        }
    }
    Ok(browser)
}

fn find() -> Result<Option<PathBuf>> {
    if let Some(named) = std::env::var_os("TURNWISE_CHROMIUM").filter(|name| !name.is_empty()) {
        let named = PathBuf::from(named);
        if !named.is_file() {
            bail!("TURNWISE_CHROMIUM names {}, which is not there", named.display());
        }
        return Ok(Some(named));
    }
    let on_a_mac = PathBuf::from(ON_A_MAC);
    Ok(NAMES
        .iter()
        .find_map(|name| on_path(name))
        .or_else(|| on_a_mac.is_file().then_some(on_a_mac)))
}

fn has_chinese_font() -> bool {
    has_font("lang=zh")
}

/// Whether fontconfig knows a font of a pattern, e.g. `lang=zh`.
fn has_font(pattern: &str) -> bool {
    cfg!(not(target_os = "linux"))
        || Tool::new("fc-list")
            .arg(format!(":{pattern}"))
            .arg("family")
            .read()
            .is_ok_and(|families| !families.trim().is_empty())
}
