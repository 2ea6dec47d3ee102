"""Reads [expected, given] pairs as JSON and prints, for each, whether math-verify calls them equal, or null if it reads one not at all."""

import json
import sys

from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

KINDS = [LatexExtractionConfig(), ExprExtractionConfig()]


def read(text):
    parsed = parse(f"${text}$", KINDS, parsing_timeout=5)
    return parsed if any(not isinstance(part, str) for part in parsed) else None


def said(pair):
    expected, given = map(read, pair)
    if expected is None or given is None:
        return None
    return verify(expected, given, timeout_seconds=5)


print(json.dumps([said(pair) for pair in json.load(sys.stdin)]))
