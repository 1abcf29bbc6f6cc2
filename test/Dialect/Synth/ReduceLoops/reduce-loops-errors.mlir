// RUN: heddle-opt %s -split-input-file -verify-diagnostics --synth-reduce-loops=factor=16
// RUN: not heddle-opt %s -split-input-file --synth-reduce-loops=factors=2,2 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not heddle-opt %s -split-input-file --synth-reduce-loops=factors=12 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: not heddle-opt %s -split-input-file --synth-reduce-loops=factor=0 2>&1 | FileCheck %s --check-prefix=ZERO
// COUNT: reduce-loops-errors.mlir:[[#@LINE+5]]:1: error: 2 factors for 1 loops; give one for each
// EACH: error: a reduction by 12 leaves nothing: no loop has more than 8 iterations
// ZERO: error: a factor of 0 leaves nothing

// expected-error@+1 {{a reduction by 16 leaves nothing: no loop has more than 8 iterations}}
synth.kernel @short grid [80, 1, 1] threads [256, 1, 1] {
  %loop = synth.loop trips [8]
  synth.br ^body
^body:
  synth.block heads %loop
  synth.branch trips %loop ^body, ^end
^end:
  synth.return
}

// -----
// expected-error@+1 {{a reduction by 16 leaves nothing: no loop has more than 0 iterations}}
synth.kernel @straight grid [80, 1, 1] threads [256, 1, 1] {
  synth.return
}
