//! The studio that makes worlds: its editor reads and changes drafts.

mod draft;
mod fields;
mod freeze;
mod words;

use fields::DraftFields;
use freeze::Freeze;
use turnwise_shared::benchmarks::worlds::prompts::variable;
use turnwise_shared::benchmarks::worlds::work::{BadEdit, action, check_edit, seat};
use turnwise_shared::misfit;

use crate::benchmarks::Screen;
use crate::components::play::forms::{Begins, Draft};
use crate::prelude::*;
use crate::view::asked::object_in;

pub struct Studio;

impl Screen for Studio {
    fn run_tools(
        &self,
        id: RunId,
        spec: Spec,
        snapshot: RwSignal<Arc<Snapshot>>,
    ) -> Option<AnyView> {
        Some(any_view! { <Freeze id spec snapshot/> })
    }

    /// An editor begins with the draft, and after an invalid reply with what they had written.
    fn begins(&self, question: &Question) -> Begins {
        if question.seat.as_str() != seat::EDITOR {
            return Begins::default();
        }
        let mine = question.messages.iter().rev();
        let mine = mine
            .filter(|message| message.role == Role::Assistant)
            .find_map(|message| edited(&message.text));
        let draft = question.part(variable::DRAFT).map(str::to_owned);
        let of = |action, text| Begins {
            action,
            fields: BTreeMap::from([(action::JSON, text)]),
            draft: draft.clone().map(|text| Draft {
                text,
                fields: |draft, written, closed| {
                    any_view! { <DraftFields draft written closed/> }
                },
                whole: words::AS_JSON,
                unfit,
            }),
            ..Begins::default()
        };
        match (mine, &draft) {
            (Some(text), _) => of(Some(action::EDIT.to_owned()), text),
            (None, Some(draft)) => of(None, draft.clone()),
            (None, None) => Begins::default(),
        }
    }

    fn part(&self, name: &str, text: &str) -> Option<AnyView> {
        (name == variable::DRAFT).then(|| fields::shown(text)).flatten()
    }
}

/// What is wrong with a change to a draft, before it is sent; the benchmark reads it with the same eyes.
fn unfit(draft: &str, written: &str) -> Option<String> {
    match check_edit(draft, written).err()? {
        BadEdit::NotJson(why) => Some(words::not_json(&why)),
        BadEdit::NoMembers => Some(words::NO_MEMBERS.to_owned()),
        BadEdit::Unknown { name, known } => Some(words::no_such_member(name, known.join(", "))),
        BadEdit::Misfit(why) => Some(words::misfit(misfit::plain(&why))),
    }
}

/// What the editor wrote as the changed draft, if that is what a reply says.
fn edited(reply: &str) -> Option<String> {
    let said = object_in(reply)?;
    let is_edit = said["action"].as_str() == Some(action::EDIT);
    let text = said["params"][action::JSON].as_str();
    text.filter(|_| is_edit).map(str::to_owned)
}

#[cfg(test)]
mod tests;
