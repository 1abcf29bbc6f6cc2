; What a slice keeps: branches, addresses, and what they are computed from.
; RUN: %heddle kernels %s --emit-slice --opt-level 0 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@tile = addrspace(3) global [64 x i32] poison
@other = addrspace(3) global [64 x float] poison

; The values go, the addresses stay.
; CHECK-LABEL: ptx_kernel void @values(
; CHECK: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: load float, {{.*}} !heddle.address.only
; CHECK-NOT: fmul
; CHECK: store float poison, {{.*}} !heddle.address.only
; CHECK-NOT: !heddle.address.only
; CHECK: ret void
define ptx_kernel void @values(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %w
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %w
  %v = load float, ptr addrspace(1) %pa
  %s = fmul float %v, 3.0
  store float %s, ptr addrspace(1) %pb
  ret void
}

; A loaded index keeps its load, and the stores to the same buffer with their
; values; those to another buffer lose theirs.
; CHECK-LABEL: ptx_kernel void @gather(
; CHECK: load i32, ptr addrspace(1) %p, align 4{{$}}
; CHECK: %next = add i32 %i, 1
; CHECK: store i32 %next, ptr addrspace(1) %p, align 4{{$}}
; CHECK: load float, ptr addrspace(1) %q, {{.*}} !heddle.address.only
; CHECK: store float poison, {{.*}} !heddle.address.only
define ptx_kernel void @gather(ptr addrspace(1) %index, ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %index, i64 %w
  %i = load i32, ptr addrspace(1) %p
  %next = add i32 %i, 1
  store i32 %next, ptr addrspace(1) %p
  %wi = sext i32 %i to i64
  %q = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %q
  %r = getelementptr float, ptr addrspace(1) %y, i64 %w
  store float %v, ptr addrspace(1) %r
  ret void
}

; Shared memory that decides a branch keeps its stores and the barrier; the
; other array keeps neither.
; CHECK-LABEL: ptx_kernel void @flags(
; CHECK: load i32, {{.*}}align 4{{$}}
; CHECK: store i32 %{{.*}}@tile{{.*}}
; CHECK: store float poison, {{.*}} !heddle.address.only
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(
; CHECK: load i32, {{.*}}@tile
; CHECK: br i1
define ptx_kernel void @flags(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) %in
  store i32 %v, ptr addrspace(3) @tile
  %f = sitofp i32 %v to float
  store float %f, ptr addrspace(3) @other
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %u = load i32, ptr addrspace(3) @tile
  %c = icmp sgt i32 %u, 0
  br i1 %c, label %more, label %done
more:
  store i32 1, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; Without data between warps the barriers go; an atomic stays for its address.
; CHECK-LABEL: ptx_kernel void @count(
; CHECK-NOT: barrier
; CHECK: atomicrmw add ptr addrspace(1) {{.*}}, i32 poison {{.*}} !heddle.address.only
; CHECK: ret void
define ptx_kernel void @count(ptr addrspace(1) %bins, ptr addrspace(1) %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %w
  %v = load i32, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(3) @tile
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %bins, i64 %w
  %old = atomicrmw add ptr addrspace(1) %q, i32 %v seq_cst
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
