//===- Checker.cpp - Finds wrong memory accesses of a launch --------------===//

#include "exec/Checker.h"

#include "heddle/ABI/CheckEvents.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace heddle::exec {

Checker::Checker(const DeviceMemory &Memory, const BoundLaunch &Launch,
                 std::vector<AccessSite> Given, const SourceMap &Lines,
                 bool OrdersBlocks)
    : Memory(Memory), Sites(std::move(Given)), Lines(Lines),
      SharedBytes(Launch.SharedBytes), LocalBytes(localBytesPerBlock(Launch)),
      Warps(Launch.warpsPerBlock()), Own(fresh()), Heap(Memory),
      Copied(Sites.size()), HasBlocks(Launch.Grid.count() > 1),
      OrdersBlocks(OrdersBlocks),
      Grid{Launch.Grid.X, Launch.Grid.Y, Launch.Grid.Z},
      Shape(clustersOf(Launch)), Last(Sites.size()) {
  for (size_t N = 0; N < Sites.size(); ++N)
    if (Sites[N].IsCopied)
      Copied[N].resize(size_t(Warps) * 32, ~uint64_t(0));
  for (const auto &B : Memory.buffers())
    if (!B->Initialised)
      BufferWritten[B.get()].resize(B->SizeBytes);
}

Checker::BlockState Checker::fresh() const {
  return {std::vector<SharedByte>(SharedBytes), std::vector<bool>(LocalBytes),
          InFlight(Warps), BlockFences(Warps)};
}

void Checker::beginCluster(uint64_t First) {
  Waiting.clear();
  Targets.clear(); // a block waits for all of its copies when it ends
  Late.end();
  Current = First;
  Own = fresh();
  ++Epoch;
}

Checker::BlockState &Checker::stateOf(uint64_t Block) {
  if (Block == Current)
    return Own;
  auto It = Waiting.find(Block);
  if (It == Waiting.end())
    It = Waiting.emplace(Block, fresh()).first;
  return It->second;
}

void Checker::resumeBlock(uint64_t Block) {
  if (Block == Current)
    return;
  Late.landAll(); // it may wait for what no one else does
  BlockState Next = std::move(stateOf(Block));
  Waiting.erase(Block);
  Waiting.insert_or_assign(Current, std::move(Own));
  Own = std::move(Next);
  Current = Block;
}

static std::string text(uint32_t X, uint32_t Y, uint32_t Z) {
  return fmt::format("({}, {}, {})", X, Y, Z);
}

void Checker::report(Kind What, const HeddleWarp &W, const AccessSite &Site,
                     unsigned Record, unsigned Lane, const std::string &Text) {
  auto [It, New] = Index.try_emplace({Record, What}, Found.size());
  if (New)
    Found.push_back(
        {What,
         Record,
         {},
         fmt::format("{}{} (block {}, thread {})",
                     Site.Line.empty() ? "" : Site.Line + ": ", Text,
                     text(W.BlockIdx[0], W.BlockIdx[1], W.BlockIdx[2]),
                     text(W.TidX[Lane], W.TidY[Lane], W.TidZ[Lane]))});
  ++Found[It->second].Count;
}

std::string Checker::Finding::line() const {
  return Count == 1 ? Text : fmt::format("{}, and {} more", Text, Count - 1);
}

const std::vector<Checker::Finding> &Checker::findings() {
  Late.end();
  reportRaces();
  return Found;
}

std::string Checker::verb(const AccessSite &Site) {
  if (Site.IsText)
    return "read of a string that is printed";
  return fmt::format("{} of {} bytes",
                     Site.Atomic && Site.Writes ? "atomic update"
                     : Site.Writes              ? "write"
                                                : "read",
                     Site.Bytes);
}

template <typename Bits, typename Text>
void Checker::checkContents(const HeddleWarp &W, const AccessSite &Site,
                            unsigned Record, unsigned Lane, Bits Written,
                            Text Where) {
  const size_t Thread = W.WarpInBlock * 32 + Lane;
  const uint64_t All = ~uint64_t(0) >> (64 - std::min(Site.Bytes, 64u));
  if (Site.Reads) {
    uint64_t Known = 0;
    for (uint32_t I = 0; I < Site.Bytes; ++I)
      Known |= uint64_t(bool(Written(I))) << I;
    if (Site.IsCopied)
      Copied[Record][Thread] = Known;
    else if (Known != All)
      report(Uninitialised, W, Site, Record, Lane,
             fmt::format("{} that were never written, at {}", verb(Site),
                         Where()));
  }
  if (!Site.Writes)
    return;
  const uint64_t Known =
      Site.CopyOf == AccessSite::NoRecord ? All : Copied[Site.CopyOf][Thread];
  for (uint32_t I = 0; I < Site.Bytes; ++I)
    Written(I) = bool(Known >> I & 1);
}

/// Lanes whose accesses have happened by now.
void Checker::reportRaces() {
  for (const BlockRaces::Race &R : Between.settle()) {
    HeddleWarp W = {};
    auto At = [this](uint32_t Block) {
      return std::array<uint32_t, 3>{Block % Grid[0], Block / Grid[0] % Grid[1],
                                     Block / Grid[0] / Grid[1]};
    };
    std::ranges::copy(At(R.Block), W.BlockIdx);
    const auto Other = At(R.Other);
    W.TidX[0] = R.Thread[0];
    W.TidY[0] = R.Thread[1];
    W.TidZ[0] = R.Thread[2];
    const AccessSite &Site = Sites[R.Record];
    const Kind What = R.IsOrder ? BlockOrder : BlockRace;
    report(What, W, Site, R.Record, 0,
           fmt::format("{}: {} at {}, which block {} {} too, and nothing "
                       "orders them",
                       R.IsOrder ? "order of blocks" : "race between blocks",
                       verb(Site), Memory.describe(R.Address),
                       text(Other[0], Other[1], Other[2]),
                       R.IsOrder ? "updates" : "accesses"));
    if (const DeviceBuffer *B = Memory.find(R.Address))
      Found[Index[{R.Record, What}]].Buffer = B->Name;
  }
}

/// Notes which block accesses what. Atomics show their order even where the
/// kernel orders other accesses.
void Checker::watch(const HeddleWarp &W, const AccessSite &Site,
                    unsigned Record, unsigned Lane, uint64_t Address) {
  if (!HasBlocks || Site.Space == HEDDLE_SPACE_CONST ||
      (OrdersBlocks && !Site.Atomic))
    return;
  const uint32_t Block =
      W.BlockIdx[0] + Grid[0] * (W.BlockIdx[1] + Grid[1] * W.BlockIdx[2]);
  Between.access(Address, Site.Bytes,
                 Site.ShowsOrder ? BlockRaces::Kind::OrderedUpdate
                 : Site.Atomic   ? BlockRaces::Kind::Update
                 : Site.Writes   ? BlockRaces::Kind::Write
                                 : BlockRaces::Kind::Read,
                 {Address,
                  Record,
                  Block,
                  Block,
                  {W.TidX[Lane], W.TidY[Lane], W.TidZ[Lane]},
                  false});
}

bool Checker::checkGlobal(const HeddleWarp &W, const AccessSite &Site,
                          unsigned Record, unsigned Lane, uint64_t Address) {
  const DeviceBuffer *B = Memory.find(Address);
  if (!B || B->SizeBytes - (Address - B->Address) < Site.Bytes) {
    report(OutOfBounds, W, Site, Record, Lane,
           fmt::format("out-of-bounds {} at {}", verb(Site),
                       Memory.describe(Address)));
    return false;
  }
  if (const std::string Problem = Heap.problem(*B, Address, Site.Bytes);
      !Problem.empty()) {
    report(OutOfBounds, W, Site, Record, Lane,
           fmt::format("{} {}", verb(Site), Problem));
    return false;
  }
  if (Last[Record] != B) {
    Last[Record] = B;
    if (Site.Reads)
      Read.insert(B);
    if (Site.Writes)
      Written.insert(B);
  }
  watch(W, Site, Record, Lane, Address);
  if (!Targets.empty() || Bulk.What == InFlight::Store)
    checkTargets(W, Site, Record, Lane, Address);
  auto It = BufferWritten.find(B);
  if (It == BufferWritten.end())
    return true;
  auto First = It->second.begin() + (Address - B->Address);
  checkContents(
      W, Site, Record, Lane, [&](uint32_t I) { return First[I]; },
      [&] { return Memory.describe(Address); });
  return true;
}

/// The warp that \p Warp's access to \p B races with, or -1; notes the access.
int Checker::racesWith(SharedByte &B, const AccessSite &Site, int Warp) {
  if (B.Epoch != Epoch) {
    B.Writer = B.Reader = B.Updater = -1;
    B.ManyReaders = B.ManyUpdaters = false;
    B.Epoch = Epoch;
  }
  auto Other = [Warp](int Who, bool Many) {
    return Who == -1 || (Who == Warp && !Many) ? -1 : Who;
  };
  int Found = Other(B.Writer, false);
  if (Found == -1 && !Site.Atomic && !Site.IsGuess)
    Found = Other(B.Updater, B.ManyUpdaters);
  if (Found == -1 && Site.Writes)
    Found = Other(B.Reader, B.ManyReaders);
  auto Note = [Warp](int16_t &Who, bool &Many) {
    Many |= Who != -1 && Who != Warp;
    Who = int16_t(Warp);
  };
  if (Site.Atomic && Site.Writes)
    Note(B.Updater, B.ManyUpdaters);
  else if (Site.Writes)
    B.Writer = int16_t(Warp);
  else if (!Site.IsGuess)
    Note(B.Reader, B.ManyReaders);
  return Found;
}

bool Checker::checkShared(const HeddleWarp &W, const AccessSite &Site,
                          unsigned Record, unsigned Lane, uint64_t Address) {
  uint64_t Offset = Address - reinterpret_cast<uint64_t>(W.Shared);
  if (Offset >= SharedBytes || SharedBytes - Offset < Site.Bytes) {
    report(OutOfBounds, W, Site, Record, Lane,
           fmt::format("out-of-bounds {} at offset {} of shared memory ({} "
                       "bytes{})",
                       verb(Site), int64_t(Offset), SharedBytes,
                       SharedBytes
                           ? ""
                           : "; the launch gives none: --dynamic-shared, "
                             "or dynamic_shared in a launch file"));
    return false;
  }
  int Race = -1;
  for (uint32_t I = 0; I < Site.Bytes; ++I) {
    int With = racesWith(Own.Shared[Offset + I], Site, int(W.WarpInBlock));
    Race = Race == -1 ? With : Race;
  }
  if (Race != -1)
    report(
        Checker::Race, W, Site, Record, Lane,
        fmt::format("race in shared memory: {} at offset {} of warp {} and an "
                    "access of warp {} without a barrier in between",
                    verb(Site), Offset, W.WarpInBlock, Race));
  checkInFlight(Current, W, Site, Record, Lane, Offset);
  checkProxy(W, Site, Record, Lane, Offset);
  checkContents(
      W, Site, Record, Lane,
      [&](uint32_t I) -> bool & { return Own.Shared[Offset + I].Written; },
      [&] { return fmt::format("offset {} of shared memory", Offset); });
  return true;
}

uint64_t Checker::blockOf(const HeddleWarp &W) const {
  return W.BlockIdx[0] +
         uint64_t(Grid[0]) *
             (W.BlockIdx[1] + uint64_t(Grid[1]) * W.BlockIdx[2]);
}

/// Where \p Address lies, which is in the cluster's shared memory.
Checker::Place Checker::placeOf(const HeddleWarp &W, uint64_t Address) const {
  if (W.ClusterBlocks <= 1)
    return {Current, Address - reinterpret_cast<uint64_t>(W.Shared)};
  const uint64_t At = Address - reinterpret_cast<uint64_t>(W.ClusterShared);
  const uint64_t Rank = At >> W.WindowShift;
  return {Shape.block(Shape.clusterOf(blockOf(W)), unsigned(Rank)),
          At - (Rank << W.WindowShift)};
}

/// The shared memory of another block of the cluster. Nothing tells which
/// barriers order it with that block's own accesses, so races are not looked
/// for.
bool Checker::checkRemote(const HeddleWarp &W, const AccessSite &Site,
                          unsigned Record, unsigned Lane, uint64_t Address) {
  const uint64_t Rank =
      (Address - reinterpret_cast<uint64_t>(W.ClusterShared)) >> W.WindowShift;
  if (Rank >= W.ClusterBlocks) {
    report(OutOfBounds, W, Site, Record, Lane,
           fmt::format("out-of-bounds {} at {}", verb(Site),
                       Memory.describe(Address)));
    return false;
  }
  const auto [Block, Offset] = placeOf(W, Address);
  if (Offset >= SharedBytes || SharedBytes - Offset < Site.Bytes) {
    report(OutOfBounds, W, Site, Record, Lane,
           fmt::format("out-of-bounds {} at offset {} of the shared memory of "
                       "the cluster's block {} ({} bytes)",
                       verb(Site), Offset, Rank, SharedBytes));
    return false;
  }
  checkInFlight(Block, W, Site, Record, Lane, Offset);
  std::vector<SharedByte> &Bytes = stateOf(Block).Shared;
  checkContents(
      W, Site, Record, Lane,
      [&, First = Offset](uint32_t I) -> bool & {
        return Bytes[First + I].Written;
      },
      [&, First = Offset] {
        return fmt::format("offset {} of the shared memory of the cluster's "
                           "block {}",
                           First, Rank);
      });
  return true;
}

bool Checker::checkLocal(const HeddleWarp &W, const AccessSite &Site,
                         unsigned Record, unsigned Lane, uint64_t Address) {
  uint64_t Frame = reinterpret_cast<uint64_t>(W.Local) + Lane * W.LocalStride;
  uint64_t Offset = Address - Frame;
  if (Offset >= W.LocalStride || W.LocalStride - Offset < Site.Bytes) {
    report(OutOfBounds, W, Site, Record, Lane,
           fmt::format(
               "out-of-bounds {} at offset {} of the thread's local memory "
               "({} bytes)",
               verb(Site), int64_t(Offset), W.LocalStride));
    return false;
  }
  auto First = Own.LocalWritten.begin() +
               ((uint64_t(W.WarpInBlock) * 32 + Lane) * W.LocalStride + Offset);
  checkContents(
      W, Site, Record, Lane, [&](uint32_t I) { return First[I]; },
      [&] {
        return fmt::format("offset {} of the thread's local memory", Offset);
      });
  return true;
}

bool Checker::checkLane(const HeddleWarp &W, const AccessSite &Site,
                        unsigned Record, unsigned Lane, uint64_t Address) {
  HeddleMemorySpace Space = Site.Space == HEDDLE_SPACE_GENERIC
                                ? heddleSpaceOfAddress(Address)
                                : Site.Space;
  const bool InShared =
      Space == HEDDLE_SPACE_SHARED || Space == HEDDLE_SPACE_CLUSTER;
  const bool IsRemote =
      InShared && W.ClusterBlocks > 1 &&
      Address >= reinterpret_cast<uint64_t>(W.ClusterShared) &&
      (Address ^ reinterpret_cast<uint64_t>(W.Shared)) >> W.WindowShift;
  bool Ok = IsRemote   ? checkRemote(W, Site, Record, Lane, Address)
            : InShared ? checkShared(W, Site, Record, Lane, Address)
            : Space == HEDDLE_SPACE_LOCAL
                ? checkLocal(W, Site, Record, Lane, Address)
                : checkGlobal(W, Site, Record, Lane, Address);
  const uint32_t InRow = Site.IsMatrix ? Lane * Site.Bytes % Site.Align : 0;
  const uint64_t Needed = Address - InRow; // a multiple
  if (!Ok || Needed % Site.Align == 0)
    return Ok;
  if (InRow) // its row has been reported
    return false;
  std::string Where =
      InShared || Space == HEDDLE_SPACE_LOCAL
          ? fmt::format("an address that is {} more than a multiple",
                        Needed % Site.Align)
          : Memory.describe(Needed);
  // The lane that gives the address of the row.
  const unsigned Giver = Site.IsMatrix ? Lane * Site.Bytes / Site.Align : Lane;
  report(Misaligned, W, Site, Record, Giver,
         fmt::format("misaligned {} at {}: it needs a multiple of {}",
                     !Site.IsMatrix ? verb(Site)
                     : Site.Writes  ? "row of stmatrix"
                                    : "row of ldmatrix",
                     Where, Site.Align));
  return false;
}

uint32_t Checker::checkAccess(const HeddleWarp &W, uint32_t Record,
                              uint32_t Mask, const uint64_t *Addresses) {
  reportRaces();
  if (W.CheckBytes) // bulk copies are checked piece by piece
    Sites[Record].Bytes = W.CheckBytes;
  if (Sites[Record].Atomic) // it may tell other warps something
    noteMeeting(W);
  uint32_t Allowed = 0;
  for (uint32_t M = Mask; M; M &= M - 1) {
    unsigned L = std::countr_zero(M);
    if (checkLane(W, Sites[Record], Record, L, Addresses[L]))
      Allowed |= 1u << L;
  }
  return Allowed;
}

uint32_t Checker::onAccess(HeddleWarp *W, uint32_t Record, uint32_t Mask,
                           const uint64_t *Addresses) {
  auto *C = static_cast<Checker *>(W->Observer);
  if (C->Bulk.What == InFlight::None) // else its pieces come before it
    C->Late.takeOut();
  const uint32_t Event = heddleCheckRecord(Record);
  return Event < HEDDLE_NUM_CHECK_EVENTS
             ? C->noteEvent(*W, Event, Mask, Addresses)
             : C->checkAccess(*W, Record, Mask, Addresses);
}

} // namespace heddle::exec
