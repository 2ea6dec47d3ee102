//! A request as a model gets it, word for word.

use turnwise_shared::prompt::Rendered;

use crate::prelude::*;
use crate::strings::episode as roles;

/// Every message, with who speaks in it.
pub fn as_model(messages: &[Rendered]) -> impl IntoView + use<> {
    messages
        .iter()
        .map(|message| {
            let role = match message.role {
                Role::System => roles::SYSTEM,
                Role::User => roles::USER,
                Role::Assistant => roles::ASSISTANT,
            };
            view! {
                <div class="block b-prompt">
                    <div class="block-head">{role}</div>
                    <div class="block-body">{message.text.clone()}</div>
                </div>
            }
        })
        .collect_view()
}
