//===- IntervalModel.cpp - Time of a launch from its intervals ------------===//

#include "interval/IntervalModel.h"

#include "arch/SpecFields.h"
#include "interval/Makespan.h"
#include "interval/SMReplay.h"
#include "interval/paper/PaperModels.h"
#include "timing/ResultCheck.h"
#include "timing/units/SMState.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace heddle::interval {

static constexpr std::string_view Names[NumModels] = {
    "naive", "markov", "mt", "mt-mshr", "gpumech", "heddle"};

std::string_view modelName(Model M) { return Names[unsigned(M)]; }

std::optional<Model> modelOf(std::string_view Name) {
  for (unsigned M = 0; M < NumModels; ++M)
    if (Names[M] == Name)
      return Model(M);
  return std::nullopt;
}

static void estimateHeddle(const IntervalProfile &P, const arch::GPUSpec &Spec,
                           const EstimateSettings &Settings,
                           IntervalEstimate &E) {
  const size_t Places = std::max(1u, P.Occupancy.BlocksPerSM);
  const double Launch = Spec.Launch.countedLatency();
  const uint64_t Replayed =
      Settings.ReplayInsts ? Settings.ReplayInsts : P.ReplayInsts;
  double Sum = 0, Last = -1;
  timing::StallCycles Stalls{};
  timing::LoadWaitCycles LoadWaits{};
  const std::span<const SMStream> SMs =
      Settings.OnlySM ? std::span(&P.SMs[*Settings.OnlySM], 1)
                      : std::span(P.SMs);
  for (const SMStream &SM : SMs) {
    ReplayResult R = replaySM(P, SM, Spec, {Replayed});
    // The launch ends when the SM does that has most to do.
    double Own = makespan(SM.AllInsts, Places);
    double Imbalance = Own > 0 && !P.Critical ? P.Span / Own : 1;
    double End = std::max(0.0, R.Cycles - Launch) * Imbalance;
    Sum += End;
    if (End > Last)
      E.LastSM = size_t(&SM - P.SMs.data());
    Last = std::max(Last, End);
    E.ReplayedInsts += R.Insts;
    E.TraceInsts += R.TraceInsts;
    E.IssueSlots += R.IssueSlots;
    E.DRAMBusy += R.DRAMBusy / double(SMs.size());
    E.L2Busy += R.L2Busy / double(SMs.size());
    for (unsigned S = 0; S < timing::NumStalls; ++S)
      Stalls[S] += R.Stalls[S];
    for (unsigned L = 0; L < timing::NumLoadWaits; ++L)
      LoadWaits[L] += R.LoadWaits[L];
  }
  double Cores = double(std::min<uint64_t>(Spec.SM.Count, P.BlockInsts.size()));
  double Cycles = SMs.empty()  ? 0
                  : P.Critical ? Last
                               : Sum / double(SMs.size());
  E.CoreCPI = P.WarpInsts ? Cycles * Cores / double(P.WarpInsts) : 0;
  const double WarpCycles = std::accumulate(Stalls.begin(), Stalls.end(), 0.0);
  if (WarpCycles > 0)
    breakDown(Stalls, LoadWaits, E.CoreCPI / WarpCycles, E.Stack, E.Categories);
  for (unsigned S = 0; S < timing::NumStalls && E.ReplayedInsts; ++S)
    E.States[S] = double(Stalls[S]) / double(E.ReplayedInsts);
}

static void scale(IntervalEstimate &E, double Factor) {
  E.CoreCPI *= Factor;
  for (double &C : E.Stack)
    C *= Factor;
  for (double &C : E.Categories)
    C *= Factor;
  for (double &C : E.States)
    C *= Factor;
}

Result<IntervalEstimate> estimate(const IntervalProfile &P,
                                  const arch::GPUSpec &Spec, Model Which,
                                  const EstimateSettings &Settings) {
  const arch::ModelContract &Contract = Contracts[unsigned(Which)];
  if (Result<void> Ok = Contract.check(Spec); !Ok)
    return std::unexpected(Ok.error());
  if (P.Key != collectionKey(Spec))
    return fail(fmt::format("machine '{}' differs from that of the profile in "
                            "its caches, shared memory, SMs or occupancy; "
                            "collect a profile for it",
                            Spec.Name));
  if (Spec.L1.Size && !Spec.L1.MSHRs)
    return fail(fmt::format("machine '{}': l1.mshrs is 0, so no load that "
                            "misses can ever finish; set it to 1 or more",
                            Spec.Name));
  if (!(Spec.DRAM.Bandwidth > 0) || !(Spec.Clock.Core > 0) ||
      !(Spec.Clock.L2 > 0) || !(Spec.Clock.DRAM > 0))
    return fail(fmt::format("machine '{}': dram.bandwidth and the clocks must "
                            "be greater than 0",
                            Spec.Name));
  IntervalEstimate E;
  E.Which = Which;
  E.GPU = Spec.Name;
  E.Ignored = Contract.ignored(Spec);
  E.CoreMHz = Spec.Clock.Core;
  E.LaunchCycles = Spec.Launch.KernelLatency;
  E.CountedLaunch = Spec.Launch.countedLatency();
  if (Which == Model::Heddle)
    estimateHeddle(P, Spec, Settings, E);
  else
    estimatePaper(P, Spec, E);
  double Cores = double(std::min<uint64_t>(Spec.SM.Count, P.BlockInsts.size()));
  double Busy = Cores > 0 ? E.CoreCPI * double(P.WarpInsts) / Cores : 0;
  const double Bytes =
      double(P.DRAMReadSectors + P.DRAMWriteSectors) * Spec.L2.Sector;
  const double BytesPerCycle = Spec.DRAM.Bandwidth * 1000 / Spec.Clock.Core;
  const double DRAMCycles = Bytes / BytesPerCycle / Spec.DRAM.Efficiency;
  // The part that was replayed may leave writes behind, which all cannot; its
  // rate, close to the peak, may be a little above that of the whole.
  const double Slots = double(P.WarpInsts) * double(E.IssueSlots) /
                       std::max(1.0, double(E.ReplayedInsts));
  const double Least = std::max(DRAMCycles, timing::issueCycles(Slots, Spec));
  if (Which == Model::Heddle && Busy > 0 && Busy < Least) {
    scale(E, Least / Busy);
    Busy = Least;
  }
  E.Cycles = E.CountedLaunch + Busy;
  E.TimeUs = E.Cycles / Spec.Clock.Core;
  E.IPC = E.Cycles > 0 ? double(P.WarpInsts) / E.Cycles : 0;
  E.Roof = {Spec, double(P.WarpInsts), Bytes};
  if (Which == Model::Heddle && !Settings.OnlySM)
    timing::checkEstimate({"interval=heddle", P.Launch.Kernel, E.ReplayedInsts,
                           E.TraceInsts, E.IssueSlots, double(P.WarpInsts),
                           Bytes, Busy},
                          Spec);
  return E;
}

Result<IntervalEstimate> MachineComparison::first() {
  if (!Whole) {
    auto E = estimate(Profile, First, Model::Heddle);
    if (!E)
      return E;
    Whole = *E;
  }
  return *Whole;
}

Result<IntervalEstimate> MachineComparison::further(const arch::GPUSpec &Spec) {
  if (Profile.ReplayInsts <= PartInsts)
    return estimate(Profile, Spec, Model::Heddle);
  if (auto R = first(); !R)
    return R;
  EstimateSettings Settings{PartInsts};
  if (!Profile.SMs.empty())
    Settings.OnlySM = Whole->LastSM;
  auto E = estimate(Profile, Spec, Model::Heddle, Settings);
  if (!E)
    return E;
  if (!Part) {
    auto R = estimate(Profile, First, Model::Heddle, Settings);
    if (!R)
      return R;
    Part = *R;
  }
  const double Kernel = Part->Cycles - Part->CountedLaunch;
  const double Factor =
      Kernel > 0 ? (Whole->Cycles - Whole->CountedLaunch) / Kernel : 1;
  scale(*E, Factor);
  E->Cycles = E->CountedLaunch + (E->Cycles - E->CountedLaunch) * Factor;
  E->TimeUs = E->Cycles / Spec.Clock.Core;
  E->IPC = E->Cycles > 0 ? double(Profile.WarpInsts) / E->Cycles : 0;
  return E;
}

} // namespace heddle::interval
