//===- TargetsInFlight.h - Global memory under bulk copies ------*- C++ -*-===//

#ifndef HEDDLE_EXEC_TARGETSINFLIGHT_H
#define HEDDLE_EXEC_TARGETSINFLIGHT_H

#include "exec/InFlight.h"

#include <map>

namespace heddle::exec {

/// Which bytes of global memory bulk copies of the blocks that run have
/// written, the last of them each.
class TargetsInFlight {
public:
  struct Target {
    uint64_t End; ///< behind the last byte
    uint64_t Block;
    InFlight::Operation By;
  };

  bool empty() const { return Ranges.empty(); }
  void clear() { Ranges.clear(); }

  /// \p Bytes from \p Address on are written by \p By of \p Block.
  void add(uint64_t Address, uint32_t Bytes, uint64_t Block,
           const InFlight::Operation &By);

  /// Calls \p Visit with those that have one of \p Bytes from \p Address on; it
  /// returns whether to go on.
  template <typename F>
  void forEach(uint64_t Address, uint32_t Bytes, F Visit) const {
    auto It = Ranges.upper_bound(Address);
    if (It != Ranges.begin() && std::prev(It)->second.End > Address)
      --It;
    for (; It != Ranges.end() && It->first < Address + Bytes; ++It)
      if (!Visit(It->second))
        return;
  }

private:
  std::map<uint64_t, Target> Ranges; ///< by the first byte; they do not overlap
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_TARGETSINFLIGHT_H
