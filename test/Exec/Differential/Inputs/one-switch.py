"""Stands for engine-compare: a kernel that has a switch differs."""

import os
import re
import sys

_, source, _, folder, *kernels = sys.argv
with open(source, encoding="utf-8") as file:
    text = file.read()
for kernel in kernels:
    name = kernel.split(":")[0]
    if re.search(name + r"\((?:(?!#undef BLOCK).)*switch ", text, re.DOTALL):
        print(f"{name}: out[{len(text)}]: 5 and 7")
    print("done", name)
    with open(os.path.join(folder, name + ".engine"), "wb"):
        pass
