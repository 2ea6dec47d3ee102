mod cli;
mod exchanged;
mod unranked;
