//! The part of the wall that is in sight: its size and how far it is scrolled.

use web_sys::Element;

use crate::components::size::{Size, is_narrow_now, on_resize, watch_size};
use crate::prelude::*;

/// Where the reader looks, in CSS pixels.
#[derive(Debug, Clone, Copy)]
pub struct Sight {
    /// The size of the wall.
    pub size: Size,
    /// How far it is scrolled.
    pub scrolled: RwSignal<f64>,
}

impl Sight {
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
        let (from, height) = (f64::from(element.scroll_top()), f64::from(element.client_height()));
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

    /// The wall of a run is left: it is remembered how far it was scrolled.
    pub fn leave(&self, run: &RunId) {
        let at = self.scrolled.get_untracked();
        LEFT.with_borrow_mut(|left| left.insert(run.clone(), at));
    }

    /// Scrolls the wall of a run to where it was left.
    pub fn return_to(&self, scroller: NodeRef<html::Div>, run: &RunId) {
        let at = LEFT.with_borrow(|left| left.get(run).copied());
        if let Some((element, at)) = scroller.get_untracked().zip(at) {
            // Pixels of a page fit by far.
            element.set_scroll_top(at as i32);
            self.has_scrolled(scroller);
        }
    }

    /// How many whole rows are in sight; at least one.
    pub fn rows_in_sight(&self, row_height: f64) -> usize {
        ((self.size.height.get_untracked() / row_height) as usize).max(1)
    }
}

thread_local! {
    /// How far the wall of each run was scrolled when it was left.
    static LEFT: RefCell<BTreeMap<RunId, f64>> = const { RefCell::new(BTreeMap::new()) };
}

/// The least room for a wall, in CSS pixels; the style sheet says the same.
const LEAST_ROOM: f64 = 280.0;

/// What is left free below a run on its page, in CSS pixels; the style sheet says the same.
const PAGE_END: f64 = 16.0;

/// How many CSS pixels of the window are left for the rows of a wall, so that the whole page fits it. On a phone it stands below the
/// window, and has most of it.
pub fn watch_room(scroller: NodeRef<html::Div>) -> RwSignal<f64> {
    let room = RwSignal::new(LEAST_ROOM);
    let measure = move || {
        let height = window().inner_height().ok();
        let height = height.and_then(|height| height.as_f64());
        let element = scroller.try_get_untracked().flatten();
        let Some((element, height)) = element.zip(height) else {
            return;
        };
        let left = match is_narrow_now() {
            true => 0.7 * height,
            false => height - beside(&element),
        };
        room.try_set(left.max(LEAST_ROOM));
    };
    // Whatever changes above the wall changes the height of the page.
    on_resize(
        move || {
            scroller.get()?;
            document().body().map(Element::from)
        },
        measure,
    );
    let resized = window_event_listener(ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    room
}

/// The height of all of a page but of one element of it.
fn beside(element: &Element) -> f64 {
    let place = element.get_bounding_client_rect();
    let find = |name: &str| document().query_selector(name).ok().flatten();
    let last = find("#main").and_then(|main| main.last_element_child());
    let end = last.map_or(place.bottom(), |last| last.get_bounding_client_rect().bottom());
    let foot = find(".foot").map_or(0.0, |foot| foot.get_bounding_client_rect().height());
    let above = place.top() + window().scroll_y().unwrap_or(0.0);
    above + (end - place.bottom()) + PAGE_END + foot
}

/// Follows what is in sight of the wall while the component lives.
pub fn watch_sight(scroller: NodeRef<html::Div>) -> Sight {
    Sight { size: watch_size(scroller), scrolled: RwSignal::new(0.0) }
}
