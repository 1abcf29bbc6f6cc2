//===- WorkLoops.h - Loops that take work from a counter --------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_WORKLOOPS_H
#define HEDDLE_ANALYSIS_WORKLOOPS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AtomicRMWInst;
class BasicBlock;
class Function;
} // namespace llvm

namespace heddle {

struct WorkLoop {
  const llvm::BasicBlock *Header;
  const llvm::AtomicRMWInst *Counter;
};

/// The loops of \p Kernel whose rounds take work from a counter that others
/// take from as well, as persistent kernels do: an atomic addition,
/// subtraction, increment or decrement at the same address in every round,
/// whose result decides whether there is another. The result may go through
/// shared memory, shuffles and flags. How much work a warp gets depends on who
/// asks when, so blocks cannot run one after the other: the first would take
/// everything.
llvm::SmallVector<WorkLoop, 2> workLoops(const llvm::Function &Kernel);

/// Whether blocks take work from one counter: it is not in shared memory.
bool sharesWork(const llvm::Function &Kernel);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_WORKLOOPS_H
