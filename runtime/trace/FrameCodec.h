//===- FrameCodec.h - Thread blocks as bytes --------------------*- C++ -*-===//
//
// A frame holds consecutive thread blocks: each distinct body once, and the
// bases of all warps as differences from what the warps before predict. The
// numbers of all bodies stand apart, since they compress differently.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRACE_FRAMECODEC_H
#define HEDDLE_TRACE_FRAMECODEC_H

#include "trace/TraceVerifier.h"

#include <deque>
#include <string_view>
#include <unordered_map>

namespace heddle::trace {

/// Predicts the first address of a memory record: that of the same warp in the
/// block before, moved as the last warp moved; where there is none, that of
/// the warp before, moved by the last step from warp to warp.
class BasePredictor {
public:
  BasePredictor(unsigned WarpsPerBlock, size_t NumRecords);
  void reset();
  uint64_t predict(unsigned Warp, uint32_t Record) const;
  void update(unsigned Warp, uint32_t Record, uint64_t Base);

private:
  struct PerRecord {
    uint64_t Move = 0; ///< from block to block
    uint64_t Last = 0; ///< of any warp
    uint64_t Step = 0; ///< from warp to warp
  };
  struct PerWarp {
    uint64_t Base = 0;
    bool Known = false;
  };
  std::vector<PerRecord> Records;
  std::vector<PerWarp> Warps; ///< [warp][record]
};

/// The lanes of warp \p Warp that hold threads.
uint32_t liveLanes(const TraceHeader &Header, unsigned Warp);

/// A frame before compression. What warps do and the numbers that data decide
/// compress differently: where there are many numbers, they are worth a section
/// of their own.
struct FrameBytes {
  std::vector<uint8_t> Bytes;
  size_t Cut; ///< where the numbers begin, or the end
};

/// Collects thread blocks.
class FrameBuilder {
public:
  FrameBuilder(const TraceHeader &Header, const CodeTable &Code);
  /// Fails if a warp of \p Block could not be replayed.
  Result<void> add(const BlockTrace &Block);
  uint64_t numBlocks() const { return NumBlocks; }
  /// About as many bytes as take() would return.
  size_t sizeBytes() const {
    return BodyBytes + WarpCodes.size() + Bases.size();
  }
  /// The bytes of the frame; what follows is the next one.
  FrameBytes take();

  const TraceCounts &counts() const { return Counts; } ///< of all frames
  uint64_t numBodies() const { return NumBodies; }     ///< stored in all frames

private:
  const TraceHeader &Header;
  BodyVerifier Verifier;
  BasePredictor Predictor;
  uint64_t NumBlocks = 0;
  std::deque<std::vector<uint8_t>> Bodies;
  std::vector<BodySummary> Summaries;
  std::unordered_map<std::string_view, uint32_t> BodyNumbers;
  size_t BodyBytes = 0;
  std::vector<uint32_t> LastBody; ///< of each warp
  uint32_t NewBodies = 0;         ///< that some warp of the frame has had
  std::vector<uint8_t> WarpCodes, Bases;
  TraceCounts Counts;
  uint64_t NumBodies = 0;
};

/// The thread blocks of one frame, verified.
class Frame {
public:
  /// Reads what FrameBuilder::take returned. Errors name byte or warp.
  static Result<Frame> parse(const TraceHeader &Header, const CodeTable &Code,
                             std::vector<uint8_t> Bytes);
  uint64_t numBlocks() const { return NumBlocks; }
  uint64_t numBodies() const { return Bodies.size(); }
  const TraceCounts &counts() const { return Counts; }
  /// Fills \p Out with the \p Index-th block of the frame.
  void read(uint64_t Index, BlockTrace &Out) const;

private:
  struct Warp {
    uint32_t Body;
    uint32_t NumBases;
    uint64_t FirstBase;
  };
  Result<void> readBodies(bytecode::ByteReader &Numbers, const CodeTable &Code,
                          std::span<const std::span<const uint8_t>> Controls,
                          std::vector<BodySummary> &Summaries);
  std::vector<uint8_t> Bytes;
  uint64_t NumBlocks = 0;
  std::vector<bytecode::BodyStreams> Bodies; ///< within Bytes
  std::vector<WarpCounts> BodyCounts;
  std::vector<Warp> Warps; ///< [block][warp]
  std::vector<uint64_t> Bases;
  TraceCounts Counts;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_FRAMECODEC_H
