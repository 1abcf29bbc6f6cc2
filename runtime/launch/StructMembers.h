//===- StructMembers.h - Structs given member by member ---------*- C++ -*-===//

#ifndef HEDDLE_LAUNCH_STRUCTMEMBERS_H
#define HEDDLE_LAUNCH_STRUCTMEMBERS_H

#include "base/Result.h"
#include "launch/Launch.h"

#include <utility>

namespace heddle::launch {

/// Lays out the members of a struct as C does: each at the next multiple of its
/// own alignment, the whole rounded up to the largest one. The elements of a
/// vector are aligned like an array's; wider alignment takes explicit padding.
class StructMembers {
public:
  /// Appends \p Member. A buffer is a pointer; local memory, images and
  /// samplers cannot be members.
  Result<void> add(const Argument &Member);
  /// Leaves out \p SizeBytes.
  Result<void> pad(uint64_t SizeBytes);
  /// The struct of the members so far.
  BytesArg finish();

private:
  uint8_t *append(uint64_t SizeBytes, uint32_t Alignment);

  BytesArg Struct;
};

/// The most bytes of parameters that a kernel takes (PTX ISA: 32764 from
/// sm_70 on).
constexpr uint64_t MaxStructBytes = 32764;

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_STRUCTMEMBERS_H
