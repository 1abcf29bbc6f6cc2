//===- TimeUnits.cpp - A full simulation cut into units -------------------===//

#include "sampling/paper/TimeUnits.h"

#include "sampling/RandomNumbers.h"

#include <algorithm>
#include <cmath>

namespace heddle::sampling {

UnitRecorder::UnitRecorder(const trace::CodeTable &Code, size_t Launch,
                           size_t FirstBlock, size_t NumBlocks,
                           uint64_t UnitInstructions)
    : Code(Code), Launch(Launch), FirstBlock(FirstBlock), NumBlocks(NumBlocks),
      UnitInstructions(UnitInstructions), Issued(Code.Insts.size(), 0) {}

void UnitRecorder::onWindow(const timing::WindowState &State) {
  Latest.Now = State.Now;
  Latest.WarpInstructions = State.WarpInstructions;
  // The table is as large as the code: look at it only where a unit may end.
  if (State.WarpInstructions - Instructions >= UnitInstructions) {
    LatestIssued = State.IssuedByInst();
    close(State.Now);
  }
}

void UnitRecorder::close(uint64_t Cycles) {
  TimeUnit U;
  U.Launch = Launch;
  U.WarpInstructions = Latest.WarpInstructions - Instructions;
  U.Cycles = Cycles - Start;
  U.BasicBlocks.assign(NumBlocks, 0);
  double Sum = 0;
  for (size_t B = 0; B < Code.Blocks.size(); ++B) {
    const HeddleBlock &Block = Code.Blocks[B];
    for (uint32_t I = Block.FirstInst; I < Block.FirstInst + Block.NumInsts;
         ++I)
      U.BasicBlocks[FirstBlock + B] += double(LatestIssued[I] - Issued[I]);
    Sum += U.BasicBlocks[FirstBlock + B];
  }
  if (Sum > 0)
    for (double &Share : U.BasicBlocks)
      Share /= Sum;
  Issued = std::move(LatestIssued);
  Instructions = Latest.WarpInstructions;
  Start = Cycles;
  Units.push_back(std::move(U));
}

std::vector<TimeUnit>
UnitRecorder::finish(const timing::SimulationResult &Result) {
  Latest.WarpInstructions = Result.WarpInstructions;
  // What is left is the last unit's, but for a launch shorter than a unit.
  if (!Units.empty()) {
    Units.back().Cycles += Result.Cycles - Start;
    Units.back().WarpInstructions += Latest.WarpInstructions - Instructions;
  } else if (Latest.WarpInstructions) {
    LatestIssued.clear();
    for (const timing::InstSample &S : Result.Insts)
      LatestIssued.push_back(S.Issued);
    LatestIssued.resize(Issued.size());
    close(Result.Cycles);
  }
  return std::move(Units);
}

namespace {
/// Units that stand for others: instructions of those over their own.
class Projection {
public:
  explicit Projection(const std::vector<TimeUnit> &Units) : Units(Units) {
    for (const TimeUnit &U : Units)
      Total += double(U.WarpInstructions);
  }

  /// One CPI for all, that of the chosen units together.
  UnitProjection byMean(std::vector<size_t> Chosen) const {
    UnitProjection P;
    double Instructions = 0, Cycles = 0;
    for (size_t I : Chosen) {
      Instructions += double(Units[I].WarpInstructions);
      Cycles += double(Units[I].Cycles);
    }
    P.Cycles = Instructions > 0 ? Cycles / Instructions * Total : 0;
    P.SampleFraction = Total > 0 ? Instructions / Total : 0;
    P.Chosen = std::move(Chosen);
    return P;
  }

  UnitProjection byCluster(const Clustering &C,
                           std::vector<size_t> Chosen) const {
    UnitProjection P;
    std::vector<double> Mass(Chosen.size(), 0);
    for (size_t I = 0; I < Units.size(); ++I)
      Mass[C.Of[I]] += double(Units[I].WarpInstructions);
    double Instructions = 0;
    for (size_t K = 0; K < Chosen.size(); ++K) {
      const TimeUnit &U = Units[Chosen[K]];
      Instructions += double(U.WarpInstructions);
      P.Cycles += double(U.Cycles) / double(U.WarpInstructions) * Mass[K];
    }
    P.SampleFraction = Instructions / Total;
    std::ranges::sort(Chosen);
    P.Chosen = std::move(Chosen);
    return P;
  }

private:
  const std::vector<TimeUnit> &Units;
  double Total = 0;
};
} // namespace

UnitProjection projectRandom(const std::vector<TimeUnit> &Units, double Share,
                             uint64_t Seed) {
  RandomNumbers Random(Seed);
  std::vector<size_t> Chosen;
  for (size_t I = 0; I < Units.size(); ++I)
    if (Random.uniform() < Share)
      Chosen.push_back(I);
  if (Chosen.empty() && !Units.empty())
    Chosen.push_back(Random.below(Units.size()));
  return Projection(Units).byMean(std::move(Chosen));
}

UnitProjection projectSystematic(const std::vector<TimeUnit> &Units,
                                 double Share) {
  size_t Step = std::max<size_t>(1, size_t(std::lround(1 / Share)));
  std::vector<size_t> Chosen;
  for (size_t I = std::min(Step / 2, Units.empty() ? 0 : Units.size() - 1);
       I < Units.size(); I += Step)
    Chosen.push_back(I);
  return Projection(Units).byMean(std::move(Chosen));
}

UnitProjection projectSimPoint(const std::vector<TimeUnit> &Units,
                               const SelectionOptions &Options) {
  if (Units.empty())
    return {};
  Points P;
  std::vector<double> Weights;
  for (const TimeUnit &U : Units) {
    P.push_back(U.BasicBlocks);
    Weights.push_back(double(U.WarpInstructions));
  }
  Clustering C = clusterByBIC(P, Weights, Options);
  return Projection(Units).byCluster(C, representatives(P, C));
}

} // namespace heddle::sampling
