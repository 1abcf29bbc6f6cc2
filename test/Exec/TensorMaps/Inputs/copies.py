"""Bulk and tensor copies against values computed here: copies.py HEDDLE COPIES.CU FOLDER GROUP."""

import itertools
import os
import struct
import subprocess
import sys

HEDDLE, SOURCE, FOLDER, GROUP = sys.argv[1:]
SIZES = {"u8": 1, "u16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f16": 2, "f32": 4, "f64": 8,
         "bf16": 2}
NAN = {2: 0x7FFF, 4: 0x7FFFFFFF, 8: 0x7FFFFFFFFFFFFFFF}


def words(bits, size):
    """Numbers of so many bytes as raw memory."""
    return b"".join(int(b).to_bytes(size, "little") for b in bits)


def pattern(count, size):
    return [(n * 2654435761 + 12345) % (1 << (8 * size)) for n in range(count)]


def swizzled(offset, swizzle):
    """The place of a byte of the box (PTX ISA, swizzling modes)."""
    bits = {"none": 0, "32B": 1, "64B": 2, "128B": 3}[swizzle]
    row, piece, rest = offset >> 7, offset >> 4 & 7, offset & 15
    return (row << 7) + ((piece ^ (row & (1 << bits) - 1)) << 4) + rest


def elements(case):
    """(offset in shared memory, element of the tensor or None) of each element of the box."""
    rank, size = len(case["dims"]), SIZES[case["type"]]
    steps = [1] + case.get("element_strides", [1] * rank)[1:]
    sides = [-(-b // s) for b, s in zip(case["box"], steps)]
    strides = case["strides"]
    for number, index in enumerate(itertools.product(*[range(s) for s in reversed(sides)])):
        at = [c + i * s for c, i, s in zip(case["at"], reversed(index), steps)]
        inside = all(0 <= a < d for a, d in zip(at, case["dims"]))
        place = at[0] * size + sum(a * s for a, s in zip(at[1:], strides))
        yield swizzled(number * size, case.get("swizzle", "none")), place if inside else None


def complete(case):
    size = SIZES[case["type"]]
    if "strides" not in case:
        case["strides"], total = [], size
        for dim in case["dims"][:-1]:
            total *= dim
            case["strides"].append(total)
    case["bytes"] = case["dims"][0] * size + sum(
        (d - 1) * s for d, s in zip(case["dims"][1:], case["strides"]))
    steps = [1] + case.get("element_strides", [1] * len(case["dims"]))[1:]
    case["box_bytes"] = size
    if "im2col" in case:
        case["box_bytes"] *= case["box"][0] * case["box"][1]
        return
    for b, s in zip(case["box"], steps):
        case["box_bytes"] *= -(-b // s)


PREPARED = {}


def prepared(options):
    """The source as IR, compiled once for each set of options."""
    if options not in PREPARED:
        path = os.path.join(FOLDER, f"{GROUP}{len(PREPARED)}.ll")
        subprocess.run([HEDDLE, "kernels", SOURCE, "--arch", "sm_90", "--emit-llvm", "-q", "-o", path,
                        "--", *options], check=True)
        PREPARED[options] = path
    return PREPARED[options]


def run(case, kernel, arguments, result, expected, *options):
    path = os.path.join(FOLDER, "launch.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"kernel: {kernel}\narch: sm_90\ngrid: [1]\nblock: [32]\n"
                   f"dynamic_shared: {case['box_bytes']}\nargs:\n")
        file.writelines(f"  - {a}\n" for a in arguments)
    with open(os.path.join(FOLDER, "expected.bin"), "wb") as file:
        file.write(expected)
    source = prepared((f"-DRANK={len(case.get('dims', [1]))}", *options))
    for mode in (["--engine", "jit"], ["--engine", "interpreter"], ["--check"]):
        done = subprocess.run([HEDDLE, "run", source, "--arch", "sm_90", "--launch", path, *mode,
                               "--expect", f"{result}={FOLDER}/expected.bin"],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{case} {kernel} {options} {mode}:\n{done.stdout}{done.stderr}")


def raw(name, data):
    path = os.path.join(FOLDER, name + ".bin")
    with open(path, "wb") as file:
        file.write(data)
    return (f"buffer: {{name: {name}, type: u8, count: {len(data)}, "
            f"init: {{file: {path}}}}}")


def launch(case, tensor, shared):
    fields = [raw("tensor", tensor)] + [
        f"{k}: {case[k]}" for k in ("type", "dims", "strides", "box", "element_strides", "swizzle",
                                    "fill", "im2col") if k in case]
    at = case["at"] + [0] * (5 - len(case["at"]))
    return ["tensor_map: {" + ", ".join(fields) + "}", raw("raw", shared),
            f"i32: {case['box_bytes']}"] + [f"i32: {a}" for a in at]


def load(case):
    complete(case)
    size = SIZES[case["type"]]
    tensor = words(pattern(-(-case["bytes"] // size), size), size)
    out = bytearray(case["box_bytes"])
    fill = NAN[size] if case.get("fill") == "nan" else 0
    for place, element in elements(case):
        out[place:place + size] = (words([fill], size) if element is None
                                   else tensor[element:element + size])
    run(case, "load", launch(case, tensor, bytes(case["box_bytes"])), "raw", bytes(out))


def convolution(sizes, batch, channels, filter_sides, pad, step, dilation):
    """The im2col matrix of a convolution by its definition, without tensor maps: for each place of
    the filter a list of rows, one for each result in the order of (image, ..., H, W), each the
    position in the padded input that the result reads there: (w, h, ..., image) or None."""
    results = [(n + 2 * p - d * (f - 1) - 1) // s + 1
               for n, f, p, s, d in zip(sizes, filter_sides, pad, step, dilation)]
    matrix = {}
    for tap in itertools.product(*[range(f) for f in filter_sides]):
        rows = matrix[tap] = []
        for image in range(batch):
            for result in itertools.product(*[range(r) for r in reversed(results)]):
                at = [o * s + t * d - p for o, s, t, d, p in
                      zip(reversed(result), step, tap, dilation, pad)]
                inside = all(0 <= a < n for a, n in zip(at, sizes))
                rows.append((*at, image) if inside else None)
    return results, matrix


def im2col(kind, sizes, batch, channels, box, first, **how):
    """Rows of the matrix from the one numbered `first` on, for each place of the filter; the last
    box may leave the tensor behind the last image."""
    space, size = len(sizes), SIZES[kind]
    get = lambda key, default: how.get(key, [default] * space)
    filter_sides, pad, step, dilation = (get("filter", 3), get("pad", 1), get("step", 1),
                                         get("dilation", 1))
    results, matrix = convolution(sizes, batch, channels, filter_sides, pad, step, dilation)
    start, at = first, []
    for r, s, p in zip(results, step, pad):
        at.append(start % r * s - p)
        start //= r
    channel = how.get("channel", 0)
    upper = [p - d * (f - 1) for p, d, f in zip(pad, dilation, filter_sides)]
    for tap, rows in matrix.items():
        case = {"type": kind, "dims": [channels, *sizes, batch], "box": box,
                "at": [channel, *at, start], "element_strides": [1, *step, 1],
                "im2col": "{lower: [%s], upper: [%s]}" % (
                    ", ".join(str(-p) for p in pad), ", ".join(map(str, upper)))}
        case.update({k: how[k] for k in ("swizzle", "fill") if k in how})
        complete(case)
        tensor = words(pattern(case["bytes"] // size, size), size)
        rows = (rows + [None] * box[1])[first:first + box[1]]
        stores = how.get("store")
        shared = bytearray(words(pattern(case["box_bytes"] // size + 7, size)[7:], size)
                           if stores else case["box_bytes"])
        before, after, into = bytes(shared), bytearray(tensor), bytearray(shared)
        fill = words([NAN[size] if case.get("fill") == "nan" else 0], size)
        for index, (row, c) in enumerate(itertools.product(rows, range(box[0]))):
            place = swizzled(index * size, case.get("swizzle", "none"))
            if row is None or channel + c >= channels:
                into[place:place + size] = fill
                continue
            element = (channel + c) * size + sum(a * s for a, s in zip(row, case["strides"]))
            into[place:place + size] = tensor[element:element + size]
            after[element:element + size] = before[place:place + size]
        if stores:  # without offsets: the first place of the filter
            run(case, "store", launch(case, tensor, before), "tensor", bytes(after),
                '-DSTORE_MODE="im2col_no_offs."')
            return
        offsets = ", ".join(str(t * d) for t, d in zip(tap, dilation))
        run(case, "load", launch(case, tensor, before), "raw", bytes(into),
            '-DMODE=".im2col"', '-DOFFSETS=", {%s}"' % offsets)


def number(bits, kind):
    size = SIZES[kind]
    if kind == "bf16":
        return struct.unpack("<f", words([bits << 16], 4))[0]
    code = {"u32": "I", "i32": "i", "u64": "Q", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}
    return struct.unpack("<" + code[kind], words([bits], size))[0]


def to_bits(value, kind):
    if kind == "bf16":
        bits = int.from_bytes(struct.pack("<f", value), "little")
        return bits + 0x7FFF + (bits >> 16 & 1) >> 16
    code = {"f16": "e", "f32": "f", "f64": "d"}.get(kind)
    if code:
        return int.from_bytes(struct.pack("<" + code, value), "little")
    return value % (1 << (8 * SIZES[kind]))


def combine(old, new, operation, kind):
    a, b = number(old, kind), number(new, kind)
    result = {"add": lambda: a + b, "min": lambda: min(a, b), "max": lambda: max(a, b),
              "and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b,
              "inc": lambda: 0 if a >= b else a + 1,
              "dec": lambda: b if a == 0 or a > b else a - 1}[operation]()
    return to_bits(result, kind)


def numbers(count, kind, seed):
    if kind in ("f16", "bf16", "f32", "f64"):
        return [to_bits(((n * 37 + seed) % 64 - 30) / 4, kind) for n in range(count)]
    return [(n * 2654435761 + seed) % (1 << (8 * SIZES[kind])) for n in range(count)]


def store(case, operation=None):
    complete(case)
    kind, size = case["type"], SIZES[case["type"]]
    make = (lambda n, seed: numbers(n, kind, seed)) if operation else (
        lambda n, seed: pattern(n + seed, size)[seed:])
    tensor = bytearray(words(make(-(-case["bytes"] // size), 3), size))
    shared = words(make(case["box_bytes"] // size, 11), size)
    before = bytes(tensor)
    for place, element in elements(case):
        if element is not None:
            new = shared[place:place + size]
            if operation:
                old = int.from_bytes(before[element:element + size], "little")
                new = words([combine(old, int.from_bytes(new, "little"), operation, kind)], size)
            tensor[element:element + size] = new
    options = ['-DSTORE="cp.reduce.async.bulk.tensor."',
               f'-DOPERATION="{operation}."'] if operation else []
    run(case, "store", launch(case, before, shared), "tensor", bytes(tensor), *options)


def plain(operation=None, kind="u32"):
    size = SIZES[kind]
    case = {"box_bytes": 256}
    new, old = numbers(256 // size, kind, 5), numbers(256 // size, kind, 9)
    wanted = [combine(o, n, operation, kind) for o, n in zip(old, new)] if operation else new
    mode = ".noftz" if kind.endswith("f16") and operation == "add" else ""
    ptx = {"i32": "s32", "i64": "s64"}.get(kind, kind)
    if operation in ("and", "or", "xor"):
        ptx = "b" + ptx[1:]
    options = [f'-DPLAIN="cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation}{mode}.{ptx}"'
               ] if operation else []
    run(case, "plain", [raw("from", words(new, size)), raw("to", words(old, size)), "i32: 256"],
        "to", words(wanted, size), *options)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    groups = {
        "loads": [
            lambda: load({"type": "f32", "dims": [100], "box": [64], "at": [70]}),
            lambda: load({"type": "u8", "dims": [64, 20], "box": [32, 8], "at": [-5, 15]}),
            lambda: load({"type": "f64", "dims": [8, 6, 5], "box": [4, 3, 4], "at": [2, -1, 3],
                          "fill": "nan"}),
            lambda: load({"type": "u16", "dims": [24, 7, 5, 3], "box": [16, 4, 3, 2],
                          "at": [9, 5, -2, 1]}),
            lambda: load({"type": "i32", "dims": [8, 5, 4, 3, 3], "box": [8, 2, 3, 2, 3],
                          "at": [1, -1, 2, 2, -1]}),
            lambda: load({"type": "i64", "dims": [10, 40], "strides": [96], "box": [4, 12],
                          "element_strides": [1, 3], "at": [7, 30]}),
        ],
        "swizzles": [
            lambda: load({"type": "bf16", "dims": [64, 40], "box": [16, 24], "at": [56, 20],
                          "swizzle": "32B", "fill": "nan"}),
            lambda: load({"type": "f16", "dims": [64, 40], "box": [32, 24], "at": [-3, 20],
                          "swizzle": "64B", "fill": "nan"}),
            lambda: load({"type": "f32", "dims": [64, 40], "box": [32, 24], "at": [33, -2],
                          "swizzle": "128B"}),
            lambda: store({"type": "f32", "dims": [64, 40], "box": [32, 24], "at": [33, -2],
                           "swizzle": "128B"}),
        ],
        "stores": [
            lambda: store({"type": "u8", "dims": [100], "box": [64], "at": [70]}),
            lambda: store({"type": "u16", "dims": [24, 7, 5], "box": [16, 4, 3],
                           "at": [9, -2, 3], "element_strides": [1, 2, 1]}),
            lambda: store({"type": "f32", "dims": [8, 5, 4, 3, 3], "box": [8, 2, 3, 2, 3],
                           "at": [1, -1, 2, 2, -1]}),
            lambda: store({"type": "u32", "dims": [64, 8], "box": [32, 4], "at": [40, 6]}, "add"),
            lambda: store({"type": "i32", "dims": [64, 8], "box": [32, 4], "at": [4, 2]}, "min"),
            lambda: store({"type": "f16", "dims": [64, 8], "box": [32, 4], "at": [-4, 2]}, "add"),
            lambda: store({"type": "u64", "dims": [64, 8], "box": [32, 4], "at": [4, 2]}, "xor"),
        ],
        "im2col": [
            lambda: im2col("f16", [9], 3, 24, [16, 12], 5, filter=[2]),
            lambda: im2col("f32", [7, 6], 2, 16, [8, 50], 3, channel=12, filter=[3, 2],
                           fill="nan"),
            lambda: im2col("f16", [8, 8], 2, 32, [32, 16], 8, filter=[2, 2], pad=[0, 0],
                           swizzle="64B"),
            lambda: im2col("u8", [11, 9], 2, 64, [64, 20], 4, filter=[2, 1], pad=[2, 1],
                           step=[2, 3], dilation=[3, 1]),
            lambda: im2col("f32", [5, 4, 3], 2, 8, [8, 70], 31, filter=[2, 1, 2], pad=[1, 0, 1],
                           step=[1, 2, 1]),
            lambda: im2col("u16", [8, 5], 2, 16, [8, 40], 6, channel=4, store=True),
        ],
        "plain": [lambda: plain()] + [
            lambda o=o, k=k: plain(o, k) for o, k in (
                ("add", "f32"), ("add", "f64"), ("add", "bf16"), ("add", "i64"), ("min", "f16"),
                ("max", "i32"), ("inc", "u32"), ("dec", "u32"), ("and", "u64"), ("or", "u32"))],
    }
    for case in groups[GROUP]:
        case()


main()
