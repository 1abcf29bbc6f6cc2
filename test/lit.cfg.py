"""Configuration of the tests: what is a test, what stands for what, what this
machine has. `ninja check-heddle` runs them all, `lit build/release/test --filter
NAME` some."""

import ctypes
import glob
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(__file__), "tools"))
import lit.formats
import sanitizers

config.name = "Heddle"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".cl", ".cu", ".ll", ".mlir"]
# Kernels and data that tests use are not tests themselves.
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.heddle_binary_dir, "test")

# A test that hangs is a failure, not a hang.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 600 * (4 if config.heddle_sanitize != "OFF" else 1)
else:
    lit_config.note("this Python has no psutil, so tests run without a time limit")

binary_dir = os.path.join(config.heddle_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [binary_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
# Messages of the C library and of Clang are compared: keep them in English.
config.environment["LC_ALL"] = "C.UTF-8"
# Reports are compared word for word: no register count of a ptxas that is here.
config.environment["HEDDLE_PTXAS"] = ""
# Tests neither use nor fill the user's cache of compiled kernels.
config.environment["HEDDLE_CACHE"] = "off"
clang = os.path.join(config.llvm_tools_dir, "clang")
before = ""
other_cxx = "g++"
if config.heddle_sanitize in ("address", "thread"):
    config.available_features |= {"sanitizers", config.heddle_sanitize + "-sanitizer"}
    config.environment.update(
        sanitizers.environment(config.heddle_sanitize, config.heddle_source_dir)
    )
    loaders = os.path.join(config.test_exec_root, "loaders")
    sanitizers.wrap_loaders(config.heddle_sanitize, config.llvm_tools_dir, loaders)
    config.environment["PATH"] = loaders + os.pathsep + config.environment["PATH"]
    clang = os.path.join(loaders, "clang")
    before = sanitizers.loaded_before(config.heddle_sanitize, config.llvm_tools_dir) + " "
    # Programs that link our libraries have the sanitizer, too: Clang's, not GCC's.
    other_cxx = os.path.join(config.llvm_tools_dir, "clang++")
    config.environment["CXX"] = other_cxx
    kinds = "address,undefined" if config.heddle_sanitize == "address" else "thread"
    config.environment["CCC_OVERRIDE_OPTIONS"] = f"# +-fsanitize={kinds}"

# What PoCL compiles stays beside the tests.
pocl_cache = os.path.join(config.test_exec_root, "pocl-cache")
os.makedirs(pocl_cache, exist_ok=True)
config.environment["POCL_CACHE_DIR"] = pocl_cache

kernels = os.path.join(config.test_source_root, "kernels")
config.substitutions += [
    ("%heddle", os.path.join(binary_dir, "heddle")),
    ("%plugin", os.path.join(config.heddle_binary_dir, "lib", "HeddlePlugin.so")),
    # A pass alone, held to what it says it preserves.
    (
        r"%opt\b",
        f"opt -load-pass-plugin={config.heddle_binary_dir}/lib/HeddlePlugin.so"
        " -verify-each -verify-analysis-invalidation -S",
    ),
    ("%fuzzers", os.path.join(config.heddle_binary_dir, "test", "fuzz")),
    ("%mlir_tblgen", os.path.join(config.llvm_tools_dir, "mlir-tblgen")),
    ("%clang", clang),
    (
        "%llvm_library",
        os.path.join(os.path.dirname(config.llvm_tools_dir), "lib", "libLLVM.so"),
    ),
    ("%analyses", os.path.join(config.heddle_binary_dir, "lib", "analyses")),
    ("%examples", os.path.join(binary_dir, "examples")),
    ("%apps", os.path.join(binary_dir, "apps")),
    ("%kernel_reference", os.path.join(binary_dir, "kernel-reference")),
    ("%kernels", kernels),
    # Runs a file that states a feature of the front ends, in every way there is.
    (
        "%frontends",
        f"env HEDDLE_BUILD={config.heddle_binary_dir} PYTHONDONTWRITEBYTECODE=1 "
        f"{sys.executable} {config.heddle_source_dir}/utils/evaluation/frontends.py",
    ),
    ("%other_cxx", other_cxx),
    ("%python", sys.executable),
    # One that loads libraries of ours into itself.
    ("%loading_python", f"env {before}{sys.executable}"),
    # %status N COMMAND: COMMAND must exit with status N.
    ("%status", f"{sys.executable} {config.test_source_root}/tools/status.py"),
    # %within N COMMAND: COMMAND must end within N seconds.
    ("%within", f"{sys.executable} {config.test_source_root}/tools/within.py"),
    ("%source_dir", config.heddle_source_dir),
    ("%binary_dir", config.heddle_binary_dir),
    ("%clang_format", config.clang_format),
    ("%cxx", config.cxx_compiler),
]

# Features, for REQUIRES and UNSUPPORTED lines.
if os.path.exists(os.path.join(config.heddle_binary_dir, "lib", "libheddle.so")):
    config.available_features.add("install")
if config.python_package:
    config.available_features.add("python-package")
    config.substitutions.append(
        (
            "%py3heddle",
            f"env {before}PYTHONPATH={config.python_package} PYTHONDONTWRITEBYTECODE=1 "
            f"{config.python_for_package}",
        )
    )
ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
if nvcc:
    config.available_features.add("nvcc")
    config.substitutions.append(("%nvcc", nvcc))
# A disassembler serves with the ptxas of its own toolkit.
nvdisasm = shutil.which("nvdisasm")
if nvdisasm and os.path.exists(os.path.join(os.path.dirname(nvdisasm), "ptxas")):
    config.available_features.add("nvdisasm")
    config.substitutions.append(("%toolkit", os.path.dirname(nvdisasm)))
try:
    ctypes.CDLL("libcuda.so.1")
    config.available_features.add("cuda-driver")
except OSError:
    pass
# An opt that is not the one Heddle is built with.
other_opt = next(filter(None, (shutil.which(f"opt-{n}") for n in range(14, 30) if n != 22)), None)
if other_opt:
    config.available_features.add("other-opt")
    config.substitutions.append(("%other_opt", other_opt))
if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
    config.available_features.add("chromium")
if os.path.exists(os.path.join(binary_dir, "apps", "life")) and glob.glob(
    "/etc/OpenCL/vendors/*pocl*"
):
    config.available_features.add("opencl")
# What compiles and runs CUDA programs.
if os.path.exists(
    os.path.join(config.heddle_binary_dir, "lib", "heddle", "cuda", "libHeddleCudaEngine.so")
):
    config.available_features.add("cuda-programs")
try:
    with open("/proc/cpuinfo") as cpuinfo:
        if "avx512f" in cpuinfo.read():
            config.available_features.add("avx512")
except OSError:
    pass
if config.clang_format and not config.clang_format.endswith("NOTFOUND"):
    config.available_features.add("clang-format")
if shutil.which("dot"):
    config.available_features.add("graphviz")
if shutil.which("clang-tidy-22"):
    config.available_features.add("clang-tidy")
if config.heddle_llvm_inside == "ON":
    config.available_features.add("llvm-inside")
if config.heddle_build_type == "Release":
    config.available_features.add("release")
if os.path.exists("/dev/full"):
    config.available_features.add("dev-full")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    config.available_features.add("root")
