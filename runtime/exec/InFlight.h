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
    Write,   ///< what a Store writes in global memory, in the same groups
    Load     ///< a bulk copy to shared memory, which completes at an mbarrier
  };
  struct Operation {
    Kind What = None;
    /// The thread, the warp, or where the mbarrier lies, in units of 8 bytes.
    int16_t Who = -1;
    /// From 1 on; of loads the phases of the mbarrier that had ended before.
    uint32_t Group = 0;
    uint32_t Record = 0;    ///< of its access
    uint32_t HandOvers = 0; ///< of a Copy: those of its thread before it

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
  /// the open one ends. A Store only has to be read then, a Write is done.
  void wait(Kind What, unsigned Who, uint64_t Left);
  /// The copies of \p Thread until now complete at the mbarrier at \p Place,
  /// in the phase that it is in (cp.async.mbarrier.arrive).
  void handOver(unsigned Thread, uint64_t Place);

  /// The mbarrier at \p Place is set up, or seen in a phase of that parity.
  void setUp(uint64_t Place) { phases(Place).Parity = false; }
  void see(uint64_t Place, bool Parity);
  /// \p Warp has found that the phase before has ended.
  void awaitPhase(uint64_t Place, unsigned Warp);
  /// \p Warp arrives somewhere: the others may know of what it has awaited.
  void meet(unsigned Warp);

  /// Whether the copy \p O completes at an mbarrier.
  bool isHandedOver(const Operation &O) const {
    return O.HandOvers < HandedOver[size_t(O.Who)].size();
  }

  /// Whether \p O may be in flight for all that \p Warp knows.
  bool has(const Operation &O, int Warp) const;

private:
  struct Groups {
    uint32_t Ended = 0, Awaited = 0;
    uint32_t Written = 0; ///< of a Store: awaited with what it writes
  };
  /// What an operation completes at: an mbarrier, and its phases before.
  struct Completion {
    int16_t Who;
    uint32_t Group;
  };
  /// Of an mbarrier: phases that have ended, and as far as warps know.
  struct Phases {
    bool Parity = false;
    uint32_t Ended = 0;
    uint32_t KnownToAll = 0, KnownToAny = 0;
    std::vector<uint32_t> Known; ///< by warp
  };
  Phases &phases(uint64_t Place);
  bool isKnown(const Completion &C, int Warp) const;

  unsigned Warps;
  std::array<std::vector<Groups>, 3> Asked;        ///< from Copy on
  std::map<int16_t, Phases> Barriers;              ///< by Operation::Who
  std::vector<std::vector<Completion>> HandedOver; ///< by thread
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_INFLIGHT_H
