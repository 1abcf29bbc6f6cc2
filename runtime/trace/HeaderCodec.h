//===- HeaderCodec.h - Header and code table as bytes -----------*- C++ -*-===//

#ifndef HEDDLE_TRACE_HEADERCODEC_H
#define HEDDLE_TRACE_HEADERCODEC_H

#include "trace/TraceSource.h"

#include <span>

namespace heddle::trace {

std::vector<uint8_t> encodeHeader(const TraceHeader &Header,
                                  const CodeTable &Code);

/// Reads what encodeHeader wrote; the result is verified. Errors name the
/// byte or the entry.
Result<void> decodeHeader(std::span<const uint8_t> Bytes, TraceHeader &Header,
                          CodeTable &Code);

} // namespace heddle::trace

#endif // HEDDLE_TRACE_HEADERCODEC_H
