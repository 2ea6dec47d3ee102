//! What nearly every file of the web app needs, from other crates and from what imports nothing else of the app: `use crate::prelude::*;`.

pub use std::cell::RefCell;
pub use std::collections::{BTreeMap, BTreeSet};
pub use std::rc::Rc;
pub use std::sync::Arc;

pub use futures::future::LocalBoxFuture;
pub use leptos::html;
pub use leptos::prelude::*;
pub use leptos::task::spawn_local;
pub use leptos_router::NavigateOptions;
pub use leptos_router::hooks::{use_location, use_navigate};
pub use turnwise_shared::prelude::*;
pub use turnwise_shared::task::language;
pub use turnwise_shared::transcript;
pub use turnwise_view::address::Place;
pub use turnwise_view::episode_status::EpisodeStatus;
pub use turnwise_view::number::{count, counted};
pub use turnwise_view::replayed::Replayed;
pub use turnwise_view::snapshot::Snapshot;
pub use turnwise_view::wall::Wall;
pub use turnwise_view::{address, number, plan, texts, turn};
pub use wasm_bindgen::closure::Closure;
pub use wasm_bindgen::{JsCast, JsValue};

pub use crate::navigation::in_place;
pub use crate::option_signal::OptionSignal;
pub(crate) use crate::parts::any_view;
pub use crate::parts::{
    Head, Icon, Loading, SmallIcon, Table, TableCell, Trouble, as_table, section_head, th,
    th_number,
};
