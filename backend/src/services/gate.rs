//! A door that lets only a number of calls through at once. The number may change while some are inside and others wait.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;

#[derive(Debug)]
pub struct Gate {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    limit: usize,
    inside: usize,
    queue: VecDeque<oneshot::Sender<Pass>>,
}

/// A place inside; dropping it is going out.
#[derive(Debug)]
pub struct Pass(Option<Arc<Gate>>);

impl Gate {
    /// A gate for `limit` at once; 0 lets no call in.
    pub fn new(limit: usize) -> Arc<Self> {
        Arc::new(Gate { state: Mutex::new(State { limit, inside: 0, queue: VecDeque::new() }) })
    }

    /// Waits for its turn. A caller that stops waiting leaves the queue.
    pub async fn enter(self: &Arc<Self>) -> Pass {
        let turn = {
            let mut state = self.lock();
            if state.inside < state.limit && state.queue.is_empty() {
                state.inside += 1;
                return Pass(Some(Arc::clone(self)));
            }
            let (called, turn) = oneshot::channel();
            if state.queue.len() == state.queue.capacity() {
                // Those who wait no longer need no room.
                state.queue.retain(|waiting| !waiting.is_closed());
            }
            state.queue.push_back(called);
            turn
        };
        // A sender leaves the queue only to be used.
        turn.await.expect("nobody forgets who waits")
    }

    /// From now on `limit` may be inside; those who are stay until they go by themselves.
    pub fn set_limit(self: &Arc<Self>, limit: usize) {
        let mut state = self.lock();
        state.limit = limit;
        self.call_in(&mut state);
    }

    /// How many may be inside at once.
    pub fn limit(&self) -> usize {
        self.lock().limit
    }

    pub fn inside(&self) -> usize {
        self.lock().inside
    }

    fn call_in(self: &Arc<Self>, state: &mut State) {
        while state.inside < state.limit
            && let Some(called) = state.queue.pop_front()
        {
            match called.send(Pass(Some(Arc::clone(self)))) {
                Ok(()) => state.inside += 1,
                // It waits no longer, and must not go out through a gate that is locked now.
                Err(mut pass) => drop(pass.0.take()),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|broken| broken.into_inner())
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if let Some(gate) = self.0.take() {
            let mut state = gate.lock();
            state.inside -= 1;
            gate.call_in(&mut state);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn only_so_many_are_inside_and_the_rest_follow_in_order() {
        let gate = Gate::new(2);
        let (first, second) = (gate.enter().await, gate.enter().await);
        let mut third = Box::pin(gate.enter());
        let mut fourth = Box::pin(gate.enter());
        assert!((&mut third).now_or_never().is_none());
        assert!((&mut fourth).now_or_never().is_none());
        drop(first);
        assert!((&mut fourth).now_or_never().is_none(), "it came later");
        let third = third.now_or_never().expect("a place is free");
        assert_eq!(gate.inside(), 2);
        drop((second, third));
        drop(fourth.await);
        assert_eq!(gate.inside(), 0);
    }

    #[tokio::test]
    async fn the_limit_can_change_and_be_nothing() {
        let gate = Gate::new(0);
        let mut waiting: Vec<_> = (0..3).map(|_| Box::pin(gate.enter())).collect();
        for one in &mut waiting {
            assert!(one.now_or_never().is_none());
        }
        gate.set_limit(2);
        let mut inside: Vec<_> = waiting.iter_mut().filter_map(|one| one.now_or_never()).collect();
        assert_eq!((inside.len(), gate.inside()), (2, 2));
        gate.set_limit(1);
        inside.pop();
        assert!(waiting[2].as_mut().now_or_never().is_none(), "one is inside");
        inside.pop();
        assert!(waiting[2].as_mut().now_or_never().is_some());
    }

    #[tokio::test]
    async fn who_stops_waiting_holds_nobody_up() {
        let gate = Gate::new(1);
        let inside = gate.enter().await;
        let mut gone = Box::pin(gate.enter());
        let mut patient = Box::pin(gate.enter());
        assert!((&mut gone).now_or_never().is_none());
        assert!((&mut patient).now_or_never().is_none());
        drop(gone);
        drop(inside);
        let pass = patient.now_or_never().expect("the other has gone");
        drop(pass);
        let mut late = Box::pin(gate.enter());
        let pass = (&mut late).now_or_never().expect("nobody is inside");
        let mut called = Box::pin(gate.enter());
        assert!((&mut called).now_or_never().is_none());
        drop(pass);
        // It was called, and is dropped before it heard.
        drop(called);
        assert_eq!(gate.inside(), 0);
    }
}
