//===- FetchUnit.cpp - Instruction cache and whose turn it is -------------===//

#include "timing/units/FetchUnit.h"

#include "memory/AddressSpaces.h"

using namespace heddle;
using namespace heddle::timing;

FetchUnit::FetchUnit(const arch::GPUSpec &Machine, size_t CodeSize,
                     MemoryPort &Port)
    : Spec(Machine.ICache), FrontEnd(Machine.FrontEnd), Port(Port),
      CodeBytes(CodeSize * FrontEnd.InstructionBytes),
      Cache(memory::orSmallest(Spec)) {
  if (Spec.Size && !Spec.HashSets && CodeBytes <= Spec.Size)
    Known.resize(CodeBytes / Spec.Line + 1);
}

FetchUnit::Line FetchUnit::hold(unsigned Slot, Warp &W, Cycle Now) {
  if (!Spec.Size)
    return Line::Held;
  const uint32_t Number = W.Inst->FetchLine;
  if (Number == W.FetchLine && !FrontEnd.FetchWidth)
    return Line::Held;
  if (Number < Known.size() && Known[Number]) {
    ++ShortFetches;
    W.FetchLine = Number;
    return Line::Held;
  }
  const uint64_t Address = memory::CodeBase + uint64_t(Number) * Spec.Line;
  const uint16_t Sector = W.Inst->FetchSector;
  // A warp gets what it waited for, even if others had it replaced since: with
  // few ways they would do that to each other for ever.
  if (Delivered[Slot] && Awaited[Slot] == Number &&
      !Cache.holds(Address, Sector)) {
    Delivered[Slot] = false;
    ++ShortFetches;
    return Line::Held;
  }
  const memory::CacheResult R = read(Address, Sector, Slot, Now);
  if (R.stalled())
    return Line::Busy;
  prefetch(Address, Sector, Now);
  Delivered[Slot] = false;
  if (R.Outcome != memory::CacheOutcome::Hit) {
    Awaited[Slot] = Number;
    return Line::Coming;
  }
  W.FetchLine = Number;
  if (Number < Known.size())
    Known[Number] = Spec.Sector == Spec.Line;
  return Line::Held;
}

/// Reads the cache; what it lacks is asked for.
memory::CacheResult FetchUnit::read(uint64_t Address, uint16_t Sector,
                                    uint32_t Waiter, Cycle Now) {
  const memory::CacheResult R = Cache.read(Address, Sector, Waiter);
  if (R.Send)
    Port.send(memory::RequestKind::Read, Address, R.Send, 0, Spec.Sector,
              Now + Spec.Latency, ReplyTo::Instructions, R.MSHR);
  return R;
}

/// Asks for the lines after one that a warp has come to.
void FetchUnit::prefetch(uint64_t Address, uint16_t Sector, Cycle Now) {
  for (unsigned I = 0; I < FrontEnd.PrefetchLines; ++I) {
    Address += Spec.Line;
    if (Address >= memory::CodeBase + CodeBytes ||
        read(Address, Sector, NoWaiter, Now).stalled())
      return;
  }
}

std::span<const uint32_t> FetchUnit::arrived(const Flight &F) {
  Woken.clear();
  Cache.fill(F.Owner, F.Sectors, Woken);
  std::erase(Woken, NoWaiter);
  for (uint32_t Slot : Woken)
    Delivered[Slot] = true;
  return Woken;
}

memory::CacheCounters FetchUnit::counters() const {
  memory::CacheCounters C = Cache.counters();
  C.Reads += ShortFetches;
  C.ReadHits += ShortFetches;
  return C;
}
