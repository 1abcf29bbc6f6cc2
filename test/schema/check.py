"""Holds results to their published schemas.

usage: check.py [--guess TEXT] SCHEMAS RESULT.json...
Each RESULT is one object, a list of them, or an object whose lines are JSON (trace dump).
Every schema has to be used by some result, and every result to name one; with --guess, each
result must have an assumption that contains TEXT instead; none, if TEXT is empty. The checker knows
the words of JSON Schema that the schemas use, and refuses others."""

import json
import os
import sys

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
WORDS = {"$schema", "$id", "title", "description", "type", "properties", "required", "additionalProperties", "items", "enum", "const", "minimum", "$ref", "$defs"}


def is_kind(value, kind):
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])


def check(value, schema, where, root):
    if schema is True:
        return
    unknown = set(schema) - WORDS
    assert not unknown, f"{where}: the checker does not know {unknown}"
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return check(value, root["$defs"][name], where, root)
    if "type" in schema:
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        assert any(is_kind(value, k) for k in kinds), f"{where}: {value!r} is not {kinds}"
    if "const" in schema:
        assert value == schema["const"], f"{where}: {value!r} is not {schema['const']!r}"
    if "enum" in schema:
        assert value in schema["enum"], f"{where}: {value!r} is not one of {schema['enum']}"
    if "minimum" in schema and isinstance(value, (int, float)):
        assert value >= schema["minimum"], f"{where}: {value} is below {schema['minimum']}"
    if isinstance(value, dict):
        for key in schema.get("required", []):
            assert key in value, f"{where}: has no {key!r}"
        known = schema.get("properties", {})
        for key, part in value.items():
            if key in known:
                check(part, known[key], f"{where}.{key}", root)
            else:
                other = schema.get("additionalProperties", True)
                assert other is not False, f"{where}: {key!r} is not in the schema"
                check(part, other, f"{where}.{key}", root)
    if isinstance(value, list) and "items" in schema:
        for i, part in enumerate(value):
            check(part, schema["items"], f"{where}[{i}]", root)


arguments = sys.argv[1:]
guess = None
if arguments[0] == "--guess":
    guess = arguments[1]
    arguments = arguments[2:]
folder, files = arguments[0], arguments[1:]
schemas = {}
for name in os.listdir(folder):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        schemas[name.removesuffix(".json")] = json.load(file)
used = set()
for path in files:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    data = json.loads(text)
    for i, result in enumerate(data if isinstance(data, list) else [data]):
        where = f"{os.path.basename(path)}[{i}]"
        assert "schema" in result, f"{where}: names no schema"
        kind, version = result["schema"].split("/")
        assert kind in schemas, f"{where}: there is no schema {kind}.json"
        assert schemas[kind]["properties"]["schema"]["const"] == result["schema"], where
        check(result, schemas[kind], where, schemas[kind])
        used.add(kind)
        if guess:
            notes = result.get("assumptions", [])
            assert any(guess in note for note in notes), f"{where}: assumes {notes}"
if guess is not None:
    sys.exit()
assert used == set(schemas), f"no result of {sorted(set(schemas) - used)}"
# A schema that takes anything says nothing.
for kind, schema in schemas.items():
    assert schema["additionalProperties"] is False and schema["required"], kind
    for key, part in schema["properties"].items():
        assert part.get("description") or "$ref" in part, f"{kind}: {key} has no description"
    try:
        check({"schema": schema["properties"]["schema"]["const"]}, schema, kind, schema)
    except AssertionError:
        continue
    sys.exit(f"{kind}: takes an empty result")
