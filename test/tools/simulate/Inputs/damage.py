"""Damages what a database keeps of L2 or its launches.

usage: damage.py DATABASE flip|swap|drop|gap|row"""

import sqlite3
import sys

database, how = sys.argv[1:]
with sqlite3.connect(database) as connection:
    states = connection.execute("SELECT id, bytes FROM states").fetchall()
    if how == "flip":
        name, data = states[0]
        middle = len(data) // 2
        data = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        connection.execute("UPDATE states SET bytes = ? WHERE id = ?", (data, name))
    elif how == "swap":
        connection.execute("UPDATE states SET bytes = ? WHERE id = ?", (states[0][1], states[1][0]))
    elif how == "drop":
        connection.execute("DELETE FROM states")
    elif how == "gap":
        connection.execute("DELETE FROM points WHERE id = 0")
    elif how == "row":
        connection.execute("UPDATE points SET result = '{' WHERE id = 1")
