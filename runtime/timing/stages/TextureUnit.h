//===- TextureUnit.h - Texture pipe of an SM --------------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_STAGES_TEXTUREUNIT_H
#define HEDDLE_TIMING_STAGES_TEXTUREUNIT_H

#include "base/RingBuffer.h"
#include "memory/Cache.h"
#include "memory/Coalescer.h"
#include "timing/units/LoadTable.h"
#include "timing/units/QueueFeeders.h"

namespace heddle::timing {

/// The pipe that reads textures and surfaces: a queue of its own, served in
/// order. An instruction takes as many cycles as its quads of lanes need to be
/// addressed and filtered, or as its lines need to be looked up, a line per
/// cycle. It looks in the texture cache, or in L1 where the machine has none,
/// past the queue of loads and stores. The filter's latency comes on top.
class TextureUnit {
public:
  TextureUnit(SMState &S, LoadTable &Loads, memory::Cache &L1,
              memory::Cache &Textures);

  /// Without it textures are read as loads are.
  bool exists() const { return Spec.QuadsPerCycle > 0; }
  /// Cycles that the read with these footprints takes in the pipe.
  uint16_t cyclesOf(const trace::MemoryAccess &Footprints) const;

  /// A read of \p Cycles that comes to the pipe at \p Start.
  void accept(uint32_t Load, uint32_t PC, unsigned Warp, uint16_t Cycles,
              std::span<const memory::LineAccess> Its, Cycle Start, Cycle Now);
  /// When serve() has something to do, or NeverCycle.
  Cycle next() const { return Next; }
  /// Serves the queue; calls \p Sent(load, warp) with each that has sent all
  /// its requests.
  template <typename F> void serve(Cycle Now, F Sent) {
    while (Next <= Now) {
      const Entry E = Queue.front();
      if (!serveFirst(Now))
        return;
      Sent(E.Load, E.Warp);
    }
  }
  /// A response came, which may have made room.
  void retry() {
    Blocked = false;
    findNext();
  }

  bool blocked() const { return Blocked; }
  size_t queued() const { return Queue.size(); }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[S, Loads, Spec, CacheOf, Cache, Feeders, Queue, Lines, Blocked,
           FreeAt, Next] = *this;
    A(Feeders, Queue, Lines, Blocked, FreeAt, Next); // Cache: MemoryStage
  }

private:
  struct Entry {
    Cycle At = 0; ///< not before
    uint32_t Load = 0, PC = 0;
    uint32_t NumLines = 0, NextLine = 0;
    uint16_t Warp = 0, Cycles = 0;

    template <class Archive> void serialize(Archive &A) {
      auto &[At, Load, PC, NumLines, NextLine, Warp, Cycles] = *this;
      A(At, Load, PC, NumLines, NextLine, Warp, Cycles);
    }
  };

  bool serveFirst(Cycle Now);
  bool lookUp(Entry &E, Cycle Now);
  void findNext() {
    Next = Queue.empty() || Blocked ? NeverCycle
                                    : std::max(FreeAt, Queue.front().At);
  }

  SMState &S;
  LoadTable &Loads;
  const arch::TextureSpec &Spec;
  const arch::CacheSpec &CacheOf; ///< of the cache that it looks in
  memory::Cache &Cache;
  QueueFeeders Feeders;
  RingBuffer<Entry> Queue;
  RingBuffer<memory::LineAccess> Lines; ///< of the entries, in order
  bool Blocked = false;                 ///< until a response comes
  Cycle FreeAt = 0;
  Cycle Next = NeverCycle;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_STAGES_TEXTUREUNIT_H
