//! The tests of the service and of its program, linked once: each file of its own would be a program of 150 MB.
//!
//! Only `secrets.rs` is one of its own, because it reads the log of the whole process.

mod attacks;
mod benchmarks;
mod boards;
mod branches;
mod budgets;
mod checks;
mod cli;
mod common;
mod driver;
mod driving;
mod env_sample;
mod fetching;
mod http;
mod invited;
mod live;
mod live_games;
mod live_people;
mod long;
mod naming;
mod opened;
mod outages;
mod packs;
mod pictures;
mod poolers;
mod providers;
mod reading;
mod receipts;
mod rendering;
mod rescored;
mod runs;
mod sealed;
mod search;
mod serving;
mod several;
mod sharing;
mod socket;
mod visitors;
mod web;
mod whole_run;
