mod cli;
mod exchanged;
