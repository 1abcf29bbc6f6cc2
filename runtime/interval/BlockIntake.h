//===- BlockIntake.h - Thread blocks, each body once ------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_BLOCKINTAKE_H
#define HEDDLE_INTERVAL_BLOCKINTAKE_H

#include "base/Result.h"
#include "interval/IntervalProfile.h"
#include "trace/TraceVerifier.h"

#include <algorithm>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::interval {

/// As profiles hold sizes of blocks.
inline uint32_t short32(uint64_t N) {
  return uint32_t(std::min<uint64_t>(N, UINT32_MAX));
}

struct BlockSize {
  uint64_t Insts = 0;
  uint64_t Chain = 0; ///< of the longest warp
  uint64_t ThreadInsts = 0;
};

/// A thread block whose warps refer to bodies that the intake keeps, or hold
/// their own where they have no class.
struct HeldBlock {
  static constexpr uint32_t NoClass = ~0u;
  struct Warp {
    std::span<const uint8_t> Body;
    uint32_t Class = NoClass;
    uint32_t FirstBase = 0, NumBases = 0;
  };
  uint64_t Index = 0;
  BlockSize Size;
  std::vector<Warp> Warps;
  std::vector<uint64_t> Bases; ///< of all warps
  std::vector<uint8_t> Own;    ///< bodies without class

  std::span<uint64_t> bases(const Warp &W) {
    return {Bases.data() + W.FirstBase, W.NumBases};
  }
  /// The block as a trace that stands alone.
  trace::BlockTrace copy();
};

/// Reads blocks and finds out which warps have equal bodies: these form the
/// classes of \p Out, at most 512. Further bodies count in whatever class their
/// hash falls.
class BlockIntake {
public:
  BlockIntake(trace::TraceSource &Source, IntervalProfile &Out)
      : Source(Source), Out(Out), Verifier(Out.Code) {}

  Result<void> read(uint64_t Index, HeldBlock &Block);

private:
  static constexpr size_t MaxClasses = 512;
  /// Of all classes together: bounds the memory.
  static constexpr size_t MaxStoredBlocks = size_t(1) << 24;

  uint32_t classOf(const trace::WarpTrace &W, size_t Number);
  uint32_t makeClass(const trace::WarpTrace &W, const trace::WarpCounts &C);
  trace::WarpCounts count(const trace::WarpTrace &W, size_t Number);

  trace::TraceSource &Source;
  IntervalProfile &Out;
  trace::BodyVerifier Verifier;
  trace::BlockTrace Scratch;
  std::unordered_map<size_t, std::vector<uint32_t>> ByHash;
  size_t Hash = 0;                         ///< of the body looked at last
  std::deque<std::vector<uint8_t>> Bodies; ///< of the classes
  std::vector<trace::WarpCounts> Counts;   ///< of the classes
  std::vector<uint32_t> Latest; ///< class of each warp in the block before
  size_t StoredBlocks = 0;
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_BLOCKINTAKE_H
