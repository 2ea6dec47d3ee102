"""Writes vectors.json: what Python makes of texts and values. Run with Python 3.11: python3 vectors.py > vectors.json"""

import ast
import json
import random

random.seed(7)

TEXTS = [
    "", " ", "a", " a ", "\ta\n", "\u00a0a\u3000", "\ufeffa\ufeff", "\u200ba", "\x1ca\x1f", "\x85a\u2028b\u2029",
    "\u180ea", "a\x0bb", "a\x0cb", "a\r\nb", "\r\n", "\n\na", "a\x1db", "a\x1eb", "a\x1fb", "a\u0085b", "\n", "one\ntwo",
    "YES.", "İstanbul", "ΟΔΟΣ", "ΟΔΟΣ Σ", "ΑΣ.", "Σ", "ẞ", "ǅ", "ﬀ", "ＡＢＣ", "ÀÉÎ", "DZ", "Ω", "K", "是的", "ÅⅫⒶ",
    "it's", 'say "hi"', "it's \"both\"", "back\\slash", "tab\tnew\nret\r", "\x00\x01\x1f\x7f", "\x80\x9f\xa0\xad\xff",
    "é日本\u200b\u200e\u2028", "\U0001f600", "\U000e0041", "\ue000", "\U0010fffd", "\u0600",
    "\u061c", "\u06dd", "\u2064", "\u3000", "\u1680", "{b}", "None", "a'b'c", "\uffff\ufdd0\ufdef\U0001fffe",
    "\u0301e\u0301", "\u00df", "\u1e9e\u0130",
]

VALUES = [
    None, True, False, 0, -0, 1, -17, 10**18, 10**40, -(10**40), 0.0, -0.0, 0.5, 0.85, 1.0, 85.0, 1e15, 1e16, 123456789012345680.0,
    1e22, 1e-4, 1e-5, 0.00012, 1.5e-7, 1e100, 1e300, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 0.1 + 0.2,
    1 / 3, 9007199254740993.0, 1e21, 123456.789e3, float("nan"), float("inf"), float("-inf"), [], {}, [1, [2, [3]]],
    {"k": 1}, {"a": None, "b": True, "c": [1.0, "x"]}, {"": ""}, {"it's": 'a "q"'}, [""], [0], [None], {"x": {"y": {}}},
] + TEXTS

JSONS = [
    "", " ", "null", " null ", "\ufeffnull", "\u00a0null", "\x0bnull", "True", "nul", "nullx", "NaN", "-NaN", "Infinity", "-Infinity",
    "+1", "-", "-0", "0", "00", "01", "1.", ".5", "1.5", "1e5", "1E+5", "1e-5", "1e", "1e+", "1.e5", "-1.5e3", "1e400", "-1e400",
    "1e-400", "12345678901234567890123", "1_000", "0x10", "１", "-0.0", "1 2", "9" * 4300, "9" * 4301, "-" + "9" * 4300,
    '""', '"a', '"\\"', '"\\n\\t\\b\\f\\r\\/\\\\\\""', '"\\a"', '"\\u0041"', '"\\u00e9"', '"\\ud83d\\ude00"', '"\\u12"', '"\\u12g4"',
    '"\\u+123"', '"\\u 123"', '"\n"', '"\t"', '"\x1f"', '"\x7f"', '"\u2028"', "'a'", '"a" "b"', "[]", "[ ]", "[1]", "[1,]", "[,1]", "[1 2]", "[1", "[", "]",
    "{}", "{ }", '{"a":1}', '{"a":1,}', '{"a" : 1 , "b":[{}]}', '{"a":1,"a":2}', '{"a":1,"b":2,"a":3}', "{a:1}", "{'a':1}", '{"a"}',
    '{"a":}', '{"a":1', '{"a":1}}', '{1:2}', '{"a":1 "b":2}', '{"a":NaN}', '{"a":"\\u0000"}', '{"b":1,"a":{"d":1,"c":2}}', "// c\n1",
    "[" * 64 + "]" * 64, '{"a":[{"a":' * 21 + "1" + "}]}" * 21, "[1.0,1,true,null,\"x\",{}]", "\t\r\n 1 \n", "1\x0c", '"\\x41"',
    '{"action":"search","params":{"query":"a"}}', '{"action":"a","action":"b","params":{}}', '{"":1}', "[NaN,Infinity,-Infinity]", "-Inf", "inf",
]

# Random texts out of the pieces of JSON: most are broken in a different way each.
PIECES = ['{', '}', '[', ']', ',', ':', '"a"', '"b"', '"', '1', '-', '0', '.5', 'e3', 'null', 'true', ' ', '\n', '\\u00e9', 'NaN', '{"a":', '"\\n"', "'"]
for _ in range(400):
    JSONS.append("".join(random.choice(PIECES) for _ in range(random.randint(1, 9))))
for _ in range(100):
    text = json.dumps({random.choice("abc"): random.choice(VALUES[:30]) for _ in range(3)})
    cut = random.randint(0, len(text) - 1)
    JSONS.append(text if random.random() < 0.4 else text[:cut] + random.choice(['', ',', '"', '}']) + text[cut + 1:])


def loads(text):
    try:
        return repr(json.loads(text))
    except ValueError:
        return None


def first_line(text):
    lines = text.splitlines()
    return lines[0] if lines else None


def evaluated(text):
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    return repr(value)


def printable_floats():
    for _ in range(150):
        yield random.choice([1, -1]) * random.random() * 10 ** random.randint(-30, 30)


FLOATS = [value for value in printable_floats()]
PRINTED = [repr(value) for value in VALUES if value == value and value not in (float("inf"), float("-inf"))]
PRINTED += ["{'answer': 1, 'search': 1, 'ask': 0, 'invalid': 0}", "{'valid': True}", "{}", " { 'a' : 1 } ", "{'a': 1", "{'a' 1}", "{a: 1}", "'a", "'a\nb'", "'\\q'", "01", "- 1", "--1", "1.5.2", "{'answer': 'Foo', 'confidence': '0.9'}", "true", "None None"]
KNOWN_DIFFERENT = {" { 'a' : 1 } ", "'\\q'", "- 1", "--1"}

print("{")
for name, rows, last in [
    ("strip", [[text, text.strip()] for text in TEXTS], False),
    ("lower", [[text, text.lower()] for text in TEXTS], False),
    ("first_line", [[text, first_line(text)] for text in TEXTS], False),
    ("repr", [[json.dumps(value), repr(value), str(value), bool(value)] for value in VALUES], False),
    ("float", [["%.17g" % value, repr(value)] for value in FLOATS], False),
    ("loads", [[text, loads(text)] for text in JSONS], False),
    ("literal", [[text, evaluated(text)] for text in PRINTED if text not in KNOWN_DIFFERENT], True),
]:
    print(json.dumps(name) + ": [")
    print(",\n".join(json.dumps(row) for row in rows))
    print("]" if last else "],")
print("}")
