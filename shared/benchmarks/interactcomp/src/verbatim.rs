//! A user's copy of the paper's prompts: is it word for word the one that the paper's numbers were made with?
//!
//! The paper's wording is not part of this program; only its digests are (specification 4). A pack may call itself verbatim
//! only if every template that can be sent in any mode is checked: those of the paper and of the authors' program against
//! these digests, and what neither has against our own. So there is one such pack, and its name stands for one digest.

use std::collections::BTreeMap;

use super::prompts::{as_stored, default_pack};
use turnwise_core::benchmark::ImportedPack;
use turnwise_core::hash::Digest;
use turnwise_core::prompt::{Pack, substitute};
use turnwise_core::spec::BadSpec;

/// The name of a pack in the paper's own wording. No other pack may have it.
pub const NAME: &str = "interactcomp-verbatim";

/// A template of the paper: what its rendered text amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    /// Its name in a pack.
    pub template: &'static str,
    /// The variables with which it was rendered.
    pub variables: &'static [(&'static str, &'static str)],
    /// In how many places variables stand. A copy that has a rendered value in place of a variable renders alike.
    pub places: usize,
    /// Characters of the rendered text.
    pub characters: usize,
    /// SHA-256 of the rendered text in UTF-8.
    pub digest: &'static str,
}

/// Every template of the paper (specification 4), and the three that only the authors' program has.
pub const PRINTED: [Printed; 11] = [
    Printed {
        template: "system",
        variables: &[("actions", "X"), ("question", "Y")],
        places: 2,
        characters: 1468,
        digest: "433a9055f41e50f1279e1443f009c6d0f3f7c3f249c38aaffc71b7d59c54ce98",
    },
    Printed {
        template: "act",
        variables: &[
            ("memory", "M"),
            ("last_action", "A"),
            ("last_observation", "O"),
            ("question", "Y"),
            ("round_info", "1/2"),
        ],
        places: 5,
        characters: 523,
        digest: "f4e2ac2f21ac1253954575e05ac0c8516480a800d1ca5dd72e82936bae8c5674",
    },
    Printed {
        template: "final",
        variables: &[("memory", "M"), ("question", "Y"), ("round_info", "2/2")],
        places: 3,
        characters: 418,
        digest: "58de4a77ba8db6c3257e612fb83cf338c574a02631c38b86bb5711f7fbefc9fc",
    },
    Printed {
        template: "responder",
        variables: &[("context", "C"), ("question", "Y")],
        places: 2,
        characters: 675,
        digest: "e45cac112ab9ceeac01b1d81706358612926f56051967a582f2bb08a755c10cb",
    },
    Printed {
        template: "grader",
        variables: &[("question", "Y"), ("predicted_answer", "P"), ("correct_answer", "A")],
        places: 3,
        characters: 661,
        digest: "8a54b65b26bcb29cff264dc4e06bf91181ebb9839214c09424283c16f6fcf1a2",
    },
    Printed {
        template: "action_answer",
        variables: &[],
        places: 0,
        characters: 224,
        digest: "e192b6588a5cad015c8097de0cf5257d11d38ff3cbaf949f8e0dbccc14b0d7a9",
    },
    Printed {
        template: "action_search",
        variables: &[],
        places: 0,
        characters: 150,
        digest: "1568673ccd81aa87231189809575d8f25431f8feb0e25f74aec36fc884c8183b",
    },
    Printed {
        template: "action_ask",
        variables: &[],
        places: 0,
        characters: 388,
        digest: "e16f643d160f367befc921fd261e454c93dc02014770e0143512f37314b84dc8",
    },
    Printed {
        template: "constraints",
        variables: &[("min_asks", "2")],
        places: 1,
        characters: 131,
        digest: "f573cfa1e91029451e9e3b8190b2a1eb920b252dc31d8b1d50093b57cb700329",
    },
    Printed {
        template: "feedback_invalid",
        variables: &[("actions", "X")],
        places: 1,
        characters: 38,
        digest: "59e9c99b05714b97dbec671d71873f90da15a0045ba30cbbc47e7f737ed9c9fc",
    },
    Printed {
        template: "feedback_early",
        variables: &[("min_asks", "2"), ("asked", "1")],
        places: 3,
        characters: 80,
        digest: "e5429c50665cb75668858d6f0c36ecdce34671969311b06105b808074d41bb83",
    },
];

/// Whether a template that neither the paper nor the authors' program has is the built-in one.
fn is_ours(template: &str, text: &str) -> bool {
    default_pack().templates.get(template).is_some_and(|ours| ours == text)
}

fn is_printed(template: &str) -> bool {
    PRINTED.iter().any(|printed| printed.template == template)
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

/// What a comparison found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// It is the paper's text.
    Same {
        /// The template as the pack has it.
        text: String,
        /// What had to be undone, each in a few words.
        undone: Vec<&'static str>,
    },
    /// It is another text.
    Differs {
        /// Characters of its rendering.
        characters: usize,
        /// SHA-256 of its rendering.
        digest: Digest,
    },
}

/// A copy put together as a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The pack. What the copy lacks is ours, because the paper prints no such template.
    pub pack: Pack,
    /// What was found for each template of the paper; `None` if the copy lacks it.
    pub compared: Vec<(Printed, Option<Compared>)>,
    /// Templates of the copy that no prompt uses: a misspelt file name, most likely.
    pub unused: Vec<String>,
}

impl Imported {
    /// Whether every template is the paper's, or where the paper has none, ours.
    pub fn is_verbatim(&self) -> bool {
        let same = |compared: &Option<Compared>| matches!(compared, Some(Compared::Same { .. }));
        let mut others = self.pack.templates.iter();
        self.compared.iter().all(|(_, compared)| same(compared))
            && others.all(|(name, text)| is_printed(name) || is_ours(name, text))
    }

    /// The same in words.
    pub fn said(self) -> ImportedPack {
        let is_verbatim = self.is_verbatim();
        let found = self.compared.iter().map(|(printed, compared)| {
            let name = printed.template;
            match compared {
                Some(Compared::Same { undone, .. }) if undone.is_empty() => format!("{name}: ok"),
                Some(Compared::Same { undone, .. }) => {
                    format!("{name}: ok ({} put right)", undone.join(", "))
                }
                Some(Compared::Differs { characters, digest }) => format!(
                    "{name}: differs: {characters} characters, SHA-256 {digest}; the original has {}, {}",
                    printed.characters, printed.digest
                ),
                None => format!("{name}: not in the folder; ours is taken"),
            }
        });
        ImportedPack {
            findings: found.collect(),
            pack: self.pack,
            is_verbatim,
            unused: self.unused,
        }
    }
}

/// Makes a pack of a copy: templates by name. It is called [`NAME`] if every digest agrees, else `name` and the beginning
/// of its digest.
pub fn import(name: &str, copy: &BTreeMap<String, String>) -> Imported {
    let ours = default_pack();
    let mut templates = ours.templates;
    let unused =
        copy.keys().filter(|template| !templates.contains_key(*template)).cloned().collect();
    for (template, text) in copy {
        if let Some(ours) = templates.get_mut(template) {
            *ours = as_stored(template, text).to_owned();
        }
    }
    let mut compared = Vec::new();
    for printed in PRINTED {
        let found = copy.get(printed.template).map(|text| printed.compare(text));
        if let Some(Compared::Same { text, .. }) = &found {
            templates.insert(printed.template.to_owned(), text.clone());
        }
        compared.push((printed, found));
    }
    let mut imported =
        Imported { pack: Pack { name: NAME.to_owned(), templates }, compared, unused };
    if !imported.is_verbatim() {
        let digest = Digest::of_value(&imported.pack.templates);
        imported.pack.name = format!("{name}-{}", digest.short());
    }
    imported
}

/// Refuses a pack that calls itself verbatim and is not.
///
/// # Errors
/// The first template that differs.
pub fn check_name(pack: &Pack) -> Result<(), BadSpec> {
    if pack.name != NAME {
        return Ok(());
    }
    let mut others = pack.templates.iter();
    if let Some((name, _)) = others.find(|(name, text)| !is_printed(name) && !is_ours(name, text)) {
        return Err(BadSpec::new(
            "pack",
            format!(
                "it calls itself {NAME}, and its template {name}, which the paper does not have, is not the built-in one; give \
                 it another name"
            ),
        ));
    }
    let wrong = PRINTED.iter().find(|printed| {
        pack.templates.get(printed.template).is_none_or(|text| !printed.agrees(text))
    });
    match wrong {
        None => Ok(()),
        Some(printed) => Err(BadSpec::new(
            "pack",
            format!(
                "it calls itself {NAME}, and its template {} is not the paper's; give it another name",
                printed.template
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up template with the digest of its rendering.
    fn made_up() -> Printed {
        Printed {
            template: "act",
            variables: &[("memory", "M")],
            places: 1,
            characters: 21,
            // SHA-256 of "\nMemory: M\n{\"a\": {}}\n", by `sha256sum`.
            digest: "918b1ccabacf850a3474f92a8854c0789b813d9d79172ebb4cb662eab7c63b01",
        }
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

    /// What any mode can send, under either profile, is either checked against a digest or has to be ours.
    #[test]
    fn every_template_of_the_pack_is_checked() {
        let ours = default_pack().templates;
        for printed in PRINTED {
            assert!(ours.contains_key(printed.template), "{}", printed.template);
        }
        let unprinted: Vec<&String> = ours.keys().filter(|name| !is_printed(name)).collect();
        assert_eq!(unprinted, ["asking", "repair"]);
        for name in unprinted {
            assert!(is_ours(name, &ours[name]) && !is_ours(name, "Else."));
        }
    }

    /// The program's own remarks, made of the words that specification 3.7 and 4 quote.
    #[test]
    fn what_only_the_program_has_is_recognised_too() {
        let early = "Answer is not allowed before {min_asks} asks. Asks so far: {asked}/{min_asks}. Please use ask or search.";
        let printed = |name: &str| PRINTED.into_iter().find(|one| one.template == name);
        let early_printed = printed("feedback_early").expect("it is printed");
        let same = |text: &str| matches!(early_printed.compare(text), Compared::Same { .. });
        assert!(same(early) && same(&format!("{early}\n")));
        assert!(!same(&early.replace("{asked}/", "1/")));
        assert!(!same(&early.replace("ask or search", "search or ask")));
    }

    #[test]
    fn a_pack_that_lacks_one_template_or_changes_ours_is_not_verbatim() {
        let ours = default_pack().templates;
        for name in ours.keys().filter(|name| !is_printed(name)) {
            let mut templates = ours.clone();
            templates.insert(name.clone(), "Else.".to_owned());
            let pack = Pack { name: NAME.to_owned(), templates };
            let wrong = check_name(&pack).unwrap_err().to_string();
            assert!(wrong.contains(name) && wrong.contains("built-in"), "{wrong}");
        }
    }

    #[test]
    fn packs_with_different_templates_have_different_names() {
        let copy = |template: &str, text: &str| {
            import("mine", &BTreeMap::from([(template.to_owned(), text.to_owned())])).pack
        };
        let packs = [
            copy("constraints", "Ask {min_asks} times."),
            copy("constraints", "Ask at least {min_asks} times."),
            copy("repair", "Again."),
            copy("feedback_early", "Too early."),
        ];
        let names: std::collections::BTreeSet<&str> =
            packs.iter().map(|pack| pack.name.as_str()).collect();
        assert_eq!(names.len(), packs.len());
    }

    #[test]
    fn our_own_pack_is_not_the_papers_and_cannot_be_called_so() {
        let ours = default_pack();
        let imported = import("mine", &ours.templates);
        assert!(!imported.is_verbatim());
        assert!(imported.pack.name.starts_with("mine-"));
        assert_eq!(imported.pack.templates, ours.templates);
        assert_eq!(check_name(&imported.pack), Ok(()));
        let impostor = Pack { name: NAME.to_owned(), ..imported.pack };
        assert_eq!(check_name(&impostor).unwrap_err().field, "pack");
    }

    #[test]
    fn what_a_copy_lacks_is_ours_and_what_nobody_uses_is_named() {
        let copy = BTreeMap::from([
            ("grader".to_owned(), "Compare.".to_owned()),
            ("gradr".to_owned(), "Compare.".to_owned()),
        ]);
        let imported = import("mine", &copy);
        assert_eq!(imported.unused, ["gradr"]);
        assert_eq!(imported.pack.templates["grader"], "Compare.");
        assert_eq!(imported.pack.templates["repair"], default_pack().templates["repair"]);
        let missing = imported.compared.iter().filter(|(_, found)| found.is_none());
        assert_eq!(missing.count(), PRINTED.len() - 1);
    }
}
