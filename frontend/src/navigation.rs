//! How the address changes.

use leptos_router::NavigateOptions;

/// For a change of what is shown on the same page: it takes the place of the address before, and nothing scrolls.
pub fn in_place() -> NavigateOptions {
    NavigateOptions { replace: true, scroll: false, ..NavigateOptions::default() }
}
