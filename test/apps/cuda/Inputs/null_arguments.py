"""Calls each function that a shared object of CUDA exports with zeros, in a process of its own.

usage: null_arguments.py LIBRARY LEAST    LEAST: functions that it has at least
"""

import ctypes
import os
import re
import subprocess
import sys

path, least = sys.argv[1], int(sys.argv[2])
listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
# What returns a struct gets the place for it as an argument.
names = set(re.findall(r"\b((?:cu|nvtx)[A-Z]\w*|cu(?:da|blas|sparse)[A-Z]\w*)", listed)) - {"cudaCreateChannelDesc"}
if len(names) < least:
    sys.exit(f"only {len(names)} functions found")
library = ctypes.CDLL(path)
crashed = []
for name in sorted(names):
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        getattr(library, name)(*[ctypes.c_void_p(0)] * 12)
        os._exit(0)
    if os.WIFSIGNALED(os.waitpid(child, 0)[1]):
        crashed.append(name)
if crashed:
    sys.exit("crashed: " + ", ".join(crashed))
