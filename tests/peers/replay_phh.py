"""Replays hands in PHH with PokerKit (Python) and compares.

    python3 replay_phh.py FILE_OR_FOLDER…

A FILE holds one hand, or many between lines of `---`; a FOLDER holds such `.phh` files. One JSON object is printed:

    hands       how many were read
    same        PokerKit took every line as it stands, finished the hand, and everybody has the same chips
    known       how many differ in a known way, by its name (see `known_difference`)
    different   all others, with what is wrong with them; there should be none

Nothing is skipped or repaired: a line that PokerKit does not take as it stands is a difference. Only cards are burnt for it,
because PHH need not name them.
"""

import json
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

from pokerkit import HandHistory
from pokerkit.notation import parse_action

warnings.simplefilter("ignore")


class Refused(Exception):
    """PokerKit does not take a line."""

    def __init__(self, line, state, reason):
        super().__init__(f"{line}: {reason}")
        self.line, self.state, self.reason = line, state, str(reason)


def texts(arguments):
    """The texts of all hands, each with a name."""
    for argument in map(Path, arguments):
        for path in sorted(argument.glob("*.phh")) if argument.is_dir() else [argument]:
            for number, text in enumerate(path.read_text().split("---\n"), start=1):
                yield f"{path.name}:{number}", text


def replay(history):
    """Plays every line of a hand and returns the state at its end."""
    state = history.create_state()
    for line in history.actions:
        while state.can_burn_card():
            state.burn_card("??")
        try:
            parse_action(state, line, history.parse_value)
        except ValueError as error:
            raise Refused(line, state, error) from error
    return state


def compare(history):
    """What is wrong with a hand: nothing, or a name if it is known, and a sentence."""
    try:
        state = replay(history)
    except Refused as refused:
        return known_refusal(history, refused), str(refused)
    if state.status:
        return None, "PokerKit has not finished the hand"
    ours, theirs = list(history.finishing_stacks), list(state.stacks)
    if ours == theirs:
        return None, None
    return known_payment(history, ours, theirs), f"PokerKit leaves {theirs}, we {ours}"


def known_refusal(history, refused):
    """The name of a known difference for which PokerKit refuses a line."""
    if history.user_defined_fields.get("_short_big_blind"):
        return "short big blind"
    if " cbr " in refused.line and short_all_in(history, refused.line):
        return "re-opening after a short all-in"
    return None


def known_payment(history, ours, theirs):
    """The name of a known difference for which chips lie elsewhere."""
    if history.user_defined_fields.get("_short_big_blind"):
        return "short big blind"
    # Odd chips: fewer than there are players, and only between players who were paid something.
    shown = [int(line[1]) - 1 for line in history.actions if " sm " in line]
    differ = [player for player, stack in enumerate(ours) if stack != theirs[player]]
    few = all(abs(ours[player] - theirs[player]) < len(shown) for player in differ)
    paid = all(min(ours[player], theirs[player]) > 0 for player in differ)
    if few and paid and set(differ) <= set(shown) and sum(ours) == sum(theirs):
        return "odd chips"
    return None


def short_all_in(history, line):
    """Did somebody bet or raise on this street by less than the smallest raise before this line?"""
    bet, smallest = history.min_bet, history.min_bet
    found = False
    for other in history.actions[: history.actions.index(line)]:
        if other.startswith("d db"):
            bet, smallest, found = 0, history.min_bet, False
        elif " cbr " in other:
            total = int(other.split()[2])
            found = found or total - bet < smallest
            smallest, bet = max(smallest, total - bet), total
    return found


def main():
    hands, same, known, different = 0, 0, Counter(), []
    seconds = 0.0
    for name, text in texts(sys.argv[1:]):
        hands += 1
        history = HandHistory.loads(text)
        started = time.process_time()
        difference, sentence = compare(history)
        seconds += time.process_time() - started
        if sentence is None:
            same += 1
        elif difference:
            known[difference] += 1
        else:
            different.append({"hand": name, "what": sentence, "text": text})
    print(
        json.dumps(
            {
                "hands": hands,
                "same": same,
                "known": dict(sorted(known.items())),
                "different": different,
                "seconds": seconds,
            },
        ),
    )


main()
