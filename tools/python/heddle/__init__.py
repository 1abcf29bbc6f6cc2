"""Heddle: how long GPU kernels take, and why, from their source and a launch.

    import heddle, numpy
    program = heddle.compile("saxpy.cu")
    x = numpy.ones(1 << 16, numpy.float32)
    launch = program["saxpy"].launch(grid=256, block=256, args=[x, x, 2.0, x.size])
    launch.run()
    launch["y"]                        # the buffer on the device, not copied
    launch.simulate(gpu="a100").cycles
    launch.estimate(gpu="h100")        # a table, in a notebook

Everything that can fail raises heddle.Error with a message that says what to
do. Ctrl-C ends long work with KeyboardInterrupt. docs/Python.md.
"""

from __future__ import annotations

import itertools
import json
import math
import mmap
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _heddle
from ._heddle import Cancelled, Error, __version__
from .results import Result

if TYPE_CHECKING:
    import numpy
    import pandas

__all__ = ["Cancelled", "Error", "Kernel", "Launch", "Program", "Result", "Trace", "compile",
           "empty", "gpus", "machine", "models", "open_trace", "sweep", "__version__"]

Extent = Union[int, Sequence[int]]
#: Called with (steps done, all steps, work); False cancels.
Progress = Optional[Callable[[int, int, int], Optional[bool]]]


def _settings(set: str | Sequence[str]) -> list[str]:
    """`set` as a list; one setting may stand alone."""
    return [set] if isinstance(set, str) else list(set)


def compile(path: str | os.PathLike[str] | None = None, *, source: str | None = None,
            language: str = "cu", arch: str = "sm_70", clang_args: Sequence[str] = (),
            link: Sequence[str] = (), opt_level: int = 3) -> Program:
    """Compiles a file, or `source` as a file that ends in `language` (cu, cl, ll, mlir, ptx)."""
    if (path is None) == (source is None):
        raise TypeError("compile takes either a path or source=")
    if path is not None:
        return Program(_heddle.Program.compile(os.fspath(path), arch, list(clang_args), list(link),
                                               opt_level))
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "source." + language)
        with open(name, "w", encoding="utf-8") as file:
            file.write(source)
        return Program(_heddle.Program.compile(name, arch, list(clang_args), list(link), opt_level))


def empty(shape: Extent, dtype: Any = "float32") -> numpy.ndarray:
    """An array of zeroes, for what `Kernel.launch` takes. Unlike others it need not be copied when
    the launch fills its buffers, which begin as its pages (docs/Python.md says when)."""
    import numpy
    size = math.prod(shape if isinstance(shape, Sequence) else [shape])
    size *= numpy.dtype(dtype).itemsize
    file = os.memfd_create("heddle")
    try:
        os.ftruncate(file, max(size, 1))
        return numpy.ndarray(shape, dtype, buffer=mmap.mmap(file, max(size, 1)))
    finally:
        os.close(file)  # the mapping has a descriptor of its own


class Program:
    """A compiled source. `program["name"]` is a kernel."""

    def __init__(self, compiled: _heddle.Program):
        self._compiled = compiled
        self.kernels: dict[str, Kernel] = {k.name: Kernel(self, k) for k in compiled.kernels()}

    @property
    def notes(self) -> str:
        """What predictions depend on that the source does not say, and Clang's warnings."""
        return self._compiled.notes()

    def __getitem__(self, name: str) -> Kernel:
        if name not in self.kernels:
            raise KeyError(f"there is no kernel {name!r}; kernels: {', '.join(self.kernels)}")
        return self.kernels[name]

    def launch_file(self, path: str | os.PathLike[str]) -> Launch:
        """The launch that a launch file describes (docs/LaunchFile.md)."""
        return Launch(self._compiled.launch_file(os.fspath(path)))

    def __repr__(self) -> str:
        return f"<heddle.Program: {', '.join(self.kernels)}>"


class Kernel:
    """A kernel of a program."""

    def __init__(self, program: Program, info: _heddle.KernelInfo):
        self._program, self._info = program, info
        self.name: str = info.name
        self.static_shared_bytes: int = info.static_shared_bytes
        #: (name, type as in the source) of each parameter.
        self.arguments: list[tuple[str, str]] = [(a.name, a.type) for a in info.arguments]

    def launch(self, grid: Extent, block: Extent, args: Sequence[Any] | Mapping[str, Any] = (),
               dynamic_shared: int = 0) -> Launch:
        """Binds a launch. `args` has a value per parameter, by place or by name: an array of NumPy
        for a pointer, a number for a scalar, or text as `--arg` takes it ("f32[1024]=zero"). Arrays
        are read whenever the launch fills its buffers; a launch never writes to them."""
        return Launch(self._program._compiled.launch(self._info, grid, block, args, dynamic_shared))

    def __repr__(self) -> str:
        return f"<heddle.Kernel {self.name}({', '.join(f'{t} {n}' for n, t in self.arguments)})>"


class Launch:
    """A kernel with its arguments in device memory. At most 16 exist at a time."""

    def __init__(self, bound: _heddle.Launch):
        self._bound = bound

    def run(self, progress: Progress = None) -> Launch:
        """Executes the launch on this CPU, on the buffers as earlier runs left them."""
        self._bound.run(progress)
        return self

    def reset(self) -> Launch:
        """Gives all buffers their first contents again."""
        self._bound.reset()
        return self

    def __getitem__(self, name: str) -> numpy.ndarray:
        """The buffer of a parameter, flat and not copied. What it shows changes with the launch;
        copy what has to last beyond a prediction."""
        return self._bound.buffer(name)

    def simulate(self, gpu: str = "v100", *, set: str | Sequence[str] = (), threads: int = 1,
                 warm_l2: bool = False, progress: Progress = None) -> Result:
        """What `heddle simulate` says: cycle by cycle."""
        return self.predict("timing", gpu, set=set, threads=threads, warm_l2=warm_l2,
                            progress=progress)

    def estimate(self, gpu: str = "v100", *, model: str = "interval", set: str | Sequence[str] = (),
                 warm_l2: bool = False, progress: Progress = None) -> Result:
        """What `heddle estimate` says: a fast model."""
        return self.predict(model, gpu, set=set, warm_l2=warm_l2, progress=progress)

    def predict(self, model: str, gpu: str = "v100", *, set: str | Sequence[str] = (), threads: int = 1,
                warm_l2: bool = False, progress: Progress = None) -> Result:
        """The prediction of any of `heddle.models()`."""
        return Result(self._bound.predict(gpu, model, _settings(set), threads, warm_l2, progress))

    def trace(self, mode: str = "executed", progress: Progress = None) -> Trace:
        """What the warps do, in memory: executed, sliced, static or auto."""
        return Trace(self._bound.trace(mode, progress))


class Trace:
    """What the warps of a launch did; any machine can replay it."""

    def __init__(self, trace: _heddle.Trace):
        self._trace = trace

    def write(self, path: str | os.PathLike[str]) -> None:
        self._trace.write(os.fspath(path))

    def predict(self, model: str = "timing", gpu: str = "v100", *, set: str | Sequence[str] = (),
                threads: int = 1, warm_l2: bool = False, progress: Progress = None) -> Result:
        return Result(self._trace.predict(gpu, model, _settings(set), threads, warm_l2, progress))


def open_trace(path: str | os.PathLike[str]) -> Trace:
    """A trace that `heddle trace` or Trace.write wrote."""
    return Trace(_heddle.Trace.open(os.fspath(path)))


def gpus() -> list[str]:
    """The names of the machines that are built in."""
    return _heddle.machines()


def machine(name: str, set: str | Sequence[str] = ()) -> dict[str, Any]:
    """Every field of a machine, nested as in a machine file."""
    return json.loads(_heddle.machine_json(name, _settings(set)))


def models() -> list[str]:
    """Names for Launch.predict."""
    return _heddle.models()


def sweep(launches: Callable[..., Launch] | Launch, *, gpu: Iterable[str] = ("v100",),
          model: Iterable[str] = ("interval",), progress: Progress = None,
          **axes: Iterable[Any]) -> pandas.DataFrame:
    """A pandas frame with a row per point: the axes, then cycles, time_us, ipc, and the error
    of a point that cannot run. `launches` is called with a value of each axis:

        heddle.sweep(lambda block: k.launch(n // block, block, args), block=[64, 128, 256],
                     gpu=["v100", "a100"])
    """
    import pandas

    points = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    machines, names = list(gpu), list(model)
    rows, total = [], len(points) * len(machines) * len(names)
    for point in points:
        launch, why = None, None
        try:
            launch = launches(**point) if callable(launches) else launches
        except Cancelled:
            raise
        except Error as error:
            why = str(error)
        for on, by in itertools.product(machines, names):
            row = {**point, "gpu": on, "model": by, "cycles": None, "time_us": None, "ipc": None,
                   "error": why}
            if launch is not None:
                try:
                    result = launch.predict(by, on)
                    row.update(cycles=result.cycles, time_us=result.time_us, ipc=result.ipc)
                except Cancelled:
                    raise
                except Error as error:
                    row["error"] = str(error)
            rows.append(row)
            if progress and progress(len(rows), total, len(rows)) is False:
                raise Cancelled("interrupted")
    return pandas.DataFrame(rows)
