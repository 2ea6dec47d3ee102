//! The core of Turnwise with its benchmarks: everything that server, web app and command line share.
//!
//! [`turnwise_core`] knows no benchmark; each benchmark is a crate of its own; [`registry`] lists them.

pub use turnwise_core::*;

pub mod examples;
pub mod prelude;
pub mod registry;
#[cfg(test)]
mod tests;

/// The benchmarks, one crate each.
pub mod benchmarks {
    pub use turnwise_infodeepseek as infodeepseek;
    pub use turnwise_inspect as inspect;
    pub use turnwise_interactcomp as interactcomp;
    pub use turnwise_math as math;
    pub use turnwise_paraworld as paraworld;
    pub use turnwise_poker as poker;
    pub use turnwise_trust as trust;
    pub use turnwise_ui2html as ui2html;
    pub use turnwise_worlds as worlds;
}
