//! What is read first: the headline numbers, and what a reader must know about them.

use super::calibration::Calibration;
use super::run::{Accuracy, Played, pair};
use crate::interaction::Interaction;
use turnwise_core::metrics::calibration::{Confidence, Scale, look_like_fractions};
use turnwise_core::metrics::report::{Figure, Unit};

/// The headline numbers.
pub(super) fn headline(
    accuracy: &Accuracy,
    calibration: &Calibration,
    interaction: Option<&Interaction>,
    cost: Option<f64>,
) -> Vec<Figure> {
    let figure = |label: &str, value, interval, unit, about: &str| Figure {
        label: label.to_owned(),
        value,
        interval,
        unit,
        about: about.to_owned(),
    };
    let mut figures = vec![
        figure(
            "Accuracy",
            accuracy.mean,
            accuracy.interval.map(pair),
            Unit::Fraction,
            "Answers that the grader accepted, over all graded plays.",
        ),
        figure(
            "Calibration error",
            calibration.left_closed,
            None,
            Unit::Fraction,
            "How far stated confidence and accuracy lie apart: five bins of equal width, weighted by their rows.",
        ),
        figure(
            "Rounds",
            interaction.map(|found| found.round),
            None,
            Unit::Count,
            "Mean rounds used, the answer included; invalid replies use none.",
        ),
        figure(
            "Interaction rate",
            interaction.and_then(|found| found.ir_micro),
            None,
            Unit::Fraction,
            "The share of all rounds in which the user was asked.",
        ),
        figure(
            "Asks",
            interaction.map(|found| found.iround),
            None,
            Unit::Count,
            "Mean questions put to the user in an episode.",
        ),
        figure(
            "Cost",
            cost,
            None,
            Unit::Dollars,
            "All roles together, in the episodes that have ended; empty where a part is not known. Bots are free.",
        ),
    ];
    if accuracy.deviation.is_some() {
        let deviation = figure(
            "Deviation over repeats",
            accuracy.deviation,
            None,
            Unit::Fraction,
            "Sample standard deviation of the accuracies of the repeats.",
        );
        figures.insert(1, deviation);
    }
    figures
}

/// What a reader must know about them.
pub(super) fn remarks(
    rows: &[Played<'_>],
    accuracy: &Accuracy,
    calibration: &Calibration,
    scale: Scale,
) -> Vec<String> {
    let mut remarks = Vec::new();
    let unscored = rows.len() - accuracy.scored;
    if let (true, Some((low, high))) = (unscored > 0, accuracy.bounds) {
        remarks.push(format!(
            "{unscored} of {} plays have no score yet: accuracy lies between {:.1} % and {:.1} %. The run is not ranked \
             until they are resumed or graded again.",
            rows.len(),
            100.0 * low,
            100.0 * high
        ));
    }
    let stated: Vec<Confidence> = rows
        .iter()
        .map(|row| row.confidence)
        .filter(Confidence::is_stated)
        .collect();
    match scale {
        Scale::Percent if look_like_fractions(&stated) => remarks.push(
            "Every stated confidence is 1 or less: the player may have meant fractions. They are read as percent; turnwise \
             metrics --confidence fractions reads them as fractions."
                .to_owned(),
        ),
        Scale::Percent => {}
        Scale::Fractions => remarks.push(
            "No stated confidence was above 1: all of them are read as fractions.".to_owned(),
        ),
    }
    if calibration.n < accuracy.scored {
        remarks.push(format!(
            "Calibration is taken over the {} plays with a stated confidence.",
            calibration.n
        ));
    }
    remarks
}
