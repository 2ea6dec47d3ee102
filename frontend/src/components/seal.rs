//! How far a run can be believed, by mark and word.

use crate::prelude::*;
use crate::strings::boards as words;

/// The seal of an evidence tier; its meaning on hover and for those who hear it.
pub fn seal(tier: EvidenceTier) -> AnyView {
    let class = match tier {
        EvidenceTier::Verified => "seal seal-verified",
        EvidenceTier::SelfReported => "seal seal-self",
        EvidenceTier::Human => "seal seal-human",
        EvidenceTier::HumanUnattended => "seal seal-human seal-unattended",
        EvidenceTier::Baseline => "seal seal-baseline",
        EvidenceTier::Published => "seal seal-published",
    };
    any_view! {
        <span class=class title=words::tier_about(tier)>
            {words::tier(tier)}
        </span>
    }
}
