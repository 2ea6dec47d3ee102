//! Signals that may hold nothing yet.

use leptos::prelude::{Set, With};

/// Asks a signal of an `Option` what one would ask the `Option`: tracked, and without a clone.
pub trait OptionSignal<T> {
    fn map<U>(&self, of: impl FnOnce(&T) -> U) -> Option<U>;

    fn and_then<U>(&self, of: impl FnOnce(&T) -> Option<U>) -> Option<U> {
        self.map(of).flatten()
    }

    fn is_some(&self) -> bool {
        self.map(|_| ()).is_some()
    }

    fn is_none(&self) -> bool {
        !self.is_some()
    }

    fn is_some_and(&self, is: impl FnOnce(&T) -> bool) -> bool {
        self.map(is).unwrap_or(false)
    }

    fn is_none_or(&self, is: impl FnOnce(&T) -> bool) -> bool {
        self.map(is).unwrap_or(true)
    }
}

impl<S, T> OptionSignal<T> for S
where
    S: With<Value = Option<T>>,
{
    fn map<U>(&self, of: impl FnOnce(&T) -> U) -> Option<U> {
        self.with(|held| held.as_ref().map(of))
    }
}

/// Fills a signal of an `Option`, unless its page has gone meanwhile.
pub trait FillSignal<T> {
    fn put(&self, value: T);
}

impl<S, T> FillSignal<T> for S
where
    S: Set<Value = Option<T>>,
{
    fn put(&self, value: T) {
        self.try_set(Some(value));
    }
}
