"""usage: limited.py BYTES COMMAND...: runs a command that can write no file
longer than this, and gets an error instead of a signal when it tries."""

import os
import resource
import signal
import sys

limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
os.execvp(sys.argv[2], sys.argv[2:])
