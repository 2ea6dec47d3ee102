//! What a reader must know about the numbers of a run.

use super::calibration::Calibration;
use super::run::{Accuracy, Played};
use turnwise_core::metrics::calibration::{Confidence, Scale, look_like_fractions};

/// Each in a sentence.
pub(super) fn remarks(
    rows: &[Played<'_>],
    accuracy: &Accuracy,
    calibration: &Calibration,
    scale: Scale,
) -> Vec<String> {
    let mut remarks = Vec::new();
    let stated: Vec<Confidence> =
        rows.iter().map(|row| row.confidence).filter(Confidence::is_stated).collect();
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
            "Calibration is taken over the {} episodes with a stated confidence.",
            calibration.n
        ));
    }
    remarks
}
