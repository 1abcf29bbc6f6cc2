//===- MemoryStage.cpp - Load/store unit and first-level caches -----------===//

#include "timing/stages/MemoryStage.h"

#include "memory/TexelLines.h"

#include <bit>

using namespace heddle;
using namespace heddle::timing;
using memory::CacheOutcome;
using memory::LineAccess;
using memory::RequestKind;

/// The banks as L1 uses them: half by half, whatever the lanes read.
static arch::SharedSpec banksOfL1(const arch::GPUSpec &Spec) {
  arch::SharedSpec Banks = Spec.Shared;
  Banks.MergeWide = false;
  return Banks;
}

MemoryStage::MemoryStage(SMState &S, WarpFlow &Flow)
    : S(S), Flow(Flow), Reads(S.M.L1, S.M.Spec.L2, S.M.Spec.L1.Coalesced),
      Writes(S.M.Spec.L2, S.M.L1, S.M.Spec.L1.Coalesced),
      Constants(S.M.Spec.Constant, S.M.Spec.L2),
      Textures(S.M.Spec.Texture, S.M.L1), L1Cache(memory::orSmallest(S.M.L1)),
      ConstantCache(memory::orSmallest(S.M.Spec.Constant)),
      ConstantCache2(memory::orSmallest(S.M.Spec.Constant2)),
      TextureCache(memory::orSmallest(S.M.Spec.Texture)), Async(S, Loads),
      Texture(S, Loads, L1Cache, TextureCache),
      Feeders(S, S.M.Spec.Texture.QuadsPerCycle > 0
                     ? std::initializer_list<unsigned>{HEDDLE_OP_LOAD,
                                                       HEDDLE_OP_STORE,
                                                       HEDDLE_OP_ATOMIC,
                                                       HEDDLE_OP_REDUCTION}
                     : std::initializer_list<unsigned>{HEDDLE_OP_LOAD,
                                                       HEDDLE_OP_STORE,
                                                       HEDDLE_OP_ATOMIC,
                                                       HEDDLE_OP_REDUCTION,
                                                       HEDDLE_OP_TEXTURE}),
      L1Banks(banksOfL1(S.M.Spec)),
      ByInterleave(std::max(1u, S.M.Spec.L1.BankInterleave)),
      ByBanks(std::max(1u, S.M.Spec.L1.Banks)),
      Memos(S.M.Code.table().Memory.size()),
      OwnMemos(S.Warps.size() * Memos.size()) {}

//===----------------------------------------------------------------------===//
// Entering the queue
//===----------------------------------------------------------------------===//

void MemoryStage::accept(unsigned Slot, const DecodedInst &I, Cycle Start,
                         Cycle Now) {
  Entry E = issued(Slot, I);
  enqueue(E, Found, Start, Now);
}

uint32_t MemoryStage::announce(unsigned Slot, const DecodedInst &I) {
  const uint32_t Ticket = OnTheWay.take();
  Announced &A = OnTheWay[Ticket];
  A.E = issued(Slot, I);
  A.Lines.assign(Found, Found + A.E.NumLines);
  return Ticket;
}

void MemoryStage::enter(uint32_t Ticket, Cycle Start, Cycle Now) {
  Announced &A = OnTheWay[Ticket];
  enqueue(A.E, A.Lines.data(), Start, Now);
  OnTheWay.give(Ticket);
}

/// The instruction as the queue will hold it, its lines in Found.
MemoryStage::Entry MemoryStage::issued(unsigned Slot, const DecodedInst &I) {
  Warp &W = S.Warps[Slot];
  Entry E;
  E.PC = W.PC;
  E.Warp = Slot;
  E.Kind = I.Kind;
  E.Space = I.Space;
  E.Flags = I.Flags;
  if (!I.isBulkCopy())
    findLines(E, Slot, I);
  ++W.Accesses;
  if (I.Kind == InstKind::Load || I.Kind == InstKind::Atomic) {
    E.Load = Loads.take();
    Load &L = Loads[E.Load];
    L.Inst = W.PC;
    L.Warp = Slot;
    if (I.Flags & HEDDLE_INST_ASYNC)
      issuedAsync(Slot, I, E.Load);
    S.Registers.setDefs(Slot, I, ReadyTime::pending(I.Result));
  }
  return E;
}

/// A copy, or an operation of an mbarrier.
[[gnu::noinline]] void
MemoryStage::issuedAsync(unsigned Slot, const DecodedInst &I, uint32_t Load) {
  CopyLoad &L = Loads.newCopy(Load);
  if (!I.isCopy())
    Async.issued(Slot, I, Load);
  if (I.isBulkWrite()) {
    L.Group = S.Bulk[Slot].issue();
    S.BulkReads[Slot].issue();
  }
  if (I.isCopy()) {
    L.Group = S.Copies[Slot].issue();
    L.Section = Async.copyIssued(Slot);
    L.WritePasses = uint16_t(sharedPasses(Slot, I.Memory + 1, I, false));
  }
}

void MemoryStage::enqueue(Entry &E, const LineAccess *Its, Cycle Start,
                          Cycle Now) {
  E.At = Start;
  if (E.Kind == InstKind::Load || E.Kind == InstKind::Atomic) {
    Load &L = Loads[E.Load];
    L.Latest = L.Start = Start;
  }
  if (E.Space == HEDDLE_SPACE_TEXTURE && Texture.exists())
    return Texture.accept(E.Load, E.PC, E.Warp, E.Passes, {Its, E.NumLines},
                          Start, Now);
  for (uint32_t N = 0; N != E.NumLines; ++N)
    Lines.push_back(Its[N]);
  Queue.push_back(E);
  findNext();
  Feeders.grown(Queue.size(), Now);
}

unsigned MemoryStage::sharedPasses(unsigned Slot, uint32_t Record,
                                   const DecodedInst &I, bool Atomic) {
  const trace::WarpCursor &C = S.Warps.cursor(Slot);
  const trace::MemoryAccess &A = C.access(Record);
  const bool InL1 =
      A.Space != HEDDLE_SPACE_SHARED && A.Space != HEDDLE_SPACE_CLUSTER;
  const arch::SharedSpec &Spec = InL1 ? L1Banks : S.M.Spec.Shared;
  // Bank words have 4 or 8 bytes.
  const uint64_t Misalignment =
      uint64_t(A.Base + I.ByteOffset) & (Spec.BankBytes - 1);
  const uint64_t Key = uint64_t(A.Mask) << 32 | Misalignment << 24 |
                       I.AccessBytes << 2 | Atomic << 1 | InL1;
  PassMemo &Memo = Memos[Record];
  if (A.Affine && Memo.isOf(A, Key))
    return Memo.Passes; // without a look at what each warp did
  OwnPasses &Own = OwnMemos[Slot * Memos.size() + Record];
  if (Own.Passes && Own.Shape == C.shape(Record) && Own.Key == Key)
    return Own.Passes;
  if (!Memo.isOf(A, Key)) {
    Memo.Affine = A.Affine;
    Memo.Stride = A.Stride;
    if (!A.Affine)
      std::memcpy(Memo.Offsets, A.Offsets, sizeof(Memo.Offsets));
    Memo.Key = Key;
    Memo.Passes =
        Atomic
            ? memory::sharedAtomicPasses(A, I.ByteOffset, I.AccessBytes, Spec)
            : memory::sharedPasses(A, I.ByteOffset, I.AccessBytes, Spec);
  }
  Own = {Key, C.shape(Record), Memo.Passes};
  return Memo.Passes;
}

/// The lines of a read of a texture and, in Passes, its cycles in the texture
/// pipe. A record without footprints behind it, of a trace written down by
/// hand, says what its lanes read as a load does.
unsigned MemoryStage::findTexels(Entry &E, unsigned Slot,
                                 const DecodedInst &I) {
  const trace::WarpCursor &C = S.Warps.cursor(Slot);
  const trace::MemoryAccess &Places = C.access(I.Memory);
  if (!memory::hasFootprints(S.M.Code.table().Memory, I.Memory))
    return Textures.coalesce(Places, I.ByteOffset, I.AccessBytes, false, Found);
  const trace::MemoryAccess &Footprints =
      C.access(I.Memory + HEDDLE_TEXTURE_FOOTPRINT);
  if (Texture.exists())
    E.Passes = Texture.cyclesOf(Footprints);
  return memory::coalesceTexels(Textures, Places, Footprints, Found);
}

/// Coalesces the addresses of the instruction into lines, or counts the passes
/// that shared memory needs.
void MemoryStage::findLines(Entry &E, unsigned Slot, const DecodedInst &I) {
  if (I.isSpill()) { // serveReads() lets it hit
    ++S.Tell.Counters.Local.Instructions;
    return;
  }
  if (I.Memory == HEDDLE_NO_MEMORY) {
    // Kernel parameters: every lane reads the same word.
    LineAccess &A = Found[0] = LineAccess();
    uint32_t Line = std::max(1u, S.M.Spec.Constant.Line);
    uint32_t Sector = std::max(1u, S.M.Spec.Constant.Sector);
    const uint32_t Offset = uint32_t(I.ByteOffset);
    A.Line = memory::ParamBase + Offset / Line * Line;
    A.Sectors = 1 << (Offset % Line / Sector);
    E.NumLines = 1;
    E.Space = HEDDLE_SPACE_PARAM;
    ++S.Tell.Counters.Constant.Instructions;
    ++S.Tell.Counters.Constant.Transactions;
    return;
  }

  const trace::MemoryAccess &A = S.Warps.cursor(Slot).access(I.Memory);
  E.Space = A.Space;
  if (!A.Mask)
    return; // no lane is active here
  bool Atomic = E.Kind == InstKind::Atomic || E.Kind == InstKind::Reduction;
  if (A.Space == HEDDLE_SPACE_CLUSTER)
    E.RemoteSectors = remoteSectors(A, Slot, I);
  if (A.Space == HEDDLE_SPACE_SHARED || A.Space == HEDDLE_SPACE_CLUSTER) {
    E.Passes = Atomic && I.Flags & HEDDLE_INST_UNIFORM
                   ? 1
                   : std::max(1u, sharedPasses(Slot, I.Memory, I, Atomic));
    ++S.Tell.Counters.Shared.Instructions;
    S.Tell.Counters.Shared.Transactions += E.Passes;
    S.Tell.Counters.SharedConflictCycles += E.Passes - 1;
    return;
  }

  unsigned Count = 0;
  SpaceCounters *Counter = &S.Tell.Counters.Global;
  if (A.Space == HEDDLE_SPACE_LOCAL) {
    const uint64_t Base = memory::localMemory(
        S.M.Launch, uint64_t(S.Index) * S.Warps.size() + Slot);
    const memory::Coalescer &C = E.Kind == InstKind::Load ? Reads : Writes;
    Count = C.coalesceLocal(A, I.ByteOffset, I.AccessBytes, Base, Found);
    Counter = &S.Tell.Counters.Local;
  } else if (A.Space == HEDDLE_SPACE_CONST) {
    Count = Constants.coalesce(A, I.ByteOffset, I.AccessBytes, false, Found);
    Counter = &S.Tell.Counters.Constant;
  } else if (A.Space == HEDDLE_SPACE_TEXTURE) {
    Count = findTexels(E, Slot, I);
    Counter = &S.Tell.Counters.Texture;
  } else {
    Count =
        E.Kind == InstKind::Load
            ? Reads.coalesceReads(A, I.ByteOffset, I.AccessBytes, Found)
            : Writes.coalesce(A, I.ByteOffset, I.AccessBytes, Atomic, Found);
    if (Atomic)
      Counter = &S.Tell.Counters.Atomics;
    if (Atomic && I.Flags & HEDDLE_INST_UNIFORM)
      memory::takeOneLane({Found, Count});
  }
  E.NumLines = Count;
  if (A.Space == HEDDLE_SPACE_CONST)
    E.Passes = S.M.Spec.Constant.PerWord ? memory::differentWords(A) : 1;
  else if (S.M.Spec.L1.Tags && E.Kind == InstKind::Load &&
           A.Space == HEDDLE_SPACE_GLOBAL)
    E.Passes = S.M.Spec.L1.Coalesced
                   ? memory::fewestPasses(A, I.AccessBytes, S.M.Spec.Shared)
                   : sharedPasses(Slot, I.Memory, I, false);
  ++Counter->Instructions;
  for (unsigned L = 0; L < Count; ++L) {
    Counter->Transactions += std::popcount(Found[L].Sectors);
    L1Cache.prefetch(Found[L].Line);
  }
}

//===----------------------------------------------------------------------===//
// Serving the queue
//===----------------------------------------------------------------------===//

/// The engine of bulk copies and the texture pipe.
[[gnu::noinline]] void MemoryStage::serveOthers(Cycle Now) {
  Async.send(Now, [&](uint32_t Load) {
    const auto &L = Loads[Load];
    if (S.M.Code[L.Inst].isBulkWrite())
      Flow.bulkRead(L.Warp, Loads.copy(Load).Group, Now);
    loadPart(Load, 0, Now, Now);
  });
  Texture.serve(Now, [&](uint32_t Load, unsigned Slot) {
    allSent(InstKind::Load, Load, Slot, Now);
  });
}

void MemoryStage::serveQueue(Cycle Now) {
  if (std::min(Async.next(), Texture.next()) <= Now)
    serveOthers(Now);
  while (Next <= Now) {
    Entry &E = Queue.front();
    Turn = TagsFrom = Now;
    BanksTaken = 0;
    TagTurns.fill(0);
    if (!serve(E, Now)) {
      findNext();
      return;
    }
    Lines.pop_front(E.NumLines);
    const InstKind Kind = E.Kind;
    const uint32_t Load = E.Load;
    const unsigned Slot = E.Warp;
    Queue.pop_front();
    findNext();
    Feeders.shrunk(Queue.size(), Now);
    allSent(Kind, Load, Slot, Now);
  }
}

/// Serves the entry, or as much of it as there is room for: then false.
bool MemoryStage::serve(Entry &E, Cycle Now) {
  bool Done = true;
  if (E.Flags & HEDDLE_INST_ASYNC && S.M.Code[E.PC].isBulkCopy()) {
    Async.serve(E.Load, Now, EndedWaits);
    FreeAt = Now + std::max(1u, Async.readPasses(E.Load));
    return true;
  }
  switch (E.Space) {
  case HEDDLE_SPACE_SHARED:
  case HEDDLE_SPACE_CLUSTER:
    serveShared(E, Now);
    if (E.RemoteSectors)
      serveRemote(E, Now);
    return true;
  case HEDDLE_SPACE_PARAM:
  case HEDDLE_SPACE_CONST:
    Done = serveConstant(E, Now);
    break;
  default:
    Done = E.Kind == InstKind::Load    ? serveReads(E, Now)
           : E.Kind == InstKind::Store ? serveWrites(E, Now)
                                       : serveAtomics(E, Now);
  }
  FreeAt = std::max(FreeAt, Turn + (BanksTaken || Turn == Now));
  return Done;
}

void MemoryStage::serveShared(Entry &E, Cycle Now) {
  const arch::SharedSpec &Spec = S.M.Spec.Shared;
  const bool OfBarrier =
      E.Kind == InstKind::Atomic && E.Flags & HEDDLE_INST_ASYNC;
  const bool Atomic = !OfBarrier && (E.Kind == InstKind::Atomic ||
                                     E.Kind == InstKind::Reduction);
  Cycle Taken = E.Passes;
  if (Atomic)
    Taken *= std::max(1u, Spec.AtomicLatency);
  FreeAt = Now + Taken;
  if (E.Kind == InstKind::Load || E.Kind == InstKind::Atomic)
    Loads[E.Load].Latest = Now + Spec.Latency + Taken - 1;
  if (OfBarrier) {
    Async.serve(E.Load, Now, EndedWaits);
    releaseWaits(Now);
  }
}

/// The tests whose phases have ended are answered.
void MemoryStage::releaseWaits(Cycle Now) {
  for (uint32_t Id : EndedWaits)
    loadPart(Id, 0, Now + S.M.Spec.Shared.Latency, Now);
  EndedWaits.clear();
}

bool MemoryStage::serveConstant(Entry &E, Cycle Now) {
  const arch::CacheSpec &Spec = S.M.Spec.Constant;
  Load &L = Loads[E.Load];
  for (; E.NextLine < E.NumLines; ++E.NextLine) {
    const LineAccess &A = Lines[E.NextLine];
    Cycle At = Turn++;
    if (E.NextLine + 1 == E.NumLines && At + 1 < Now + E.Passes) {
      At = Now + E.Passes - 1; // the last word
      Turn = At + 1;
    }
    if (!Spec.Size) {
      L.Latest = std::max(L.Latest, At + Spec.Latency);
      continue;
    }
    memory::CacheResult R = ConstantCache.read(A.Line, A.Sectors, E.Load);
    if (R.stalled()) {
      hold();
      return false;
    }
    if (R.Outcome == CacheOutcome::Hit) {
      L.Latest = std::max(L.Latest, At + Spec.Latency);
      continue;
    }
    if (R.Send && inConstant2(A.Line, R, Spec.Sector)) {
      L.Latest = std::max(L.Latest, At + S.M.Spec.Constant2.Latency);
      continue;
    }
    ++L.Pending;
    if (R.Send) {
      S.Port.send(RequestKind::Read, A.Line, R.Send, 0, Spec.Sector,
                  At + Spec.Latency, ReplyTo::Constant, R.MSHR, E.PC);
      S.Tell.request(S.Warps[E.Warp], E.PC, At, A.Line);
    }
  }
  return true;
}

/// Whether the second level has what the first one lacks, which then has it. If
/// not, it takes the line: who asks next finds it on its way in the first.
bool MemoryStage::inConstant2(uint64_t Line, const memory::CacheResult &Miss,
                              uint32_t SectorBytes) {
  const arch::CacheSpec &Spec = S.M.Spec.Constant2;
  if (!Spec.Size)
    return false;
  const memory::LineSectors To =
      memory::sectorsIn(Spec, Line, Miss.Send, SectorBytes);
  if (!ConstantCache2.holds(To.Line, To.Sectors)) {
    ConstantCache2.preload(To.Line, To.Sectors);
    return false;
  }
  Woken.clear();
  ConstantCache.fill(Miss.MSHR, Miss.Send, Woken);
  return true;
}

/// The cycle in which the sectors of \p A pass L1: each bank takes one per
/// cycle; a cache of whole lines takes one line, one with l1.tags a line of
/// each bank of tags.
Cycle MemoryStage::advance(const LineAccess &A, uint32_t SectorBytes) {
  const arch::L1Spec &Spec = S.M.Spec.L1;
  if (Spec.Tags) {
    BanksTaken = 1;
    const Cycle At = TagsFrom + TagTurns[memory::tagBank(A.Line, Spec)]++;
    Turn = std::max(Turn, At);
    return At;
  }
  if (Spec.Banks <= 1 || Spec.Sector >= Spec.Line) {
    Turn += BanksTaken != 0;
    BanksTaken = 1;
    return Turn;
  }
  for (uint32_t Rest = A.Sectors; Rest; Rest &= Rest - 1) {
    const uint64_t Address = A.Line + std::countr_zero(Rest) * SectorBytes;
    const uint64_t Bank = uint64_t(1)
                          << ByBanks.remainder(ByInterleave.quotient(Address));
    if (BanksTaken & Bank) {
      ++Turn;
      BanksTaken = 0;
    }
    BanksTaken |= Bank;
  }
  return Turn;
}

/// Whether a request can leave at \p At; if not, the queue waits until then.
bool MemoryStage::roomToSend(Cycle At) {
  Cycle Over = S.Port.backpressure(At);
  if (!Over)
    return true;
  FreeAt = Turn + Over;
  return false;
}

bool MemoryStage::serveReads(Entry &E, Cycle Now) {
  constexpr unsigned LinesAhead = 2; // what the host fetches meanwhile
  const arch::CacheSpec &L1 = S.M.L1;
  bool UseTexture = E.Space == HEDDLE_SPACE_TEXTURE && S.M.Spec.Texture.Size;
  const arch::CacheSpec &Spec = UseTexture ? S.M.Spec.Texture : L1;
  memory::Cache &Cache = UseTexture ? TextureCache : L1Cache;
  const bool Cached =
      Spec.Size && memory::cachesReads(S.M.Spec.L1, E.Space, E.Flags);
  uint32_t Sector = Spec.Size ? Spec.Sector : S.M.Spec.L2.Sector;
  Load &L = Loads[E.Load];
  for (; E.NextLine < E.NumLines; ++E.NextLine) {
    const LineAccess &A = Lines[E.NextLine];
    if (E.NextLine + LinesAhead < E.NumLines)
      Cache.prefetchWay(Lines[E.NextLine + LinesAhead].Line);
    if (!roomToSend(Turn + L1.Latency))
      return false;
    Cycle At = advance(A, Sector);
    if (!Cached) {
      S.Port.send(RequestKind::Read, A.Line, A.Sectors, 0, Sector,
                  At + L1.Latency, ReplyTo::Load, E.Load, E.PC);
      S.Tell.request(S.Warps[E.Warp], E.PC, At, A.Line);
      ++L.Pending;
      continue;
    }
    memory::CacheResult R = Cache.read(A.Line, A.Sectors, E.Load);
    if (R.stalled()) {
      HeldSince = std::min(HeldSince, Now);
      hold();
      return false;
    }
    if (HeldSince != NeverCycle) {
      L.MSHRWait += Now - HeldSince;
      HeldSince = NeverCycle;
    }
    if (R.Victim)
      S.Port.send(RequestKind::Write, R.VictimLine, R.Victim, R.Victim,
                  Spec.Sector, At + Spec.Latency, ReplyTo::None, 0);
    if (R.Outcome == CacheOutcome::Hit) {
      L.Latest = std::max(L.Latest, At + Spec.Latency);
      continue;
    }
    ++L.Pending;
    if (R.Send) {
      S.Port.send(RequestKind::Read, A.Line, R.Send, 0, Spec.Sector,
                  At + Spec.Latency,
                  UseTexture ? ReplyTo::Texture : ReplyTo::L1, R.MSHR, E.PC);
      S.Tell.request(S.Warps[E.Warp], E.PC, At, A.Line);
    }
  }
  if (S.M.Code[E.PC].isSpill())
    L.Latest = std::max(L.Latest, Turn + Spec.Latency);
  if (E.Passes && Turn + 1 < Now + E.Passes) {
    Turn = Now + E.Passes - 1; // its banks take longer than its tags
    L.Latest = std::max(L.Latest, Turn + Spec.Latency);
  }
  return true;
}

bool MemoryStage::serveWrites(Entry &E, Cycle Now) {
  const arch::CacheSpec &L1 = S.M.L1;
  uint32_t Sector = S.M.Spec.L2.Size ? S.M.Spec.L2.Sector : L1.Sector;
  for (; E.NextLine < E.NumLines; ++E.NextLine) {
    const LineAccess &A = Lines[E.NextLine];
    if (!S.Port.canWrite()) {
      hold();
      return false;
    }
    if (!roomToSend(Turn + L1.Latency))
      return false;
    Cycle At = advance(A, Sector);
    uint16_t Send = A.Sectors;
    if (L1.Size) {
      const memory::LineSectors To =
          memory::sectorsIn(L1, A.Line, A.Sectors, Sector);
      memory::CacheResult R =
          L1Cache.write(To.Line, To.Sectors, E.Space == HEDDLE_SPACE_LOCAL);
      if (R.Victim)
        S.Port.send(RequestKind::Write, R.VictimLine, R.Victim, R.Victim,
                    L1.Sector, At + L1.Latency, ReplyTo::None, 0);
      if (!R.Send)
        Send = 0;
    }
    if (!Send)
      continue;
    S.Port.send(RequestKind::Write, A.Line, Send, A.FullSectors, Sector,
                At + L1.Latency, ReplyTo::Store,
                Flow.storeSent(E.Warp, At + L1.Latency), E.PC);
    S.Tell.request(S.Warps[E.Warp], E.PC, At, A.Line);
  }
  return true;
}

bool MemoryStage::serveAtomics(Entry &E, Cycle Now) {
  const arch::CacheSpec &L1 = S.M.L1;
  uint32_t Sector = S.M.Spec.L2.Size ? S.M.Spec.L2.Sector : L1.Sector;
  bool Returns = E.Kind == InstKind::Atomic;
  for (; E.NextLine < E.NumLines; ++E.NextLine) {
    const LineAccess &A = Lines[E.NextLine];
    if (!S.Port.canWrite()) {
      hold();
      return false;
    }
    if (!roomToSend(Turn + L1.Latency))
      return false;
    Cycle At = advance(A, Sector);
    uint32_t Owner = E.Load;
    if (Returns)
      ++Loads[E.Load].Pending;
    else
      Owner = Flow.storeSent(E.Warp, At + L1.Latency);
    S.Port.send(Returns ? RequestKind::Atomic : RequestKind::Reduction, A.Line,
                A.Sectors, 0, Sector, At + L1.Latency,
                Returns ? ReplyTo::Load : ReplyTo::Store, Owner, E.PC, A.Lanes,
                A.SameAddress);
    S.Tell.request(S.Warps[E.Warp], E.PC, At, A.Line);
  }
  return true;
}
