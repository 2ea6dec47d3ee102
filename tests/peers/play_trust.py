"""Plays every pair of the population in Axelrod-Python and prints, as one JSON object, how many rounds it played, how long that took,
and what was played where no chance is involved: play_trust.py ROUNDS TIMES."""

import json
import sys
import time

import axelrod

POPULATION = {
    "tft": axelrod.TitForTat,
    "generous-tft": lambda: axelrod.GTFT(p=1 / 3),
    "grim": axelrod.Grudger,
    "always-c": axelrod.Cooperator,
    "always-d": axelrod.Defector,
    "wsls": axelrod.WinStayLoseShift,
    "random": lambda: axelrod.Random(0.5),
}
BY_CHANCE = {"generous-tft", "random"}
PAYOFFS = axelrod.Game(r=2, s=-1, t=3, p=0)


def main():
    rounds, times = int(sys.argv[1]), int(sys.argv[2])
    names = list(POPULATION)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    matches, played = {}, 0
    seconds = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        for a, b in pairs:
            match = axelrod.Match(
                (POPULATION[a](), POPULATION[b]()), turns=rounds, game=PAYOFFS, seed=1, deterministic_cache=axelrod.DeterministicCache()
            )
            actions = match.play()
            if not {a, b} & BY_CHANCE:
                matches[f"{a}+{b}"] = ["".join(str(pair[place]) for pair in actions) for place in (0, 1)]
        seconds = min(seconds, time.perf_counter() - started)
    played = rounds * len(pairs)
    print(json.dumps({"rounds": played, "seconds": seconds, "matches": matches}))


main()
