//===- Dispatcher.h - Gives thread blocks to SMs ----------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_DISPATCHER_H
#define HEDDLE_TIMING_DISPATCHER_H

#include "timing/CacheWarmer.h"
#include "timing/LaunchControl.h"
#include "timing/SMContext.h"

#include <functional>
#include <memory>
#include <stdexcept>
#include <tuple>

namespace heddle::timing {

/// Blocks start in the order of their linear index, round robin over the SMs
/// and then wherever a CTA slot becomes free. SMs run alone for a window, so
/// each is given some blocks ahead and starts them itself at the cycle in which
/// a slot becomes free; when blocks run out, those that wait move to SMs that
/// have room. All decisions fall between windows, from the state of all SMs:
/// where more blocks start within a window than the dispatcher can start
/// (launch.blocks_per_cycle), the next ones wait until it has caught up.
///
/// The blocks of a cluster start in the same cycle on SMs of one GPC, spread
/// over as many of them as there are. Clusters are given out between windows
/// alone, where a GPC has room for a whole one: the GPC with the most.
class Dispatcher {
public:
  /// \p Control, which may be null, says which blocks to leave out; \p Warmer
  /// takes those that only warm the caches.
  Dispatcher(trace::TraceSource &Source, const arch::GPUSpec &Spec,
             std::vector<std::unique_ptr<SMContext>> &SMs,
             LaunchControl *Control, CacheWarmer &Warmer);

  /// Hands out blocks; \p Now is the end of the last window. To make the first
  /// ones takes long where they are executed: none follows once \p GoesOn says
  /// no.
  Result<void> distribute(Cycle Now, const std::function<bool()> &GoesOn);
  uint64_t given() const { return NextBlock; }
  uint64_t total() const { return Total; }
  /// The first cycle after the dispatcher has had time to start all blocks that
  /// have started. Within one window more may start.
  Cycle allStarted() const;
  /// Calls \p Do with each block that was given out, in this order.
  template <typename F> Result<void> readGiven(F Do) {
    trace::BlockTrace Block;
    const unsigned Size = Shape.blocksPerCluster();
    for (uint64_t N = 0; N != NextBlock; ++N) {
      const uint64_t Index = Size > 1 ? Shape.block(N / Size, N % Size) : N;
      if (Result<void> Read = Source.read(Index, Block); !Read)
        return Read;
      Do(Block);
    }
    return {};
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Source, Spec, SMs, Control, Warmer, NextBlock, Total, Shape,
           BlocksPerSM, FirstWave, Started, CaughtUp, WindowBegin, Holding,
           Turns] = *this;
    A(NextBlock, FirstWave, Started, CaughtUp, WindowBegin, Holding);
    if (NextBlock > Total)
      throw std::runtime_error("it has blocks that the launch has not");
    // Whoever chooses among blocks is not saved, and warms nothing.
  }

private:
  Result<void> skip();
  Result<void> giveTo(SMContext &SM, Cycle NotBefore);
  Result<void> firstWave(const std::function<bool()> &GoesOn);
  void rebalance(Cycle Now);
  Result<void> distributeClusters(Cycle Now,
                                  const std::function<bool()> &GoesOn);
  void limitRate(Cycle Now);
  uint64_t started() const;
  double caughtUpWith(uint64_t All) const;
  unsigned toldOn(unsigned SM) const;
  unsigned aheadPerSM() const;

  trace::TraceSource &Source;
  const arch::GPUSpec &Spec;
  std::vector<std::unique_ptr<SMContext>> &SMs;
  LaunchControl *Control;
  CacheWarmer &Warmer;
  uint64_t NextBlock = 0, Total = 0;
  const Clusters Shape;
  unsigned BlocksPerSM;
  uint64_t FirstWave = 0; ///< blocks, which start when they are told to
  uint64_t Started = 0;   ///< blocks, at the end of the last window
  double CaughtUp = 0;    ///< when the dispatcher is done with them
  Cycle WindowBegin = 0;  ///< of the last window
  bool Holding = false;   ///< SMs are told to wait
  /// Scratch of limitRate(): since when a block has a slot, which, and where.
  std::vector<std::tuple<Cycle, unsigned, unsigned>> Turns;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_DISPATCHER_H
