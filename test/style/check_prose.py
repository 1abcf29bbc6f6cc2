"""Checks the words of documentation, comments and messages: the phrases that
docs/Glossary.md replaces, and sentences of at most 35 words in docs/ and
README.md. Generated pages, code and tables are left out of the latter.
Prints FILE:LINE: what is wrong, one per line.

usage: check_prose.py SOURCE_DIR"""

import os
import re
import sys

MAX_WORDS = 35

# What not to write, and what to write instead. A space stands for any white
# space: a phrase may go on in the next line.
PHRASES = {
    r"(hang|hangs|hung|hanging) on(?! to)": "depends on",
    r"hangsOn": "dependsOn",
    r"(did|does) not come in|(comes|came) in(?= too)|kernels? (comes?|came) in": "is compiled, is accepted",
    r"anew": "again",
    r"is all one(?! of)": "does not matter, is the same",
    r"heeded": "taken into account",
    r"(leave|leaves|leaving|left) away": "omitted, left out",
    r"dearer": "more expensive",
    r"nobody": "no one, nothing, never",
    r"foretells?": "predicts",
    r"whoever": "any caller, whichever",
    r"as such(?! an? )": "itself",
    r"of no consequence": "without effect",
    r"(a|the|free) places? (for|of) a (resident |thread )?block|free places?|place (was|is|becomes|became) free": "CTA slot",
    r"[Ff]reePlaces": "FreeSlots",
    r"LoneLanes": "SingleLane",
    r"LostInstances": "MissingInstances",
    r"(at least|at most|about|by|after|of|keep|up to) so (many|often)(?! that)": "this many, N",
    r"aught|naught|thereof|whither": "plain words",
}
PATTERN = re.compile(
    "|".join(rf"\b(?:{p})\b".replace(" ", r"\s+") for p in PHRASES))
SOURCES = (".h", ".hpp", ".cpp", ".c", ".td", ".def", ".cl", ".cu")
FOLDERS = ("include", "lib", "runtime", "tools")
# Names the phrases in order to forbid them.
GLOSSARY = "docs/Glossary.md"
# Written by programs; docs/SynthDialect.md comes from include/heddle/Dialect.
GENERATED = ("docs/Evaluation/", "docs/SynthDialect.md")


def files(root, folder, extensions):
    for at, _, names in os.walk(os.path.join(root, folder)):
        for name in sorted(names):
            if name.endswith(extensions):
                yield os.path.relpath(os.path.join(at, name), root)


def instead_of(phrase):
    for pattern, better in PHRASES.items():
        if re.fullmatch(pattern.replace(" ", r"\s+"), phrase):
            return better
    return "other words"


def check_phrases(path, lines):
    """Phrases in a file, whose comment markers are blanked out first so that a
    phrase can go on from one comment line to the next."""
    text = "\n".join(re.sub(r"^(\s*)(///?<?|\*|#)", r"\1", l) for l in lines)
    for match in PATTERN.finditer(text):
        phrase = " ".join(match.group().split())
        line = text.count("\n", 0, match.start()) + 1
        yield f"{path}:{line}: '{phrase}': write {instead_of(phrase)}"


def sentences(lines):
    """(line, sentence) of a Markdown page without code, tables and headings.
    Every item of a list begins a sentence."""
    paragraph, start, fenced = [], 0, False

    def flush():
        text = " ".join(paragraph)
        paragraph.clear()
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
        for sentence in re.split(r"(?<=[.?!])[)*\"]*\s+", text):
            yield start, sentence

    for number, line in enumerate(lines + [""], 1):
        body = line.strip()
        if body.startswith("```"):
            fenced = not fenced
        item = re.match(r"([-*]|\d+\.)\s+", body)
        quoted = line.startswith("    ") and not paragraph
        prose = body and not fenced and not quoted and not re.match(r"[|#<]|```", body)
        if paragraph and (item or not prose):
            yield from flush()
        if prose:
            start = start if paragraph else number
            paragraph.append(body[item.end():] if item else body)


def count_words(sentence):
    """Words; a list of names in code, `a`, `b` and `c`, is one."""
    sentence = re.sub(r"`[^`]*`(\s\([^)]*\))?", "code", sentence)
    sentence = re.sub(r"\bcode(,? (and |or )?code\b)*", "code", sentence)
    return sum(1 for w in sentence.split() if re.search(r"\w", w))


def check_sentences(path, lines):
    for line, sentence in sentences(lines):
        words = count_words(sentence)
        if words > MAX_WORDS:
            yield (f"{path}:{line}: {words} words in a sentence, "
                   f"at most {MAX_WORDS}: {sentence[:60]}...")


def main(root):
    problems = []
    pages = list(files(root, "docs", ".md"))
    if os.path.exists(os.path.join(root, "README.md")):
        pages.append("README.md")
    for path in pages + [f for d in FOLDERS for f in files(root, d, SOURCES)]:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
        if path != GLOSSARY:
            problems += check_phrases(path, lines)
        if path in pages and not path.startswith(GENERATED):
            problems += check_sentences(path, lines)
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
