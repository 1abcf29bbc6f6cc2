"""Writes spoilt copies of a result.

usage: spoil.py RESULT FOLDER"""

import json
import os
import sys

text = open(sys.argv[1], encoding="utf-8").read()


def write(name, content):
    with open(os.path.join(sys.argv[2], name), "w", encoding="utf-8") as file:
        file.write(content if isinstance(content, str) else json.dumps(content, indent=2))


def changed(**keys):
    result = json.loads(text)
    for key, value in keys.items():
        if value is None:
            del result[key]
        else:
            result[key] = value
    return result


write("cut.json", text[:len(text) // 2])
write("text.json", "{\ncycles: 7}\n")
write("empty.json", "")
write("no-cycles.json", changed(cycles=None))
write("no-kernel.json", changed(kernel=None))
write("lines.json", changed(source_lines=5))
write("other-tool.json", changed(tool="loom"))
write("old.json", changed(version="0.0.1"))
write("list.json", [changed(), changed(cycles=None)])
write("none.json", [])
write("tags.json", changed(kernel="</script><img src=x onerror=alert(1)>"))
