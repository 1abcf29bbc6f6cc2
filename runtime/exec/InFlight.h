//===- InFlight.h - Asynchronous operations of a block ----------*- C++ -*-===//

#ifndef HEDDLE_EXEC_INFLIGHT_H
#define HEDDLE_EXEC_INFLIGHT_H

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle::exec {

/// Which asynchronous operations of a thread block may be in flight, as far as
/// its code has made sure. They are executed at once; here they last until
/// something has waited for them.
class InFlight {
public:
  enum Kind : uint8_t {
    None,
    Copy,    ///< cp.async, in groups of a thread
    Store,   ///< a bulk copy from shared memory, in groups of a thread
    Product, ///< wgmma, in groups of a warp
    Load     ///< a bulk copy to shared memory, which completes at an mbarrier
  };
  struct Operation {
    Kind What = None;
    /// The thread, the warp, or where the mbarrier lies, in units of 8 bytes.
    int16_t Who = -1;
    /// From 1 on; of loads the phases of the mbarrier that had ended before.
    uint32_t Group = 0;
    uint32_t Record = 0; ///< of its access

    bool operator==(const Operation &) const = default;
  };
  /// Instead of a warp: whether no warp of the block has made sure.
  static constexpr int AnyWarp = -1;

  explicit InFlight(unsigned Warps);

  /// An operation that begins, in the group that is open.
  Operation begin(Kind What, unsigned Who, uint32_t Record) const;
  /// One that completes at the mbarrier at \p Place in shared memory.
  Operation beginLoad(uint64_t Place, uint32_t Record);
  /// Of the groups of \p Who, all but the last \p Left are awaited; all ones:
  /// the open one ends.
  void wait(Kind What, unsigned Who, uint64_t Left);

  /// The mbarrier at \p Place is set up, or seen in a phase of that parity.
  void setUp(uint64_t Place) { phases(Place).Parity = false; }
  void see(uint64_t Place, bool Parity);
  /// \p Warp has found that the phase before has ended.
  void awaitPhase(uint64_t Place, unsigned Warp);
  /// \p Warp arrives somewhere: the others may know of what it has awaited.
  void meet(unsigned Warp);

  /// Whether \p O may be in flight for all that \p Warp knows.
  bool has(const Operation &O, int Warp) const;

private:
  struct Groups {
    uint32_t Ended = 0, Awaited = 0;
  };
  /// Of an mbarrier: phases that have ended, and as far as warps know.
  struct Phases {
    bool Parity = false;
    uint32_t Ended = 0;
    uint32_t KnownToAll = 0, KnownToAny = 0;
    std::vector<uint32_t> Known; ///< by warp
  };
  Phases &phases(uint64_t Place);

  unsigned Warps;
  std::array<std::vector<Groups>, 3> Asked; ///< from Copy on
  std::map<int16_t, Phases> Barriers;       ///< by Operation::Who
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_INFLIGHT_H
