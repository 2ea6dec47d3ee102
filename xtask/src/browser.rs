//! The browser that the end-to-end tests drive, and a font with Chinese characters for its screenshots.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::tool::{Tool, on_path};
use crate::{packages, say};

const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const ON_A_MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const FONT_PACKAGE: &str = "fonts-noto-cjk";

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
    if cfg!(not(target_os = "linux")) {
        return true;
    }
    Tool::new("fc-list")
        .words(":lang=zh family")
        .read()
        .is_ok_and(|families| !families.trim().is_empty())
}
