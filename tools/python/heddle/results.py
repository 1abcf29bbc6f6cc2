"""What a model says of a launch, as a Python object and as a notebook shows it."""

from __future__ import annotations

import html
import json
from typing import Any, NamedTuple


class Wait(NamedTuple):
    """A state in which warps spend their cycles; names are Nsight Compute's."""

    name: str
    cycles_per_instruction: float
    share: float


class Result:
    """A prediction. Numbers of every model are attributes; `json` has all that the command writes
    with --json, and `result.FIELD` is `result.json["FIELD"]`."""

    def __init__(self, prediction: Any):
        self._prediction = prediction
        self._json: dict[str, Any] | None = None
        self.model: str = prediction.model
        self.kernel: str = prediction.kernel
        self.gpu: str = prediction.gpu
        self.cycles: int = prediction.cycles
        self.time_us: float = prediction.time_us
        self.warp_instructions: int = prediction.warp_instructions
        self.ipc: float = prediction.ipc
        self.waits: list[Wait] = [Wait(*w) for w in prediction.waits]
        #: The report of the command.
        self.text: str = prediction.text

    @property
    def json(self) -> dict[str, Any]:
        if self._json is None:
            self._json = json.loads(self._prediction.json)
        return self._json

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self.json:
            return self.json[name]
        raise AttributeError(f"a result of the model {self.model} has no {name!r}")

    def __repr__(self) -> str:
        return (f"<heddle.Result: {self.kernel} on {self.gpu}, {self.model}: "
                f"{self.cycles:,} cycles, {self.time_us:.2f} us>")

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        def row(name: str, value: str) -> str:
            return (f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                    f"<td style='text-align:right'>{html.escape(value)}</td></tr>")

        rows = [row("cycles", f"{self.cycles:,}"), row("time", f"{self.time_us:.2f} us"),
                row("warp instructions", f"{self.warp_instructions:,}"),
                row("IPC", f"{self.ipc:.2f}")]
        bars = [
            f"<tr><td>{html.escape(w.name)}</td><td style='text-align:right'>{w.share:.1%}</td>"
            f"<td style='text-align:left'><div style='background:#4878a8;height:0.7em;"
            f"width:{12 * w.share:.2f}em'></div></td></tr>" for w in self.waits if w.share >= 0.005
        ]
        waits = ("<table><tr><th>warps wait for</th><th>share</th><th></th></tr>" + "".join(bars) +
                 "</table>") if bars else ""
        title = html.escape(f"{self.kernel} on {self.gpu}, {self.model}")
        return f"<b>{title}</b><table>{''.join(rows)}</table>{waits}"
