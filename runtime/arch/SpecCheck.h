//===- SpecCheck.h - What no single field can say ---------------*- C++ -*-===//

#ifndef HEDDLE_ARCH_SPECCHECK_H
#define HEDDLE_ARCH_SPECCHECK_H

#include "arch/GPUSpec.h"

#include <optional>
#include <string>

namespace heddle::arch {

struct FieldError {
  std::string Field;   ///< where it shows best
  std::string Message; ///< goes on from the field's name
};

/// Derives what follows from other fields: the size of an L2 slice, limits
/// that are not given.
void completeSpec(GPUSpec &Spec);

/// Missing fields, and fields that contradict each other.
std::optional<FieldError> checkSpec(const GPUSpec &Spec);

} // namespace heddle::arch

#endif // HEDDLE_ARCH_SPECCHECK_H
