"""Prints the Python code of a page, line for line as long as the page: a line number is the page's."""
import sys

inside = False
for line in open(sys.argv[1]):
    if line.startswith("```"):
        inside = line.strip() == "```python"
        print()
    else:
        print(line if inside else "\n", end="")
