//===- Advice.cpp - What lifting each limit would bring -------------------===//

#include "models/Advice.h"

#include "arch/Occupancy.h"
#include "memory/Coalescer.h"
#include "timing/DecodedCode.h"
#include "trace/WarpCursor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <utility>

using namespace heddle;
using timing::DecodedInst;
using views::Lift;

namespace {

/// What the instructions of a few blocks cost in terms of each limit, by index
/// into the code table.
struct InstCosts {
  InstCosts(const trace::CodeTable &Table, const arch::GPUSpec &Spec);

  Result<void> collect(trace::TraceSource &Source);
  /// Sets the source line with the largest sum of \p Costs.
  void locate(Lift &L, std::span<const double> Costs) const;
  /// Cycles that the units of \p Pipe are taken.
  std::vector<double> cyclesOn(unsigned Pipe) const;

  std::vector<double> Issued, Sectors, ExcessSectors, ExcessPasses, SharedLoads;

private:
  void add(uint32_t Index, const DecodedInst &I, const trace::MemoryAccess &A);
  double sectors(const memory::Coalescer &C, const DecodedInst &I,
                 const trace::MemoryAccess &A) const;

  const trace::CodeTable &Table;
  const timing::DecodedCode Code;
  const arch::SharedSpec &Shared;
  memory::Coalescer Actual, Ideal;
};

} // namespace

InstCosts::InstCosts(const trace::CodeTable &Table, const arch::GPUSpec &Spec)
    : Issued(Table.Insts.size()), Sectors(Issued), ExcessSectors(Issued),
      ExcessPasses(Issued), SharedLoads(Issued), Table(Table),
      Code(Table, Spec), Shared(Spec.Shared), Actual(Spec.L1, Spec.L2),
      Ideal(Spec.L1, Spec.L2, true) {}

/// Enough blocks to see all lines, few enough to cost next to nothing.
static constexpr uint64_t SampledBlocks = 4, SampledInsts = 200'000;

Result<void> InstCosts::collect(trace::TraceSource &Source) {
  const uint64_t Count = std::min(SampledBlocks, Source.header().Grid.count());
  uint64_t Seen = 0;
  for (uint64_t Index = 0; Index < Count && Seen < SampledInsts; ++Index) {
    trace::BlockTrace Block;
    if (Result<void> R = Source.read(Index, Block); !R)
      return R;
    for (const trace::WarpTrace &W : Block.Warps) {
      trace::WarpCursor C(Table, W);
      while (C.next()) {
        const HeddleBlock &B = Table.Blocks[C.block()];
        Seen += B.NumInsts;
        for (uint32_t I = B.FirstInst; I != B.FirstInst + B.NumInsts; ++I) {
          Issued[I] += Code[I].Slots;
          if (Code[I].hasAddresses())
            add(I, Code[I], C.access(Code[I].Memory));
        }
      }
    }
  }
  return {};
}

void InstCosts::add(uint32_t Index, const DecodedInst &I,
                    const trace::MemoryAccess &A) {
  if (!A.Mask)
    return;
  if (A.Space == HEDDLE_SPACE_GLOBAL) {
    const double Now = sectors(Actual, I, A);
    Sectors[Index] += Now;
    ExcessSectors[Index] += Now - sectors(Ideal, I, A);
  } else if (A.Space == HEDDLE_SPACE_SHARED && !I.isAtomic()) {
    const double Now =
        memory::sharedPasses(A, I.ByteOffset, I.AccessBytes, Shared);
    ExcessPasses[Index] +=
        std::max(0.0, Now - memory::fewestPasses(A, I.AccessBytes, Shared));
    if (I.Kind == timing::InstKind::Load && !(I.Flags & HEDDLE_INST_ASYNC))
      SharedLoads[Index] += Now;
  }
}

double InstCosts::sectors(const memory::Coalescer &C, const DecodedInst &I,
                          const trace::MemoryAccess &A) const {
  memory::LineAccess Lines[memory::Coalescer::MaxLines];
  const unsigned Count =
      C.coalesce(A, I.ByteOffset, I.AccessBytes, I.isAtomic(), Lines);
  unsigned Sum = 0;
  for (unsigned L = 0; L != Count; ++L)
    Sum += std::popcount(Lines[L].Sectors);
  return Sum;
}

std::vector<double> InstCosts::cyclesOn(unsigned Pipe) const {
  std::vector<double> Costs(Issued.size());
  for (uint32_t I = 0; I != Costs.size(); ++I)
    if (Code[I].Pipe == Pipe)
      Costs[I] = Issued[I] * Code[I].Initiation;
  return Costs;
}

void InstCosts::locate(Lift &L, std::span<const double> Costs) const {
  std::map<std::pair<uint32_t, uint32_t>, double> Lines;
  for (uint32_t I = 0; I != Costs.size(); ++I)
    if (Costs[I] > 0 && Table.Insts[I].SourceLine)
      Lines[{Table.Insts[I].SourceFile, Table.Insts[I].SourceLine}] += Costs[I];
  const auto Most = std::ranges::max_element(
      Lines, {}, [](const auto &Entry) { return Entry.second; });
  if (Most == Lines.end())
    return;
  L.File = Table.Files[Most->first.first];
  L.Line = Most->first.second;
}

/// The fields that let one more block onto each SM; empty if no block would
/// come or the limit is not one that code can change.
static std::vector<std::string> oneMoreBlock(const BlockResources &Block,
                                             uint64_t Blocks,
                                             const arch::GPUSpec &Spec,
                                             const arch::Occupancy &Now) {
  if (Blocks <= uint64_t(Now.BlocksPerSM) * Spec.SM.Count)
    return {};
  if (Now.Limiter == "registers") {
    arch::GPUSpec Other = Spec;
    const uint32_t Step =
        Spec.SM.RegisterGranularity * std::max(1u, Spec.SM.WarpGranularity);
    while (Other.SM.Registers < 2 * Spec.SM.Registers) {
      Other.SM.Registers += Step;
      auto O = arch::computeOccupancy(Block, Other);
      if (O && O->BlocksPerSM > Now.BlocksPerSM)
        return {fmt::format("sm.registers={}", Other.SM.Registers)};
    }
    return {};
  }
  if (Now.Limiter != "shared memory")
    return {};
  const uint64_t More = arch::sharedBytesPerBlock(Block, Spec);
  const uint64_t Size = Spec.Shared.Size + More;
  std::vector<std::string> Sets;
  if (Spec.L1.Unified)
    Sets.push_back(fmt::format("l1.unified={}", Spec.L1.Unified + More));
  Sets.push_back(fmt::format("shared.size={}", Size));
  if (!Spec.Shared.CarveOuts.empty())
    Sets.push_back(fmt::format("shared.carve_outs=[{}, {}]",
                               fmt::join(Spec.Shared.CarveOuts, ", "), Size));
  return Sets;
}

/// DRAM with a faster clock, and as many more cycles of it to the first data.
static std::vector<std::string> fasterDRAM(const arch::GPUSpec &Spec) {
  const arch::DRAMSpec &D = Spec.DRAM;
  const uint32_t Factor =
      std::clamp<uint32_t>(uint32_t(20000 / Spec.Clock.DRAM), 1, 8);
  return {fmt::format("clock.dram={}", Spec.Clock.DRAM * Factor),
          fmt::format("dram.bandwidth={}", D.Bandwidth * Factor),
          fmt::format("dram.tcl={}", D.TCL * Factor),
          fmt::format("dram.trcd={}", D.TRCD * Factor), "dram.efficiency=1"};
}

/// The limits of \p Spec that code can do something about.
static std::vector<Lift> liftsOf(const trace::TraceHeader &Header,
                                 const arch::GPUSpec &Spec,
                                 const InstCosts &Costs) {
  std::vector<Lift> Lifts;
  auto add = [&](std::string Limit, std::vector<std::string> Sets,
                 std::string Hint, std::span<const double> Where) {
    if (Sets.empty() || std::ranges::all_of(Where, [](double C) { return !C; }))
      return;
    Lift &L =
        Lifts.emplace_back(std::move(Limit), std::move(Sets), std::move(Hint));
    Costs.locate(L, Where);
  };
  add("uncoalesced accesses", {"l1.coalesced=true"},
      "neighbouring threads on neighbouring addresses", Costs.ExcessSectors);
  add("bank conflicts", {"shared.conflict_free=true"},
      "pad or swizzle the array in shared memory", Costs.ExcessPasses);
  add("loads of shared memory", {"shared.reuse=8"},
      "more results per thread, each value kept in a register for them",
      Costs.SharedLoads);
  add("DRAM bandwidth", fasterDRAM(Spec),
      "read and write less: fuse kernels, narrower types, tiles",
      Costs.Sectors);
  add("L2 bandwidth",
      {"icnt.request_bytes=4096", "icnt.reply_bytes=4096",
       "icnt.slice_bytes=4096", "l2.cycles_per_sector=1"},
      "reuse data in registers or shared memory", Costs.Sectors);
  add("memory latency", {"dram.latency=0", "l2.latency=1", "icnt.latency=1"},
      "load earlier, more loads at once, more warps", Costs.Sectors);
  const BlockResources Block = Header.blockResources();
  if (auto Now = arch::computeOccupancy(Block, Spec))
    add(fmt::format("one more block per SM ({})", Now->Limiter),
        oneMoreBlock(Block, Header.Grid.count(), Spec, *Now),
        Now->Limiter == "registers" ? "__launch_bounds__, fewer live values"
                                    : "a smaller tile, dynamic shared memory",
        Costs.Issued);
  for (unsigned P = 0; P != Spec.Pipes.size(); ++P)
    add(fmt::format("pipe {}", Spec.Pipes[P].Name),
        {fmt::format("pipes.{}.units={}", Spec.Pipes[P].Name,
                     2 * Spec.Pipes[P].Units)},
        "fewer or cheaper instructions of this kind", Costs.cyclesOn(P));
  return Lifts;
}

/// Whether the model can tell: it reads one of the fields that change.
static bool isModelled(const Lift &L, const arch::ModelContract &Contract) {
  return std::ranges::any_of(L.Sets, [&](const std::string &Set) {
    return Contract.reads(Set.substr(0, Set.find('=')));
  });
}

namespace {
/// Lift by lift one progress of all.
struct AdviceProgress {
  const ProgressCallback &Tell;
  const uint64_t Lifts;
  uint64_t Lifted = 0, Before = 0, Now = 0;

  bool operator()(uint64_t Done, uint64_t Total, uint64_t Work) {
    Now = Work;
    return Tell(Lifted * Total + Done, Lifts * Total, Before + Work);
  }
  void next() {
    ++Lifted;
    Before += std::exchange(Now, 0);
  }
};
} // namespace

std::expected<views::AdviceView, ModelError>
models::advise(trace::TraceSource &Source, const arch::GPUSpec &Spec,
               const ModelRequest &Request, uint64_t Cycles) {
  InstCosts Costs(Source.code(), Spec);
  if (Result<void> R = Costs.collect(Source); !R)
    return std::unexpected(R.error());
  // Studies are of the machine with its limits.
  ModelRequest Alone = Request;
  Alone.WhatIf.clear();
  Alone.Sensitivity = Alone.AllGPUs = Alone.AllModels = false;
  Alone.Measured.clear();
  std::vector<Lift> All = liftsOf(Source.header(), Spec, Costs), Lifts;
  AdviceProgress Progress{Request.OnProgress, All.size()};
  if (Request.OnProgress)
    Alone.OnProgress = std::ref(Progress);
  std::vector<std::string> NotModelled, NotTried;
  for (Lift &L : All) {
    if (!isModelled(L, findModel(Request.Model)->Contract)) {
      NotModelled.push_back(L.Limit);
      Progress.next();
      continue;
    }
    if (!NotTried.empty()) {
      NotTried.push_back(L.Limit);
      continue;
    }
    std::vector<std::string> Sets = Request.Sets;
    Sets.insert(Sets.end(), L.Sets.begin(), L.Sets.end());
    auto Other = arch::loadMachine(Request.GPU, Sets);
    if (!Other)
      return std::unexpected(ModelError(Other.error(), ModelError::Request));
    auto Report = runModel(Source, *Other, Alone);
    if (!Report && Report.error().Is == ModelError::Cancelled) {
      NotTried.push_back(L.Limit);
      continue;
    }
    if (!Report)
      return std::unexpected(Report.error());
    L.Cycles = Report->JSON["cycles"];
    Lifts.push_back(std::move(L));
    Progress.next();
  }
  return views::AdviceView(Request.Model, Cycles, std::move(Lifts),
                           std::move(NotModelled), std::move(NotTried));
}
