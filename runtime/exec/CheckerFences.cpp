//===- CheckerFences.cpp - Finds missing fences ---------------------------===//

#include "exec/Checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace heddle::exec {

void BlockFences::meet(unsigned Warp) {
  auto &[Meetings, Fence, KnownFence, ProductFences] = Of[Warp];
  // Several in a row are one: nothing lies between them that they would order.
  if (!Meetings.empty() && Meetings.back() == Now)
    return;
  Meetings.push_back(++Now);
  KnownFence = Fence;
}

bool BlockFences::isFenced(const Write &W, unsigned Reader) const {
  if (W.Warp < 0)
    return true;
  const Warp &Writer = Of[size_t(W.Warp)];
  if (Writer.Fence > W.Time)
    return true;
  const auto Met = std::ranges::upper_bound(Writer.Meetings, W.Time);
  if (Met == Writer.Meetings.end())
    return false;
  return std::ranges::any_of(Of, [&](const Warp &Other) {
    const bool Reads = &Other == &Of[Reader];
    return (Reads ? Other.Fence : Other.KnownFence) > *Met;
  });
}

/// A wgmma of \p W begins; returns its group. Registers have to be fenced even
/// before the first one.
uint32_t Checker::noteProduct(const HeddleWarp &W, uint32_t Inst) {
  ProductSite = siteOf(Inst, Operand);
  if (!Own.Fences.productFences(W.WarpInBlock))
    report(MissingFence, W, Sites[ProductSite], ProductSite, 0,
           "wgmma without a wgmma.fence before: the warp executes "
           "wgmma.fence.sync.aligned between the last access to the registers "
           "and the wgmma");
  return Own.Async.begin(InFlight::Product, W.WarpInBlock, 0).Group;
}

/// The wgmma takes registers that other instructions have written.
/// \p Written: HEDDLE_CHECK_TAKEN.
void Checker::checkTaken(const HeddleWarp &W, uint64_t Written) {
  if (uint32_t(Written) != Own.Fences.productFences(W.WarpInBlock))
    return;
  const AccessSite &By = Sites[siteOf(uint32_t(Written >> 32), Register)];
  report(MissingFence, W, Sites[ProductSite], ProductSite, 0,
         fmt::format("wgmma on registers that were written{}{} without "
                     "wgmma.fence in between: the warp executes "
                     "wgmma.fence.sync.aligned between the write and the wgmma",
                     By.Line.empty() ? "" : " at ", By.Line));
}

/// A read by the asynchronous proxy (bulk copies, wgmma) of bytes that a thread
/// has written. What cp.async has written is not looked at: people leave that
/// fence out, and PTX does not say that it is needed.
void Checker::checkProxy(const HeddleWarp &W, const AccessSite &Site,
                         unsigned Record, unsigned Lane, uint64_t Offset) {
  const bool IsAsync = Bulk.What != InFlight::None || Site.IsOperand;
  const std::span Bytes(Own.Shared.data() + Offset, Site.Bytes);
  if (Site.Writes) {
    const BlockFences::Write Stored =
        IsAsync || Site.IsAsync ? BlockFences::Write()
                                : Own.Fences.write(W.WarpInBlock, Record);
    for (SharedByte &B : Bytes)
      B.Stored = Stored;
    return;
  }
  if (!IsAsync)
    return;
  BlockFences::Write Done;
  for (SharedByte &B : Bytes) {
    if (B.Stored == Done)
      continue;
    Done = B.Stored;
    if (Own.Fences.isFenced(Done, W.WarpInBlock))
      continue;
    const std::string &Line = Sites[Done.Record].Line;
    report(
        MissingFence, W, Site, Record, Lane,
        fmt::format("{} at offset {} of shared memory by the {}, which warp {} "
                    "wrote{}{} without fence.proxy.async: it executes "
                    "fence.proxy.async.shared::cta between its write and the "
                    "barrier before the {}",
                    verb(Site), Offset, Site.IsOperand ? "wgmma" : "bulk copy",
                    Done.Warp, Line.empty() ? "" : " at ", Line,
                    Site.IsOperand ? "wgmma" : "copy"));
    return;
  }
}

} // namespace heddle::exec
