//===- LoopFolder.h - Folds repeated bytes into repeat tokens ---*- C++ -*-===//

#ifndef HEDDLE_TRACE_LOOPFOLDER_H
#define HEDDLE_TRACE_LOOPFOLDER_H

#include "trace/ByteCode.h"

namespace heddle::trace {

/// Looks at each arrival at a block whether the bytes since an earlier visit
/// say the same as the bytes before that visit, and if so replaces them by a
/// repeat token. A decoder that starts at the same bytes in the same mask state
/// does the same again, so equal bytes and equal mask states are all it takes;
/// numbers of the other stream go on where they are.
class LoopFolder {
public:
  explicit LoopFolder(size_t NumBlocks) : Last(NumBlocks, None) {}

  void reset();
  /// \p Block is about to be appended to \p Body. Folds what ends here, then
  /// notes the event.
  void arrive(uint32_t Block, const bytecode::MaskState &Masks,
              std::vector<uint8_t> &Body);

private:
  static constexpr uint32_t None = UINT32_MAX;
  /// Iterations that visit their first block up to this often are found.
  static constexpr unsigned MaxVisits = 4;

  struct Event {
    size_t Begin; ///< of its bytes
    uint32_t Block;
    uint32_t Previous;         ///< event of the same block, or None
    uint32_t Repeat;           ///< the repeat that ends at Begin, or None
    bytecode::MaskState Masks; ///< before the event
  };
  struct Repeat {
    size_t Body, Token; ///< [Body, Token) is repeated
    uint64_t Count;
    unsigned Depth;
  };

  bool fold(uint32_t Block, const bytecode::MaskState &Masks,
            std::vector<uint8_t> &Body);
  void dropEventsFrom(uint32_t Index);

  std::vector<uint32_t> Last; ///< by block: its latest event
  std::vector<Event> Events;
  std::vector<Repeat> Repeats; ///< outermost ones, ascending
  uint32_t Ended = None;       ///< the repeat that ends where Body ends
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_LOOPFOLDER_H
