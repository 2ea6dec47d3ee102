//! What a benchmark counted in one episode, kept as small as it is stored.

use std::fmt;
use std::sync::Arc;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Counts of one episode, as only their own benchmark can read them: JSON text, read when a report is made. A page holds
/// thousands of episodes at a time, and as a tree of values each would take about ten times as much room as its text.
#[derive(Clone, Default)]
pub struct Figures(Option<Arc<RawValue>>);

impl Figures {
    /// The figures that a value tells; none where it is written as `null`.
    ///
    /// # Panics
    ///
    /// Where the value cannot be written as JSON, as a map whose keys are not text: a defect of the benchmark, not of an
    /// episode.
    pub fn of(value: &impl Serialize) -> Self {
        // Through a value, which sorts the keys: what was counted alike is written alike.
        let sorted = serde_json::to_value(value).expect("figures are JSON");
        let written = serde_json::value::to_raw_value(&sorted).expect("a value is JSON");
        Figures::from(written)
    }

    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// The figures as their benchmark wrote them.
    ///
    /// # Errors
    ///
    /// Where another benchmark or another version wrote them, or there are none.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        match &self.0 {
            Some(text) => serde_json::from_str(text.get()),
            None => Err(serde_json::Error::custom("nothing was counted")),
        }
    }

    /// The figures as a tree of values; `null` where there are none.
    pub fn value(&self) -> Value {
        self.read().unwrap_or_default()
    }
}

impl From<Box<RawValue>> for Figures {
    fn from(text: Box<RawValue>) -> Self {
        Figures((text.get() != "null").then(|| Arc::from(text)))
    }
}

/// Alike are figures that say the same, however it is written.
impl PartialEq for Figures {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(two)) if one.get() == two.get() => true,
            _ => match (self.read::<Value>(), other.read::<Value>()) {
                (Ok(one), Ok(two)) => one == two,
                _ => false,
            },
        }
    }
}

impl fmt::Debug for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_ref().map_or("null", |text| text.get()))
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(text) => (**text).serialize(serializer),
            None => serializer.serialize_none(),
        }
    }
}

impl<'de> Deserialize<'de> for Figures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Figures::from(Box::<RawValue>::deserialize(deserializer)?))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Figures;

    #[test]
    fn figures_come_back_as_they_were() {
        let told = json!({ "calls": [1, 2], "share": 1.0 / 3.0, "name": "Größe \"1\"" });
        let figures = Figures::of(&told);
        assert_eq!(figures.value(), told);
        let written = serde_json::to_string(&figures).expect("figures are JSON");
        assert_eq!(written, told.to_string());
        assert_eq!(serde_json::from_str::<Figures>(&written).expect("it was written so"), figures);
        assert_eq!(json!({ "figures": figures })["figures"], told);
        assert_eq!(serde_json::from_value::<Figures>(told).expect("any value is figures"), figures);
    }

    #[test]
    fn figures_that_say_the_same_are_alike() {
        let read = |text: &str| serde_json::from_str::<Figures>(text).expect("it is JSON");
        assert_eq!(read(r#"{"a":1,"b":2}"#), read(r#"{ "b": 2, "a": 1 }"#));
        assert_ne!(read(r#"{"a":1}"#), read(r#"{"a":2}"#));
        assert_ne!(read(r#"{"a":1}"#), Figures::default());
    }

    #[test]
    fn nothing_counted_is_null_and_cannot_be_read() {
        let none = Figures::of(&json!(null));
        assert!(none.is_none());
        assert_eq!(none, Figures::default());
        assert_eq!(serde_json::to_string(&none).expect("figures are JSON"), "null");
        assert!(serde_json::from_str::<Figures>("null").expect("it is JSON").is_none());
        assert!(none.read::<Vec<u32>>().is_err());
    }

    /// Figures come from logs that were imported, too: a tree too deep to read is figures that cannot be read.
    #[test]
    fn figures_nested_too_deeply_cannot_be_read() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let figures = serde_json::from_str::<Figures>(&deep).expect("it is JSON");
        assert!(figures.read::<serde_json::Value>().is_err());
        assert_eq!(figures, figures.clone());
    }
}
