; The root stays under its condition, which it did not without the pass.
; RUN: %opt -passes='heddle-hold-math-calls,function(simplifycfg)' -S %s | FileCheck %s
; RUN: %opt -passes='function(simplifycfg)' -S %s | FileCheck %s --check-prefix=WITHOUT

target triple = "nvptx64-nvidia-cuda"

; CHECK: br i1 %positive, label %root, label %end
; CHECK: call float @llvm.sqrt.f32
; WITHOUT-NOT: br i1
define float @k(float %gap, float %other) {
  %positive = fcmp ogt float %gap, 0.0
  br i1 %positive, label %root, label %end
root:
  %r = call float @llvm.sqrt.f32(float %gap)
  br label %end
end:
  %v = phi float [ %other, %0 ], [ %r, %root ]
  ret float %v
}

declare float @llvm.sqrt.f32(float)
