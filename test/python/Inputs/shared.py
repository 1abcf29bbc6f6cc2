"""usage: shared.py FILE"""

import sys

import heddle
import numpy as np

program = heddle.compile(source="""
__global__ void add(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += x[i];
}
""")


def is_shared(launch, name):
    """Whether pages of the buffer, other than its first, are a file's."""
    address = launch[name].ctypes.data + 8192
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            begin, end = (int(part, 16) for part in line.split()[0].split("-"))
            if begin <= address < end:
                return line.split()[4] != "0"
    raise AssertionError(hex(address))


def launch_of(y, x):
    return program["add"].launch(grid=-(-y.size // 256), block=256, args=[y, x, y.size])


def check(y, x, shares_y, shares_x):
    """Runs twice and starts over: the arrays keep what they had."""
    first = y.copy()
    launch = launch_of(y, x)
    launch.reset()
    assert np.array_equal(launch["y"], first)
    assert (is_shared(launch, "y"), is_shared(launch, "x")) == (shares_y, shares_x)
    launch.run().run()
    assert np.array_equal(launch["y"], first + 2 * x) and np.array_equal(launch["x"], x)
    assert np.array_equal(y, first)
    launch.reset()
    assert np.array_equal(launch["y"], first)
    return launch.simulate(gpu="minibench-8sm").cycles


def filled(n, make):
    array = make(n)
    array[:] = np.arange(n)
    return array


plain = lambda n: np.zeros(n, np.float32)
whole, odd = 1 << 15, (1 << 15) + 100
cycles = check(filled(whole, plain), filled(whole, plain), False, False)
assert check(filled(whole, heddle.empty), filled(whole, heddle.empty), True, True) == cycles
# The second buffer follows the first, 400 bytes into a page; the ends of the first fill no page.
check(filled(odd, heddle.empty), filled(odd, heddle.empty), True, False)
# A part of an array that begins elsewhere in a page does not fit, one that begins with a page does.
check(filled(odd, heddle.empty)[100:], filled(whole, heddle.empty), False, True)
check(filled(2 * whole, heddle.empty)[whole:], filled(whole, plain), True, False)
# Of a file on the disk it depends on the file system whether it can be shared.
on_disk = np.memmap(sys.argv[1], np.float32, "w+", shape=(whole,))
on_disk[:] = np.arange(whole)
launch = launch_of(on_disk, filled(whole, plain))
launch.run()
assert np.array_equal(launch["y"], 2 * np.arange(whole)) and on_disk[7] == 7
assert heddle.empty((2, 3), "float64").shape == (2, 3) and heddle.empty(5)[4] == 0
