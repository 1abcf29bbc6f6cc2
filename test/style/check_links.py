"""Links between pages lead to what is there: files, folders and, in pages, headings.

usage: check_links.py FOLDER: README.md and docs of the project in FOLDER. Prints what
leads nowhere and ends with status 1 if anything does."""

import os
import re
import sys

LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?)\s*$", re.MULTILINE)


def text_of(path):
    """The page without its blocks of code, where brackets mean other things."""
    with open(path) as file:
        return re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), file.read(), flags=re.DOTALL | re.MULTILINE)


def anchors(path):
    """As GitHub makes them of headings."""
    found = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text_of(path))}
    with open(path) as file:
        return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', file.read()))


def check_page(root, page):
    wrong = []
    for number, line in enumerate(text_of(os.path.join(root, page)).splitlines(), 1):
        for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if "://" in link or link.startswith("mailto:"):
                continue
            target, _, anchor = link.partition("#")
            path = os.path.normpath(os.path.join(root, os.path.dirname(page), target)) if target else os.path.join(root, page)
            if not os.path.exists(path):
                wrong.append(f"{page}:{number}: {link}: there is no such file")
            elif anchor and path.endswith(".md") and anchor not in anchors(path):
                wrong.append(f"{page}:{number}: {link}: there is no such heading")
    return wrong


def main(root):
    pages = ["README.md"] if os.path.exists(os.path.join(root, "README.md")) else []
    for folder, _, names in sorted(os.walk(os.path.join(root, "docs"))):
        pages += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(names) if name.endswith(".md")]
    wrong = [line for page in pages for line in check_page(root, page)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1]))
