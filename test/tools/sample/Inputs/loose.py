"""Prints an application whose launches of one kernel take very different times per instruction:
three in four are small, where the launch itself takes most of the time."""

print("launches:")
buffers = ("{name: a, type: f32, count: 65536, init: {uniform: [0.0, 1.0], seed: 1}}",
           "{name: b, type: f32, count: 65536, init: zero}")
for step in range(60):
    blocks = 512 if step % 4 == 3 else 2 + step % 5
    a, b = buffers if step == 0 else ("{name: a}", "{name: b}")
    print(f"  - {{kernel: smooth, grid: {blocks}, block: 128, "
          f"args: [{{buffer: {a}}}, {{buffer: {b}}}, {{i32: 65536}}]}}")
