// RUN: heddle-opt %s -verify-diagnostics --synth-reduce-grid=factor=100

// expected-error@+1 {{a reduction of the grid by 100 leaves nothing: it has 80 blocks}}
synth.kernel @line grid [80, 1, 1] threads [256, 1, 1] {
  synth.return
}
