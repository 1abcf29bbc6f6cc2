"""The least architecture of a kernel of this folder, which its launch file names."""

import pathlib
import re


def arch_options(launch):
    """["--arch", "sm_90"] for a launch file with "arch: sm_90", or nothing."""
    found = re.search(r"^arch: *(\w+)", pathlib.Path(launch).read_text(), re.M)
    return ["--arch", found[1]] if found else []
