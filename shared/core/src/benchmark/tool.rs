//! Commands that a benchmark adds to the command line: `turnwise BENCHMARK VERB ARGUMENT…`.

/// A command. It is pure: arguments in, text out.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The word after the benchmark's name, e.g. `grade`.
    pub verb: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What its arguments are called, in their order; all are required.
    pub arguments: &'static [&'static str],
    /// The text that is printed, for as many arguments as there are names.
    pub run: fn(&[String]) -> String,
}
