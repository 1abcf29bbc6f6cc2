//===- BranchFit.h - What decides a branch ----------------------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_BRANCHFIT_H
#define HEDDLE_BEHAVIOR_BRANCHFIT_H

#include "behavior/AccessFit.h"

namespace heddle::behavior {

/// Looks for a sum of thread index, block index and iteration numbers, or its
/// remainder by a power of two, whose values on one side of the branch form an
/// interval that those of the other side stay out of. Fills in IsFixed and what
/// belongs to it, and swaps Taken and Other where the interval is Other's. If
/// no sum alone does, two are looked for whose intervals hold at once.
/// \p Went and \p Stayed are lanes that took Taken and Other.
void fitBranch(std::span<const AddressSample> Went,
               std::span<const AddressSample> Stayed, const Dim3 &Threads,
               const Dim3 &Grid, Branch &Out);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_BRANCHFIT_H
