// RUN: heddle-opt %s -split-input-file -verify-diagnostics --synth-to-nvvm

synth.kernel @first grid [1, 1, 1] threads [32, 1, 1] {
  %v = synth.op "add.f32"
  synth.return
}
// expected-error@+1 {{is the second kernel of its module; lower them one by one}}
synth.kernel @second grid [1, 1, 1] threads [32, 1, 1] {
  %v = synth.op "add.f32"
  synth.return
}

// -----
// expected-error@+1 {{malformed behaviour: the launch is empty or too large}}
synth.kernel @idle grid [1, 1, 1] threads [32, 1, 1] {
  synth.return
}
