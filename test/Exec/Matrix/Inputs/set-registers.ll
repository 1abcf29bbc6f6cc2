target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @right() {
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
  ret void
}
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32)
