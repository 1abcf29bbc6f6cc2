"""Checks that every figure of docs/images is what Graphviz draws of the .dot
file beside it: nodes, edges and labels; positions differ between versions.
Prints FILE: what is wrong, one per line.

usage: check_figures.py SOURCE_DIR"""

import pathlib
import re
import subprocess
import sys


def content(svg):
    return sorted(re.findall(r"<title>(.*?)</title>|<text[^>]*>(.*?)</text>", svg))


def main(root):
    images = pathlib.Path(root) / "docs" / "images"
    failed = False
    for graph in sorted(images.glob("*.dot")):
        drawn = subprocess.run(["dot", "-Tsvg", graph], check=True,
                               capture_output=True, text=True).stdout
        figure = graph.with_suffix(".svg")
        if not figure.exists() or content(figure.read_text()) != content(drawn):
            failed = True
            print(f"{figure.relative_to(root)}: is not {graph.name} as drawn; "
                  f"run dot -Tsvg {graph.name} -o {figure.name}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
