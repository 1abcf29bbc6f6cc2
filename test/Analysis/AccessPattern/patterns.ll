; Accesses of each pattern, with sectors and lines per request of a warp, or passes over
; the banks of shared memory.
; RUN: opt -load-pass-plugin=%plugin -passes='print<heddle-access-pattern>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: Access pattern of patterns:
; CHECK-NEXT: load 4 B global in: affine threadIdx.x:4 (4 sectors, 1 lines)
; CHECK-NEXT: load 4 B global in: affine threadIdx.x:256 (32 sectors, 32 lines)
; CHECK-NEXT: load 4 B global in: uniform blockIdx.x:4 (1 sectors, 1 lines)
; CHECK-NEXT: load 4 B global in: data by in[...]
; CHECK-NEXT: store 4 B shared tile: affine threadIdx.x:4 (0 bank-conflict replays)
; CHECK-NEXT: store 4 B shared tile: affine threadIdx.x:128 (31 bank-conflict replays)
; CHECK-NEXT: load 4 B shared tile: affine threadIdx.x:132 (0 bank-conflict replays)
; CHECK-NEXT: store 4 B global out: affine threadIdx.x:-4 (4 sectors, 1 lines)

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
@tile = internal addrspace(3) global [1056 x float] undef

define ptx_kernel void @patterns(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %pitch) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = zext i32 %tid to i64
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ; neighbours
  %a0 = getelementptr float, ptr addrspace(1) %in, i64 %t
  %v0 = load float, ptr addrspace(1) %a0
  ; a column
  %col = mul i64 %t, 64
  %a1 = getelementptr float, ptr addrspace(1) %in, i64 %col
  %v1 = load float, ptr addrspace(1) %a1
  ; one for all
  %a2 = getelementptr float, ptr addrspace(1) %in, i32 %cta
  %v2 = load float, ptr addrspace(1) %a2
  ; where data says
  %d = fptosi float %v0 to i32
  %a3 = getelementptr float, ptr addrspace(1) %in, i32 %d
  %v3 = load float, ptr addrspace(1) %a3
  ; shared memory: without conflicts, and all lanes in one bank
  %s0 = getelementptr float, ptr addrspace(3) @tile, i64 %t
  store float %v0, ptr addrspace(3) %s0
  %bank = mul i64 %t, 32
  %s1 = getelementptr float, ptr addrspace(3) @tile, i64 %bank
  store float %v1, ptr addrspace(3) %s1
  %pad = mul i64 %t, 33
  %s2 = getelementptr float, ptr addrspace(3) @tile, i64 %pad
  %v4 = load float, ptr addrspace(3) %s2
  ; neighbours the other way round
  %back = sub i64 31, %t
  %o = getelementptr float, ptr addrspace(1) %out, i64 %back
  store float %v4, ptr addrspace(1) %o
  ret void
}
