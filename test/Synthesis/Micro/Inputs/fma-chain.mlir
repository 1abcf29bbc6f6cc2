// One warp; each of its fused multiply-adds waits for the one before.
synth.kernel @fma_chain grid [1, 1, 1] threads [32, 1, 1] registers 16 {
  %loop = synth.loop trips [1000]
  %sum = synth.register
  %factor = synth.op "mov.b32"
  synth.op "mov.b32" into %sum
  synth.br ^body
^body:
  synth.block heads %loop
  synth.op "fma.rn.f32"(%factor, %factor, %sum) into %sum
  synth.op "fma.rn.f32"(%factor, %factor, %sum) into %sum
  synth.op "fma.rn.f32"(%factor, %factor, %sum) into %sum
  synth.op "fma.rn.f32"(%factor, %factor, %sum) into %sum
  synth.op "fma.rn.f32"(%factor, %factor, %sum) into %sum
  synth.op "fma.rn.f32"(%factor, %factor, %sum) into %sum
  synth.op "fma.rn.f32"(%factor, %factor, %sum) into %sum
  synth.op "fma.rn.f32"(%factor, %factor, %sum) into %sum
  synth.branch trips %loop ^body, ^end
^end:
  synth.return
}
