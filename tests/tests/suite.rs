//! The tests that need no browser, linked once: each file of its own would be a program of 100 MB.

mod benchmarks;
mod contract;
mod drivers;
mod exchange;
mod golden;
mod http;
mod paraworld;
mod paraworld_phrasings;
mod properties;
mod round_trips;
