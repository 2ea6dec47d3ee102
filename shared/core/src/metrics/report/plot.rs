//! Curves.

use serde::{Deserialize, Serialize};

use super::Column;

/// Curves over one pair of axes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    pub title: String,
    /// What a reader must know, in a sentence.
    pub about: String,
    pub x: Column,
    pub y: Column,
    pub curves: Vec<Curve>,
}

impl Plot {
    /// Of its title, what a reader must know, both axes, and curves.
    pub fn new(
        title: impl Into<String>,
        about: impl Into<String>,
        [x, y]: [Column; 2],
        curves: impl IntoIterator<Item = Curve>,
    ) -> Self {
        let curves = curves.into_iter().collect();
        Plot { title: title.into(), about: about.into(), x, y, curves }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    pub name: String,
    pub points: Vec<Point>,
}

impl Curve {
    /// Of its name and points.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Self {
        Curve { name: name.into(), points: points.into_iter().collect() }
    }
}

/// One point of a curve.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// Its 95 % interval, where one is known.
    pub interval: Option<(f64, f64)>,
    /// How many episodes stand behind it, where that differs from point to point.
    pub n: Option<u32>,
}

impl Point {
    pub fn at(x: f64, y: f64) -> Self {
        Point { x, y, interval: None, n: None }
    }
}

/// What is reached over what was spent for it. The horizontal axis is logarithmic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BudgetPlot {
    pub plot: Plot,
    /// Those that are steps, by their places: what was reached holds until more is spent.
    pub steps: Vec<usize>,
    /// Where two of them are compared at the same budget.
    pub equal: Vec<EqualBudget>,
}

/// Two curves at the same budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EqualBudget {
    /// What is compared, e.g. `asking − 4 answers`.
    pub name: String,
    pub x: f64,
    /// How high the one lies.
    pub one: f64,
    pub other: f64,
    /// The 95 % interval of the first less the second, where one is known.
    pub interval: Option<(f64, f64)>,
}
