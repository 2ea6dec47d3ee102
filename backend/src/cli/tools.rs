//! Commands that benchmarks add: `turnwise BENCHMARK VERB ARGUMENT…`.

use clap::{Arg, ArgMatches, Command};

use turnwise_shared::registry::BENCHMARKS;

/// The command line with the commands of all benchmarks that have some.
pub(super) fn with_tools(command: Command) -> Command {
    let with_tools = BENCHMARKS
        .iter()
        .filter(|benchmark| !benchmark.tools().is_empty());
    with_tools.fold(command, |command, benchmark| {
        let verbs = benchmark.tools().iter().map(|tool| {
            let arguments = tool
                .arguments
                .iter()
                .map(|name| Arg::new(*name).required(true).allow_hyphen_values(true));
            Command::new(tool.verb).about(tool.about).args(arguments)
        });
        let own = Command::new(benchmark.name())
            .about(format!("Commands of {}", benchmark.title()))
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(verbs);
        command.subcommand(own)
    })
}

/// What a benchmark's command prints; `None` if the command line names none.
pub(super) fn run(matches: &ArgMatches) -> Option<String> {
    let (name, own) = matches.subcommand()?;
    let benchmark = BENCHMARKS
        .iter()
        .find(|benchmark| benchmark.name() == name)?;
    let (verb, given) = own.subcommand()?;
    let tool = benchmark.tools().iter().find(|tool| tool.verb == verb)?;
    let value = |name: &&str| given.get_one::<String>(name).cloned().unwrap_or_default();
    let arguments: Vec<String> = tool.arguments.iter().map(value).collect();
    Some((tool.run)(&arguments))
}
