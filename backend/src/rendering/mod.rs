//! Renders HTML as pictures in a browser without JavaScript, without a network and with fixed fonts.
//!
//! [`Renderer`] holds as many browsers as there are cores. Each is started when it is needed, tested for leaks before its first
//! page, shows one page at a time, and is replaced after [`MOST_RENDERS`] pages. Every address that a page asks for is refused and
//! named. Where no browser can be fenced in, rendering is off and says why; the sandbox is never switched off.

mod blocks;
mod browser;
mod fence;
mod fonts;
mod memory;
mod page;
mod pipe;
mod pool;

use turnwise_shared::effect::Job;
use turnwise_shared::layout::Layout;

pub use browser::{Options, find};
pub use memory::of as memory_of;
pub use pool::Renderer;

/// The most renders of one browser.
pub const MOST_RENDERS: u32 = 200;
/// The longest that a render may take, in seconds.
pub const LONGEST: u64 = 10;
/// The most memory of a browser with all its processes, in bytes.
pub const MOST_MEMORY: u64 = 1 << 30;

/// The most bytes of a page.
pub const MOST_HTML: usize = Job::MOST_BYTES;
/// The most pixels of a side of a picture.
pub const MOST_PIXELS: u32 = Job::MOST_PIXELS;

/// HTML to be made a picture.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    pub html: &'a str,
    /// Of window and picture, in pixels.
    pub width: u32,
    /// The least height of the picture, in pixels; it is as high as the page.
    pub height: u32,
    /// The most height of the picture, in pixels.
    pub most_height: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screenshot {
    pub png: Vec<u8>,
    pub layout: Layout,
    /// Addresses that the page asked for, each once; all were refused.
    pub refused: Vec<String>,
    /// The build of the browser and its fonts.
    pub browser: String,
}

/// Why a page could not be rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    #[error("rendering is off, because {0}")]
    Off(String),
    #[error("the page was not rendered within {LONGEST} seconds")]
    TooSlow,
    #[error("the page needed more than {} MB of memory", MOST_MEMORY >> 20)]
    TooLarge,
    #[error("the browser crashed on the page")]
    Crashed,
    /// The browser broke its protocol.
    #[error("the browser failed: {0}")]
    Broken(String),
}

impl RenderError {
    /// Whether another browser may do better.
    fn can_succeed_later(&self) -> bool {
        matches!(self, RenderError::Crashed | RenderError::Broken(_))
    }
}

impl From<std::io::Error> for RenderError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::BrokenPipe => {
                RenderError::Crashed
            }
            _ => RenderError::Broken(error.to_string()),
        }
    }
}
