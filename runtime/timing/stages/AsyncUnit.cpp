//===- AsyncUnit.cpp - mbarriers and bulk copies of an SM -----------------===//

#include "timing/stages/AsyncUnit.h"

#include <bit>

using namespace heddle;
using namespace heddle::timing;

void AsyncUnit::issued(unsigned Slot, const DecodedInst &I, uint32_t Load) {
  trace::WarpCursor &C = S.Warps.cursor(Slot);
  const auto First = C.access(I.Memory), Number = C.access(I.Memory + 1);
  const auto Barrier = I.isBulkCopy() ? C.access(I.Memory + 3) : First;
  Works.resize(std::max<size_t>(Works.size(), Load + 1));
  Work &W = Works[Load];
  W = Work();
  W.Block = S.Warps[Slot].Block;
  uint32_t Passes = 0;
  for (uint32_t Mask = First.Mask; Mask; Mask &= Mask - 1) {
    const unsigned L = std::countr_zero(Mask);
    Ask A;
    A.Barrier = uint32_t(Barrier.address(L));
    A.Number = Number.address(L);
    if (I.isBulkCopy()) {
      A.Bytes = uint32_t(A.Number);
      A.Number = First.address(L);
      // Its write takes its turns on the banks of shared memory.
      Passes +=
          (A.Bytes + S.M.Spec.Shared.Banks * S.M.Spec.Shared.BankBytes - 1) /
          (S.M.Spec.Shared.Banks * S.M.Spec.Shared.BankBytes);
    }
    W.Asks.push_back(A);
  }
  Loads[Load].WritePasses = uint16_t(std::min<uint32_t>(Passes, UINT16_MAX));
}

void AsyncUnit::serve(uint32_t Load, Cycle Now, std::vector<uint32_t> &Done) {
  Work &W = Works[Load];
  const DecodedInst &I = S.M.Code[Loads[Load].Inst];
  if (I.isBulkCopy()) {
    if (W.Asks.empty())
      return;
    ++Loads[Load].Pending; // until the last request has gone
    Copies.push_back(Load);
    Next = std::min(Next, Now + 1);
    return;
  }
  for (const Ask &A : W.Asks)
    if (Phases.act(W.Block, A.Barrier, I.Groups, A.Number, Load, Done))
      ++Loads[Load].Pending;
}

void AsyncUnit::copied(uint32_t Load, std::vector<uint32_t> &Done) {
  const Work &W = Works[Load];
  for (const Ask &A : W.Asks)
    Phases.act(W.Block, A.Barrier, HEDDLE_MBARRIER_COMPLETE, A.Bytes, 0, Done);
}

/// The next line of the first copy; true if it was the copy's last.
bool AsyncUnit::sendOne(Cycle Now, uint32_t &Last) {
  if (const Cycle Over = S.Port.backpressure(Now + S.M.L1.Latency)) {
    Next = Now + Over;
    return false;
  }
  const arch::CacheSpec &L1 = S.M.L1;
  const uint32_t Sector = L1.Size ? L1.Sector : S.M.Spec.L2.Sector;
  const uint32_t LineBytes = L1.Size ? L1.Line : S.M.Spec.L2.Line;
  Last = Copies.front();
  Work &W = Works[Last];
  const Ask &A = W.Asks[W.NextAsk];
  const uint64_t From = A.Number + Sent, Line = From / LineBytes * LineBytes;
  const uint64_t End = std::min(A.Number + A.Bytes, Line + LineBytes);
  const unsigned First = unsigned((From - Line) / Sector),
                 Behind = unsigned((End - Line + Sector - 1) / Sector);
  const auto Sectors = uint16_t((1u << Behind) - (1u << First));
  struct Load &L = Loads[Last];
  ++L.Pending;
  S.Port.send(memory::RequestKind::Read, Line, Sectors, 0, Sector,
              Now + L1.Latency, ReplyTo::Load, Last, L.Inst);
  S.Tell.request(S.Warps[L.Warp], L.Inst, Now, Line);
  Sent += uint32_t(End - From);
  Next = Now + 1;
  if (Sent < A.Bytes)
    return false;
  Sent = 0;
  if (++W.NextAsk < W.Asks.size())
    return false;
  Copies.pop_front();
  if (Copies.empty())
    Next = NeverCycle;
  return true;
}
