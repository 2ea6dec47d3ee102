//! How far a run can be believed, by mark and word.

use leptos::prelude::*;
use turnwise_shared::wire::publishing::Standing;

use crate::strings::boards as words;

/// The seal of a standing; its meaning on hover and for those who hear it.
pub fn seal(standing: Standing) -> AnyView {
    let class = match standing {
        Standing::Verified => "seal seal-verified",
        Standing::SelfReported => "seal seal-self",
        Standing::Human => "seal seal-human",
        Standing::HumanUnattended => "seal seal-human seal-unattended",
        Standing::Baseline => "seal seal-baseline",
        Standing::Published => "seal seal-published",
    };
    view! {
        <span class=class title=words::standing_about(standing)>
            {words::standing(standing)}
        </span>
    }
    .into_any()
}
