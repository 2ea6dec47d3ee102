//! A user's copy of a paper's prompts: is it word for word the one that the paper's numbers were made with?
//!
//! The paper's wording is not part of this program; only its digests are. A pack may call itself verbatim only if every template that can
//! be sent is checked: those of the paper and of the authors' program against digests, and what neither has against our own. So there is
//! one such pack, and its name stands for one digest.

use std::collections::BTreeMap;

use crate::benchmark::ImportedPack;
use crate::hash::Digest;
use crate::prompt::{Pack, substitute};
use crate::spec::BadSpec;

/// A template of the paper: what its rendered text amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// Its name in a pack.
    pub template: &'static str,
    /// The variables with which it was rendered.
    pub variables: Vec<(&'static str, &'static str)>,
    /// In how many places variables stand. A copy that has a rendered value in place of a variable renders alike.
    pub places: usize,
    /// Characters of the rendered text.
    pub characters: usize,
    /// SHA-256 of the rendered text in UTF-8.
    pub digest: &'static str,
}

impl Printed {
    fn render(&self, text: &str) -> String {
        substitute(text, &self.variables.iter().copied().collect())
    }

    fn agrees(&self, text: &str) -> bool {
        let rendered = self.render(text);
        let variables = self.variables.iter();
        let places: usize =
            variables.map(|(name, _)| text.matches(&format!("{{{name}}}")).count()).sum();
        places == self.places
            && rendered.chars().count() == self.characters
            && Digest::of(&rendered).to_string() == self.digest
    }

    fn said(&self, found: Option<&Compared>) -> String {
        let name = self.template;
        match found {
            Some(Compared::Same { undone, .. }) if undone.is_empty() => format!("{name}: ok"),
            Some(Compared::Same { undone, .. }) => {
                format!("{name}: ok ({} put right)", undone.join(", "))
            }
            Some(Compared::Differs { characters, digest }) => format!(
                "{name}: differs: {characters} characters, SHA-256 {digest}; the original has {}, {}",
                self.characters, self.digest
            ),
            None => format!("{name}: not in the folder; ours is taken"),
        }
    }

    /// Compares a copy. What editors and programs do to a file without touching a word is undone and named: line ends,
    /// line breaks at the beginning and the end, braces doubled for Python's `format`.
    pub fn compare(&self, copy: &str) -> Compared {
        let lines = copy.replace("\r\n", "\n");
        for (text, undone) in readings(&lines) {
            if self.agrees(&text) {
                let mut undone: Vec<&'static str> = undone;
                if lines != copy {
                    undone.push("line ends of Windows");
                }
                return Compared::Same { text, undone };
            }
        }
        let rendered = self.render(copy);
        Compared::Differs { characters: rendered.chars().count(), digest: Digest::of(&rendered) }
    }
}

/// A copy as it is, and as it may have been before it was put into a file.
fn readings(copy: &str) -> Vec<(String, Vec<&'static str>)> {
    let plain = copy.replace("{{", "{").replace("}}", "}");
    let mut readings = Vec::new();
    for (text, braces) in [(copy, None), (plain.as_str(), Some("doubled braces"))] {
        if braces.is_some() && text == copy {
            continue;
        }
        let core = text.trim_matches('\n');
        let whole = [(text.to_owned(), None)];
        // The paper's templates have at most two line breaks at either end.
        let trimmed = (0..=2).flat_map(|before| {
            (0..=2).map(move |after| {
                let text = format!("{}{core}{}", "\n".repeat(before), "\n".repeat(after));
                (text, Some("line breaks at the beginning or the end"))
            })
        });
        for (text, breaks) in whole.into_iter().chain(trimmed) {
            readings.push((text, braces.into_iter().chain(breaks).collect()));
        }
    }
    readings
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// It is the paper's text.
    Same {
        /// The template as the pack has it.
        text: String,
        /// What had to be undone, each in a few words.
        undone: Vec<&'static str>,
    },
    Differs {
        /// Characters of its rendering.
        characters: usize,
        /// SHA-256 of its rendering.
        digest: Digest,
    },
}

/// The paper's own texts of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct Verbatim {
    /// The name of a pack in the paper's own wording. No other pack may have it.
    pub name: &'static str,
    /// A line a template, below one with the names of the columns: its name, in how many places variables stand, characters and SHA-256 of
    /// its rendering, and the variables with which it was rendered (`name=value`, `-` for none; without a word those of the line before).
    pub printed: &'static str,
    /// The default pack, which has every template.
    pub ours: fn() -> Pack,
    /// A template of a file as a pack holds it.
    pub stored: for<'a> fn(&str, &'a str) -> &'a str,
}

impl Verbatim {
    /// The templates of the paper.
    ///
    /// # Panics
    /// If a line has other columns.
    pub fn printed(&self) -> Vec<Printed> {
        let mut variables = Vec::new();
        let mut printed = Vec::new();
        for line in self.printed.lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [template, places, characters, digest, rendered] = cells[..] else {
                panic!("expected five columns, got {line:?}");
            };
            if !rendered.is_empty() {
                variables = rendered.split(' ').filter_map(|one| one.split_once('=')).collect();
            }
            let [places, characters] =
                [places, characters].map(|count| count.parse().expect("a column has counts"));
            let variables = variables.clone();
            printed.push(Printed { template, variables, places, characters, digest });
        }
        printed
    }

    /// Whether a template that neither the paper nor the authors' program has is the built-in one.
    fn is_ours(&self, template: &str, text: &str) -> bool {
        (self.ours)().templates.get(template).is_some_and(|ours| ours == text)
    }

    fn is_printed(&self, template: &str) -> bool {
        self.printed().iter().any(|printed| printed.template == template)
    }

    /// Makes a pack of a copy: templates by name; what it lacks is ours. It has this name if every digest agrees, else `name` and the
    /// beginning of its digest.
    pub fn import(&self, name: &str, copy: &BTreeMap<String, String>) -> ImportedPack {
        let mut templates = (self.ours)().templates;
        let unused =
            copy.keys().filter(|template| !templates.contains_key(*template)).cloned().collect();
        for (template, text) in copy {
            if let Some(ours) = templates.get_mut(template) {
                *ours = (self.stored)(template, text).to_owned();
            }
        }
        let mut findings = Vec::new();
        let mut is_verbatim = true;
        for printed in self.printed() {
            let found = copy.get(printed.template).map(|text| printed.compare(text));
            is_verbatim &= matches!(found, Some(Compared::Same { .. }));
            findings.push(printed.said(found.as_ref()));
            if let Some(Compared::Same { text, .. }) = found {
                templates.insert(printed.template.to_owned(), text);
            }
        }
        let mut others = templates.iter();
        is_verbatim &= others.all(|(name, text)| self.is_printed(name) || self.is_ours(name, text));
        let name = match is_verbatim {
            true => self.name.to_owned(),
            false => format!("{name}-{}", Digest::of_value(&templates).short()),
        };
        ImportedPack { pack: Pack { name, templates }, findings, unused, is_verbatim }
    }

    /// Refuses a pack that calls itself verbatim and is not.
    ///
    /// # Errors
    /// The first template that differs.
    pub fn check(&self, pack: &Pack) -> Result<(), BadSpec> {
        if pack.name != self.name {
            return Ok(());
        }
        let mut others = pack.templates.iter();
        if let Some((name, _)) =
            others.find(|(name, text)| !self.is_printed(name) && !self.is_ours(name, text))
        {
            return Err(BadSpec::new(
                "pack",
                format!(
                    "it calls itself {}, and its template {name}, which the paper does not have, is not the built-in one; give \
                     it another name",
                    self.name
                ),
            ));
        }
        let wrong = self.printed().into_iter().find(|printed| {
            pack.templates.get(printed.template).is_none_or(|text| !printed.agrees(text))
        });
        match wrong {
            None => Ok(()),
            Some(printed) => Err(BadSpec::new(
                "pack",
                format!(
                    "it calls itself {}, and its template {} is not the paper's; give it another name",
                    self.name, printed.template
                ),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up template with the digest of its rendering.
    fn made_up() -> Printed {
        MADE_UP.printed().remove(0)
    }

    #[test]
    fn a_copy_is_recognised_whatever_its_file_did_to_it() {
        let printed = made_up();
        let text = "\nMemory: {memory}\n{\"a\": {}}\n";
        for (copy, undone) in [
            (text.to_owned(), vec![]),
            (text.trim().to_owned(), vec!["line breaks at the beginning or the end"]),
            (text.replace('\n', "\r\n"), vec!["line ends of Windows"]),
            ("\nMemory: {memory}\n{{\"a\": {{}}}}\n".to_owned(), vec!["doubled braces"]),
        ] {
            let compared = printed.compare(&copy);
            assert_eq!(compared, Compared::Same { text: text.to_owned(), undone }, "{copy:?}");
        }
    }

    #[test]
    fn a_changed_word_differs() {
        let compared = made_up().compare("\nMemories: {memory}\n{\"a\": {}}\n");
        assert!(matches!(compared, Compared::Differs { characters: 23, .. }));
        // A value in place of its variable renders alike, and is another template.
        let filled = made_up().compare("\nMemory: M\n{\"a\": {}}\n");
        assert!(matches!(filled, Compared::Differs { characters: 21, .. }));
    }

    const MADE_UP: Verbatim = Verbatim {
        name: "made-up-verbatim",
        // SHA-256 of "\nMemory: M\n{\"a\": {}}\n", by `sha256sum`.
        printed: "template\tplaces\tcharacters\tSHA-256\tvariables\n\
            act\t1\t21\t918b1ccabacf850a3474f92a8854c0789b813d9d79172ebb4cb662eab7c63b01\tmemory=M",
        ours: || Pack::of("ours", [("act", "Go on."), ("again", "Again.")]),
        stored: |_, text| text,
    };

    fn import(copy: &[(&str, &str)]) -> ImportedPack {
        let copy = copy.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        MADE_UP.import("mine", &copy.collect())
    }

    #[test]
    fn a_pack_is_verbatim_where_every_template_is_the_papers_or_else_ours() {
        let act = ("act", "Memory: {memory}\n{\"a\": {}}");
        let imported = import(&[act]);
        assert!(imported.is_verbatim && imported.pack.name == "made-up-verbatim");
        assert_eq!(MADE_UP.check(&imported.pack), Ok(()));
        for (name, wanted) in [("again", "built-in"), ("act", "is not the paper's")] {
            let mut pack = imported.pack.clone();
            pack.templates.insert(name.to_owned(), "Else.".to_owned());
            let wrong = MADE_UP.check(&pack).unwrap_err().to_string();
            assert!(wrong.contains(name) && wrong.contains(wanted), "{wrong}");
        }
        let others =
            [import(&[act, ("again", "Else.")]), import(&[("agian", "Else.")]), import(&[])];
        assert!(others.iter().all(|one| !one.is_verbatim && one.pack.name.starts_with("mine-")));
        assert_ne!(others[0].pack.name, others[1].pack.name);
        assert_eq!(
            (others[1].unused.as_slice(), others[1].pack.templates["act"].as_str()),
            (&["agian".to_owned()][..], "Go on.")
        );
        assert_eq!(others[2].findings, ["act: not in the folder; ours is taken"]);
    }
}
