//! What tables and plots of a report say beside their numbers, as a file `report.toml` declares it by names.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::{Column, Curve, Matrix, Plot, Table, TableRow, Unit};

/// A table, plot, matrix or study without its numbers.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Caption {
    pub title: String,
    pub about: String,
    /// What the rows of a table are.
    pub by: String,
    /// Written as label, unit and what it is; of a plot x and y.
    #[serde(deserialize_with = "columns")]
    pub columns: Vec<Column>,
}

fn columns<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Column>, D::Error> {
    let columns = Vec::<(String, Unit, String)>::deserialize(from)?.into_iter();
    Ok(columns.map(|(label, unit, about)| Column::new(label, unit, about)).collect())
}

impl Caption {
    /// Those of a file, by their names.
    ///
    /// # Panics
    /// If it is no such file.
    pub fn all(text: &str) -> BTreeMap<String, Caption> {
        toml::from_str(text).expect("a test reads each of them")
    }

    pub fn table(self, rows: impl IntoIterator<Item = TableRow>) -> Table {
        Table::new(self.title, self.about, self.by, self.columns, rows)
    }

    /// # Panics
    /// If it has not two columns.
    pub fn plot(self, curves: impl IntoIterator<Item = Curve>) -> Plot {
        let axes = self.columns.try_into().expect("a plot has two columns");
        Plot::new(self.title, self.about, axes, curves)
    }

    /// A matrix of these rows and columns.
    pub fn matrix(
        self,
        unit: Unit,
        names: [Vec<String>; 2],
        cell: impl Fn(usize, usize) -> Option<f64>,
    ) -> Matrix {
        Matrix::new(self.title, self.about, unit, names, cell)
    }
}

/// A function `caption` that gives the captions of a file by their names.
#[macro_export]
macro_rules! captions {
    ($file:literal) => {
        /// A caption of `report.toml`.
        pub(crate) fn caption(name: &str) -> $crate::metrics::report::Caption {
            type Captions = std::collections::BTreeMap<String, $crate::metrics::report::Caption>;
            static CAPTIONS: std::sync::LazyLock<Captions> = std::sync::LazyLock::new(|| {
                $crate::metrics::report::Caption::all(include_str!($file))
            });
            CAPTIONS[name].clone()
        }
    };
}
