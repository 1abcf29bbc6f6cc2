"""Executes every row of PTXInstructions.def in both engines and compares what
comes out: execute-rows.py UTILS HEDDLE SCRATCH

Each row is one instruction per type, with the first of each group of words,
and one more per other word. What is not executed is printed with its reason."""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from ptx_rows import rows

heddle, scratch = sys.argv[2], pathlib.Path(sys.argv[3])
WARP = 32
REGION = 64  # bytes of a lane in each space

# Rows that are not executed here, and why.
SKIPPED = {
    "tex": "it needs an image: test/PTX/textures.test",
    "tld4": "it needs an image: test/PTX/textures.test",
    "suld": "it needs an image: test/PTX/textures.test",
    "sust": "it needs an image: test/PTX/textures.test",
    "txq": "it needs an image: test/PTX/textures.test",
    "suq": "it needs an image: test/PTX/textures.test",
    "trap": "it ends the launch",
    "call": "it stands for what is not executed: test/PTX/PTXLifter/calls.test",
    "mbarrier": "it needs its own words of memory: test/Exec/mbarrier.test",
    "wgmma": "it needs a warp group of sm_90a: test/Exec/Matrix",
    "setmaxnreg": "it needs a warp group of sm_90a: test/Exec/Matrix",
    "alloca": "it gives an address: test/PTX/PTXLifter/alloca.test",
    "stacksave": "it gives an address: test/PTX/PTXLifter/alloca.test",
    "stackrestore": "it gives an address: test/PTX/PTXLifter/alloca.test",
}
# Words that no row can be given alone.
WITHOUT = {
    ("bar", "arrive"): "it needs a second warp",
    ("barrier", "arrive"): "it needs a second warp",
    ("barrier", "wait"): "its turn is after an arrive: test/Exec/clusters.test",
    ("ld", "param"): "an argument: every kernel here begins with such loads",
    ("ld", "param::entry"): "as ld.param",
    ("ld", "param::func"): "as ld.param",
    ("st", "param"): "a kernel has nothing to write there",
    ("red", "async"): "it needs its own words of memory: test/Exec/cluster-library.test",
    ("st", "async"): "it needs its own words of memory: test/Exec/remote-barriers.test",
    ("cvta", "param"): "no address of an argument is taken here",
    ("cvta", "param::entry"): "no address of an argument is taken here",
}
# Rows whose operands the lifting reads itself, or that ask for certain ones.
TEMPLATES = {
    "mma": ["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {D0,D1,D2,D3}, {h2,h2b,h2,h2b}, {h2,h2b}, {f,fb,f,fb}",
            "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {D0,D1}, {h2,h2b,h2,h2b}, {h2,h2b}, {h2,h2b}",
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {D0,D1,D2,D3}, {f,fb,f,fb}, {f,fb}, {f,fb,f,fb}",
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {D0,D1,D2,D3}, {e2,e2b,e2,e2b}, {e2,e2b}, {f,fb,f,fb}",
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {D0,D1,D2,D3}, {r,rb,r,rb}, {r,rb}, {r,rb,r,rb}",
            "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {D0,D1,D2,D3}, {r,rb,r,rb}, {r,rb}, {r,rb,r,rb}",
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {D0,D1,D2,D3}, {r,rb}, {r,rb}, {r,rb,r,rb}, rc, 1"],
    "wmma": ["wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {D0,D1,D2,D3,D4,D5,D6,D7}, {h2,h2b,h2c,h2,h2b,h2c,h2,h2b}, "
             "{h2b,h2c,h2,h2b,h2c,h2,h2b,h2c}, {f,fb,fc,f,fb,fc,f,fb}",
             "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {D0,D1}, {r}, {rb}, {r, rb}",
             "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {D0,D1}, {r}, {rb}, {r, rb}",
             "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {D0,D1,D2,D3,D4,D5,D6,D7}, [sh16], 16",
             "wmma.load.b.sync.aligned.row.m16n16k16.global.s8 {D0,D1}, [gl]",
             "wmma.store.d.sync.aligned.col.m16n16k16.shared::cta.f16 [sh], {h2,h2b,h2c,h2}"],
    "stmatrix": ["stmatrix.sync.aligned.m8n8.x1.shared.b16 [sh16], {r}",
                 "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [sh16], {r, rb, rc, r}"],
    "movmatrix": ["movmatrix.sync.aligned.m8n8.trans.b16 D0, r"],
    "ldmatrix": ["ldmatrix.sync.aligned.m8n8.x1.shared.b16 {D0}, [sh16]",
                 "ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 {D0,D1}, [sh16]",
                 "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {D0,D1,D2,D3}, [sh16]"],
    "math": ["math.cbrt.f32 D0, f", "math.erf.f64 L0, d", "math.ldexp.f32 D0, f, small"],
    "special": ["special.globaloffset.x D0", "special.workdim D0"],
    "cp": ["cp.async.ca.shared.global [sh16], [gl], 4", "cp.async.cg.shared::cta.global [sh16], [gl], 16, 8",
           "cp.async.ca.shared.global.L2::128B [sh16], [gl], 8", "cp.async.commit_group", "cp.async.wait_group 0",
           "cp.async.wait_all", "cp.async.bulk.commit_group", "cp.async.bulk.wait_group.read 0"],
    "createpolicy": ["createpolicy.fractional.L2::evict_first.b64 L0, 0f3F800000"],
    "prefetch": ["prefetch.global.L1 [gl]", "prefetch.L2 [gl]"],
    "prefetchu": ["prefetchu.L1 [gl]"],
    "discard": ["discard.global.L2 [gl], 128"],
    "applypriority": ["applypriority.global.L2::evict_normal [gl], 128"],
    "membar": ["membar.cta", "membar.gl", "membar.sys"],
    "fence": ["fence.acq_rel.cta", "fence.sc.gpu", "fence.proxy.async"],
    "activemask": ["activemask.b32 D0"],
    "mov": ["mov.b64 L0, {r, rb}", "mov.b64 {D0, D1}, l", "mov.b32 {H0, H1}, r", "mov.u32 D0, %laneid", "mov.u32 D0, WARP_SZ"],
}
NAMES = {"f16": "h", "bf16": "e", "f16x2": "h2", "bf16x2": "e2", "f32": "f", "f64": "d", "f32x2": "ff"}
INTEGERS = {1: "p", 8: "s", 16: "s", 32: "r", 64: "l"}
SPACES = {"global": "gl", "shared": "sh", "shared::cta": "sh", "const": "cn", "local": "lo"}
RESULTS = {1: "P", 8: "H", 16: "H", 32: "D", 64: "L"}
RESULT_BITS = {"P": 1, "H": 16, "D": 32, "L": 64}


def bits_of(name):
    if name == "pred":
        return 1
    if name in ("e4m3x2", "e5m2x2"):
        return 16
    bits, _, packed = name.lstrip("bfsut").partition("x")
    return int(bits) * int(packed or 1)


def register(name, number):
    """An input of the type called so."""
    return NAMES.get(name, INTEGERS[bits_of(name)]) + ["", "b", "c", "d"][number]


def variants(row):
    """The words between name and type: the first of each group, then each other."""
    first = [None if optional else words[0] for words, optional in row.groups()]
    yield first, True
    for number, (words, optional) in enumerate(row.groups()):
        for word in words if optional else words[1:]:
            yield first[:number] + [word] + first[number + 1:], False


def type_choices(row, words, is_first):
    lists = [[name for name, _ in names] for names in row.type_lists()]
    if row.name == "cvt" and len(lists[0]) > 3 and not is_first:
        to, source = next((pair for word, pair in {
            "rn": ("f32", "s32"), "rz": ("f32", "f64"), "rm": ("f64", "u64"), "rp": ("f32", "u32"), "rni": ("s32", "f32"),
            "rzi": ("u8", "f32"), "rmi": ("f32", "f32"), "rpi": ("s64", "f64"), "ftz": ("f64", "f32"),
            "sat": ("u8", "s32")}.items() if word in words), (None, None))
        return [[to, source]]
    if not lists:
        return [[]]
    choices = [[name] for name in lists[0]] if len(lists) == 1 else [[a, b] for a in lists[0] for b in lists[1]]
    return choices if is_first else choices[:1]


def statement(row, words, names):
    """The instruction with operands, and the results that it writes."""
    words = [{"L1::*": "L1::evict_last", "L2::*": "L2::128B"}.get(word, word) for word in words if word]
    opcode = ".".join([row.name] + words + names)
    elements = next((int(word[1:]) for word in words if re.fullmatch("v[248]", word)), 1)
    space = next((SPACES[word] for word in words if word in SPACES), "gl")
    count, results, fields = {}, [], []
    kind = names[-1] if names else "b32"

    def result(letter):
        name = {"T": kind, "D": names[0] if names else kind, "p": "pred", "i": "b32", "l": "b64"}.get(letter)
        bits = 2 * bits_of(kind) if letter == "W" else bits_of(name)
        number = count[bits] = count.get(bits, -1) + 1
        results.append((bits, number))
        return f"{RESULTS[bits]}{number}"

    sides = row.sides()
    for letter in sides[0]:
        if letter.endswith("*"):
            parts = [result(letter[0]) for _ in range(elements)]
            fields.append("{" + ", ".join(parts) + "}" if elements > 1 else parts[0])
        else:
            fields.append("|".join(result(part) for part in letter.split("|")))
    number = 0
    for letter in sides[1]:
        optional, letter = letter.endswith("?"), letter.rstrip("?")
        if optional and not (letter == "p" and {"and", "or", "xor"} & set(words)):
            continue
        if letter == "A":
            fields.append(f"[{space}]")
        elif letter.endswith("*"):
            parts = [register(kind, (number + i) % 2) for i in range(elements)]
            fields.append("{" + ", ".join(parts) + "}" if elements > 1 else parts[0])
        elif letter in "TDW":
            name = kind if letter == "T" or not names else names[0]
            if letter == "W":
                name = "b" + str(2 * bits_of(kind))
            fields.append(space if row.name == "cvta" else register(name, number % 3))
            number += 1
        elif letter == "p":
            fields.append("p")
        elif letter == "i":
            fields.append(["small", "smallb"][number % 2])
            number += 1
        else:
            fields.append(letter)
    return opcode + (" " + ", ".join(fields) if fields else ""), results


def instructions():
    """(statement, results) of all rows, and the names that have none."""
    executed, reasons, done = [], {}, set()
    by_template = set(TEMPLATES) - {"mov"}
    for row in rows():
        if row.lift == "refused":
            words = "".join("." + group for group in row.modifiers.split())
            kinds = "." + row.types.replace(" . ", ".").replace(" ", "|") if row.types else ""
            reasons.setdefault("refused", []).append(row.name + words + kinds)
        elif row.lift == "control" or row.name in SKIPPED:
            reasons.setdefault("control flow" if row.lift == "control" else SKIPPED[row.name], []).append(row.name)
        for text in TEMPLATES.pop(row.name, []):
            executed.append((text, [(RESULT_BITS[letter], int(number)) for letter, number in
                                    re.findall(r"\b([PHDL])(\d)\b", text)]))
        if row.lift in ("refused", "control") or row.name in SKIPPED or row.name in by_template:
            continue
        for words, is_first in variants(row):
            left_out = next((WITHOUT[row.name, word] for word in words if (row.name, word) in WITHOUT), None)
            if left_out:
                reasons.setdefault(left_out, []).append(f"{row.name}.{[w for w in words if (row.name, w) in WITHOUT][0]}")
                continue
            for names in type_choices(row, words, is_first):
                # Of floating-point numbers there are only sums and exchanges.
                if row.name in ("atom", "red") and names[0].startswith("f") and not {"add", "exch"} & set(words):
                    continue
                text, results = statement(row, words, names)
                if text.split()[0] not in done:
                    done.add(text.split()[0])
                    executed.append((text, results))
    return executed, reasons


PROLOGUE = """.version 8.8
.target sm_90
.address_size 64
.const .align 16 .b8 table[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
.visible .entry rows(.param .u64 .ptr .global .align 16 out, .param .u64 .ptr .global .align 16 memory)
{
  .reg .pred p, pb, pc, P<3>;
  .reg .b16 s, sb, sc, h, hb, hc, e, eb, ec, H<9>;
  .reg .b32 r, rb, rc, f, fb, fc, h2, h2b, h2c, e2, e2b, e2c, small, smallb, tid, t, D<9>;
  .reg .b64 l, lb, lc, d, db, dc, gl, sh, sh16, cn, lo, to, w, L<9>, ff, ffb, ffc;
  .shared .align 16 .b8 block[2048];
  .local .align 16 .b8 frame[64];
  ld.param.u64 to, [out];
  ld.param.u64 gl, [memory];
  mov.u32 tid, %tid.x;
  mul.wide.u32 w, tid, 8;
  add.s64 to, to, w;
  mul.wide.u32 w, tid, 64;
  add.s64 gl, gl, w;
  mov.u64 sh, block;
  mul.wide.u32 lc, tid, 16;
  add.s64 sh16, sh, lc;
  add.s64 sh, sh, w;
  mov.u64 cn, table;
  mov.u64 lo, frame;
  mad.lo.u32 r, tid, 0x9e3779b1, 0x1234567;
  mad.lo.u32 rb, r, 0x85ebca6b, 0x13579bdf;
  or.b32 rb, rb, 1;
  mad.lo.u32 rc, rb, 0xc2b2ae35, 17;
  // Lane 3 has zeros, and one lane in four the same twice.
  and.b32 t, tid, 3; setp.eq.u32 p, t, 1; setp.eq.u32 pb, tid, 3;
  @p mov.b32 rb, r; @pb mov.b32 r, 0;
  cvt.u16.u32 s, r; cvt.u16.u32 sb, rb; or.b16 sb, sb, 1; cvt.u16.u32 sc, rc;
  mul.wide.u32 l, r, rb; mul.wide.s32 lb, rb, rc; or.b64 lb, lb, 1; mul.wide.u32 lc, rc, r;
  @p or.b64 l, l, 1; @p mov.b64 lb, l; @p or.b16 s, s, 1;
  and.b32 small, r, 15; add.u32 smallb, small, 3;
  cvt.rn.f32.u32 f, small; fma.rn.f32 f, f, 0f3E800000, 0fBF000000;
  cvt.rn.f32.u32 fb, smallb; @p mov.b32 fb, f; fma.rn.f32 fc, f, fb, fb;
  cvt.f64.f32 d, f; cvt.f64.f32 db, fb; cvt.f64.f32 dc, fc;
  cvt.rn.f16.f32 h, f; cvt.rn.f16.f32 hb, fb; cvt.rn.f16.f32 hc, fc;
  cvt.rn.bf16.f32 e, f; cvt.rn.bf16.f32 eb, fb; cvt.rn.bf16.f32 ec, fc;
  cvt.rn.f16x2.f32 h2, f, fb; cvt.rn.f16x2.f32 h2b, fb, fc; cvt.rn.f16x2.f32 h2c, fc, f;
  cvt.rn.bf16x2.f32 e2, f, fb; cvt.rn.bf16x2.f32 e2b, fb, fc; cvt.rn.bf16x2.f32 e2c, fc, f;
  mov.b64 ff, {f, fb}; mov.b64 ffb, {fb, fc}; mov.b64 ffc, {fc, f};
  and.b32 t, r, 1; setp.eq.u32 p, t, 0; setp.lt.u32 pb, tid, 16; setp.ne.u32 pc, tid, 5;
"""


def main():
    executed, reasons = instructions()
    lines, slots = [], []

    def keep(register, text):
        lines.append(f"  st.global.b64 [to+{len(slots) * 8 * WARP}], {register};")
        slots.append(text)

    for space, pointer in (("shared", "sh"), ("local", "lo"), ("global", "gl")):
        for offset in range(0, REGION, 8):
            lines.append(f"  st.{space}.u64 [{pointer}+{offset}], lb;")
    for text, results in executed:
        lines.append(f"  {text};")
        for bits, number in results:
            source = f"{RESULTS[bits]}{number}"
            if bits == 1:
                lines.append(f"  selp.u32 t, 1, 0, {source};")
            if bits < 64:
                lines.append(f"  cvt.u64.u{max(bits, 16) if bits > 1 else 32} w, {'t' if bits == 1 else source};")
            keep("w" if bits < 64 else source, text)
        for space, pointer in (("shared", "sh"), ("shared", "sh16"), ("local", "lo"), ("global", "gl")):
            if re.match(r"(st|red|atom|cp)\b.*\[" + pointer + "[]]", text):
                lines.append(f"  ld.{space}.b64 w, [{pointer}];")
                keep("w", text)
    ptx = scratch / "rows.ptx"
    scratch.mkdir(parents=True, exist_ok=True)
    ptx.write_text(PROLOGUE + "\n".join(lines) + "\n  ret;\n}\n")
    contents = []
    for engine in ("jit", "interpreter"):
        dump = scratch / f"{engine}.bin"
        done = subprocess.run(
            [heddle, "run", ptx, "--arch", "sm_90", "--grid", "1", "--block", str(WARP), "--engine", engine, "-q", "--arg",
             f"out:u64[{len(slots) * WARP}]=zero", "--arg", f"memory:u64[{REGION // 8 * WARP}]=iota", "--dump", f"out={dump}"],
            capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        contents.append(dump.read_bytes())
    different = [text for number, text in enumerate(slots)
                 if len({c[number * 8 * WARP:(number + 1) * 8 * WARP] for c in contents}) > 1]
    for text in dict.fromkeys(different):
        print("engines differ:", text)
    print(f"{len(executed)} instructions executed, {len(slots)} results compared, {len(different)} different")
    for reason, names in sorted(reasons.items()):
        print(f"not executed, {reason}: {' '.join(dict.fromkeys(names))}")


if __name__ == "__main__":
    main()
