//===- CheckerAsync.cpp - Finds missing waits -----------------------------===//

#include "exec/Checker.h"

#include "heddle/ABI/CheckEvents.h"
#include "heddle/ABI/KernelMemory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

namespace heddle::exec {

void TargetsInFlight::add(uint64_t Address, uint32_t Bytes, uint64_t Block,
                          const InFlight::Operation &By) {
  const uint64_t End = Address + Bytes;
  auto It = Ranges.upper_bound(Address);
  if (It != Ranges.begin()) {
    Target &Before = std::prev(It)->second;
    // The pieces of a copy follow each other.
    if (Before.End == Address && Before.By == By && Before.Block == Block &&
        (It == Ranges.end() || It->first >= End)) {
      Before.End = End;
      return;
    }
    if (Before.End > Address)
      --It;
  }
  // Cut out what is written again.
  while (It != Ranges.end() && It->first < End) {
    const auto [First, Old] = *It;
    It = Ranges.erase(It);
    if (First < Address)
      Ranges[First] = {Address, Old.Block, Old.By};
    if (Old.End > End)
      It = Ranges.insert_or_assign(End, Old).first;
  }
  Ranges[Address] = {End, Block, By};
}

void LateWrites::begin(uint64_t Address, uint32_t Bytes, uint64_t Block,
                       const InFlight::Operation &By, bool IsShared) {
  const auto *From = reinterpret_cast<const uint8_t *>(Address);
  Writes.push_back({Address, Block, By, IsShared, {From, From + Bytes}});
}

void LateWrites::takeOut() {
  // The last one first: where they overlap, the first knows what was there.
  for (size_t N = Writes.size(); N > Out; --N) {
    Write &W = Writes[N - 1];
    std::swap_ranges(W.Bytes.begin(), W.Bytes.end(),
                     reinterpret_cast<uint8_t *>(W.Address));
  }
  Out = Writes.size();
}

void LateWrites::show(const Write &W) {
  heddleWriteMemory(W.Address, W.Bytes.data(), W.Bytes.size());
}

void LateWrites::end() {
  for (size_t N = 0; N < Out; ++N)
    if (!Writes[N].IsShared)
      show(Writes[N]);
  Writes.clear();
  Out = 0;
}

/// Calls \p Visit with each lane of \p Mask.
static void forEachLane(uint32_t Mask, auto Visit) {
  for (; Mask; Mask &= Mask - 1)
    Visit(unsigned(std::countr_zero(Mask)));
}

static unsigned threadOf(const HeddleWarp &W, unsigned Lane) {
  return W.WarpInBlock * 32 + Lane;
}

uint32_t Checker::noteEvent(const HeddleWarp &W, uint32_t Event, uint32_t Mask,
                            const uint64_t *Values) {
  switch (Event) {
  case HEDDLE_CHECK_COPIES:
    noteGroups(W, InFlight::Copy, Mask, *Values);
    break;
  case HEDDLE_CHECK_STORES:
    noteGroups(W, InFlight::Write, Mask, *Values);
    break;
  case HEDDLE_CHECK_READS:
    noteGroups(W, InFlight::Store, Mask, *Values);
    break;
  case HEDDLE_CHECK_PRODUCTS:
    Own.Async.wait(InFlight::Product, W.WarpInBlock, *Values);
    break;
  case HEDDLE_CHECK_MEET:
    noteMeeting(W);
    break;
  case HEDDLE_CHECK_POLL:
    Late.landAll(); // else it might poll for ever
    barrier();
    break;
  case HEDDLE_CHECK_BULK:
    Bulk.What = *Values ? InFlight::Load : InFlight::Store;
    Bulk.Barrier = *Values ? placeOf(W, *Values).Offset : 0;
    Bulk.Swizzle = uint8_t(Values[1]);
    break;
  case HEDDLE_CHECK_BULK_END:
    endBulk();
    break;
  case HEDDLE_CHECK_PRODUCT:
    return noteProduct(W, uint32_t(*Values));
  case HEDDLE_CHECK_OPERAND:
    OperandSwizzle = uint8_t(Values[1]);
    return checkAccess(W, ProductSite, Mask, Values);
  case HEDDLE_CHECK_SUMS:
    return noteSums(W, Values);
  case HEDDLE_CHECK_TEXT: {
    const uint32_t Site = siteOf(uint32_t(Values[0]), Printed);
    return checkLane(W, Sites[Site], Site, unsigned(std::countr_zero(Mask)),
                     Values[1]);
  }
  case HEDDLE_CHECK_PROXY_FENCE:
    Own.Fences.fence(W.WarpInBlock);
    break;
  case HEDDLE_CHECK_PRODUCT_FENCE:
    Own.Fences.fenceProducts(W.WarpInBlock);
    break;
  case HEDDLE_CHECK_WRITTEN:
    return Own.Fences.productFences(W.WarpInBlock);
  case HEDDLE_CHECK_TAKEN:
    checkTaken(W, *Values);
    break;
  default:
    noteBarriers(W, Event, Mask, Values);
  }
  return Mask;
}

void Checker::noteGroups(const HeddleWarp &W, InFlight::Kind What,
                         uint32_t Mask, uint64_t Left) {
  forEachLane(Mask, [&](unsigned Lane) {
    Own.Async.wait(What, threadOf(W, Lane), Left);
  });
  landAwaited();
}

/// What some warp has waited for is in memory for all.
void Checker::landAwaited() {
  Late.land([this](const LateWrites::Write &Write) {
    return !stateOf(Write.Block).Async.has(Write.By, InFlight::AnyWarp);
  });
}

/// Other warps may learn of what \p W has awaited and fenced.
void Checker::noteMeeting(const HeddleWarp &W) {
  Own.Async.meet(W.WarpInBlock);
  Own.Fences.meet(W.WarpInBlock);
}

/// Of the mbarrier at \p Address.
static bool parityAt(uint64_t Address) {
  uint64_t Word;
  heddleReadMemory(&Word, Address, sizeof(Word));
  return heddleBarrierParity(Word);
}

void Checker::noteBarriers(const HeddleWarp &W, uint32_t Event, uint32_t Mask,
                           const uint64_t *Values) {
  auto see = [&](unsigned Lane, bool Parity) {
    const auto [Block, Offset] = placeOf(W, Values[Lane]);
    stateOf(Block).Async.see(Offset, Parity);
  };
  if (Event == HEDDLE_CHECK_ACT || Event == HEDDLE_CHECK_COPIED) {
    forEachLane(Mask, [&](unsigned Lane) {
      see(Lane, heddleBarrierParity(Values[32 + Lane]));
      if (Event == HEDDLE_CHECK_COPIED)
        Own.Async.handOver(threadOf(W, Lane), placeOf(W, Values[Lane]).Offset);
    });
    forEachLane(Mask,
                [&](unsigned Lane) { see(Lane, parityAt(Values[Lane])); });
    return noteMeeting(W);
  }
  forEachLane(Mask, [&](unsigned Lane) {
    const auto [Block, Offset] = placeOf(W, Values[Lane]);
    InFlight &Async = stateOf(Block).Async;
    Event == HEDDLE_CHECK_SET ? Async.setUp(Offset)
                              : Async.awaitPhase(Offset, W.WarpInBlock);
  });
  landAwaited();
}

/// The bulk copy may have ended phases of its mbarriers.
void Checker::endBulk() {
  for (const auto &[Address, At] : Bulk.Barriers)
    stateOf(At.Block).Async.see(At.Offset, parityAt(Address));
  Bulk = {};
}

/// What stands for the instructions on the line of \p Inst.
uint32_t Checker::siteOf(uint32_t Inst, SiteKind What) {
  const std::string &Line = Lines.OfInst[Inst - 1];
  auto [It, New] =
      SitesOfLines.try_emplace({Line, What}, uint32_t(Sites.size()));
  if (New) {
    AccessSite &Site = Sites.emplace_back();
    Site.Bytes = What == Printed ? 1 : 16;
    if (What != Printed)
      Site.Space = HEDDLE_SPACE_SHARED;
    Site.Reads = true;
    Site.IsText = What == Printed;
    Site.IsOperand = What == Operand;
    Site.Line = Line;
    Last.push_back(nullptr);
  }
  return It->second;
}

static std::string at(const AccessSite &Site) {
  return Site.Line.empty() ? "" : " at " + Site.Line;
}

/// Sums of a wgmma; whether nothing has waited for it, which uses have to.
bool Checker::noteSums(const HeddleWarp &W, const uint64_t *Values) {
  const uint32_t Product = siteOf(uint32_t(Values[1] >> 32), Operand);
  if (!Own.Async.has({InFlight::Product, int16_t(W.WarpInBlock),
                      uint32_t(Values[1]), Product},
                     int(W.WarpInBlock)))
    return false;
  if (Values[0]) {
    const uint32_t Use = siteOf(uint32_t(Values[0]), Register);
    report(MissingWait, W, Sites[Use], Use, 0,
           fmt::format("use of sums that the wgmma{} may still make: its warp "
                       "waits for its group (wgmma.commit_group, then "
                       "wgmma.wait_group) first",
                       at(Sites[Product])));
  }
  return true;
}

/// Notes with which swizzle a tensor is written, and looks at the one with
/// which a wgmma reads it.
void Checker::checkSwizzle(BlockState &In, const HeddleWarp &W,
                           const AccessSite &Site, unsigned Record,
                           unsigned Lane, uint64_t Offset) {
  const std::span Bytes(In.Shared.data() + Offset, Site.Bytes);
  if (Site.Writes)
    for (SharedByte &B : Bytes)
      B.Swizzle = Bulk.What == InFlight::Load ? Bulk.Swizzle : 0;
  const SharedByte &First = Bytes.front();
  if (!Site.IsOperand || !First.Swizzle || First.Swizzle == OperandSwizzle)
    return;
  auto name = [](unsigned Width) {
    return Width == 16 ? "no swizzle"
                       : fmt::format("a swizzle of {} bytes", Width);
  };
  report(WrongSwizzle, W, Site, Record, Lane,
         fmt::format("wgmma reads offset {} of shared memory with {}, which "
                     "the bulk copy{} wrote with {}: give the descriptor (bits "
                     "62 and 63) and the tensor map the same",
                     Offset, name(OperandSwizzle),
                     First.Writes.What == InFlight::Load
                         ? at(Sites[First.Writes.Record])
                         : "",
                     name(First.Swizzle)));
}

/// The asynchronous operation that an access of \p Site is a part of.
InFlight::Operation Checker::begin(BlockState &In, const HeddleWarp &W,
                                   const AccessSite &Site, unsigned Record,
                                   unsigned Lane) {
  const unsigned Thread = threadOf(W, Lane);
  if (Site.IsOperand)
    return In.Async.begin(InFlight::Product, W.WarpInBlock, Record);
  if (Site.IsAsync && Site.Writes)
    return In.Async.begin(InFlight::Copy, Thread, Record);
  if (Bulk.What == InFlight::Store && !Site.Writes)
    return In.Async.begin(InFlight::Store, Thread, Record);
  if (Bulk.What == InFlight::Load && Site.Writes)
    return In.Async.beginLoad(Bulk.Barrier, Record);
  return {};
}

/// Which operation it is that may be in flight, and what to do.
std::string Checker::waitFor(const BlockState &In,
                             const InFlight::Operation &O) const {
  const std::string Where = at(Sites[O.Record]);
  switch (O.What) {
  case InFlight::Copy:
    return fmt::format(
        "to which the asynchronous copy{} of thread {} may still write: that "
        "thread waits for its group (cp.async.wait_group) first{}",
        Where, O.Who,
        In.Async.isHandedOver(O)
            ? ", or the warp for the mbarrier of its cp.async.mbarrier.arrive"
            : "");
  case InFlight::Load:
    return fmt::format(
        "to which the bulk copy{} may still write: the warp, or one that it "
        "meets at a barrier, waits for its mbarrier at byte {} "
        "(mbarrier.try_wait) first",
        Where, int(O.Who) * 8);
  case InFlight::Store:
    return fmt::format(
        "from which the bulk copy{} of thread {} may still read: that thread "
        "waits for its group (cp.async.bulk.commit_group, then "
        "cp.async.bulk.wait_group.read) first",
        Where, O.Who);
  case InFlight::Write:
    return fmt::format(
        "to which the bulk copy{} of thread {} may still write: that thread "
        "waits for its group (cp.async.bulk.commit_group, then "
        "cp.async.bulk.wait_group, not .read) first",
        Where, O.Who);
  default:
    return fmt::format(
        "from which the wgmma{} of warp {} may still read: that warp waits "
        "for its group (wgmma.commit_group, then wgmma.wait_group) first",
        Where, O.Who);
  }
}

/// An access to bytes of \p Block that something in flight may still write, or
/// a write to such that something may still read. Reads of other blocks may
/// rely on any warp there.
void Checker::checkInFlight(uint64_t Block, const HeddleWarp &W,
                            const AccessSite &Site, unsigned Record,
                            unsigned Lane, uint64_t Offset) {
  BlockState &In = stateOf(Block);
  const int Warp =
      Block == Current ? int(W.WarpInBlock) : int(InFlight::AnyWarp);
  const std::span Bytes(In.Shared.data() + Offset, Site.Bytes);
  InFlight::Operation Done;
  auto find = [&](InFlight::Operation SharedByte::*What) {
    for (SharedByte &B : Bytes) {
      InFlight::Operation &O = B.*What;
      if (O == Done)
        continue;
      if (In.Async.has(O, Warp)) {
        report(MissingWait, W, Site, Record, Lane,
               fmt::format("{} at offset {} of shared memory, {}", verb(Site),
                           Offset, waitFor(In, O)));
        O = {};
        return;
      }
      Done = O;
    }
  };
  find(&SharedByte::Writes);
  if (Site.Writes)
    find(&SharedByte::Reads);
  checkSwizzle(In, W, Site, Record, Lane, Offset);
  const InFlight::Operation O = begin(In, W, Site, Record, Lane);
  if (O.What == InFlight::None)
    return;
  for (SharedByte &B : Bytes)
    (Site.Writes ? B.Writes : B.Reads) = O;
  const uint64_t Window =
      Block == Current ? reinterpret_cast<uint64_t>(W.Shared)
                       : reinterpret_cast<uint64_t>(W.ClusterShared) +
                             (uint64_t(Shape.rankOf(Block)) << W.WindowShift);
  if (Site.Writes && !Site.Atomic)
    Late.begin(Window + Offset, Site.Bytes, Block, O, true);
  if (O.What == InFlight::Load)
    Bulk.Barriers[Window + Bulk.Barrier] = {Block, Bulk.Barrier};
}

/// An access to global memory that a bulk copy may still write. Reductions of
/// one place may come in any order.
void Checker::checkTargets(const HeddleWarp &W, const AccessSite &Site,
                           unsigned Record, unsigned Lane, uint64_t Address) {
  Targets.forEach(Address, Site.Bytes, [&](const TargetsInFlight::Target &T) {
    BlockState &In = stateOf(T.Block);
    if ((Site.Atomic && Sites[T.By.Record].Atomic) ||
        !In.Async.has(T.By, InFlight::AnyWarp))
      return true;
    report(MissingWait, W, Site, Record, Lane,
           fmt::format("{} at {}, {}", verb(Site), Memory.describe(Address),
                       waitFor(In, T.By)));
    return false;
  });
  if (Bulk.What != InFlight::Store || !Site.Writes)
    return;
  const InFlight::Operation O =
      Own.Async.begin(InFlight::Write, threadOf(W, Lane), Record);
  Targets.add(Address, Site.Bytes, Current, O);
  if (!Site.Atomic)
    Late.begin(Address, Site.Bytes, Current, O, false);
}

} // namespace heddle::exec
