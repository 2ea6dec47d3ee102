//! The tests that need no browser, linked once: each file of its own would be a program of 100 MB.

mod contract;
mod drivers;
mod exchange;
mod golden;
mod http;
mod poker_logs;
mod poker_phh;
mod properties;
mod round_trips;
