//===- TextureUnit.cpp - Texture pipe of an SM ----------------------------===//

#include "timing/stages/TextureUnit.h"

#include "memory/TexelLines.h"

#include <cmath>

using namespace heddle;
using namespace heddle::timing;
using memory::CacheOutcome;
using memory::LineAccess;
using memory::RequestKind;

TextureUnit::TextureUnit(SMState &S, LoadTable &Loads, memory::Cache &L1,
                         memory::Cache &Textures)
    : S(S), Loads(Loads), Spec(S.M.Spec.Texture),
      CacheOf(Spec.Size ? Spec : S.M.L1), Cache(Spec.Size ? Textures : L1),
      Feeders(S, {HEDDLE_OP_TEXTURE}) {}

uint16_t TextureUnit::cyclesOf(const trace::MemoryAccess &Footprints) const {
  const unsigned Turns = memory::texelTurns(Footprints, Spec.FilterBytes);
  return uint16_t(std::max(1.0, std::ceil(Turns / Spec.QuadsPerCycle)));
}

void TextureUnit::accept(uint32_t Load, uint32_t PC, unsigned Warp,
                         uint16_t Cycles, std::span<const LineAccess> Its,
                         Cycle Start, Cycle Now) {
  for (const LineAccess &A : Its)
    Lines.push_back(A);
  Queue.push_back({Start, Load, PC, uint32_t(Its.size()), 0, uint16_t(Warp),
                   std::max<uint16_t>(Cycles, 1)});
  Loads[Load].After = uint16_t(Spec.FilterLatency);
  findNext();
  Feeders.grown(Queue.size(), Now);
}

/// Serves the entry at the front, or as much of it as there is room for: then
/// false.
bool TextureUnit::serveFirst(Cycle Now) {
  Entry &E = Queue.front();
  const uint32_t First = E.NextLine;
  if (!lookUp(E, Now)) {
    findNext();
    return false;
  }
  const Cycle Taken = std::max<Cycle>(E.Cycles, E.NumLines - First);
  FreeAt = Now + std::max<Cycle>(Taken, 1);
  Feeders.busyFor(Taken - 1);
  // The last quad's result.
  Load &L = Loads[E.Load];
  L.Latest = std::max(L.Latest, FreeAt - 1 + CacheOf.Latency);
  Lines.pop_front(E.NumLines);
  Queue.pop_front();
  findNext();
  Feeders.shrunk(Queue.size(), Now);
  return true;
}

bool TextureUnit::lookUp(Entry &E, Cycle Now) {
  const uint32_t Sector = CacheOf.Size ? CacheOf.Sector : S.M.Spec.L2.Sector;
  Load &L = Loads[E.Load];
  for (Cycle At = Now; E.NextLine < E.NumLines; ++E.NextLine, ++At) {
    const LineAccess &A = Lines[E.NextLine];
    if (const Cycle Over = S.Port.backpressure(At + CacheOf.Latency)) {
      FreeAt = At + Over;
      return false;
    }
    memory::CacheResult R;
    if (CacheOf.Size) {
      R = Cache.read(A.Line, A.Sectors, E.Load);
      if (R.stalled()) {
        Blocked = true;
        return false;
      }
      if (R.Victim)
        S.Port.send(RequestKind::Write, R.VictimLine, R.Victim, R.Victim,
                    Sector, At + CacheOf.Latency, ReplyTo::None, 0);
      if (R.Outcome == CacheOutcome::Hit) {
        L.Latest = std::max(L.Latest, At + CacheOf.Latency);
        continue;
      }
    }
    ++L.Pending;
    const uint16_t Send = CacheOf.Size ? R.Send : A.Sectors;
    if (!Send)
      continue;
    const ReplyTo To = !CacheOf.Size ? ReplyTo::Load
                       : Spec.Size   ? ReplyTo::Texture
                                     : ReplyTo::L1;
    S.Port.send(RequestKind::Read, A.Line, Send, 0, Sector,
                At + CacheOf.Latency, To, CacheOf.Size ? R.MSHR : E.Load, E.PC);
    S.Tell.request(S.Warps[E.Warp], E.PC, At, A.Line);
  }
  return true;
}
