// RUN: heddle-opt %s --synth-reduce-grid=factor=4 | FileCheck %s
// RUN: heddle-opt %s --synth-reduce-grid="factor=4 min-blocks=300" | FileCheck %s --check-prefix=LEAST
// RUN: heddle-opt %s --synth-reduce-grid=factor=2 --synth-reduce-grid=factor=2 | FileCheck %s

// CHECK: synth.kernel @rows grid [32, 8, 1] of [32, 32, 1] threads
// LEAST: synth.kernel @rows grid [30, 10, 1] of [32, 32, 1] threads
synth.kernel @rows grid [32, 32, 1] threads [16, 16, 1] {
  synth.return
}

// CHECK: synth.kernel @line grid [20, 1, 1] of [80, 1, 1] threads
// LEAST: synth.kernel @line grid [80, 1, 1] threads
synth.kernel @line grid [80, 1, 1] threads [256, 1, 1] {
  synth.return
}

// Slices go before rows.
// CHECK: synth.kernel @slices grid [4, 4, 2] of [4, 4, 8] threads
// LEAST: synth.kernel @slices grid [4, 4, 8] threads
synth.kernel @slices grid [4, 4, 8] threads [256, 1, 1] {
  synth.return
}
