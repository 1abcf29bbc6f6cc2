"""Interrupts an estimate for more machines than it can get through.

usage: many.py SIGNAL INTERRUPT.py HEDDLE KERNEL LAUNCH RESULT.json"""

import os
import sys

signal, interrupt, heddle, kernel, launch, result = sys.argv[1:]
clocks = ",".join(f"{1000 + i / 10:g}" for i in range(10000))
os.execv(sys.executable, [sys.executable, interrupt, signal, "3cpu", heddle, "estimate", kernel, "--launch", launch,
                          "--model", "interval", "--all-models", "--what-if", f"clock.core={clocks}", "--json", result])
