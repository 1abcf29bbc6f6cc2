//===- LaunchFamilies.cpp - Clusters cut finer, or left out ---------------===//

#include "sampling/LaunchFamilies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace heddle::sampling {

/// The arguments of a launch, one text each.
static std::vector<std::string> argumentsOf(const LaunchProfile &L) {
  std::vector<std::string> Parts;
  for (size_t Begin = 0; Begin < L.Arguments.size();) {
    const size_t End =
        std::min(L.Arguments.find(", ", Begin), L.Arguments.size());
    Parts.push_back(L.Arguments.substr(Begin, End - Begin));
    Begin = End + 2;
  }
  return Parts;
}

/// The arguments of \p Launches: by argument, by launch. \p WithGrid: at last
/// the grid.
static std::vector<std::vector<std::string>>
valuesOf(const ApplicationProfile &Profile, const std::vector<size_t> &Launches,
         bool WithGrid) {
  std::vector<std::vector<std::string>> Values;
  for (size_t L : Launches) {
    std::vector<std::string> Parts = argumentsOf(Profile.Launches[L]);
    Values.resize(std::max(Values.size(), Parts.size()));
    Parts.resize(Values.size());
    for (size_t A = 0; A < Values.size(); ++A)
      Values[A].push_back(std::move(Parts[A]));
  }
  for (std::vector<std::string> &V : Values)
    V.resize(Launches.size());
  if (WithGrid) {
    Values.emplace_back();
    for (size_t L : Launches) {
      const Dim3 &Grid = Profile.Launches[L].Grid;
      Values.back().push_back(
          fmt::format("{} x {} x {}", Grid.X, Grid.Y, Grid.Z));
    }
  }
  return Values;
}

/// The launches of each key, of a list as long as \p Launches.
static std::map<std::string, std::vector<size_t>>
groupBy(const std::vector<std::string> &Keys,
        const std::vector<size_t> &Launches) {
  std::map<std::string, std::vector<size_t>> Groups;
  for (size_t I = 0; I < Launches.size(); ++I)
    Groups[Keys[I]].push_back(Launches[I]);
  return Groups;
}

std::vector<std::vector<size_t>>
splitByArguments(const ApplicationProfile &Profile,
                 const std::vector<size_t> &Launches, double Share,
                 bool ByGrid) {
  const size_t Most = size_t(Share * double(Launches.size()));
  const auto Values = valuesOf(Profile, Launches, ByGrid);
  std::vector<size_t> Order(Values.size()), Counts;
  std::iota(Order.begin(), Order.end(), size_t(0));
  for (const std::vector<std::string> &V : Values)
    Counts.push_back(groupBy(V, Launches).size());
  std::ranges::stable_sort(Order, std::ranges::greater(),
                           [&](size_t A) { return Counts[A]; });

  std::vector<std::string> Keys(Launches.size());
  auto Best = groupBy(Keys, Launches);
  for (size_t A : Order) {
    std::vector<std::string> Finer = Keys;
    for (size_t I = 0; I < Finer.size(); ++I)
      Finer[I] += ", " + Values[A][I];
    auto Groups = groupBy(Finer, Launches);
    if (Groups.size() > Most)
      continue;
    Keys = std::move(Finer);
    Best = std::move(Groups);
  }
  std::vector<std::vector<size_t>> Result;
  for (auto &[Key, Members] : Best)
    Result.push_back(std::move(Members));
  return Result;
}

std::vector<size_t> takeCommon(const ApplicationProfile &Profile,
                               std::vector<size_t> &Launches, size_t Least) {
  std::vector<size_t> Common;
  size_t MostValues = 1;
  for (const std::vector<std::string> &V : valuesOf(Profile, Launches, true)) {
    const auto Groups = groupBy(V, Launches);
    const auto Largest = std::ranges::max_element(
        Groups, {}, [](const auto &G) { return G.second.size(); });
    const size_t Others = Launches.size() - Largest->second.size();
    if (Largest->second.size() < Others || Others < Least ||
        Groups.size() <= MostValues)
      continue;
    MostValues = Groups.size();
    Common = Largest->second;
  }
  std::erase_if(Launches, [&](size_t L) {
    return std::ranges::binary_search(Common, L);
  });
  return Common;
}

std::vector<bool> chooseSizes(const std::vector<SizeClass> &Classes,
                              double Step) {
  constexpr double AlikeRequests = 0.2; // the distance of TBPoint's epochs
  constexpr size_t ManyLaunches = 10;
  auto Alike = [](const SizeClass &A, const SizeClass &B) {
    return std::abs(A.Requests - B.Requests) <=
           AlikeRequests * std::max(A.Requests, B.Requests);
  };
  std::vector<bool> Chosen(Classes.size());
  double Above = 0; // size of the next larger one that was chosen
  for (size_t I = Classes.size(); I-- > 0;) {
    const bool Last = I == 0 || !Alike(Classes[I], Classes[I - 1]);
    const bool First =
        I + 1 == Classes.size() || !Alike(Classes[I], Classes[I + 1]);
    // The class below would be too far away.
    const bool Far = I > 0 && Above > Step * Classes[I - 1].Instructions;
    if (!First && !Last && !Far && Classes[I].Launches < ManyLaunches)
      continue;
    Chosen[I] = true;
    Above = Classes[I].Instructions;
  }
  return Chosen;
}

} // namespace heddle::sampling
