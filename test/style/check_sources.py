"""Checks what holds for every source file: the layers of docs/Overview.md, sizes,
include guards, nothing unfinished. Prints FILE:LINE: what is wrong, one per line.

usage: check_sources.py SOURCE_DIR"""

import os
import re
import sys

# What a folder may include besides itself and what the folders named here may
# include in turn: the arrows between the parts.
RUNTIME = {
    "base": [],
    "launch": ["base"],
    "trace": ["base"],
    "arch": ["base"],
    "memory": ["arch", "trace"],
    "exec": ["trace", "launch"],
    "timing": ["memory", "trace"],
    "interval": ["timing"],
    "pipeline": ["timing"],
    "calibration": ["memory", "arch"],
    "sampling": ["arch", "trace", "timing"],
    "behavior": ["trace"],
    "synthesis": ["behavior", "launch"],
    "views": ["timing", "interval", "pipeline", "sampling", "streams"],
    "streams": ["launch", "arch"],
    "record": ["launch", "trace"],
    "models": ["views"],
    "cuda": ["exec", "record", "arch", "streams"],
}
COMPILER = {
    "Support": [],
    "Analysis": ["Support"],
    "Transforms": ["Analysis"],
    "PTX": ["Analysis"],
    "MachineCode": ["PTX"],
    "Calibration": ["PTX"],
    "Trace": ["Exec"],
    "Dialect": ["Support"],
    "Exec": ["Transforms"],
    "Synthesis": ["Analysis", "Dialect", "PTX"],
    "Passes": ["Transforms", "PTX", "Synthesis", "Exec", "Trace"],
    "Frontend": ["Passes"],
    "Driver": ["Frontend", "MachineCode"],
}
# Where the halves meet, and whose structs Synthesis turns into its dialect.
BOTH_HALVES = {"Driver": tuple(RUNTIME), "Synthesis": ("behavior", "synthesis")}
MAX_LINES = {".cpp": 800, ".c": 800, ".h": 400}
TOP_LEVEL = {
    "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
    "include", "lib", "runtime", "tools", "test", "docs", "utils", "build",
}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|NYI|HACK)\b|not implemented|unimplemented", re.I)
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def closure(layers, folder, seen=None):
    seen = seen if seen is not None else set()
    if folder not in seen:
        seen.add(folder)
        for below in layers[folder]:
            closure(layers, below, seen)
    return seen


def check_include(path, included, quoted):
    """The reason why `path` must not include `included`, or None."""
    parts, target = path.split("/"), included.split("/")
    foreign = target[0] in ("llvm", "clang", "mlir", "llvm-c", "clang-c")
    if parts[0] == "runtime":
        if foreign:
            return "runtime/ must not see LLVM"
        if target[0] == "heddle" and target[1] != "ABI":
            return "of the compiler half, runtime/ sees include/heddle/ABI only"
        if quoted and len(target) > 1 and target[0] in RUNTIME:
            if parts[1] not in RUNTIME:
                return f"runtime/{parts[1]} has no place in the layers of {__file__}"
            if target[0] not in closure(RUNTIME, parts[1]):
                return f"runtime/{parts[1]} must not include {target[0]}/"
            # Inside the timing model: stages use units, not the other way.
            if parts[1:3] == ["timing", "units"] and target[:2] == ["timing", "stages"]:
                return "timing/units must not include timing/stages"
        return None
    if parts[0] == "lib" or parts[:2] == ["include", "heddle"]:
        # Heddle.h is the face of Driver.
        parts, target = (["Driver" if p == "Heddle.h" else p for p in path] for path in (parts, target))
        folder = parts[1] if parts[0] == "lib" else parts[2]
        if folder == "ABI":
            return "the ABI is plain C: standard headers only" if quoted and target[0] != "heddle" else None
        if quoted and len(target) > 1 and target[0] in RUNTIME and target[0] not in BOTH_HALVES.get(folder, ()):
            return "the compiler half sees no header of runtime/"
        if target[0] == "heddle" and target[1] != "ABI":
            if folder not in COMPILER:
                return f"lib/{folder} has no place in the layers of {__file__}"
            if target[1] not in closure(COMPILER, folder):
                return f"lib/{folder} must not include heddle/{target[1]}/"
        if "CLI/" in included:
            return "command-line options belong to tools/"
    return None


def check_file(root, path, report):
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
    except UnicodeDecodeError:
        report(path, 1, "not UTF-8")
        return
    extension = os.path.splitext(path)[1]
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            report(path, number, "unfinished by its own words")
        if line.endswith((" ", "\t", "\r")) and extension not in (".md", ".svg", ".ptx"):
            report(path, number, "white space at the end of the line")
    if extension not in (".h", ".cpp", ".c"):
        return
    if path.startswith(("lib/", "runtime/", "tools/", "include/")):
        if len(lines) - 1 > MAX_LINES[extension]:
            report(path, len(lines), f"{len(lines) - 1} lines: split it")
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            reason = match and check_include(path, match.group(2), match.group(1) == '"')
            if reason:
                report(path, number, f"{reason} ({match.group(2)})")
    if extension == ".h" and "/Inputs/" not in path:
        guard = re.search(r"^#ifndef (\w+)\n#define \1\n", "\n".join(lines), re.M)
        name = re.sub(r"[/.-]", "_", os.path.basename(path)).upper()
        # A header that only includes another needs none.
        forwards = all(re.match(r"\s*(//.*|#include .*)?$", line) for line in lines)
        if not forwards and (not guard or not guard.group(1).rstrip("_").endswith(name)):
            report(path, 1, f"include guard HEDDLE_..._{name} is missing")


def check_passes(root, report):
    """Each pass has a test of its name and one of what it refuses or leaves alone."""
    registry = "lib/Passes/PassRegistry.def"
    tests = {name.rsplit(".", 1)[0]
             for folder in ("Passes", "Transforms")
             for _, _, files in os.walk(os.path.join(root, "test", folder)) for name in files}
    if not os.path.exists(os.path.join(root, registry)):
        return  # a tree that tests this script
    with open(os.path.join(root, registry), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = re.match(r'HEDDLE_(?:MODULE|FUNCTION)_PASS\("heddle-([\w-]+)"', line)
            for name in (match.group(1), match.group(1) + "-errors") if match else ():
                if name not in tests:
                    report(registry, number, f"there is no test {name}.ll")


def main():
    root = sys.argv[1]
    problems = 0

    def report(path, line, what):
        nonlocal problems
        problems += 1
        print(f"{path}:{line}: {what}")

    for name in sorted(os.listdir(root)):
        if not name.startswith(".") and name not in TOP_LEVEL:
            report(name, 1, "nothing else stands at the top level")
    check_passes(root, report)
    checked = (".h", ".cpp", ".c", ".cl", ".cu", ".py", ".cmake", ".txt", ".yaml", ".test", ".in", ".ll", ".td", ".mlir")
    for folder in ("include", "lib", "runtime", "tools", "test", "utils"):
        for directory, folders, files in os.walk(os.path.join(root, folder)):
            folders[:] = sorted(f for f in folders if f != "__pycache__")
            for name in sorted(files):
                path = os.path.relpath(os.path.join(directory, name), root)
                # This file names the words that it looks for.
                if name.endswith(checked) and name != os.path.basename(__file__):
                    check_file(root, path, report)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
