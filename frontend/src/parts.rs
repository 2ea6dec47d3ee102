//! What every page is put together from: icons, errors, heads and tables. It knows nothing else of the app, so that the prelude can
//! hand it out.

mod choice;
mod icons;
mod message;
mod section;
mod select;
mod table;

pub use choice::{choice_card, toggle};
pub use icons::{Icon, SmallIcon};
pub use message::{Loading, Trouble};
pub use section::section_head;
pub use select::{option, select_field, select_list};
pub use table::{Head, Table, TableCell, as_table, table_frame, table_of_cards, th, th_number};

/// A `view!` of any type, for places where views of several types meet.
macro_rules! any_view {
    ($($markup:tt)*) => {
        leptos::prelude::IntoAny::into_any(leptos::prelude::view! { $($markup)* })
    };
}

pub(crate) use any_view;
