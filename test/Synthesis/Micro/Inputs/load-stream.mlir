// 64 blocks read 16 MiB: in each iteration each warp touches every second
// sector of the next 2 KiB, and no sector is touched twice.
synth.kernel @load_stream grid [64, 1, 1] threads [256, 1, 1] registers 32 {
  %data = synth.array global 33554432
  %loop = synth.loop trips [16]
  %sum = synth.register
  synth.op "mov.b32" into %sum
  synth.br ^body
^body:
  synth.block heads %loop
  %next = synth.access %data load 4 bytes affine at <64 * tid.x + 16384 * ctaid.x + 1048576 * i0>
  %value = synth.op "ld.global.b32" at %next
  synth.op "add.f32"(%sum, %value) into %sum
  synth.branch trips %loop ^body, ^end
^end:
  %result = synth.access %data store 4 bytes affine at <4 * tid.x + 1024 * ctaid.x>
  synth.op "st.global.b32"(%sum) at %result
  synth.return
}
