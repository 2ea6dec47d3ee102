//! What several types do alike when they are shown, and when they are written as JSON.

/// Types that are texts in JSON: written by `Display`, read by `FromStr`.
macro_rules! as_text {
    ($($Type:ty),+) => {$(
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $Type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text: String = serde::Deserialize::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

/// Types that are shown as what they hold.
macro_rules! shown_as_held {
    ($($Type:ty),+) => {$(
        impl std::fmt::Display for $Type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    )+};
}

/// Whether a field has its usual value, and is left out.
pub(crate) fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
