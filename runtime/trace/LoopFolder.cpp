//===- LoopFolder.cpp -----------------------------------------------------===//

#include "trace/LoopFolder.h"

#include <algorithm>

namespace heddle::trace {

using namespace bytecode;

void LoopFolder::reset() {
  dropEventsFrom(0);
  Repeats.clear();
  Ended = None;
}

void LoopFolder::dropEventsFrom(uint32_t Index) {
  while (Events.size() > Index) {
    Last[Events.back().Block] = Events.back().Previous;
    Events.pop_back();
  }
}

void LoopFolder::arrive(uint32_t Block, const MaskState &Masks,
                        std::vector<uint8_t> &Body) {
  Ended = None;
  if (Last[Block] != None)
    fold(Block, Masks, Body);
  // Longer iterations do not fold.
  if (Events.size() == MaxRepeatedEvents)
    reset();
  Events.push_back({Body.size(), Block, Last[Block], Ended, Masks});
  Last[Block] = uint32_t(Events.size() - 1);
}

bool LoopFolder::fold(uint32_t Block, const MaskState &Masks,
                      std::vector<uint8_t> &Body) {
  // Visits[i] is the i+1-th last event of the block.
  uint32_t Visits[2 * MaxVisits];
  unsigned NumVisits = 0;
  for (uint32_t E = Last[Block]; E != None && NumVisits < 2 * MaxVisits;
       E = Events[E].Previous)
    Visits[NumVisits++] = E;

  const uint8_t *Data = Body.data();
  const size_t End = Body.size();
  for (unsigned V = 1; V <= MaxVisits && V <= NumVisits; ++V) {
    const uint32_t Start = Visits[V - 1];
    const Event &E = Events[Start];
    const size_t Length = End - E.Begin;
    if (E.Masks != Masks)
      continue;

    // Another iteration of an existing repeat.
    if (E.Repeat != None) {
      Repeat &R = Repeats[E.Repeat];
      if (R.Token - R.Body == Length &&
          std::memcmp(Data + R.Body, Data + E.Begin, Length) == 0) {
        uint32_t Index = E.Repeat;
        dropEventsFrom(Start);
        Repeats.resize(Index + 1);
        ++Repeats[Index].Count;
        Body.resize(Repeats[Index].Token);
        putVarint(Body, TokenRepeat);
        putVarint(Body, Length);
        putVarint(Body, Repeats[Index].Count);
        Ended = Index;
        return true;
      }
    }

    // The same twice in a row.
    if (Length > E.Begin || 2 * V > NumVisits)
      continue;
    const uint32_t First = Visits[2 * V - 1];
    const Event &F = Events[First];
    if (F.Begin + Length != E.Begin || F.Masks != Masks ||
        std::memcmp(Data + F.Begin, Data + E.Begin, Length) != 0)
      continue;
    size_t Begin = F.Begin, Token = E.Begin;
    unsigned Depth = 0;
    size_t Keep = Repeats.size();
    while (Keep && Repeats[Keep - 1].Body >= Begin)
      Depth = std::max(Depth, Repeats[--Keep].Depth);
    if (Depth == MaxRepeatDepth)
      continue;
    // Events inside the body can start no iteration any more: it would begin
    // in the middle of what the repeat covers.
    dropEventsFrom(First + 1);
    Repeats.resize(Keep);
    Ended = uint32_t(Keep);
    Repeats.push_back({Begin, Token, 1, Depth + 1});
    Body.resize(Token);
    putVarint(Body, TokenRepeat);
    putVarint(Body, Length);
    putVarint(Body, 1);
    return true;
  }
  return false;
}

} // namespace heddle::trace
