"""What the tests of a build with sanitizers need around them."""

import os
import subprocess

# A report ends the program by a signal, which no test expects: some expect status 1.
STOP = "abort_on_error=1:halt_on_error=1"
# LLVM's allocators mark what is theirs in our code, but not in LLVM's libraries. At
# a thread's end AddressSanitizer unmaps its stack for signals, be it LLVM's by then.
ADDRESS = f"{STOP}:allow_user_poisoning=0:use_sigaltstack=0"
# Programs that have no sanitizer and load libraries of ours: they have it loaded before.
LOADERS = ("opt", "clang", "clang++")


def environment(kind, source_dir):
    """The options of the sanitizers; `kind` is what HEDDLE_SANITIZE says."""
    known = os.path.join(source_dir, "test", "tools")
    if kind == "thread":
        options = {"TSAN_OPTIONS": STOP}
    else:
        options = {
            "ASAN_OPTIONS": ADDRESS,
            # Else undefined behaviour is told and the test passes all the same.
            "UBSAN_OPTIONS": f"{STOP}:print_stacktrace=1",
            # PoCL and the LLVM in it never free some things.
            "LSAN_OPTIONS": f"print_suppressions=0:suppressions={known}/pocl-leaks.txt",
        }
    # What tests with limits and amounts of their own go by.
    options["HEDDLE_SLOWER"] = "10"
    return {name: os.environ.get(name, value) for name, value in options.items()}


def loaded_before(kind, tools_dir):
    """What has to be in the environment of a program without a sanitizer that loads
    libraries of ours."""
    library = {"thread": "tsan", "address": "asan"}[kind]
    path = subprocess.run(
        [os.path.join(tools_dir, "clang"), f"-print-file-name=libclang_rt.{library}-x86_64.so"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()
    # Not what such a program does not free at its end, nor globals that it and our
    # library both define.
    options = "detect_leaks=0:detect_odr_violation=0"
    return f"LD_PRELOAD={path} ASAN_OPTIONS={ADDRESS}:{options}"


def wrap_loaders(kind, tools_dir, folder):
    """Makes `folder` hold commands of the names in LOADERS that load the sanitizer."""
    words = loaded_before(kind, tools_dir)
    os.makedirs(folder, exist_ok=True)
    for name in LOADERS:
        path = os.path.join(folder, name)
        # What it links is not ours. Several may begin at once.
        with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/sh
exec env -u CCC_OVERRIDE_OPTIONS {words} "{tools_dir}/{name}" "$@"
""")
        os.chmod(file.name, 0o755)
        os.replace(file.name, path)
