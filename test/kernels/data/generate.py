"""Writes the data files that launch files name: graphs' row offsets and a B-tree.
All are raw little-endian 32-bit integers, the same on every run.

usage: generate.py DIRECTORY"""

import array
import os
import sys


def random_words(seed):
    """xorshift32 (Marsaglia, 2003): the same on every machine and Python."""
    state = seed
    while True:
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        yield state


def write(directory, name, values):
    words = array.array("i", values)
    if sys.byteorder != "little":
        words.byteswap()
    with open(os.path.join(directory, name), "wb") as file:
        words.tofile(file)


def row_offsets(nodes, largest, seed):
    """Degrees with a heavy tail, as in graphs of people or links: a degree of
    2^k and more has a probability of about 2^-k."""
    words = random_words(seed)
    offsets = [0]
    for _ in range(nodes):
        scale = (next(words) >> 8) / (1 << 24)
        degree = min(largest, max(2, int(4 / (1 - scale))))
        offsets.append(offsets[-1] + degree)
    return offsets


def btree(levels, keys_per_node, top, seed):
    """A complete B-tree in breadth-first order; node n's children are the nodes
    (keys_per_node + 1) * n + 1 and on."""
    fanout = keys_per_node + 1
    nodes = sum(fanout**level for level in range(levels))
    count = nodes * keys_per_node
    # Sorted distinct keys spread over [0, top): selection sampling.
    words = random_words(seed)
    keys, value = [], 0
    while len(keys) < count:
        if next(words) % (top - value) < count - len(keys):
            keys.append(value)
        value += 1
    ordered = iter(keys)
    tree = [0] * count

    def fill(node):
        if node >= nodes:
            return
        for slot in range(keys_per_node):
            fill(node * fanout + slot + 1)
            tree[node * keys_per_node + slot] = next(ordered)
        fill(node * fanout + keys_per_node + 1)

    fill(0)
    return tree


def main():
    directory = sys.argv[1]
    os.makedirs(directory, exist_ok=True)
    write(directory, "rows-6000.bin", row_offsets(6000, 128, 1))
    write(directory, "rows-24000.bin", row_offsets(24000, 512, 2))
    write(directory, "btree-820.bin", btree(4, 8, 20000, 3))


if __name__ == "__main__":
    main()
