//===- LaunchFamilies.cpp - Clusters cut finer, or left out ---------------===//

#include "sampling/LaunchFamilies.h"

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

std::vector<std::vector<size_t>>
splitByArguments(const ApplicationProfile &Profile,
                 const std::vector<size_t> &Launches, double Share) {
  const size_t Most = size_t(Share * double(Launches.size()));
  std::vector<std::vector<std::string>> Values; // by argument, by launch
  for (size_t L : Launches) {
    std::vector<std::string> Parts = argumentsOf(Profile.Launches[L]);
    Values.resize(std::max(Values.size(), Parts.size()));
    Parts.resize(Values.size());
    for (size_t A = 0; A < Values.size(); ++A)
      Values[A].push_back(std::move(Parts[A]));
  }
  using Parts = std::map<std::string, std::vector<size_t>>;
  auto Split = [&](const std::vector<std::string> &Keys) {
    Parts P;
    for (size_t I = 0; I < Launches.size(); ++I)
      P[Keys[I]].push_back(Launches[I]);
    return P;
  };
  std::vector<size_t> Order(Values.size()), Counts;
  std::iota(Order.begin(), Order.end(), size_t(0));
  for (std::vector<std::string> &V : Values) {
    V.resize(Launches.size());
    Counts.push_back(Split(V).size());
  }
  std::ranges::stable_sort(Order, std::ranges::greater(),
                           [&](size_t A) { return Counts[A]; });

  std::vector<std::string> Keys(Launches.size());
  Parts Best = Split(Keys);
  for (size_t A : Order) {
    std::vector<std::string> Finer = Keys;
    for (size_t I = 0; I < Finer.size(); ++I)
      Finer[I] += ", " + Values[A][I];
    Parts P = Split(Finer);
    if (P.size() > Most)
      continue;
    Keys = std::move(Finer);
    Best = std::move(P);
  }
  std::vector<std::vector<size_t>> Result;
  for (auto &[Key, Members] : Best)
    Result.push_back(std::move(Members));
  return Result;
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
