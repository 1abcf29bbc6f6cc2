//===- BulkReduction.h - Reductions of bulk copies --------------*- C++ -*-===//

#ifndef HEDDLE_EXEC_BULKREDUCTION_H
#define HEDDLE_EXEC_BULKREDUCTION_H

#include <cstdint>

namespace heddle::exec {

/// Whether PTX (ISA 8.8, cp.reduce.async.bulk) has the HeddleBulkReduction
/// \p Operation for elements of the HeddleTensorType \p Type.
bool reduces(uint8_t Operation, uint8_t Type);

/// Combines the elements at \p Global with those at \p Shared, \p Bytes of
/// them, each in one step that no other thread sees half done.
void reduceAt(uint8_t Operation, uint8_t Type, uint64_t Global, uint64_t Shared,
              uint32_t Bytes);

} // namespace heddle::exec

#endif // HEDDLE_EXEC_BULKREDUCTION_H
