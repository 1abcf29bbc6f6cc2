//===- VectorWidth.h - How wide the host's vectors are ----------*- C++ -*-===//
//
// A core that executes operations on 512 bits runs at a lower clock, for all
// that it does in the next 2/3 of a millisecond. Code that does little with
// vectors is faster on 256.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_VECTORWIDTH_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_VECTORWIDTH_H

namespace llvm {
class Function;
}

namespace heddle {

class LaneLoops;
class LaneShapes;

/// Whether \p F, lowered without counters, is faster on vectors of 256 bits:
/// because most of it runs one lane at a time, or because it streams through
/// memory.
bool prefersNarrowVectors(llvm::Function &F, const LaneShapes &Shapes,
                          const LaneLoops &Loops);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_VECTORWIDTH_H
