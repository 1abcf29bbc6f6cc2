//===- Benchmarks.h - PTX micro-benchmarks ----------------------*- C++ -*-===//
//
// The kernels with which `heddle calibrate` measures a GPU, as the hybrid
// estimator does (HPCA 2019, section III-C): throughput per operation and type,
// pointer chasing, bandwidths. They are LLVM IR that Heddle's own PTX back end
// turns into PTX. docs/Commands/calibrate.md lists them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CALIBRATION_BENCHMARKS_H
#define HEDDLE_CALIBRATION_BENCHMARKS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace heddle {

/// A chain of operations, each of which needs the result of the one before:
///   void op_NAME(u64 *cycles, T *sink, u32 rounds, T a, T b)
/// cycles[warp] gets the clocks between a barrier and the end of the chain.
struct OperationBenchmark {
  std::string Entry;     ///< name of the kernel
  std::string Operation; ///< "CLASS.TYPE" as machine files have it
  unsigned TypeBytes = 4;
  unsigned PerRound = 0; ///< operations of one round of the loop
};

/// What one module of PTX holds. Besides the operations:
///   void chase_global(u64 *cycles, u64 *sink, u32 rounds, u64 start)
///   void chase_constant(u64 *cycles, u64 *sink, u32 rounds, u64 start)
///     follows pointers, ChasePerRound of them in a round, by one thread;
///     constant: offsets into the variable `chase_table` of ChaseTableBytes
///   void chase_shared(u64 *cycles, u64 *sink, u32 rounds, u64 stride)
///     the same in shared memory, in a ring that the kernel makes
///   void stream(float4 *from, float4 *sink, u32 count, u32 rounds)
///     every thread reads float4s, a grid apart, and goes around
///   void empty()
struct BenchmarkProgram {
  std::string PTX;
  std::vector<OperationBenchmark> Operations;
  unsigned ChasePerRound = 0;
  uint64_t ChaseTableBytes = 0;
};

/// \p Arch is "sm_NN".
llvm::Expected<BenchmarkProgram> emitBenchmarks(llvm::StringRef Arch);

/// PTX of kernels whose measured time holds more than one number of a machine:
///   void init(double *a, double c, u32 n)           a[i] = c
///   void quarter(double *a, const double *b, u32 n) a[i] = 0.25 * b[i]
/// one element per thread.
llvm::Expected<std::string> emitTimedKernels(llvm::StringRef Arch);

} // namespace heddle

#endif // HEDDLE_CALIBRATION_BENCHMARKS_H
