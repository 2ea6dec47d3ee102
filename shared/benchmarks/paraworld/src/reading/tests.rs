//! Golden vectors of reading, by the sections of the specification.

mod engine;
mod judge;
mod player;
mod syntax;
