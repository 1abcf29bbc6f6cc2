//===- Dispatcher.cpp - Gives thread blocks to SMs ------------------------===//

#include "timing/Dispatcher.h"

#include "arch/ClusterPlacement.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::timing;

Dispatcher::Dispatcher(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                       std::vector<std::unique_ptr<SMContext>> &SMs,
                       LaunchControl *Control, CacheWarmer &Warmer)
    : Source(Source), Spec(Spec), SMs(SMs), Control(Control), Warmer(Warmer),
      Total(Source.header().Grid.count()),
      Shape{Source.header().Grid, Source.header().Cluster},
      BlocksPerSM(SMs.front()->freeSlots()) {}

/// Moves on to the next block that is simulated.
Result<void> Dispatcher::skip() {
  if (!Control)
    return {};
  for (; NextBlock != Total; ++NextBlock) {
    BlockFate Fate = Control->next(NextBlock);
    if (Fate == BlockFate::Simulate)
      return {};
    if (Fate == BlockFate::Skip)
      continue;
    trace::BlockTrace Block;
    if (Result<void> Read = Source.read(NextBlock, Block); !Read)
      return Read;
    // As if each wave were given out like the first one.
    Warmer.warm(Block, unsigned(NextBlock % SMs.size()));
  }
  return {};
}

/// Gives the next block that is simulated to \p SM, if there is one left.
Result<void> Dispatcher::giveTo(SMContext &SM, Cycle NotBefore) {
  if (Result<void> R = skip(); !R || NextBlock == Total)
    return R;
  trace::BlockTrace Block = SM.takeSpent();
  if (Result<void> Read = Source.read(NextBlock, Block); !Read)
    return Read;
  ++NextBlock;
  SM.give(std::move(Block), NotBefore);
  return {};
}

/// Fills all CTA slots, one block per SM and round.
Result<void> Dispatcher::firstWave(const std::function<bool()> &GoesOn) {
  Cycle Start = Spec.Launch.countedLatency();
  const double PerCycle = Spec.Launch.BlocksPerCycle > 0
                              ? Spec.Launch.BlocksPerCycle
                              : double(SMs.size());
  for (unsigned Place = 0; Place < BlocksPerSM; ++Place)
    for (auto &SM : SMs) {
      if (NextBlock == Total || !GoesOn())
        return {};
      const double At = double(Start) + double(FirstWave++) / PerCycle;
      if (Spec.Launch.BlocksPerCycle > 0)
        CaughtUp = At + 1 / PerCycle;
      if (Result<void> R = giveTo(*SM, Cycle(At)); !R)
        return R;
    }
  return {};
}

/// As many as may end within one window, but no more than a fair share.
unsigned Dispatcher::aheadPerSM() const {
  uint64_t Share = (Total - NextBlock + SMs.size() - 1) / SMs.size();
  return std::min<uint64_t>(BlocksPerSM, Share);
}

Result<void> Dispatcher::distribute(Cycle Now,
                                    const std::function<bool()> &GoesOn) {
  if (Shape.blocksPerCluster() > 1)
    return distributeClusters(Now, GoesOn);
  if (NextBlock == 0)
    if (Result<void> R = firstWave(GoesOn); !R || !GoesOn())
      return R;

  // Slots that are free already, first come first served.
  while (NextBlock != Total) {
    SMContext *First = nullptr;
    for (auto &SM : SMs)
      if (SM->freeSince() != NeverCycle &&
          (!First || SM->freeSince() < First->freeSince()))
        First = SM.get();
    if (!First)
      break;
    if (Result<void> R = giveTo(*First, std::max(Now, Cycle(CaughtUp))); !R)
      return R;
  }
  // One more round robin, for slots that become free within the window.
  for (unsigned Round = 0; NextBlock != Total && Round < BlocksPerSM; ++Round) {
    if (Round >= aheadPerSM())
      break;
    for (auto &SM : SMs) {
      if (NextBlock == Total)
        break;
      if (SM->waiting() >= SM->freeSlots() + Round + 1)
        continue;
      if (Result<void> R = giveTo(*SM, Cycle(CaughtUp)); !R)
        return R;
    }
  }
  if (NextBlock == Total)
    rebalance(Now);
  if (Spec.Launch.BlocksPerCycle > 0)
    limitRate(Now);
  return {};
}

/// Blocks of the first wave that wait on an SM.
unsigned Dispatcher::toldOn(unsigned SM) const {
  const uint64_t Told = FirstWave / SMs.size() + (SM < FirstWave % SMs.size());
  return unsigned(Told - std::min(Told, SMs[SM]->started()));
}

uint64_t Dispatcher::started() const {
  uint64_t All = 0;
  for (const auto &SM : SMs)
    All += SM->started();
  return All;
}

/// When the dispatcher is done with \p All blocks, which have started: those of
/// the first wave when they were told to, others since the window began.
double Dispatcher::caughtUpWith(uint64_t All) const {
  const uint64_t Before = std::max(Started, FirstWave);
  if (All <= Before)
    return CaughtUp;
  return std::max(CaughtUp, double(WindowBegin)) +
         double(All - Before) / Spec.Launch.BlocksPerCycle;
}

Cycle Dispatcher::allStarted() const {
  if (Spec.Launch.BlocksPerCycle <= 0 || !NextBlock)
    return 0;
  const unsigned Together = Shape.blocksPerCluster();
  const double Done = Together > 1 ? CaughtUp : caughtUpWith(started());
  return Cycle(Done - Together / Spec.Launch.BlocksPerCycle) + 1;
}

/// Blocks that have a slot start one after the other, by when they got it;
/// those that get one within the window start after them. The first wave has
/// been told when to start.
void Dispatcher::limitRate(Cycle Now) {
  const double Each = 1 / Spec.Launch.BlocksPerCycle;
  const uint64_t All = started();
  CaughtUp = caughtUpWith(All);
  Started = std::max(Started, All);
  WindowBegin = Now;
  if (CaughtUp <= double(Now) && !Holding)
    return;
  Turns.clear();
  for (unsigned I = 0; I != SMs.size(); ++I)
    for (unsigned N = toldOn(I); SMs[I]->hasSlotSince(N) < Now; ++N)
      Turns.emplace_back(SMs[I]->hasSlotSince(N), N, I);
  const double First = std::max(CaughtUp, double(Now)),
               Last = First + double(Turns.size()) * Each;
  Holding = Last > double(Now);
  for (unsigned I = 0; I != SMs.size(); ++I)
    SMs[I]->delay(toldOn(I), SMs[I]->waiting(), Cycle(Last));
  std::ranges::sort(Turns);
  for (double At = First; const auto &[Since, N, I] : Turns) {
    SMs[I]->delay(N, N + 1, Cycle(At));
    At += Each;
  }
}

Result<void>
Dispatcher::distributeClusters(Cycle Now, const std::function<bool()> &GoesOn) {
  const unsigned Size = Shape.blocksPerCluster();
  if (NextBlock == 0)
    CaughtUp = double(Spec.Launch.countedLatency());
  std::vector<unsigned> Free;
  for (const auto &SM : SMs)
    Free.push_back(SM->freeSlots() - std::min(SM->freeSlots(), SM->waiting()));
  while (NextBlock != Total && GoesOn()) {
    const std::vector<unsigned> Places = arch::placeCluster(Spec, Size, Free);
    if (Places.empty())
      return {};
    Cycle Start = std::max(Now, Cycle(CaughtUp));
    std::vector<unsigned> Before(SMs.size());
    for (unsigned I : Places)
      Start = std::max(Start, SMs[I]->freeSince(Before[I]++));
    for (unsigned Rank = 0; Rank < Size; ++Rank) {
      SMContext &SM = *SMs[Places[Rank]];
      trace::BlockTrace Block = SM.takeSpent();
      if (Result<void> Read =
              Source.read(Shape.block(NextBlock / Size, Rank), Block);
          !Read)
        return Read;
      SM.give(std::move(Block), Start);
    }
    NextBlock += Size;
    if (Spec.Launch.BlocksPerCycle > 0)
      CaughtUp =
          std::max(CaughtUp, double(Now)) + Size / Spec.Launch.BlocksPerCycle;
  }
  return {};
}

/// Moves blocks that wait for a CTA slot to SMs that have one.
void Dispatcher::rebalance(Cycle Now) {
  for (;;) {
    SMContext *To = nullptr, *From = nullptr;
    for (auto &SM : SMs) {
      if (SM->freeSince() != NeverCycle &&
          (!To || SM->freeSince() < To->freeSince()))
        To = SM.get();
      unsigned Surplus = SM->waiting() > SM->freeSlots();
      if (Surplus && (!From || SM->waiting() > From->waiting()))
        From = SM.get();
    }
    if (!To || !From)
      return;
    To->give(From->takeBack(), Now);
  }
}
