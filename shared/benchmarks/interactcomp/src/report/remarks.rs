//! What a reader must know about the numbers of a run.

use super::Scored;
use super::calibration::Calibration;
use super::run::confidence;
use turnwise_core::metrics::calibration::{Confidence, Scale, look_like_fractions};

pub(super) fn remarks(scored: &Scored<'_>, calibration: &Calibration, scale: Scale) -> Vec<String> {
    let mut remarks = Vec::new();
    let stated: Vec<Confidence> = scored
        .plays
        .iter()
        .map(|play| confidence(play, scale))
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
    if calibration.n < scored.accuracy().n as usize {
        remarks.push(format!(
            "Calibration is taken over the {} episodes with a stated confidence.",
            calibration.n
        ));
    }
    remarks
}
