//! `cargo xtask`: everything that is done to Turnwise from the command line, from an empty machine to a release binary.
//!
//! This file reads the command line and nothing else; each command is a module named after it. What the commands stand on:
//! [`compiler`] (the one compiler that builds both the web app and the server), [`packages`] (Debian packages),
//! [`web`] (the web app as a folder of files) and [`tool`] (running other programs).

mod arguments;
mod bench;
mod browser;
mod check;
mod code_size;
mod compiler;
mod dist;
mod imports;
mod names;
mod new;
mod packages;
mod postgres;
mod project;
mod purity;
mod say;
mod serve;
mod setup;
mod source;
mod standard_library;
mod test;
mod tool;
mod version;
mod web;

use std::process::ExitCode;

use arguments::Command;
use project::Project;

fn main() -> ExitCode {
    let outcome = Command::from_env().and_then(|command| {
        let project = Project::find()?;
        match command {
            Command::Help(text) => {
                print!("{text}");
                Ok(())
            }
            Command::Setup => setup::run(&project),
            Command::Web(size) => web::run(&project, size),
            Command::Serve(size, arguments) => serve::run(&project, size, &arguments),
            Command::Test(arguments) => test::run(&project, &arguments),
            Command::Check => check::run(&project),
            Command::Record(bought) => code_size::record(&project, &bought),
            Command::New(name) => new::run(&project, &name),
            Command::Bench(peers, names) => bench::run(&project, peers, &names),
            Command::Dist => dist::run(&project),
        }
    });
    say::times();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::failed(&error);
            ExitCode::FAILURE
        }
    }
}
