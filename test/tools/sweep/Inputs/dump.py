"""Prints all that a database holds. How SQLite lays it out in pages depends on
the order in which the workers finish.

usage: dump.py DATABASE"""

import sqlite3
import sys

with sqlite3.connect(sys.argv[1]) as connection:
    tables = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    for name, sql in tables:
        print(sql)
        rows = connection.execute(f'SELECT * FROM "{name}"').fetchall()
        print("\n".join(sorted(map(repr, rows))))
