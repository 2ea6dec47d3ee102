mod bets;
mod logs;
