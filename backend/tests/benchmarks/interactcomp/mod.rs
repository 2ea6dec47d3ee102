mod cli;
mod imports;
mod searches;
