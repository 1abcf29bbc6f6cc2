//===- BlockRaces.h - Races between thread blocks ---------------*- C++ -*-===//

#ifndef HEDDLE_EXEC_BLOCKRACES_H
#define HEDDLE_EXEC_BLOCKRACES_H

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle::exec {

/// Which blocks have touched which bytes of global memory, so that a plain
/// write that changes what another block reads or writes is found, whatever
/// order the blocks ran in. Blocks that write the same value do not race (one
/// that writes what is there does, if another block changes it later), and
/// atomic updates race with plain writes only. Where several blocks update a
/// byte and one of the updates shows their order, that is told as well.
class BlockRaces {
public:
  /// An ordered update shows which updates went before.
  enum class Kind { Read, Write, Update, OrderedUpdate };
  struct Race {
    uint64_t Address;
    uint32_t Record;       ///< of the later access
    uint32_t Block, Other; ///< numbers of the blocks
    std::array<uint32_t, 3> Thread;
    bool IsOrder = false; ///< no race, but updates whose order shows
  };

  /// Notes that a lane of \p Block is about to access \p Bytes at \p Address.
  void access(uint64_t Address, uint32_t Bytes, Kind What, const Race &Place);
  /// The races of the accesses noted before, which have now happened.
  std::vector<Race> settle();
  /// Whether there was more memory than is watched.
  bool isFull() const { return Full; }

private:
  static constexpr uint64_t PageBytes = 256;
  static constexpr uint64_t MaxPages = 65536; ///< 16 MiB of the kernel's memory
  struct Byte {
    /// Blocks; -1: none. A keeper wrote what was there.
    int32_t Writer = -1, Reader = -1, Updater = -1, Keeper = -1;
    bool ManyReaders = false, ManyUpdaters = false, ManyKeepers = false;
    bool Ordered = false;
  };
  using Page = std::array<Byte, PageBytes>;
  struct Write {
    Race Place;
    uint8_t Old;
  };

  Byte *at(uint64_t Address);
  void update(Byte &B, bool Ordered, const Race &Place);

  std::unordered_map<uint64_t, std::unique_ptr<Page>> Pages;
  std::vector<Write> Pending;
  std::vector<Race> Found;
  bool Full = false;
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_BLOCKRACES_H
