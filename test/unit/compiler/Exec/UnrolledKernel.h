//===- UnrolledKernel.h - A loop as a device compiler unrolls it -*- C++ -*-==//

#ifndef HEDDLE_TEST_UNIT_COMPILER_EXEC_UNROLLEDKERNEL_H
#define HEDDLE_TEST_UNIT_COMPILER_EXEC_UNROLLEDKERNEL_H

#include <string>

namespace heddle::test {

/// A sum of floats two links away whose loop is unrolled four times, with the
/// rest before it. \p Third is what is added in the third copy; the main loop
/// starts \p Gap elements after the rest.
inline std::string unrolledKernel(const std::string &Third = "%c2",
                                  int Gap = 0) {
  auto round = [](const std::string &N, const std::string &At,
                  const std::string &Sum, const std::string &Added) {
    return "  %a" + N + " = getelementptr i8, ptr %" + At + "\n  %b" + N +
           " = load i32, ptr %a" + N + "\n  %p" + N +
           " = getelementptr i32, ptr %columns, i32 %b" + N + "\n  %d" + N +
           " = load i32, ptr %p" + N + "\n  %q" + N +
           " = getelementptr i32, ptr %columns, i32 %d" + N + "\n  %e" + N +
           " = load i32, ptr %q" + N + "\n  %c" + N + " = sitofp i32 %e" + N +
           " to float\n  %m" + N + " = fmul float %" + Sum + ", 0.75\n  %s" +
           N + " = fadd float %m" + N + ", " + Added + "\n";
  };
  return R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %rows, ptr %columns, ptr %bins, ptr %sums,
                          ptr %odd) {
top:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %rows, i32 %t
  %first = load i32, ptr %p
  %q = getelementptr i32, ptr %p, i32 1
  %end = load i32, ptr %q
  %out = getelementptr i32, ptr %sums, i32 %t
  %none = icmp eq i32 %first, %end
  br i1 %none, label %exit, label %entry
entry:
  %count = sub i32 %end, %first
  %few = and i32 %count, 3
  %even = icmp eq i32 %few, 0
  br i1 %even, label %join, label %before.rest
before.rest:
  %byte = shl i32 %first, 2
  %start = getelementptr i8, ptr %columns, i32 %byte
  br label %rest
rest:
  %left = phi i32 [ %few, %before.rest ], [ %less, %rest ]
  %at = phi ptr [ %start, %before.rest ], [ %next, %rest ]
  %i = phi i32 [ %first, %before.rest ], [ %i1, %rest ]
  %sum = phi float [ 2.0, %before.rest ], [ %sr, %rest ]
)" + round("r", "at, i32 0", "sum", "%cr") +
         R"(
  %i1 = add i32 %i, 1
  %next = getelementptr i8, ptr %at, i32 4
  %less = add i32 %left, -1
  %over = icmp eq i32 %less, 0
  br i1 %over, label %join, label %rest
join:
  %joined = phi float [ 2.0, %entry ], [ %sr, %rest ]
  %only = phi i32 [ poison, %entry ], [ %er, %rest ]
  %i2 = phi i32 [ %first, %entry ], [ %i1, %rest ]
  %back = sub i32 %first, %end
  %short = icmp ugt i32 %back, -4
  br i1 %short, label %exit, label %before.main
before.main:
  %four = sub i32 %end, %i2
  %from = add i32 %i2, )" +
         std::to_string(Gap) + R"(
  %bytes = shl i32 %from, 2
  %ahead = add i32 %bytes, 8
  %start4 = getelementptr i8, ptr %columns, i32 %ahead
  br label %main
main:
  %left4 = phi i32 [ %four, %before.main ], [ %less4, %main ]
  %at4 = phi ptr [ %start4, %before.main ], [ %next4, %main ]
  %sum4 = phi float [ %joined, %before.main ], [ %s3, %main ]
)" + round("0", "at4, i32 -8", "sum4", "%c0") +
         round("1", "at4, i32 -4", "s0", "%c1") +
         round("2", "at4, i32 0", "s1", Third) +
         round("3", "at4, i32 4", "s2", "%c3") +
         R"(
  %next4 = getelementptr i8, ptr %at4, i32 16
  %less4 = add i32 %left4, -4
  %over4 = icmp eq i32 %less4, 0
  br i1 %over4, label %exit, label %main
exit:
  %result = phi float [ 2.0, %top ], [ %joined, %join ], [ %s3, %main ]
  %last = phi i32 [ -1, %top ], [ %only, %join ], [ %e3, %main ]
  %bits = bitcast float %result to i32
  %mixed = xor i32 %bits, %last
  store i32 %mixed, ptr %out
  ret void
})";
}

} // namespace heddle::test

#endif // HEDDLE_TEST_UNIT_COMPILER_EXEC_UNROLLEDKERNEL_H
