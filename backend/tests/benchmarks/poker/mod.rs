mod cli;
mod live;
