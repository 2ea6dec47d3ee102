mod bets;
mod games;
mod logs;
mod playing;
