//! The program `turnwise`. What it can do is listed in [`cli`].

// What is printed goes through `cli/out.rs`, which makes escape sequences in it harmless.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cli;

/// A call makes hundreds of small pieces of memory, in one task, and lets them go in another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
