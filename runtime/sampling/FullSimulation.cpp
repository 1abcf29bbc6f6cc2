//===- FullSimulation.cpp - What samples are compared with ----------------===//

#include "sampling/FullSimulation.h"

#include "base/Fail.h"
#include "base/JSONText.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <numeric>

namespace heddle::sampling {

using JSON = nlohmann::ordered_json;

static constexpr unsigned SimulationFormat = 1;

uint64_t FullSimulation::totalCycles() const {
  return std::accumulate(Cycles.begin(), Cycles.end(), uint64_t(0));
}

std::vector<double> FullSimulation::cyclesOfLaunch() const {
  return {Cycles.begin(), Cycles.end()};
}

static JSON unitsJSON(const std::vector<TimeUnit> &All) {
  JSON Units = JSON::array();
  for (const TimeUnit &U : All) {
    JSON Shares = JSON::array(); // of most blocks: none
    for (size_t B = 0; B < U.BasicBlocks.size(); ++B)
      if (U.BasicBlocks[B] > 0)
        Shares.push_back({B, U.BasicBlocks[B]});
    Units.push_back({U.Launch, U.WarpInstructions, U.Cycles,
                     U.BasicBlocks.size(), std::move(Shares)});
  }
  return Units;
}

std::string writeUnits(const std::vector<TimeUnit> &Units) {
  return unitsJSON(Units).dump();
}

std::string writeFullSimulation(const FullSimulation &Full,
                                const std::string &Version) {
  return JSON{{"tool", "heddle"},
              {"version", Version},
              {"full_simulation_format", SimulationFormat},
              {"machine", Full.Machine},
              {"unit", Full.UnitInstructions},
              {"cycles", Full.Cycles},
              {"warp_instructions", Full.Instructions},
              {"units", unitsJSON(Full.Units)}}
             .dump() +
         "\n";
}

/// At most so many basic blocks have all kernels, of which each unit has a
/// number for every one. Level machine has blocks beside those of the profile:
/// for arms that it predicates, and for loops that it unrolls.
static uint64_t mostBlocks(const ApplicationProfile &Profile) {
  std::map<std::string_view, uint64_t> Blocks;
  for (const LaunchProfile &L : Profile.Launches)
    Blocks[L.Kernel] = L.BasicBlocks.size();
  constexpr uint64_t OfLevels = 64;
  uint64_t Sum = 0;
  for (const auto &[Kernel, Count] : Blocks)
    Sum += Count * OfLevels;
  return Sum;
}

namespace {
/// Walks the JSON; methods throw Error, or what nlohmann throws for a wrong
/// type.
class SimulationReader {
public:
  /// \p MostBlocks: basic blocks that a unit may tell of.
  SimulationReader(const JSON &Root, const std::string &Path,
                   uint64_t MostBlocks)
      : Root(Root), Path(Path), MostBlocks(MostBlocks) {}

  FullSimulation read() const {
    if (!Root.is_object() || !Root.contains("full_simulation_format"))
      error("is not a full simulation; `heddle sample --compare` writes one");
    if (Root["full_simulation_format"] != SimulationFormat)
      error(fmt::format("has format {}, this program reads {}; delete it",
                        quotedValue(Root["full_simulation_format"]),
                        SimulationFormat));
    FullSimulation Full;
    Full.Machine = Root.at("machine").get<std::string>();
    Full.UnitInstructions = count(Root.at("unit"));
    for (const JSON &N : Root.at("cycles"))
      Full.Cycles.push_back(count(N));
    for (const JSON &N : Root.at("warp_instructions"))
      Full.Instructions.push_back(count(N));
    Full.Units = units(Root.at("units"));
    return Full;
  }

  std::vector<TimeUnit> units(const JSON &List) const {
    std::vector<TimeUnit> Units;
    for (const JSON &U : List)
      Units.push_back(unit(U));
    return Units;
  }

  [[noreturn]] void error(const std::string &Message) const {
    throw Error{Path + ": " + Message};
  }

private:
  uint64_t count(const JSON &N) const {
    if (!N.is_number_unsigned())
      error("holds " + quotedValue(N) + " instead of a count");
    return N.get<uint64_t>();
  }

  TimeUnit unit(const JSON &At) const {
    TimeUnit U{count(At.at(0)), count(At.at(1)), count(At.at(2)), {}};
    if (count(At.at(3)) > MostBlocks || U.WarpInstructions == 0)
      error("holds the unit " + quotedValue(At));
    U.BasicBlocks.resize(count(At.at(3)));
    for (const JSON &Pair : At.at(4)) {
      const double Share = Pair.at(1).get<double>();
      if (!(Share >= 0 && Share <= 1))
        error("holds the share " + quotedValue(Pair.at(1)));
      if (count(Pair.at(0)) >= U.BasicBlocks.size())
        error("holds a share of the basic block " + quotedValue(Pair.at(0)));
      U.BasicBlocks[count(Pair.at(0))] = Share;
    }
    return U;
  }

  const JSON &Root;
  const std::string &Path;
  const uint64_t MostBlocks;
};
} // namespace

Result<std::vector<TimeUnit>> parseUnits(const std::string &Text) {
  constexpr uint64_t MostBlocks = uint64_t(1) << 24; // of a damaged file
  try {
    const JSON List = JSON::parse(Text);
    return SimulationReader(List, "", MostBlocks).units(List);
  } catch (const Error &E) {
    return std::unexpected(E);
  } catch (const nlohmann::json::exception &E) {
    return fail("no units: {}", E.what());
  }
}

Result<FullSimulation> parseFullSimulation(const std::string &Text,
                                           const std::string &Path,
                                           const ApplicationProfile &Profile,
                                           const std::string &Machine,
                                           uint64_t UnitInstructions) {
  if (nestsTooDeep(Text))
    return fail(Path + NestsTooDeep);
  try {
    const JSON Root = JSON::parse(Text);
    const SimulationReader In(Root, Path, mostBlocks(Profile));
    FullSimulation Full = In.read();
    if (Full.Machine != Machine)
      In.error(fmt::format("was simulated on '{}', not on '{}'", Full.Machine,
                           Machine));
    if (Full.UnitInstructions != UnitInstructions)
      In.error(fmt::format("has units of {} warp instructions, not {}",
                           Full.UnitInstructions, UnitInstructions));
    std::vector<uint64_t> Instructions;
    for (const LaunchProfile &L : Profile.Launches)
      Instructions.push_back(L.total().WarpInstructions);
    if (Full.Instructions != Instructions ||
        Full.Cycles.size() != Instructions.size())
      In.error("is of another application: launches or their instructions "
               "differ from the profile");
    for (const TimeUnit &U : Full.Units)
      if (U.Launch >= Instructions.size() ||
          U.BasicBlocks.size() != Full.Units.front().BasicBlocks.size())
        In.error(fmt::format("has a unit of launch {}", U.Launch));
    return Full;
  } catch (const Error &E) {
    return std::unexpected(E);
  } catch (const nlohmann::json::exception &E) {
    return fail("{}: cannot be read, or was cut off: {}", Path, E.what());
  }
}

} // namespace heddle::sampling
