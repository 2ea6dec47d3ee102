//! The elements of the rows that are drawn. They are put in and taken out by hand: the keyed list of Leptos (`<For>`) also takes
//! out and puts back rows that stay when others come and go before them, and the browser then styles and lays out each of them
//! again, which for a whole wall is what makes a scroll stop.

use std::collections::HashSet;

use web_sys::{Element, HtmlDivElement, HtmlElement};

use super::turns::DrawnRow;
use crate::prelude::*;

/// A row that stands in the wall, and its fingerprint.
pub type Placed = (u64, Element);

/// Brings the elements of the wall to the rows that are drawn, both from the top down. `markup` says what a row holds. Each row
/// stands at its own place and never moves, so that scrolling paints new rows only.
pub fn put_rows(
    space: &HtmlDivElement,
    placed: &mut Vec<Placed>,
    drawn: &[DrawnRow],
    row_height: f64,
    markup: impl Fn(&DrawnRow) -> String,
) {
    let make = |row: &DrawnRow, following: Option<&Element>| {
        // A name of an element, attributes without spaces and a place before one of its own children: none can be refused.
        let element: HtmlElement = document().create_element("div").ok()?.unchecked_into();
        let _ = element.set_attribute("class", "wall-row");
        let _ = element.set_attribute("role", "presentation");
        // As a property: the policy of the site forbids styles as text.
        let top = format!("{}px", row.number as f64 * row_height);
        let _ = element.style().set_property("top", &top);
        element.set_inner_html(&markup(row));
        let _ = space.insert_before(&element, following.map(AsRef::as_ref));
        Some(element.into())
    };
    settle(placed, drawn, Element::remove, make);
}

/// Takes out what is not drawn any more and puts in what is new, before what follows it; what stays is not touched.
fn settle<E: Clone>(
    placed: &mut Vec<(u64, E)>,
    drawn: &[DrawnRow],
    take_out: impl Fn(&E),
    put_in: impl Fn(&DrawnRow, Option<&E>) -> Option<E>,
) {
    let wanted: HashSet<u64> = drawn.iter().map(|row| row.fingerprint).collect();
    let (stay, go): (Vec<_>, Vec<_>) = std::mem::take(placed)
        .into_iter()
        .partition(|(fingerprint, _)| wanted.contains(fingerprint));
    for (_, element) in &go {
        take_out(element);
    }
    let mut stay = stay.into_iter();
    let mut next = stay.next();
    for row in drawn {
        match next.take_if(|(fingerprint, _)| *fingerprint == row.fingerprint) {
            Some(same) => {
                placed.push(same);
                next = stay.next();
            }
            None => {
                let element = put_in(row, next.as_ref().map(|(_, element)| element));
                placed.extend(element.map(|element| (row.fingerprint, element)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::view::wall::WallLine;

    /// Rows by number and look.
    fn rows(of: &[(usize, u64)]) -> Vec<DrawnRow> {
        of.iter()
            .map(|&(number, look)| DrawnRow {
                number,
                row: WallLine::Episodes { start: number, len: 1 },
                fingerprint: number as u64 * 10 + look,
                shown: Default::default(),
            })
            .collect()
    }

    /// A wall of which is known what was done to it.
    #[derive(Default)]
    struct Trial {
        placed: Vec<(u64, u64)>,
        children: RefCell<Vec<u64>>,
        done: RefCell<Vec<String>>,
    }

    impl Trial {
        /// Draws rows, and says what was done for that.
        fn draw(&mut self, drawn: &[DrawnRow]) -> String {
            let (children, done) = (&self.children, &self.done);
            let take_out = |row: &u64| {
                children.borrow_mut().retain(|child| child != row);
                done.borrow_mut().push(format!("-{row}"));
            };
            let put_in = |row: &DrawnRow, following: Option<&u64>| {
                let mut children = children.borrow_mut();
                let at = following
                    .and_then(|following| children.iter().position(|child| child == following));
                let at = at.unwrap_or(children.len());
                children.insert(at, row.fingerprint);
                done.borrow_mut().push(format!("+{}", row.fingerprint));
                Some(row.fingerprint)
            };
            settle(&mut self.placed, drawn, take_out, put_in);
            let fingerprints: Vec<u64> = drawn.iter().map(|row| row.fingerprint).collect();
            assert_eq!(*children.borrow(), fingerprints, "in their order");
            self.done.take().join(" ")
        }
    }

    #[test]
    fn a_row_that_stays_is_not_touched() {
        let mut wall = Trial::default();
        assert_eq!(wall.draw(&rows(&[(3, 0), (4, 0), (5, 0)])), "+30 +40 +50");
        assert_eq!(wall.draw(&rows(&[(3, 0), (4, 0), (5, 0)])), "");
        assert_eq!(wall.draw(&rows(&[(5, 0), (6, 0), (7, 0)])), "-30 -40 +60 +70", "down");
        assert_eq!(wall.draw(&rows(&[(1, 0), (2, 0), (5, 0)])), "-60 -70 +10 +20", "up");
        assert_eq!(wall.draw(&rows(&[(1, 0), (2, 1), (5, 0)])), "-20 +21", "one looks otherwise");
        assert_eq!(wall.draw(&rows(&[(9, 0)])), "-10 -21 -50 +90", "far away");
        assert_eq!(wall.draw(&[]), "-90");
    }
}
