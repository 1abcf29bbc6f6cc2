//===- CanonicalOrder.h - Numbers that tell nothing -------------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_CANONICALORDER_H
#define HEDDLE_BEHAVIOR_CANONICALORDER_H

#include "behavior/BehaviorProfile.h"

namespace heddle::behavior {

/// Numbers registers (from 1, results before operands) and accesses (from 0)
/// in the order in which the blocks' chains name them, so that they follow from
/// the chains; drops accesses that no instruction makes.
void canonicalize(Profile &P);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_CANONICALORDER_H
