//! The program `turnwise`. What it can do is listed in [`cli`].

mod cli;

/// A call makes hundreds of small pieces of memory, in one task, and lets them go in another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
