//! Which modules of a crate import which? Siblings do not import each other in a circle, so that each can be understood after those
//! that it imports; a parent and its children may, because a parent hands out what its children have. And handlers of the service are
//! imported by the router alone: what they share belongs below them.
//!
//! Files are read as text: paths in `use` and in code, through what a module re-exports. Methods are not followed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::say;
use crate::source::without_tests;

/// Where the product code of the service is.
const SERVICE: &str = "backend/src";

/// Where that of all checked crates is.
const READ: [&str; 4] = ["shared/core/src", SERVICE, "frontend/view/src", "frontend/src"];

/// What the program calls the service, as other crates do.
const CRATE: &str = "turnwise_backend";

const ROUTES: &str = "routes";

/// A re-export of a re-export is followed so far.
const DEPTH: usize = 8;

/// Modules by their path, e.g. `["store", "runs"]`; the crate itself has none.
type Module = Vec<String>;

/// Fails if siblings import each other in a circle, or a module of the service outside `routes` imports it.
pub fn check(project: &Project) -> Result<()> {
    let step = say::step("imports of modules", "no circles, and only the router imports handlers");
    let mut faults = Vec::new();
    for folder in READ {
        let imports = Modules::of_folder(project, folder)?.imports();
        let mut found = circles(&imports);
        if folder == SERVICE {
            found.extend(importers_of(ROUTES, &imports));
        }
        faults.extend(found.into_iter().map(|fault| format!("{folder}: {fault}")));
    }
    if !faults.is_empty() {
        bail!(
            "imports:\n  {}\n  to mend it: move what both need to a module below them, or to their parent; what handlers \
             share e.g. to `access`",
            faults.join("\n  ")
        );
    }
    step.done("none in a circle");
    Ok(())
}

/// What one module imports of another; neither contains the other.
#[derive(Debug)]
struct Import {
    from: Module,
    to: Module,
    written: String,
}

impl Import {
    /// The module that contains both, and which of its children they are in.
    fn siblings(&self) -> (&[String], &str, &str) {
        let pairs = self.from.iter().zip(&self.to);
        let shared = pairs.take_while(|(from, to)| from == to).count();
        (&self.from[..shared], &self.from[shared], &self.to[shared])
    }
}

fn importers_of(module: &str, imports: &[Import]) -> Vec<String> {
    let found: BTreeSet<String> = imports
        .iter()
        .filter(|import| matches!(import.siblings(), ([], _, to) if to == module))
        .map(|import| {
            let from = import.from.join("::");
            format!("{from} is outside `{module}` and imports {}", import.written)
        })
        .collect();
    found.into_iter().collect()
}

/// The shortest circle through each sibling that is in one and not in a circle named before.
fn circles(imports: &[Import]) -> Vec<String> {
    let mut families: BTreeMap<&[String], BTreeMap<&str, BTreeMap<&str, &Import>>> =
        BTreeMap::new();
    for import in imports {
        let (parent, from, to) = import.siblings();
        let family = families.entry(parent).or_default();
        family.entry(from).or_default().entry(to).or_insert(import);
    }
    let mut found = Vec::new();
    for family in families.values() {
        let mut named = BTreeSet::new();
        for start in family.keys() {
            if named.contains(start) {
                continue;
            }
            let Some(circle) = circle_through(start, family) else {
                continue;
            };
            let mut steps = Vec::new();
            for (at, from) in circle.iter().enumerate() {
                let to = circle[(at + 1) % circle.len()];
                let import = family[from][to];
                steps.push(format!("{} imports {}", import.from.join("::"), import.written));
            }
            named.extend(circle);
            found.push(format!("a circle: {}", steps.join(", ")));
        }
    }
    found
}

fn circle_through<'a>(
    start: &'a str,
    family: &BTreeMap<&'a str, BTreeMap<&'a str, &Import>>,
) -> Option<Vec<&'a str>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut next = VecDeque::from([start]);
    while let Some(at) = next.pop_front() {
        for to in family.get(at).into_iter().flat_map(BTreeMap::keys).copied() {
            if to == start {
                let back = std::iter::successors(Some(at), |at| came_from.get(at).copied());
                let mut circle: Vec<&str> = back.collect();
                circle.reverse();
                return Some(circle);
            }
            if !came_from.contains_key(to) {
                came_from.insert(to, at);
                next.push_back(to);
            }
        }
    }
    None
}

/// The modules of a crate.
#[derive(Default)]
struct Modules {
    code: BTreeMap<Module, String>,
    /// What a module imports, by the name under which it then has it.
    named: BTreeMap<(Module, String), Vec<String>>,
}

impl Modules {
    fn of_folder(project: &Project, folder: &str) -> Result<Modules> {
        let mut modules = Modules::default();
        for source in project.sources(folder)? {
            modules.add(Path::new(&source.inside), &source.text);
        }
        Ok(modules)
    }

    fn add(&mut self, file: &Path, text: &str) {
        let file = file.with_extension("");
        let mut module: Module =
            file.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
            module.pop();
        }
        // Tests may import what they like.
        if module.iter().any(|part| part == "tests") {
            return;
        }
        let code = self.code.entry(module.clone()).or_default();
        code.push_str(&without_tests(text));
        for Used { path, name } in paths(code).0 {
            self.named.insert((module.clone(), name), path);
        }
    }

    fn imports(&self) -> Vec<Import> {
        let mut imports = Vec::new();
        for (from, code) in &self.code {
            let (used, inline) = paths(code);
            for path in used.into_iter().map(|used| used.path).chain(inline) {
                if let Some(to) = self.module_of(from, &path, DEPTH)
                    && !from.starts_with(&to)
                    && !to.starts_with(from)
                {
                    imports.push(Import { from: from.clone(), to, written: path.join("::") });
                }
            }
        }
        imports
    }

    /// The module in which that is defined which a module calls by a path.
    fn module_of(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let mut at = from.clone();
        let mut rest = path;
        match path.first().map(String::as_str)? {
            "crate" | CRATE => (at, rest) = (Module::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while let Some(("super", others)) =
                    rest.split_first().map(|(first, others)| (first.as_str(), others))
                {
                    at.pop();
                    rest = others;
                }
            }
            child => {
                at.push(child.to_owned());
                if !self.code.contains_key(&at) {
                    return None;
                }
                rest = &path[1..];
            }
        }
        while let Some((name, others)) = rest.split_first() {
            at.push(name.clone());
            if self.code.contains_key(&at) {
                rest = others;
                continue;
            }
            at.pop();
            let known = self.named.get(&(at.clone(), name.clone()));
            return match known {
                Some(path) if depth > 0 => self.module_of(&at, path, depth - 1).or(Some(at)),
                _ => Some(at),
            };
        }
        Some(at)
    }
}

/// A path in a `use`, and the name under which its module has what it leads to.
struct Used {
    path: Vec<String>,
    name: String,
}

/// The paths in `use` and those in the rest of the code that begin with the crate, `self` or `super`. The code has no comments.
fn paths(code: &str) -> (Vec<Used>, Vec<Vec<String>>) {
    let is_of_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut used = Vec::new();
    let mut others = String::new();
    let mut rest = code;
    while let Some((before, after)) = rest.split_once("use") {
        others.push_str(before);
        let is_word = !before.ends_with(is_of_name) && !after.starts_with(is_of_name);
        rest = after;
        // A bound `use<'a>` of a type ends at no semicolon of its own.
        let is_import = is_word && !after.trim_start().starts_with('<');
        match after.split_once(';') {
            Some((tree, after)) if is_import => {
                let tree: String = tree.split_whitespace().collect::<Vec<_>>().join(" ");
                expand("", &tree, &mut used);
                rest = after;
            }
            _ => others.push_str("use"),
        }
    }
    others.push_str(rest);
    let inline = others
        .split(|sign: char| !(is_of_name(sign) || sign == ':'))
        .filter(|word| {
            let first = word.split_once("::").map(|(first, _)| first);
            first.is_some_and(|first| ["crate", CRATE, "self", "super"].contains(&first))
        })
        .map(|word| parts(word.trim_end_matches(':')));
    (used, inline.collect())
}

fn parts(path: &str) -> Vec<String> {
    path.split("::").map(|part| part.trim().to_owned()).collect()
}

/// `a::{b as c, d::{e, self}}` as `a::b` by the name `c`, `a::d::e` and `a::d::self` by the name `d`.
fn expand(before: &str, tree: &str, into: &mut Vec<Used>) {
    let Some((first, within)) = tree.split_once('{') else {
        let (path, renamed) = match tree.split_once(" as ") {
            Some((path, name)) => (path, Some(name)),
            None => (tree, None),
        };
        if !path.trim().is_empty() {
            let path = parts(&format!("{before}{}", path.trim()));
            let name = path.iter().rfind(|part| *part != "self");
            let name = renamed.map(str::trim).or(name.map(String::as_str));
            let name = name.unwrap_or_default().to_owned();
            into.push(Used { path, name });
        }
        return;
    };
    let before = format!("{before}{}", first.trim());
    let within = within.rsplit_once('}').map_or(within, |(within, _)| within);
    let mut depth = 0;
    let parts = within.split(|sign| {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        sign == ',' && depth == 0
    });
    for part in parts {
        expand(&before, part.trim(), into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(files: &[(&str, &str)]) -> Vec<String> {
        let mut modules = Modules::default();
        for (file, text) in files {
            modules.add(Path::new(file), text);
        }
        let imports = modules.imports();
        let mut faults = importers_of(ROUTES, &imports);
        faults.extend(circles(&imports));
        faults
    }

    #[test]
    fn the_product_has_none() -> Result<()> {
        check(&Project::find()?)
    }

    #[test]
    fn a_circle_of_siblings_is_found_in_every_way_of_writing_it() {
        for (one, other) in [
            ("use super::b::B;", "use super::a::A;"),
            ("use super::{b::{self, B}, c};", "pub use crate::store::a::A;"),
            ("fn f(b: super::b::B) {}", "fn f() { crate::store::a::f() }"),
            ("use super::Renamed;", "use super::{\n    c,\n    a::A,\n};"),
            ("fn f(b: super::Renamed) {}", "fn f() {use super::a::A;}"),
            ("use turnwise_backend::store::b::B;", "fn f() {}use\tcrate\n::store::a;"),
            (
                "/* it's */ fn f() -> turnwise_backend::store::b::B {}",
                "fn f() { let at = \"http://\"; use super::a::A as _; }",
            ),
            ("use super::Again;", "use super::{a as it, c as _};"),
        ] {
            let files = [
                (
                    "store/mod.rs",
                    "pub use b::B as Renamed;pub use self::b::{self as bs, C as Again};\nmod a;\nmod b;\nmod c;",
                ),
                ("store/a.rs", one),
                ("store/b.rs", other),
                (
                    "store/c.rs",
                    "//! See `super::a`.\nuse super::Store;\n/* use super::a; */ const A: &str = \"use super::a;\";",
                ),
            ];
            let found = faults(&files);
            assert_eq!(found.len(), 1, "{one} {other}: {found:?}");
            assert!(found[0].contains("store::a imports"), "{found:?}");
            assert!(found[0].contains("store::b imports"), "{found:?}");
        }
    }

    #[test]
    fn a_circle_over_the_modules_within_siblings_is_found() {
        let found = faults(&[
            ("lib.rs", "pub mod a;\npub mod b;\npub mod c;"),
            ("a/mod.rs", "mod x;\nmod y;\nuse x::X;"),
            ("a/x.rs", "use crate::b::B;"),
            ("a/y.rs", ""),
            ("b.rs", "use crate::c::C;"),
            ("c.rs", "use crate::a::y::Y;"),
        ]);
        assert_eq!(
            found,
            ["a circle: a::x imports crate::b::B, b imports crate::c::C, c imports crate::a::y::Y"]
        );
    }

    #[test]
    fn a_parent_and_its_children_may_import_each_other() {
        let found = faults(&[
            ("lib.rs", "mod a;\nmod b;\npub use a::A;\npub struct App;"),
            ("a.rs", "mod x;\nuse crate::App;\nuse x::X;\nuse crate::b::B;"),
            ("a/x.rs", "use super::A;\nuse crate::{App, b};"),
            ("b.rs", "use crate::App;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}"),
            ("b/tests.rs", "use crate::a::A;"),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn importers_of_routes_are_found_in_every_way_of_writing_it() {
        for (code, is_found) in [
            ("use crate::routes::runs::find;", true),
            ("use crate::{measures, routes};", true),
            ("use crate::{\n    measures,\n    routes::reading,\n};", true),
            ("fn f() { let page = crate::routes::page(); }", true),
            ("//! The router: see `crate::routes`.", false),
            ("use crate::access::find;\nfn f() { let routes = 1; }", false),
            ("use crate::{measures, reroutes};", false),
        ] {
            let found = faults(&[
                ("lib.rs", "mod routes;\npub fn router() { routes::all() }"),
                ("routes/mod.rs", "mod runs;\npub fn all() { runs::find() }"),
                ("routes/runs.rs", "use super::all;\nuse crate::measures;"),
                ("boards.rs", code),
            ]);
            assert_eq!(!found.is_empty(), is_found, "{code}: {found:?}");
        }
    }
}
