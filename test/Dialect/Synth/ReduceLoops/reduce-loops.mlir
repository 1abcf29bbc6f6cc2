// RUN: heddle-opt %s --synth-reduce-loops="factor=16 min-trips=2" | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: heddle-opt %s --synth-reduce-loops="factors=1,8" | FileCheck %s --check-prefixes=CHECK,EACH
// RUN: heddle-opt %s --synth-reduce-loops | FileCheck %s --check-prefixes=CHECK,NONE

// CHECK-LABEL: synth.kernel @nest
synth.kernel @nest grid [80, 1, 1] threads [256, 1, 1] {
  // ALL: %[[OUTER:.*]] = synth.loop trips [64] reduced_by 16 at_least 2
  // EACH: %[[OUTER:.*]] = synth.loop trips [64]{{$}}
  // NONE: %[[OUTER:.*]] = synth.loop trips [64]{{$}}
  %outer = synth.loop trips [64]
  // ALL: synth.loop within %[[OUTER]] trips [8] reduced_by 16 at_least 2
  // EACH: synth.loop within %[[OUTER]] trips [8] reduced_by 8{{$}}
  // NONE: synth.loop within %[[OUTER]] trips [8]{{$}}
  %inner = synth.loop within %outer trips [8]
  synth.br ^outer
^outer:
  synth.block heads %outer
  synth.br ^inner
^inner:
  synth.block heads %inner
  // CHECK: synth.op "add.f32"
  %v = synth.op "add.f32"
  synth.branch trips %inner ^inner, ^latch
^latch:
  synth.block in %outer
  synth.branch trips %outer ^outer, ^end
^end:
  synth.return
}
