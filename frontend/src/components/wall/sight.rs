//! The part of the wall that is in sight: its size and how far it is scrolled.

use leptos::html;
use leptos::prelude::*;

use crate::components::size::{Size, watch_size};

/// Where the reader looks, in CSS pixels.
#[derive(Debug, Clone, Copy)]
pub struct Sight {
    /// The size of the wall.
    pub size: Size,
    /// How far it is scrolled.
    pub scrolled: RwSignal<f64>,
}

impl Sight {
    /// The wall was scrolled.
    pub fn has_scrolled(&self, scroller: NodeRef<html::Div>) {
        if let Some(element) = scroller.get_untracked() {
            self.scrolled.set(f64::from(element.scroll_top()));
        }
    }

    /// Scrolls as little as need be to bring a row into sight, with the row above it where that may be its heading.
    pub fn bring_in(&self, scroller: NodeRef<html::Div>, row: usize, row_height: f64) {
        let Some(element) = scroller.get_untracked() else {
            return;
        };
        let top = row as f64 * row_height;
        let (from, height) = (
            f64::from(element.scroll_top()),
            f64::from(element.client_height()),
        );
        let wanted = if top < from + row_height {
            top - row_height
        } else if top + row_height > from + height {
            top + row_height - height
        } else {
            return;
        };
        // Pixels of a page fit by far.
        element.set_scroll_top(wanted.max(0.0) as i32);
        self.has_scrolled(scroller);
    }

    /// How many whole rows are in sight; at least one.
    pub fn rows_in_sight(&self, row_height: f64) -> usize {
        ((self.size.height.get_untracked() / row_height) as usize).max(1)
    }
}

/// Follows what is in sight of the wall while the component lives.
pub fn watch_sight(scroller: NodeRef<html::Div>) -> Sight {
    Sight {
        size: watch_size(scroller),
        scrolled: RwSignal::new(0.0),
    }
}
