mod bets;
mod games;
mod playing;
