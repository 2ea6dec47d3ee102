//! Calls on their way out, to models, search engines, pages of the web and the browser that renders. [`Calls::make`] is the only way out for the calls of a run; what happens
//! to one is [`pipeline`], in order:
//!
//! 1. **permit**: the run has a number of calls at once ([`permits`]);
//! 2. **account**: what pays for it ([`call_limits`], [`budget`]);
//! 3. **intent**: the ledger says that it is about to be sent, once among all servers ([`elsewhere`]);
//! 4. **cache**: a reply that holds for all runs ([`cache`]);
//! 5. **attempts**, each of which waits for the **throttle** of its service, reserves its bound, is sent, and **settles** ([`egress`]);
//! 6. **record**: the answer is in the ledger before any caller hears it.

pub mod budget;
pub mod cache;
mod call_limits;
mod calls;
mod egress;
mod elsewhere;
mod flight;
mod pages;
pub mod permits;
mod pipeline;
pub mod probe;
mod renderer;
mod together;
mod tools;

pub use call_limits::CallLimits;
pub use calls::Calls;
pub use egress::{CannotOpen, Egress, Paid, attempts};
pub use flight::{Canceller, Heard, Waiting};
pub use pages::Pages;
pub use renderer::{Renderer, Rendering};
