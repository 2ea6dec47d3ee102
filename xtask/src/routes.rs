//! Does anything but the router import handlers? What handlers share belongs below them, so that a page of the service can be
//! understood without the others.

use anyhow::{Context, Result, bail};

use crate::names::walk;
use crate::project::Project;
use crate::say;

/// Where the product code of the service is.
const READ: &str = "backend/src";

/// The handlers.
const ROUTES: &str = "backend/src/routes/";

/// The one file outside that may name them: it hands out the router.
const ROUTER: &str = "backend/src/lib.rs";

/// Fails if a module outside `routes` imports it.
pub fn check(project: &Project) -> Result<()> {
    let step = say::step(
        "imports of routes",
        "only the router's own module imports handlers",
    );
    let mut files = Vec::new();
    walk(&project.path(READ), &mut files)?;
    let mut found = Vec::new();
    for path in files {
        let shown = path.strip_prefix(project.root()).unwrap_or(&path);
        let shown = shown.to_string_lossy().replace('\\', "/");
        if shown.starts_with(ROUTES) || shown == ROUTER {
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("reading {}", path.display()))?;
        if imports_routes(&text) {
            found.push(shown);
        }
    }
    if !found.is_empty() {
        bail!(
            "modules outside `routes` import it: move what they need to a module below, e.g. `access`\n  {}",
            found.join("\n  ")
        );
    }
    step.done("none outside");
    Ok(())
}

/// Whether code (not a comment) names the module, alone or in a list of imports.
fn imports_routes(text: &str) -> bool {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let path = code.split("routes").collect::<Vec<_>>();
    path.windows(2).any(|pair| {
        let (before, after) = (pair[0], pair[1]);
        let is_listed = before
            .rfind("use crate::{")
            .is_some_and(|at| !before[at..].contains(';'));
        let is_word = !after.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_');
        let begins = !before.ends_with(|sign: char| sign.is_alphanumeric() || sign == '_');
        is_word && (before.ends_with("crate::") || (is_listed && begins))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_routes_imports_it() -> Result<()> {
        check(&Project::find()?)
    }

    #[test]
    fn imports_are_found_in_every_way_of_writing_them() {
        for code in [
            "use crate::routes::runs::find;",
            "use crate::{measures, routes};",
            "use crate::{\n    measures,\n    routes::reading,\n};",
            "let page = crate::routes::page();",
        ] {
            assert!(imports_routes(code), "{code}");
        }
        for code in [
            "//! The router: see `crate::routes`.",
            "use crate::access::find;\nlet routes = 1;",
            "use crate::{measures, reroutes};",
            "use crate::routes_of;",
        ] {
            assert!(!imports_routes(code), "{code}");
        }
    }
}
