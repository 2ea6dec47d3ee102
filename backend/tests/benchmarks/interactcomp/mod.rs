mod cli;
mod searches;
