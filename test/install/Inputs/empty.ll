target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @empty() {
  ret void
}
