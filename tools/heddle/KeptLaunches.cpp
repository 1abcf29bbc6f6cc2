//===- KeptLaunches.cpp - Launches that were simulated before -------------===//

#include "KeptLaunches.h"

#include "Commands.h"

#include "base/Fail.h"
#include "sampling/FullSimulation.h"
#include "views/View.h"

#include <utility>

namespace heddle::tool {

KeptLaunches::KeptLaunches(const std::string &Path, const std::string &Plan,
                           const arch::GPUSpec &Spec, size_t Total,
                           LaunchSimulator &Simulator)
    : Store(take(SweepStore::open(Path, Plan))) {
  readLaunches();
  if (!Simulator.keepsL2())
    return;
  readStates(Spec, Simulator);
  checkChain(Total);
}

static views::JSON writeUse(const streams::LaunchUse &Use) {
  const arch::Occupancy &O = Use.Occupancy;
  return {{"time_us", Use.TimeUs},
          {"blocks", Use.Blocks},
          {"fit",
           {O.BlocksPerSM, O.BlocksByWarps, O.BlocksBySlots,
            O.BlocksByRegisters, O.BlocksByShared}},
          {"busy", Use.Busy}};
}

/// Reads it from \p Row; false if it is damaged.
static bool readUse(const views::JSON &Row, streams::LaunchUse &Use) {
  try {
    const views::JSON &J = Row.at("use");
    J.at("time_us").get_to(Use.TimeUs);
    J.at("blocks").get_to(Use.Blocks);
    J.at("busy").get_to(Use.Busy);
    arch::Occupancy &O = Use.Occupancy;
    size_t At = 0;
    for (unsigned *Fit : {&O.BlocksPerSM, &O.BlocksByWarps, &O.BlocksBySlots,
                          &O.BlocksByRegisters, &O.BlocksByShared}) {
      J.at("fit").at(At++).get_to(*Fit);
      if (*Fit == 0)
        return false;
    }
    return Use.TimeUs >= 0 && Use.Blocks > 0;
  } catch (const views::JSON::exception &) {
    return false;
  }
}

void KeptLaunches::readLaunches() {
  take(Store.forEach([&](const SweepRow &Row) -> Result<void> {
    const auto J =
        views::JSON::parse(Row.Result, nullptr, /*allow_exceptions=*/false);
    const auto Number = [&](const char *Key) {
      return J.is_object() && J.contains(Key) && J[Key].is_number_unsigned()
                 ? std::optional(J[Key].get<uint64_t>())
                 : std::nullopt;
    };
    const auto Cycles = Number("cycles"), Insts = Number("warp_instructions");
    WholeLaunch L{Cycles.value_or(0), Insts.value_or(0), {}, false, 0, {}};
    L.L2After = Number("l2").value_or(0);
    const bool HasUnits = J.is_object() && J.contains("units");
    auto Units = HasUnits ? sampling::parseUnits(J["units"].dump())
                          : Result<std::vector<sampling::TimeUnit>>();
    const bool HasUse = J.is_object() && J.contains("use") && readUse(J, L.Use);
    if (!Cycles || !Insts || !Units || !HasUse)
      return fail("{}: launch {} is damaged; remove the file to start over",
                  Store.path(), Row.Index);
    L.Units = std::move(*Units);
    Known.emplace(Row.Index, std::move(L));
    return {};
  }));
}

void KeptLaunches::readStates(const arch::GPUSpec &Spec,
                              LaunchSimulator &Simulator) {
  take(Store.forEachState([&](uint64_t Id,
                              std::span<const uint8_t> Bytes) -> Result<void> {
    auto L2 = memory::L2Contents::decode(Bytes, Id, Spec);
    if (!L2)
      return fail(
          "{}: contents of L2 are damaged ({}); remove the file to start over",
          Store.path(), L2.error().Message);
    Simulator.addL2(Id, std::move(*L2));
    Stored.insert(Id);
    return {};
  }));
}

/// The launches that are there are the first ones, and the next one finds what
/// the last of them left.
void KeptLaunches::checkChain(size_t Total) const {
  size_t Next = 0;
  for (const auto &[Index, L] : Known)
    if (Index != Next++)
      throw inputError("{}: launch {} is missing, but later ones are there; "
                       "remove the file to start over",
                       Store.path(), Next - 1);
  if (Next && Next < Total && !Stored.count(Known.rbegin()->second.L2After))
    throw inputError("{}: what launch {} left in L2 is missing; remove the "
                     "file to start over",
                     Store.path(), Next - 1);
}

std::optional<WholeLaunch> KeptLaunches::find(size_t Index) const {
  const auto At = Known.find(Index);
  return At == Known.end() ? std::nullopt : std::optional(At->second);
}

void KeptLaunches::keep(size_t Index, const std::string &Kernel,
                        const WholeLaunch &L,
                        const LaunchSimulator &Simulator) {
  if (Known.count(Index))
    return;
  views::JSON Row = {{"kernel", Kernel},
                     {"cycles", L.Cycles},
                     {"warp_instructions", L.WarpInstructions}};
  if (L.L2After)
    Row["l2"] = L.L2After;
  Row["use"] = writeUse(L.Use);
  if (!L.Units.empty())
    Row["units"] = views::JSON::parse(sampling::writeUnits(L.Units));
  take(Store.inOneStep([&]() -> Result<void> {
    if (Result<void> R = keepStates(Simulator.l2States()); !R)
      return R;
    return Store.add(
        {Index, views::JSON{{"launch", Index}}.dump(), Row.dump(), {}});
  }));
}

/// Contents are written once, and go when the simulator has let them go.
Result<void> KeptLaunches::keepStates(const L2States &States) {
  std::set<uint64_t> Gone = std::exchange(Stored, {});
  for (const auto &[Fingerprint, L2] : States) {
    Stored.insert(Fingerprint);
    if (!Gone.erase(Fingerprint))
      if (Result<void> R = Store.addState(Fingerprint, L2.encode()); !R)
        return R;
  }
  for (uint64_t Fingerprint : Gone)
    if (Result<void> R = Store.dropState(Fingerprint); !R)
      return R;
  return {};
}

void KeptLaunches::finish() {
  if (Stored.empty())
    return;
  take(Store.inOneStep([&] { return keepStates({}); }));
  take(Store.finish());
}

} // namespace heddle::tool
