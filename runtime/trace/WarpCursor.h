//===- WarpCursor.h - Replays what one warp did -----------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_WARPCURSOR_H
#define HEDDLE_TRACE_WARPCURSOR_H

#include "trace/RecordState.h"
#include "trace/TraceSource.h"

#include <span>
#include <stdexcept>

namespace heddle::trace {

/// Steps through the block events of a WarpTrace in memory that does not grow
/// with the trace.
///
///   WarpCursor C(Code, Trace);
///   while (C.next())                         // one basic block
///     for (const HeddleInst &I : Code.insts(C.block()))
///       if (I.Memory != HEDDLE_NO_MEMORY)
///         use(C.access(I.Memory), I.ByteOffset);
///
/// The trace must be verified (TraceVerifier; TraceReader has done it) or come
/// from a WarpEncoder. The code table and the trace must outlive the cursor.
class alignas(64) WarpCursor {
public:
  WarpCursor() = default;
  WarpCursor(const CodeTable &Code, const WarpTrace &Trace) {
    reset(Code, Trace);
  }
  WarpCursor(WarpCursor &&) = default;
  WarpCursor &operator=(WarpCursor &&) = default;

  /// Starts on another warp; cheaper than a new cursor.
  void reset(const CodeTable &Code, const WarpTrace &Trace) {
    reset(Code, Trace.Body, Trace.Bases);
  }
  /// The same for a warp whose parts lie elsewhere.
  void reset(const CodeTable &Code, std::span<const uint8_t> Body,
             std::span<const uint64_t> Bases);

  /// Moves to the next block event; false at the end.
  bool next() {
    while (At != End) {
      if (Depth && At == Stack[Depth - 1].Token) {
        Repeat &R = Stack[Depth - 1];
        if (R.Left == 0) {
          At = R.After;
          --Depth;
        } else {
          --R.Left;
          At = R.Body;
        }
        continue;
      }
      uint64_t Token = *At;
      if ((Token & (128 | bytecode::TokenMaskChanged)) == 0 && Token >= 4)
          [[likely]] {
        ++At;
        Block = uint32_t(Token >> 2) - 1;
        if (!(Token & bytecode::TokenPredicted))
          return readRecords();
        predictRecords();
        return true;
      }
      if (readToken())
        return true;
    }
    return false;
  }

  uint32_t block() const { return Block; }
  uint32_t mask() const { return Masks.Current; }

  /// The access of memory record \p Record, which belongs to block(). Valid
  /// until next().
  const MemoryAccess &access(uint32_t Record) const {
    return States[Record].Access;
  }

  /// Brings what next() reads into the host's cache.
  void prefetch() const {
    for (unsigned Line = 0; Line != 3; ++Line)
      __builtin_prefetch(reinterpret_cast<const char *>(this) + 64 * Line, 1);
  }
  /// The same for the bytes of the trace.
  void prefetchBytes() const {
    __builtin_prefetch(At);
    __builtin_prefetch(NextNumber);
  }

  /// As long as it is the same, so are the distances between the addresses of
  /// the record's lanes, in this warp and in those that reset() brought.
  uint32_t shape(uint32_t Record) const { return States[Record].Shape; }

  /// Of a saved state: where the cursor stands. It was reset to the same warp.
  template <class Archive> void serialize(Archive &A) {
    auto &[At, End, Code, Masks, Block, Depth, States, NextNumber, EndNumbers,
           NextBase, EndBase, Stack, Begin] = *this;
    serializePlace(A, Begin, Begin, End, At);
    serializePlace(A, EndNumbers, NextNumber, EndNumbers, NextNumber);
    serializePlace(A, EndBase, NextBase, EndBase, NextBase);
    A(Block, Depth, Masks, States);
    if (Depth > bytecode::MaxRepeatDepth ||
        (Code && Block >= Code->Blocks.size()))
      throw std::runtime_error("a warp stands where its code does not lead");
    for (Repeat *R = Stack; R != Stack + Depth; ++R) {
      auto &[Token, Body, After, Left] = *R;
      for (const uint8_t **Each : {&Token, &Body, &After})
        serializePlace(A, Begin, Begin, End, *Each);
      A(Left);
    }
  }

private:
  struct Repeat {
    const uint8_t *Token, *Body, *After;
    uint64_t Left;
  };

  /// \p To as a distance from \p From. What is read must lie between \p First
  /// and \p Last.
  template <class Archive, typename T>
  static void serializePlace(Archive &A, const T *From, const T *First,
                             const T *Last, const T *&To) {
    int64_t Distance = To - From;
    A(Distance);
    if (Distance < First - From || Distance > Last - From)
      throw std::runtime_error("a warp stands outside its trace");
    To = From + Distance;
  }

  CodeReader reader() const {
    return {{At, End}, {NextNumber, EndNumbers}, NextBase, EndBase};
  }
  bool readToken();
  bool readRecords();
  void predictRecords() {
    const HeddleBlock &B = Code->Blocks[Block];
    uint32_t Mask = Masks.Current;
    for (uint32_t R = B.FirstMemory, E = R + B.NumMemory; R != E; ++R) {
      RecordState &S = States[R];
      S.Access.Base += S.Delta;
      S.Access.Mask = Mask;
    }
  }
  bool stop() {
    At = End;
    return false;
  }

  // What next() reads comes first, in three lines of the host's cache; repeats
  // are seldom more than two deep.
  const uint8_t *At = nullptr, *End = nullptr; ///< of the control stream
  const CodeTable *Code = nullptr;
  bytecode::MaskState Masks;
  uint32_t Block = 0;
  uint32_t Depth = 0;
  RecordStates States;
  const uint8_t *NextNumber = nullptr, *EndNumbers = nullptr;
  const uint64_t *NextBase = nullptr, *EndBase = nullptr;
  Repeat Stack[bytecode::MaxRepeatDepth];
  const uint8_t *Begin = nullptr;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_WARPCURSOR_H
