"""Kills a sweep as soon as it has finished some configurations, and sees that
the database still has them.

usage: kill.py HEDDLE DESCRIPTION DATABASE"""

import os
import sqlite3
import subprocess
import sys
import time

heddle, description, database = sys.argv[1:]


def rows():
    """Finished configurations; the sweep holds the lock, so a copy is read."""
    copy = database + ".copy"
    for suffix in ("", "-journal"):
        if os.path.exists(database + suffix):
            with open(database + suffix, "rb") as source, open(copy + suffix, "wb") as target:
                target.write(source.read())
    try:
        with sqlite3.connect(copy) as connection:
            return connection.execute("SELECT count(*) FROM points").fetchone()[0]
    except sqlite3.Error:
        return 0


sweep = subprocess.Popen([heddle, "sweep", description, "-o", database, "-q"])
seen = 0
while seen < 2 and sweep.poll() is None:
    time.sleep(0.01)
    seen = rows()
sweep.kill()
sweep.wait()
with sqlite3.connect(database) as connection:
    kept = connection.execute("SELECT count(*) FROM points").fetchone()[0]
print("kept all" if kept >= seen >= 1 else f"kept {kept} of {seen}")
