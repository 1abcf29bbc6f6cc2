//===- StaticTrace.h - Warp traces without execution ------------*- C++ -*-===//
//
// What a warp does, from the kernel and the launch's sizes and arguments alone:
// no buffer is read. docs/StaticTraces.md says how this follows algorithms 1 to
// 3 of the hybrid estimator (HPCA 2019, section III-B) and what is assumed
// where data decides.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRACE_STATICTRACE_H
#define HEDDLE_TRACE_STATICTRACE_H

#include "heddle/ABI/StaticWarp.h"
#include "heddle/Exec/Engine.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace llvm {
class Instruction;
} // namespace llvm

namespace heddle {

struct StaticTraceOptions {
  HeddleBlockHook OnBlock = nullptr;
  HeddleMemoryHook OnMemory = nullptr;
  HeddleReachHook OnReach = nullptr;
  /// Where data decides a branch: the guarded code runs (the paper's rule), or
  /// each lane runs it with this probability.
  std::optional<double> TakenProbability;
  /// Iterations of a loop that only data ends.
  uint64_t DataIterations = 16;
  /// The same of one loop, where it is known better (LoopIterations.h).
  std::map<unsigned, uint64_t> Iterations;
  /// Address and size of the buffer that holds an address, or of the first
  /// buffer; an access whose index is data falls anywhere in it.
  std::function<std::pair<uint64_t, uint64_t>(uint64_t Address)> BufferOf;
};

/// The first branch or access of \p Kernel, a control slice, that depends on
/// loaded data, so that a static trace has to assume something; null if none
/// does.
const llvm::Instruction *firstDataDecision(const llvm::Function &Kernel);

/// An engine that evaluates control and addresses of \p Kernel, a prepared
/// kernel or (faster) its control slice. Its warps pass barriers, read no
/// memory but parameters and constants, and write none. Fails for what it
/// cannot evaluate, with the source line.
llvm::Expected<std::unique_ptr<Engine>>
createStaticEngine(const llvm::Function &Kernel, const GlobalAddresses &Globals,
                   const StaticTraceOptions &Options);

} // namespace heddle

#endif // HEDDLE_TRACE_STATICTRACE_H
