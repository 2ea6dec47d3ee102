"""Writes vectors.json: random texts read by the steps of specification 3.4, with Python's own `re` and `json`.

Run: python3 vectors.py > vectors.json
"""

import json
import random
import re

FENCED = re.compile(r"```(?:json)?\s*(\{[\s\S]*?\})\s*```", re.IGNORECASE)
GREEDY = re.compile(r"(\{[\s\S]*\})")


def loads(text):
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def read(text):
    found = loads(text)
    for pattern in (FENCED, GREEDY):
        if found is None:
            match = pattern.search(text)
            found = loads(match.group(1)) if match else None
    found = found or {}
    name = str(found.get("action") or found.get("name") or "")
    params = found.get("params")
    return name, repr(params if isinstance(params, dict) else {})


random.seed(11)
OBJECTS = [
    '{"action":"ask","params":{"question":"b"}}', '{"action":"search","params":{"query":"}"}}', '{"action":1.50,"params":{"x":[1,{}]}}',
    '{"name":"ask","params":{"q":null,"p":true}}', '{}', '{bad}', '{"action":[],"name":{"a":"\'"}}', '{"params":{"a":{"b":NaN}},"action":"z"}',
    '{"action":"a","params":{},"action":"b"}', '{"action":"ſ","params":"p"}',
]
PIECES = ["```", "```json", "```JSON", "```jſon", "````", "``", "json", "\n", " ", "\u00a0", "\u3000", "\x1c", "\u200b", "text", "{", "}", '"', "{x}", "\ufeff", "[", "]"]
texts = []
while len(texts) < 400:
    pieces = []
    for _ in range(random.randint(1, 7)):
        pieces.append(random.choice(OBJECTS) if random.random() < 0.35 else random.choice(PIECES))
    if random.random() < 0.5:
        pieces = [random.choice(PIECES[:4])] + pieces + ["```"]
    text = "".join(pieces)
    # Keep all that is read as something, and a few of the rest.
    if read(text) != ("", "{}") or random.random() < 0.15:
        texts.append(text)
print("[\n" + ",\n".join(json.dumps([text, *read(text)]) for text in texts) + "\n]")
