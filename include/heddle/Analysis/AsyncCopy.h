//===- AsyncCopy.h - Asynchronous copies in IR ------------------*- C++ -*-===//
//
// cp.async is one call in IR, of the intrinsic that LLVM has for it. It has two
// memory records: of the global memory that it reads and, behind it, of the
// shared memory that it writes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_ASYNCCOPY_H
#define HEDDLE_ANALYSIS_ASYNCCOPY_H

#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace heddle {

/// Each lane copies so many bytes.
struct AsyncCopy {
  const llvm::Value *To, *From;
  unsigned Bytes; ///< 4, 8 or 16
  /// The bytes that are read, zeros follow; null: all.
  const llvm::Value *Read;
};

/// What \p Call copies if it is such a call.
std::optional<AsyncCopy> asyncCopy(const llvm::CallBase &Call);

/// What groupsInFlight says of the end of a group.
inline constexpr uint64_t GroupEnds = ~uint64_t(0);

/// How many groups of copies may be in flight behind \p Call, GroupEnds if it
/// ends one; none if it is no such call.
std::optional<uint64_t> groupsInFlight(const llvm::CallBase &Call);

/// Whether \p Call ends a group of copies or waits for some: nothing when it is
/// executed, since copies are done at once.
bool isCopyGroup(const llvm::CallBase &Call);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_ASYNCCOPY_H
