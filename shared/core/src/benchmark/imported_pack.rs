//! A prompt pack made of a user's own templates.

use std::collections::BTreeMap;

use crate::hash::Digest;
use crate::prompt::Pack;

/// A pack made of templates that a user brought, and what there is to say of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedPack {
    pub pack: Pack,
    /// What was found, template by template, in words.
    pub findings: Vec<String>,
    /// Templates that no prompt uses: a misspelt file name, most likely.
    pub unused: Vec<String>,
    /// Whether it is the paper's own wording.
    pub is_verbatim: bool,
}

impl ImportedPack {
    /// A pack in which templates go before those of another.
    pub fn over(mut pack: Pack, name: &str, templates: &BTreeMap<String, String>) -> Self {
        let mut findings = Vec::new();
        for (template, ours) in &mut pack.templates {
            let found = match templates.get(template) {
                Some(own) if own == ours => "the built-in text",
                Some(own) => {
                    ours.clone_from(own);
                    "differs from the built-in text"
                }
                None => "not in the folder; the built-in text is used",
            };
            findings.push(format!("{template}: {found}"));
        }
        let unused = templates.keys();
        let unused = unused.filter(|template| !pack.templates.contains_key(*template));
        let unused = unused.cloned().collect();
        pack.name = format!("{name}-{}", Digest::of_value(&pack.templates).short());
        ImportedPack { pack, findings, unused, is_verbatim: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_templates_go_before_the_built_in_ones() {
        let texts = |texts: &[(&str, &str)]| {
            let texts = texts.iter();
            texts
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect::<BTreeMap<_, _>>()
        };
        let pack = Pack {
            name: "built-in".to_owned(),
            templates: texts(&[("a", "one"), ("b", "two"), ("c", "three")]),
        };
        let own = texts(&[("a", "one"), ("b", "2"), ("x", "typo")]);
        let imported = ImportedPack::over(pack, "mine", &own);
        let expected = texts(&[("a", "one"), ("b", "2"), ("c", "three")]);
        assert_eq!(imported.pack.templates, expected);
        assert!(imported.pack.name.starts_with("mine-"));
        assert_eq!(imported.unused, ["x"]);
        let found = |name: &str, said: &str| {
            let mut findings = imported.findings.iter();
            findings.any(|finding| finding.starts_with(name) && finding.contains(said))
        };
        assert!(found("a:", "the built-in text"));
        assert!(found("b:", "differs"));
        assert!(found("c:", "not in the folder"));
    }
}
