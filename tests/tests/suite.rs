//! The tests that need no browser, linked once: each file of its own would be a program of 100 MB.

mod benchmarks;
mod contract;
mod documents;
mod drivers;
mod exchange;
mod golden;
mod http;
mod properties;
mod round_trips;
