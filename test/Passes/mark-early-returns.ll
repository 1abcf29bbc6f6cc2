; RUN: %opt -passes=heddle-mark-early-returns %s | FileCheck %s
;
; if (t >= n) { out[t] = 0; return; } __syncthreads(); out[t] = 1;

; The path that leaves before the barrier of the others is marked; theirs is not.
; CHECK-LABEL: @k(
; CHECK: leave:
; CHECK-NEXT: store i32 0
; CHECK-NEXT: call void @heddle.early.return(i32 0)
; CHECK: stay:
; CHECK-NOT: heddle.early.return
; CHECK: ret void
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  %c = icmp sge i32 %t, %n
  br i1 %c, label %leave, label %stay
leave:
  store i32 0, ptr addrspace(1) %p
  br label %end
stay:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Without a barrier there is nothing to keep apart.
; CHECK-LABEL: @plain(
; CHECK-NOT: heddle.early.return
; CHECK: ret void
define ptx_kernel void @plain(ptr addrspace(1) %out, i32 %n) {
  %c = icmp sge i32 %n, 3
  br i1 %c, label %leave, label %end
leave:
  store i32 0, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
