"""Asks for what cannot be; prints what is raised."""
import os
import signal
import time

import numpy as np

import heddle

# A parent that runs in the background may have told it to ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGALRM, signal.default_int_handler)  # what a clock sends
program = heddle.compile(source="""
__global__ void scale(float *x, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; i < n && k < 3; ++k)
    x[i] *= f;
}""")
scale = program["scale"]
x = np.ones((256, 256), np.float32)


def attempt(call):
    try:
        print("no error:", call())
    except (Exception, KeyboardInterrupt) as error:
        print(type(error).__name__, error, flush=True)


def launch(*args, grid=256, block=256):
    return scale.launch(grid, block, list(args))


def interrupt(*progress):
    os.kill(os.getpid(), signal.SIGINT)


attempt(lambda: launch(x, 2.0))
attempt(lambda: scale.launch(1, 1, {"x": x, "f": 2.0}))
attempt(lambda: launch(x, 2.0, 1.5))
attempt(lambda: launch(x, 2.0, 1 << 32))
attempt(lambda: launch(x, 2.0, -(1 << 31) - 1))
attempt(lambda: launch(7, 2.0, 1))
attempt(lambda: launch(x.astype(complex), 2.0, 1))
attempt(lambda: launch(x.T, 2.0, 1))
attempt(lambda: launch(x, 2.0, 1, grid=0))
attempt(lambda: launch(x, 2.0, 1, grid=-1))
attempt(lambda: launch(x, 2.0, 1, block=2048))
good = launch(x, 2.0, x.size)
attempt(lambda: good.simulate("foo"))
attempt(lambda: good.simulate(set="dram.bandwith=5"))
attempt(lambda: good["z"])
attempt(lambda: program["nothing"])
attempt(lambda: heddle.compile())
attempt(lambda: heddle.compile("/nowhere.cu"))
attempt(lambda: good.trace(progress=lambda *progress: 1 / 0))
attempt(lambda: good.trace(progress=lambda *progress: False))
attempt(lambda: good.trace(progress=interrupt))

# In a thread block that takes as good as for ever, and so within a second.
counts = heddle.compile(source="""
__global__ void counts(float *a, long n) {
  float sum = 0;
  for (long i = 0; i < n; ++i)
    sum += sinf(a[i % 7 * 32 + threadIdx.x] + i);
  a[threadIdx.x] = sum;
}""")["counts"]
long = counts.launch(1, 32, [np.zeros(256, np.float32), 1 << 29])
for call in (long.run, long.estimate, long.simulate):
    begin = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, 1)
    attempt(call)
    signal.setitimer(signal.ITIMER_REAL, 0)
    # A second is promised; of the CPU, since machines that run tests are busy. Compiling counts too.
    print("in time" if time.process_time() - begin < 3 else f"late: {time.process_time() - begin} s", flush=True)
print("still works:", good.reset().run()["x"][0])
