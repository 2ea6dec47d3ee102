mod cli;
mod imports;
mod live;
