//===- LateWrites.h - What asynchronous copies still have to write -*- C++
//-*-===//

#ifndef HEDDLE_EXEC_LATEWRITES_H
#define HEDDLE_EXEC_LATEWRITES_H

#include "exec/InFlight.h"

#include <vector>

namespace heddle::exec {

/// Engines execute copies at once. Under --check their bytes are taken out of
/// memory again, and written when something has waited for the copy: who does
/// not wait reads what was there before.
class LateWrites {
public:
  struct Write {
    uint64_t Address;
    uint64_t Block; ///< whose operation it is
    InFlight::Operation By;
    bool IsShared;
    std::vector<uint8_t> Bytes; ///< that memory does not show
  };

  /// The engine is about to write \p Bytes bytes at \p Address for \p By.
  void begin(uint64_t Address, uint32_t Bytes, uint64_t Block,
             const InFlight::Operation &By, bool IsShared);
  /// The engine has written all that was begun: memory shows what it did
  /// before.
  void takeOut();
  /// Writes what \p IsDone says of, in the order in which it was begun.
  template <typename F> void land(F IsDone) {
    takeOut();
    std::erase_if(Writes, [&](const Write &W) {
      const bool Lands = IsDone(W);
      if (Lands)
        show(W);
      return Lands;
    });
    Out = Writes.size();
  }
  void landAll() {
    land([](const Write &) { return true; });
  }
  /// The blocks end: all global writes; what shared memory would get is no
  /// longer there.
  void end();

private:
  static void show(const Write &W);

  std::vector<Write> Writes;
  size_t Out = 0; ///< of Writes, those that memory does not show
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_LATEWRITES_H
