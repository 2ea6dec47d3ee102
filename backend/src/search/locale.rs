//! The language that a query prefers, taken apart; each engine writes it as its service wants it.

/// A language and perhaps a region, e.g. `zh` or `pt-BR`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locale {
    /// Two or three lower-case letters.
    pub language: String,
    /// Two upper-case letters, if the region was named.
    pub region: Option<String>,
}

/// The default country of a language: for services that search by country and not by language.
const USUAL: [(&str, &str); 24] = [
    ("ar", "SA"),
    ("cs", "CZ"),
    ("da", "DK"),
    ("de", "DE"),
    ("el", "GR"),
    ("en", "US"),
    ("es", "ES"),
    ("fi", "FI"),
    ("fr", "FR"),
    ("he", "IL"),
    ("hi", "IN"),
    ("hu", "HU"),
    ("id", "ID"),
    ("it", "IT"),
    ("ja", "JP"),
    ("ko", "KR"),
    ("nl", "NL"),
    ("pl", "PL"),
    ("pt", "PT"),
    ("ru", "RU"),
    ("sv", "SE"),
    ("tr", "TR"),
    ("vi", "VN"),
    ("zh", "CN"),
];

impl Locale {
    /// Reads a language tag: language, perhaps a script, perhaps a region. `None` if it is none.
    pub fn read(tag: &str) -> Option<Self> {
        let mut parts = tag.trim().split(['-', '_']);
        let language = parts.next()?.to_ascii_lowercase();
        let letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !(2..=3).contains(&language.len()) || !letters(&language) {
            return None;
        }
        let mut region = None;
        for part in parts {
            match (part.len(), part.to_ascii_lowercase().as_str()) {
                (2, _) if letters(part) => region = Some(part.to_ascii_uppercase()),
                // The script of Chinese tells where it is written so.
                (4, "hant") => region = region.or(Some("TW".to_owned())),
                (4, "hans") => region = region.or(Some("CN".to_owned())),
                _ => {}
            }
        }
        Some(Locale { language, region })
    }

    /// The region, or where the language is usually spoken.
    pub fn usual_region(&self) -> Option<&str> {
        let usual = || {
            USUAL.iter().find(|(language, _)| *language == self.language).map(|(_, region)| *region)
        };
        self.region.as_deref().or_else(usual)
    }

    /// Whether it is Chinese in traditional characters.
    pub fn is_traditional(&self) -> bool {
        self.language == "zh" && matches!(self.region.as_deref(), Some("TW" | "HK" | "MO"))
    }

    /// The language as Google has it.
    pub fn of_google(&self) -> &str {
        match self.language.as_str() {
            "zh" if self.is_traditional() => "zh-tw",
            "zh" => "zh-cn",
            "pt" if self.region.as_deref() == Some("BR") => "pt-br",
            "pt" => "pt-pt",
            "he" => "iw",
            other => other,
        }
    }

    /// As a tag, e.g. `zh` or `pt-BR`.
    pub fn tag(&self) -> String {
        match &self.region {
            Some(region) => format!("{}-{region}", self.language),
            None => self.language.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_apart() {
        let read = |tag: &str| Locale::read(tag).map(|locale| locale.tag());
        for (tag, wanted) in [
            ("zh", Some("zh")),
            ("ZH_cn", Some("zh-CN")),
            ("pt-br", Some("pt-BR")),
            ("zh-Hant", Some("zh-TW")),
            ("zh-Hant-HK", Some("zh-HK")),
            ("es-419", Some("es")),
            ("fil", Some("fil")),
            ("", None),
            ("english", None),
            ("e1", None),
        ] {
            assert_eq!(read(tag).as_deref(), wanted, "{tag}");
        }
        let locale = |tag: &str| Locale::read(tag).expect("a tag");
        assert_eq!(locale("zh").usual_region(), Some("CN"));
        assert_eq!(locale("en-GB").usual_region(), Some("GB"));
        assert_eq!(locale("fil").usual_region(), None);
        assert!(locale("zh-TW").is_traditional() && !locale("zh").is_traditional());
    }
}
