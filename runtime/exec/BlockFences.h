//===- BlockFences.h - Fences that the warps of a block ran -----*- C++ -*-===//

#ifndef HEDDLE_EXEC_BLOCKFENCES_H
#define HEDDLE_EXEC_BLOCKFENCES_H

#include <cstdint>
#include <vector>

namespace heddle::exec {

/// Which fences the warps of a thread block have executed: fence.proxy.async,
/// between accesses of threads and those of the asynchronous proxy (bulk
/// copies, wgmma), and wgmma.fence. Time is counted in fences and meetings.
class BlockFences {
public:
  /// A write by a thread, in the generic proxy.
  struct Write {
    uint32_t Time = 0;
    uint32_t Record = 0; ///< of its access
    int16_t Warp = -1;   ///< -1: none

    bool operator==(const Write &) const = default;
  };

  explicit BlockFences(unsigned Warps) : Of(Warps) {}

  Write write(unsigned Warp, uint32_t Record) const {
    return {Now, Record, int16_t(Warp)};
  }
  /// \p Warp executes fence.proxy.async.
  void fence(unsigned Warp) { Of[Warp].Fence = ++Now; }
  /// \p Warp arrives at a barrier, or at something else that others wait for.
  void meet(unsigned Warp);

  /// Whether a fence lies between \p W and a read by the asynchronous proxy for
  /// \p Reader: of the writing warp, of the reading warp after it has met the
  /// other, or of a third one between two meetings.
  bool isFenced(const Write &W, unsigned Reader) const;

  /// wgmma.fence, and how many of them \p Warp has executed.
  void fenceProducts(unsigned Warp) { ++Of[Warp].ProductFences; }
  uint32_t productFences(unsigned Warp) const { return Of[Warp].ProductFences; }

private:
  struct Warp {
    std::vector<uint32_t> Meetings;
    uint32_t Fence = 0;      ///< when the last one was
    uint32_t KnownFence = 0; ///< when the last one before a meeting was
    uint32_t ProductFences = 0;
  };
  std::vector<Warp> Of;
  uint32_t Now = 0;
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_BLOCKFENCES_H
