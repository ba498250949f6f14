#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks JSON documents against the schemas of idemdeskctl: check_shapes.py SCHEMAS FOLDER

FOLDER holds documents named SCHEMA.json or SCHEMA@anything.json. The schemas allow what a later version may add; here
nothing is allowed that they do not name, so that each field is documented.
"""
import json
import pathlib
import sys

import jsonschema


def closed(schema):
    """The same with no further members anywhere."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: value if name in ("const", "enum") else closed(value) for name, value in schema.items()}
    if "properties" in schema and schema.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result


def inlined(schema, common):
    """The same with what stands in common.json instead of references."""
    if isinstance(schema, list):
        return [inlined(one, common) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return inlined(common[schema["$ref"].rsplit("/", 1)[1]], common)
    return {name: value if name in ("const", "enum") else inlined(value, common) for name, value in schema.items()}


def main(schemas, folder):
    common = json.loads((schemas / "common.json").read_text())["$defs"]
    failures = []
    for document in sorted(folder.glob("*.json")):
        name = document.stem.split("@")[0]
        schema = closed(inlined(json.loads((schemas / f"{name}.json").read_text()), common))
        jsonschema.Draft202012Validator.check_schema(schema)
        try:
            value = json.loads(document.read_text())
        except ValueError as error:
            failures.append(f"{document.name}: not one JSON document: {error}")
            continue
        for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
            failures.append(f"{document.name}: /{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
