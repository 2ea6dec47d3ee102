//! The program `turnwise`. What it can do is listed in [`cli`].

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
