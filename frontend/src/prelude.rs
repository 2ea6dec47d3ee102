//! What nearly every file of the web app needs, from other crates and from what imports nothing else of the app: `use crate::prelude::*;`.

pub use std::cell::RefCell;
pub use std::collections::{BTreeMap, BTreeSet};
pub use std::rc::Rc;
pub use std::sync::Arc;
pub use std::time::Duration;

pub use futures::future::LocalBoxFuture;
pub use leptos::prelude::*;
pub use leptos::task::spawn_local;
pub use leptos::{ev, html};
pub use leptos_router::NavigateOptions;
pub use leptos_router::hooks::{use_location, use_navigate, use_params_map};
pub use turnwise_shared::prelude::*;
pub use turnwise_shared::prompt::ActionForm;
pub use turnwise_shared::scene::Gauge;
pub use turnwise_shared::task::language;
pub use turnwise_shared::transcript;
pub use turnwise_shared::wire::Epoch;
pub use turnwise_view::address::Place;
pub use turnwise_view::episode_status::EpisodeStatus;
pub use turnwise_view::number::{count, counted};
pub use turnwise_view::replayed::Replayed;
pub use turnwise_view::snapshot::Snapshot;
pub use turnwise_view::wall::Wall;
pub use turnwise_view::{address, number, plan, texts, turn};
pub use wasm_bindgen::closure::Closure;
pub use wasm_bindgen::{JsCast, JsValue};
pub use wasm_bindgen_futures::JsFuture;

pub use crate::navigation::in_place;
pub use crate::option_signal::{FillSignal, OptionSignal};
pub(crate) use crate::parts::any_view;
pub use crate::parts::{
    Head, Icon, Loading, SmallIcon, Table, TableCell, Trouble, as_table, choice_card, option,
    section_head, select_field, select_list, table_frame, table_of_cards, th, th_number, toggle,
};
