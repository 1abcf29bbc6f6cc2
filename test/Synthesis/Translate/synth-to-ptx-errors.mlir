// RUN: not heddle-translate --synth-to-ptx --split-input-file %s 2>&1 | FileCheck %s
// CHECK: {{.*}}error: malformed behaviour: the launch is empty or too large
// CHECK: error: a module with one synth.kernel is one PTX file
synth.kernel @idle grid [1, 1, 1] threads [32, 1, 1] {
  synth.return
}

// -----
synth.kernel @first grid [1, 1, 1] threads [32, 1, 1] {
  %v = synth.op "add.f32"
  synth.return
}
synth.kernel @second grid [1, 1, 1] threads [32, 1, 1] {
  %v = synth.op "add.f32"
  synth.return
}
