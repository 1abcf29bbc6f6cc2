"""Features of the front ends: tried and passed, by language and by way in.

Every file in test/Frontend/Features states a feature, a launch and what the
launch must print; CUDA files run a second time with the headers of a toolkit
where one is found, and must print the same."""

import argparse
import os
import re
import statistics
import sys

import common

FEATURES = os.path.join(common.ROOT, "test", "Frontend", "Features")
PAGE = os.path.join(common.ROOT, "docs", "Frontends.md")
BEGIN, END = "<!-- features: begin -->\n", "<!-- features: end -->\n"


class Feature:
    """One file: `// FEATURE:`, `// LAUNCH:`, `// EXPECT:` lines, and `// TOOLKIT:
    no, REASON` where the vendor's headers cannot be compared."""

    def __init__(self, path):
        self.path = path
        self.language = "OpenCL" if path.endswith(".cl") else "CUDA"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        said = lambda key: re.findall(rf"^// {key}: (.*)$", text, re.M)
        self.name = said("FEATURE")[0]
        self.launch = said("LAUNCH")[0].replace("%S", FEATURES).split()
        self.expected = said("EXPECT")
        self.flags = " ".join(said("FLAGS")).split()
        self.without_toolkit = (said("TOOLKIT") or [""])[0]

    def run(self, *flags, engine="jit"):
        """An empty string, or what is wrong."""
        run = common.Run([common.HEDDLE, "run", self.path, *self.launch, "--engine", engine,
                          "--", *self.flags, *flags])
        if run.status != 0:
            return run.errors.strip() or f"exit status {run.status}"
        lines = run.output.splitlines()
        missing = [e for e in self.expected if e not in lines]
        return f"expected {missing[0]!r}\nin {run.output}" if missing else ""


def features():
    return [Feature(os.path.join(FEATURES, name)) for name in sorted(os.listdir(FEATURES))
            if name.endswith((".cl", ".cu"))]


def toolkit():
    """The folder of a CUDA toolkit with headers, or None."""
    for folder in (os.environ.get("CUDA_PATH"), "/usr/local/cuda", "/usr/lib/cuda"):
        if folder and os.path.exists(os.path.join(folder, "include", "cuda_fp16.h")):
            return folder
    return None


def ways(feature):
    """(name of the way, flags) that this machine can try."""
    yield "own headers" if feature.language == "CUDA" else "own built-ins", []
    if feature.language == "CUDA" and toolkit() and not feature.without_toolkit:
        yield "toolkit", [f"--cuda-path={toolkit()}"]


def table():
    rows = []
    for f in features():
        with_toolkit = ("" if f.language == "OpenCL" else
                        "same result" if not f.without_toolkit else f.without_toolkit)
        rows.append([f.language, f.name, with_toolkit, f"`{os.path.basename(f.path)}`"])
    rows.sort(key=lambda row: row[:2])
    return common.markdown(["language", "feature", "with a toolkit's headers", "test"], rows)


def page(write):
    """Brings the table of docs/Frontends.md up to date, or says that it is not."""
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    head, rest = text.split(BEGIN)
    renewed = head + BEGIN + table() + END + rest.split(END)[1]
    if write:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(renewed)
    elif renewed != text:
        sys.exit("docs/Frontends.md: the table of features is old; renew it with "
                 "utils/reproduce frontends")


def compile_times(suffix):
    """CPU seconds for each of our programs and kernels with this suffix."""
    seconds = []
    for folder in ("test/Frontend/Programs/Inputs", "test/kernels"):
        for path, _, names in sorted(os.walk(os.path.join(common.ROOT, folder))):
            for name in sorted(names):
                if not name.endswith(suffix):
                    continue
                run = common.Run([common.HEDDLE, "kernels", "-q", os.path.join(path, name)])
                seconds.append(run.cpu_seconds)
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--test", help="try this file on both engines and every way in")
    parser.add_argument("--check-page", action="store_true",
                        help="is the table in docs/Frontends.md that of the tests?")
    options = parser.parse_args()
    if options.check_page:
        return page(write=False)
    if options.test:
        feature = Feature(options.test)
        tries = [(way, engine, flags) for way, flags in ways(feature)
                 for engine in (("jit", "interpreter") if not flags else ("jit",))]
        for way, engine, flags in tries:
            wrong = feature.run(*flags, engine=engine)
            if wrong:
                sys.exit(f"{feature.name} ({way}, {engine}): {wrong}")
        return None

    report = common.Report("frontends", "Features of the front ends")
    tried, passed, rows = {}, {}, []
    for feature in features():
        for way, flags in ways(feature):
            wrong = feature.run(*flags)
            key = (feature.language, way)
            tried[key] = tried.get(key, 0) + 1
            passed[key] = passed.get(key, 0) + (not wrong)
            rows.append([feature.language, way, feature.name, "no" if wrong else "yes"])
            if wrong:
                print(f"{feature.name} ({way}): {wrong}", file=sys.stderr)
    report.say("A feature passes if its launch prints what a count by hand gives.")
    report.table(["language", "way in", "tried", "passed"],
                 [[*key, tried[key], passed[key]] for key in sorted(tried)])
    report.csv(["language", "way", "feature", "passed"], rows)
    times = {suffix: compile_times(suffix) for suffix in (".cl", ".cu")}
    report.say("Programs of test/Frontend/Programs and kernels of test/kernels, read by `heddle kernels`, "
               "CPU seconds a file.")
    report.table(["files", "number", "median", "longest"],
                 [[f"`{suffix}`", len(seconds), f"{statistics.median(seconds):.2f}",
                   f"{max(seconds):.2f}"] for suffix, seconds in times.items()])
    report.write()
    page(write=True)


if __name__ == "__main__":
    main()
