//===- TraceAddresses.h - Addresses as traces have them ---------*- C++ -*-===//

#ifndef HEDDLE_EXEC_TRACEADDRESSES_H
#define HEDDLE_EXEC_TRACEADDRESSES_H

#include "heddle/ABI/AddressMap.h"
#include "heddle/ABI/WarpKernel.h"

#include <cstdint>

namespace heddle::exec {

/// Takes the addresses of one access of \p W from the arena (AddressMap.h) to
/// what traces have: device addresses, offsets into the block's window, offsets
/// into the thread's frame, ranks and offsets in the shared memory of the
/// cluster. \p Space is the record's; the result says where an
/// access of a GENERIC one points. All lanes are translated; the results of
/// those outside \p Mask have no meaning.
HeddleMemorySpace toTraceAddresses(const HeddleWarp &W, HeddleMemorySpace Space,
                                   uint32_t Mask, const uint64_t *Addresses,
                                   uint64_t *Translated);

} // namespace heddle::exec

#endif // HEDDLE_EXEC_TRACEADDRESSES_H
