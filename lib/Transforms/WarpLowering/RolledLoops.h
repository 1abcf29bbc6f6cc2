//===- RolledLoops.h - Undoes unrolling for lanes that go alone -*- C++ -*-===//
//
// A lane that runs a loop alone gains nothing from a loop unrolled by the
// device's compiler: it has two loops to leave where the source has one, each
// with a jump that the host cannot predict. So such loops get a third one
// beside them, of single rounds, for the lanes for which it is seen at run time
// that the parts of the unrolled loop go on where the other ends.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_ROLLEDLOOPS_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_ROLLEDLOOPS_H

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace heddle {

class KernelClone;
class LaneLoops;

/// By the header of a rolled loop: 2^this of its rounds are a basic block that
/// a warp in lockstep executes.
using RolledLoops = llvm::DenseMap<const llvm::BasicBlock *, unsigned>;

/// Adds a rolled loop for each unrolled one in which all lanes run alone.
/// \p Loops are no longer true if any is added.
RolledLoops rollLoops(KernelClone &Clone, const LaneLoops &Loops);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_ROLLEDLOOPS_H
