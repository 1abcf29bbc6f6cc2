"""usage: damage.py TRACE FOLDER: writes damaged copies of a trace."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    good = file.read()
header_end = 20 + struct.unpack_from("<Q", good, 12)[0]


def write(name, content):
    with open(f"{sys.argv[2]}/{name}.hdlt", "wb") as file:
        file.write(content)


def altered(at):
    return good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1:]


write("cut", good[:-30])
write("half", good[:header_end - 10])
write("header", altered(header_end - 10))
write("frame", altered(header_end + 40))
write("longer", good + b"x")
