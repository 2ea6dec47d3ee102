//! Which tab the arrow keys lead to, and the tab in an address.

use crate::query::{decode, encode};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// To the next tab, after the last one to the first.
    On,
    /// To the tab before.
    Back,
    /// To the first one.
    First,
    /// To the last one.
    Last,
}

/// The key of the chosen tab in an address.
const KEY: &str = "tab";

/// The tab to which a key leads; `None` where there is none.
pub fn moved(names: &[&'static str], now: &str, wanted: Move) -> Option<&'static str> {
    let at = names.iter().position(|name| *name == now).unwrap_or(0);
    let count = names.len();
    let next = match wanted {
        Move::On => (at + 1).checked_rem(count)?,
        Move::Back => (at + count).checked_sub(1)?.checked_rem(count)?,
        Move::First => 0,
        Move::Last => count.checked_sub(1)?,
    };
    names.get(next).copied()
}

/// The tab that a query names.
pub fn named(query: &str) -> Option<String> {
    let pairs = decode(query.trim_start_matches('?')).into_iter();
    pairs.rev().find(|(key, _)| key == KEY).map(|(_, name)| name)
}

/// A query with this tab and everything else as it was.
pub fn with_tab(query: &str, tab: Option<&str>) -> String {
    let mut pairs = decode(query.trim_start_matches('?'));
    pairs.retain(|(key, _)| key != KEY);
    pairs.extend(tab.map(|tab| (KEY.to_owned(), tab.to_owned())));
    encode(&pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_walk_in_a_ring() {
        let names = ["one", "two", "three"];
        assert_eq!(moved(&names, "three", Move::On), Some("one"));
        assert_eq!(moved(&names, "one", Move::Back), Some("three"));
        assert_eq!(moved(&names, "one", Move::On), Some("two"));
        assert_eq!(moved(&names, "two", Move::First), Some("one"));
        assert_eq!(moved(&names, "two", Move::Last), Some("three"));
        for wanted in [Move::On, Move::Back, Move::First, Move::Last] {
            assert_eq!(moved(&["one"], "one", wanted), Some("one"));
            assert_eq!(moved(&[], "one", wanted), None);
        }
    }

    #[test]
    fn a_tab_goes_into_the_address_and_the_rest_of_it_stays() {
        assert_eq!(named("?find=a%20b&tab=setup"), Some("setup".to_owned()));
        assert_eq!(named("find=tab"), None);
        let query = with_tab("?find=a%20b&tab=setup&outcome=wrong", Some("cost"));
        assert_eq!(query, "find=a%20b&outcome=wrong&tab=cost");
        assert_eq!(with_tab(&query, None), "find=a%20b&outcome=wrong");
        assert_eq!(with_tab("tab=x", None), "");
    }
}
