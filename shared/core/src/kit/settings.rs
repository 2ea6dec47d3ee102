//! Settings, each declared once: [`settings!`](crate::settings) makes the struct, its defaults, the form, the flags and the checks
//! of ranges; [`choices!`](crate::choices) makes the enum of a setting that is one of several names.
//!
//! ```ignore
//! choices! {
//!     pub enum Mode {
//!         Interactive = "interactive" => "ask the judge and guess",
//!         Direct = "direct" => "answer once",
//!     }
//! }
//!
//! settings! {
//!     Schema::new("Mode and rounds", &[]);
//!     pub struct Settings {
//!         mode: Mode = Mode::Interactive
//!             => entry("What the player may do", "", Holds::Choice(Mode::CHOICES)),
//!         rounds: u32 = 20
//!             => entry("Rounds at most", "", Holds::Number(1, 100)).binds(|chosen| chosen["mode"] != "direct"),
//!     }
//! }
//! ```
//!
//! `Settings::SCHEMA` goes into [`Facts::schema`](crate::benchmark::Facts); a protocol calls `Settings::read(spec)`. A setting without
//! `=>` has no field in the form and no flag. In a sweep ([`Holds::Sweep`]) a run has several values of a setting: the field holds
//! one of them, and [`Schema::swept`] and [`Schema::at`] read the settings.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::benchmark::schema::{Holds, Schema, Setting};
use crate::spec::{BadSpec, Spec};
use crate::task::Point;

/// An enum whose values have names: in settings and files, and a label for people where that is another.
#[macro_export]
macro_rules! choices {
    ($(#[$meta:meta])* $vis:vis enum $Enum:ident {
        $($(#[$doc:meta])* $Variant:ident = $name:tt $(=> $label:expr)?,)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        $vis enum $Enum {
            $($(#[$doc])* #[serde(rename = $name)] $Variant,)+
        }

        #[allow(dead_code)]
        impl $Enum {
            pub const ALL: [Self; Self::CHOICES.len()] = [$($Enum::$Variant),+];

            /// The name of each in settings and files, and its label.
            pub const CHOICES: &'static [(&'static str, &'static str)] = &[$(($name, [$($label,)? $name][0])),+];

            pub const fn name(self) -> &'static str {
                Self::CHOICES[self as usize].0
            }

            pub const fn label(self) -> &'static str {
                Self::CHOICES[self as usize].1
            }

            /// The one of exactly this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        /// By its name, in upper or lower case.
        impl std::str::FromStr for $Enum {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let mut all = Self::ALL.into_iter();
                all.find(|one| one.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
                    let names: Vec<_> = Self::CHOICES.iter().map(|(name, _)| *name).collect();
                    format!("expected one of {}", names.join(", "))
                })
            }
        }
    };
}

/// The settings of a benchmark: a schema's title and presets, then each field with its default and its place in the form.
#[macro_export]
macro_rules! settings {
    ($schema:expr; $(#[$meta:meta])* $vis:vis struct $Settings:ident {
        $($(#[$doc:meta])* $field:ident: $type:ty = $default:expr $(=> $setting:expr)?,)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        $vis struct $Settings {
            $($(#[$doc])* $vis $field: $type,)+
        }

        impl Default for $Settings {
            fn default() -> Self {
                $Settings { $($field: $default,)+ }
            }
        }

        impl $Settings {
            /// The form, the flags and the ranges.
            pub const SCHEMA: $crate::benchmark::Schema = $crate::benchmark::Schema {
                settings: &[$($($crate::benchmark::schema::Setting {
                    name: stringify!($field),
                    ..$setting
                },)?)+],
                defaults: $crate::kit::settings::defaults::<$Settings>,
                ..$schema
            };

            /// The settings of a spec that sweeps over none.
            ///
            /// # Errors
            /// If they cannot be read, or one is out of range; the field is named.
            pub fn read(
                spec: &$crate::spec::Spec,
            ) -> Result<Self, $crate::spec::BadSpec> {
                Self::SCHEMA.read(&spec.settings)
            }
        }
    };
}

/// The default settings of a run.
pub fn defaults<T: Serialize + Default>() -> Value {
    serde_json::to_value(T::default()).unwrap_or_default()
}

impl Schema {
    /// Checks the values of a sweep.
    ///
    /// # Errors
    /// If there are none or too many, one is there twice, or the setting has no effect.
    pub(crate) fn check_values(
        &self,
        setting: &Setting,
        values: &[Value],
        settings: &Value,
    ) -> Result<(), BadSpec> {
        let bad = |problem| Err(BadSpec::new(format!("settings.{}", setting.name), problem));
        let most = if setting.holds == Holds::Shares { 50 } else { 20 };
        if values.is_empty() || values.len() > most {
            return bad(format!("a sweep has 1 to {most} values, got {}", values.len()));
        }
        if let Some(twice) = (1..values.len()).find(|at| values[..*at].contains(&values[*at])) {
            return bad(format!("{} is listed twice", values[twice]));
        }
        if values.len() > 1 && !self.binds(setting.name, settings) {
            return bad("it has no effect under these settings, so there is nothing to sweep over; write one number".to_owned());
        }
        Ok(())
    }

    /// The settings that are given, the others by default.
    pub fn completed(&self, given: &Value) -> Value {
        let mut all = (self.defaults)();
        if let (Some(all), Some(given)) = (all.as_object_mut(), given.as_object()) {
            all.extend(given.clone());
        }
        all
    }

    /// Reads settings.
    ///
    /// # Errors
    /// The first that cannot be used, and what is accepted.
    pub fn read<T: DeserializeOwned>(&self, settings: &Value) -> Result<T, BadSpec> {
        self.check(settings)?;
        T::deserialize(settings).map_err(|error| BadSpec::new("settings", error.to_string()))
    }

    /// The values that settings sweep over, in order; none where they do not sweep.
    pub fn points(&self, settings: &Value) -> Vec<Point> {
        let points = |setting: &Setting| {
            let values = settings.get(setting.name)?.as_array().filter(|all| all.len() > 1)?;
            let value = |value: &Value| u32::try_from(value.as_u64()?).ok();
            let point = |value| Point { setting: setting.name, mark: setting.mark, value };
            values.iter().map(|one| value(one).map(point)).collect::<Option<Vec<_>>>()
        };
        let mut sweeps = self.settings.iter().filter(|one| matches!(one.holds, Holds::Sweep(..)));
        sweeps.find_map(points).unwrap_or_default()
    }

    /// The settings of a spec, one for each value of its sweep.
    ///
    /// # Errors
    /// The first setting that cannot be used, and what is accepted; a second sweep, and one over what has no effect.
    pub fn swept<T: DeserializeOwned>(&self, spec: &Spec) -> Result<Vec<T>, BadSpec> {
        self.check(&spec.settings)?;
        let mut each = spec.settings.clone();
        for setting in self.settings.iter().filter(|one| matches!(one.holds, Holds::Sweep(..))) {
            // A list of one value is that value.
            if let Some([value]) =
                each.get(setting.name).and_then(Value::as_array).map(Vec::as_slice)
            {
                each[setting.name] = value.clone();
            }
        }
        let points = self.points(&each);
        let Some(&Point { setting, .. }) = points.first() else {
            return Ok(vec![self.read(&each)?]);
        };
        let at = |point: &Point| {
            each[setting] = point.value.into();
            self.read(&each)
        };
        points.iter().map(at).collect()
    }

    /// The settings of a task's episode: in a sweep those of the value that the task is labelled with.
    ///
    /// # Errors
    /// As [`Schema::swept`], and if a task of a sweep has no label.
    pub fn at<T: DeserializeOwned>(
        &self,
        spec: &Spec,
        labels: &BTreeMap<String, String>,
    ) -> Result<T, BadSpec> {
        let points = self.points(&spec.settings);
        let index = match points.first() {
            None => 0,
            Some(&Point { setting, .. }) => {
                let label = labels.get(setting).map_or("absent", String::as_str);
                points.iter().position(|point| point.value.to_string() == label).ok_or_else(
                    || {
                        BadSpec::new(
                            format!("settings.{setting}"),
                            format!(
                                "the task's label {setting} ({label}) is not a value of this sweep"
                            ),
                        )
                    },
                )?
            }
        };
        Ok(self.swept(spec)?.swap_remove(index))
    }

    /// Whether a setting has an effect beside those that are chosen.
    pub fn binds(&self, name: &str, chosen: &Value) -> bool {
        let setting = self.settings.iter().find(|setting| setting.name == name);
        let binds = setting.and_then(|setting| setting.binds);
        binds.is_none_or(|binds| binds(&self.completed(chosen)))
    }

    /// Settings as a board counts them, where one may have no effect: it then has its default, like all that are not given.
    pub(crate) fn binding(&self, settings: &Value) -> Value {
        let may_not_bind =
            |setting: &Setting| setting.binds.is_some() || setting.name == self.today;
        if !self.settings.iter().any(may_not_bind) {
            return settings.clone();
        }
        let (usual, mut binding) = ((self.defaults)(), self.completed(settings));
        for Setting { name, .. } in self.settings {
            if *name == self.today || !self.binds(name, settings) {
                binding[*name] = usual[*name].clone();
            }
        }
        binding
    }
}
