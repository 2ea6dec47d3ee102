mod bets;
