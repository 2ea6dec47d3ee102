//! What a line of ours has beside the fields of the authors' program, so that it comes back as what it was: a member that
//! their tools pass over.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::measure::{Agreement, Numbers};
use crate::settings::Setting;
use turnwise_core::prelude::*;

pub const MEMBER: &str = "turnwise";

#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beside {
    /// The setting, which the authors keep in the path.
    pub setting: Setting,
    /// The profile in which it was played.
    pub profile: Profile,
    /// The seed of the run, from which its intervals are drawn.
    pub seed: u64,
    /// Which repeat of the run.
    pub repeat: u32,
    /// The task, with its labels.
    pub task: TaskRef,
    /// Which facts are rules or scopes.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub rules: BTreeSet<u32>,
    /// How far the engine and the rule-based one agree.
    #[serde(default, skip_serializing_if = "Agreement::is_nothing")]
    pub agreement: Agreement,
    /// All numbers of an episode under `strict`, which the fields of the authors cannot hold.
    pub numbers: Option<Numbers>,
}

impl Beside {
    /// That of a line; `None` where there is none that can be read, as in every line of the authors' program.
    pub fn of(object: &Object) -> Option<Self> {
        let member = serde_json::to_value(object.get(MEMBER)?).ok()?;
        Beside::deserialize(member).ok()
    }
}
