//===- LaunchClusters.cpp - Which launches stand for which ----------------===//

#include "sampling/paper/LaunchClusters.h"

#include "sampling/LaunchFamilies.h"
#include "sampling/Statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>

namespace heddle::sampling {

static double sizeVariation(const LaunchProfile &Launch) {
  std::vector<double> Sizes;
  for (const BlockWork &B : Launch.Blocks)
    Sizes.push_back(double(B.ThreadInstructions));
  return coefficientOfVariation(Sizes);
}

double LaunchCluster::weight() const {
  double Sum = 0;
  for (const Share &S : Shares)
    Sum += S.Factor;
  return Sum;
}

size_t LaunchCluster::standsFor() const {
  double Sum = 0;
  for (const Share &S : Shares)
    Sum += S.Part;
  return size_t(std::llround(Sum));
}

std::vector<double> expectedCycles(const std::vector<LaunchCluster> &Clusters,
                                   const std::vector<double> &CyclesOfLaunch) {
  std::vector<double> Expected(CyclesOfLaunch.size(), 0);
  for (const LaunchCluster &C : Clusters)
    for (const LaunchCluster::Share &S : C.Shares)
      Expected[S.Launch] += S.Factor * CyclesOfLaunch[C.Representative];
  return Expected;
}

Points interLaunchFeatures(const ApplicationProfile &Profile) {
  Points Features;
  std::vector<double> Sum(3, 0);
  for (const LaunchProfile &L : Profile.Launches) {
    BlockWork T = L.total();
    Features.push_back({double(T.ThreadInstructions),
                        double(T.WarpInstructions), double(T.MemoryRequests)});
    for (size_t D = 0; D < Sum.size(); ++D)
      Sum[D] += Features.back()[D];
    Features.back().push_back(sizeVariation(L));
  }
  for (std::vector<double> &F : Features)
    for (size_t D = 0; D < Sum.size(); ++D)
      F[D] = Sum[D] > 0 ? F[D] * double(Features.size()) / Sum[D] : 0;
  return Features;
}

/// Makes the counts relative to the mean of each kernel.
static void scaleByKernel(const ApplicationProfile &Profile, Points &Features) {
  constexpr size_t Counts = 3;
  std::map<std::string_view, std::vector<size_t>> ByKernel;
  for (size_t L = 0; L < Features.size(); ++L)
    ByKernel[Profile.Launches[L].Kernel].push_back(L);
  for (const auto &[Kernel, Launches] : ByKernel)
    for (size_t D = 0; D < Counts; ++D) {
      double Sum = 0;
      for (size_t L : Launches)
        Sum += Features[L][D];
      for (size_t L : Launches)
        Features[L][D] *= Sum > 0 ? double(Launches.size()) / Sum : 0;
    }
}

static Points featuresFor(const ApplicationProfile &Profile,
                          const LaunchClusterOptions &Options) {
  Points Features = interLaunchFeatures(Profile);
  if (Options.OwnScale)
    scaleByKernel(Profile, Features);
  return Features;
}

/// Of those that are equally near, but for the last bits of a sum, the first or
/// the one in the \p Middle.
static size_t nearestToCentre(const Points &Features,
                              const std::vector<size_t> &Members,
                              bool Middle = false) {
  std::vector<double> Centre(Features.front().size(), 0);
  for (size_t M : Members)
    for (size_t D = 0; D < Centre.size(); ++D)
      Centre[D] += Features[M][D] / double(Members.size());
  constexpr double LastBits = 1e-9;
  std::vector<size_t> Best;
  double Least = std::numeric_limits<double>::infinity();
  for (size_t M : Members) {
    double Distance = 0;
    for (size_t D = 0; D < Centre.size(); ++D)
      Distance += (Features[M][D] - Centre[D]) * (Features[M][D] - Centre[D]);
    if (Best.empty() || Distance < Least * (1 - LastBits)) {
      Least = Distance;
      Best = {M};
    } else if (Distance <= Least * (1 + LastBits)) {
      Best.push_back(M);
    }
  }
  return Best[Middle ? Best.size() / 2 : 0];
}

namespace {
/// Makes the clusters of one kernel after the other.
class Clusterer {
public:
  Clusterer(const ApplicationProfile &Profile,
            const LaunchClusterOptions &Options)
      : Profile(Profile), Options(Options),
        Features(featuresFor(Profile, Options)) {}

  void addKernel(const std::vector<size_t> &Launches);
  std::vector<LaunchCluster> finish();

private:
  using Group = std::vector<size_t>;
  double instructions(size_t Launch) const {
    return double(Profile.Launches[Launch].total().WarpInstructions);
  }
  std::vector<Group> alike(const std::vector<size_t> &Launches) const;
  std::vector<bool> choose(const std::vector<Group> &Groups) const;
  size_t representative(const Group &Launches) const;
  size_t addCluster(const Group &Launches);
  void takeOutKnown();
  void interpolate(const Group &Launches, size_t Below, size_t Above);

  const ApplicationProfile &Profile;
  const LaunchClusterOptions &Options;
  const Points Features;
  std::vector<LaunchCluster> Clusters;
};
} // namespace

/// By ascending size.
std::vector<Clusterer::Group>
Clusterer::alike(const std::vector<size_t> &Launches) const {
  Points Own;
  for (size_t L : Launches)
    Own.push_back(Features[L]);
  const std::vector<size_t> Of = clusterHierarchically(Own, Options.Distance);
  std::vector<Group> Groups(*std::ranges::max_element(Of) + 1);
  for (size_t I = 0; I < Launches.size(); ++I)
    Groups[Of[I]].push_back(Launches[I]);
  std::ranges::stable_sort(Groups, {}, [&](const Group &G) {
    return instructions(nearestToCentre(Features, G));
  });
  return Groups;
}

std::vector<bool> Clusterer::choose(const std::vector<Group> &Groups) const {
  if (Options.SizeStep == 0)
    return std::vector<bool>(Groups.size(), true);
  std::vector<SizeClass> Classes;
  for (const Group &G : Groups) {
    const size_t L = nearestToCentre(Features, G);
    const double Work = instructions(L);
    const double Requests = double(Profile.Launches[L].total().MemoryRequests);
    Classes.push_back({Work, Work > 0 ? Requests / Work : 0, G.size()});
  }
  return chooseSizes(Classes, Options.SizeStep);
}

size_t Clusterer::representative(const Group &Launches) const {
  Group Known;
  for (size_t L : Launches)
    if (Options.Known.count(L))
      Known.push_back(L);
  return nearestToCentre(Features, Known.empty() ? Launches : Known,
                         Options.MiddleOfEquals);
}

size_t Clusterer::addCluster(const Group &Launches) {
  LaunchCluster C;
  C.Representative = representative(Launches);
  const double Own = instructions(C.Representative);
  double Work = 0;
  for (size_t L : Launches)
    Work += instructions(L);
  // Launches without instructions take as long as the one that stands for them.
  for (size_t L : Launches)
    C.Shares.push_back({L, 1, Work > 0 && Own > 0 ? instructions(L) / Own : 1});
  Clusters.push_back(std::move(C));
  return Clusters.size() - 1;
}

/// Cycles as a linear function of instructions between the two clusters.
void Clusterer::interpolate(const Group &Launches, size_t Below, size_t Above) {
  const double Least = instructions(Clusters[Below].Representative);
  const double Most = instructions(Clusters[Above].Representative);
  for (size_t L : Launches) {
    const double Share =
        Most > Least ? (instructions(L) - Least) / (Most - Least) : 0.5;
    Clusters[Below].Shares.push_back({L, 1 - Share, 1 - Share});
    Clusters[Above].Shares.push_back({L, Share, Share});
  }
}

void Clusterer::addKernel(const std::vector<size_t> &Launches) {
  std::vector<Group> Groups = alike(Launches);
  const std::vector<bool> Chosen = choose(Groups);
  // One cluster of each chosen group; the others lie between these.
  std::vector<size_t> ClusterOf(Groups.size(), size_t(-1));
  for (size_t G = 0; G < Groups.size(); ++G) {
    if (!Chosen[G])
      continue;
    if (Options.ArgumentShare > 0)
      for (const Group &Part :
           splitByArguments(Profile, Groups[G], Options.ArgumentShare))
        ClusterOf[G] = addCluster(Part);
    else
      ClusterOf[G] = addCluster(Groups[G]);
  }
  for (size_t G = 0; G < Groups.size(); ++G) {
    if (Chosen[G])
      continue;
    size_t Below = G, Above = G;
    while (!Chosen[Below])
      --Below;
    while (!Chosen[Above])
      ++Above;
    interpolate(Groups[G], ClusterOf[Below], ClusterOf[Above]);
  }
}

/// Known launches are clusters of their own, or represent one.
void Clusterer::takeOutKnown() {
  std::set<size_t> Alone = Options.Known;
  for (LaunchCluster &C : Clusters) {
    Alone.erase(C.Representative);
    std::erase_if(C.Shares, [&](const LaunchCluster::Share &S) {
      return S.Launch != C.Representative && Options.Known.count(S.Launch);
    });
  }
  for (size_t L : Alone)
    Clusters.push_back({L, {{L}}});
}

std::vector<LaunchCluster> Clusterer::finish() {
  takeOutKnown();
  for (LaunchCluster &C : Clusters)
    std::ranges::sort(C.Shares, {}, &LaunchCluster::Share::Launch);
  std::ranges::sort(Clusters, {}, [](const LaunchCluster &C) {
    return C.Shares.front().Launch;
  });
  return std::move(Clusters);
}

/// Launches of one kernel that find alike much in L2. The first one is alone:
/// it finds neither code nor parameters. L2 keeps the code of the last kernel,
/// so those that follow another one are apart from those that do not.
static std::vector<std::vector<size_t>>
alikeInL2(const ApplicationProfile &Profile,
          const std::vector<size_t> &Launches,
          const LaunchClusterOptions &Options) {
  if (Options.MissRatios.empty() || Launches.size() == 1)
    return {Launches};
  Points Ratios;
  for (size_t L : std::span(Launches).subspan(1)) {
    const bool FindsCode =
        Profile.Launches[L - 1].Kernel == Profile.Launches[L].Kernel;
    Ratios.push_back({Options.MissRatios[L], FindsCode ? 0.0 : 1.0});
  }
  const std::vector<size_t> Of =
      clusterHierarchically(Ratios, Options.Distance);
  std::vector<std::vector<size_t>> Families(2 + *std::ranges::max_element(Of));
  Families.front().push_back(Launches.front());
  for (size_t I = 0; I < Of.size(); ++I)
    Families[1 + Of[I]].push_back(Launches[I + 1]);
  return Families;
}

std::vector<LaunchCluster>
clusterLaunches(const ApplicationProfile &Profile,
                const LaunchClusterOptions &Options) {
  std::map<std::string, std::vector<size_t>> ByKernel;
  for (size_t L = 0; L < Profile.Launches.size(); ++L)
    ByKernel[Profile.Launches[L].Kernel].push_back(L);
  Clusterer C(Profile, Options);
  for (const auto &[Kernel, Launches] : ByKernel)
    for (const std::vector<size_t> &Family :
         alikeInL2(Profile, Launches, Options))
      C.addKernel(Family);
  return C.finish();
}

} // namespace heddle::sampling
