//===- SampleMethods.h - The methods of heddle sample -----------*- C++ -*-===//
//
// One run of `heddle sample`. What all methods share is in SampleRun.cpp; each
// method has a file of its own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_SAMPLEMETHODS_H
#define HEDDLE_TOOLS_SAMPLEMETHODS_H

#include "Progress.h"
#include "SampleRun.h"

#include "heddle/Driver/Application.h"
#include "heddle/Driver/LaunchSimulator.h"
#include "models/ModelRun.h"
#include "sampling/CheckSample.h"
#include "sampling/FullSimulation.h"
#include "sampling/StratifiedSampling.h"
#include "sampling/paper/IntervalSelection.h"
#include "sampling/paper/LaunchClusters.h"

#include <map>
#include <utility>

namespace heddle::tool {

class SampleRun {
public:
  explicit SampleRun(const SampleRunOptions &Given);
  sampling::SamplingResult run();

private:
  void runMethod();
  bool keepPart();
  void offerPart(Progress &Bar);
  void loadProfile();
  void checkProfile() const;

  // Simulation, whole and in part.
  void runFull();
  bool keepsLaunches() const;
  std::string fullPlan() const;
  void simulateEverything(const std::string &Part);
  void simulateLaunches(const std::vector<size_t> &Wanted);
  void simulateChecks(const std::vector<size_t> &Wanted);
  sampling::MeasuredLaunch measure(size_t Index, Session &S);
  void noteLevel(const Session &S);
  void sampleBlocks(const Session &S, const sampling::LaunchProfile &Launch,
                    trace::TraceSource &Source, sampling::SampledLaunch &L);
  uint64_t instructionsOf(size_t Launch) const {
    return Profile.Launches[Launch].total().WarpInstructions;
  }
  std::vector<double> measuredCycles() const;
  std::string machineText() const;
  void exportLaunches(const std::map<size_t, double> &Weights) const;

  // TBPoint.
  void runTBPoint();
  std::vector<sampling::LaunchCluster> clusterLaunches();
  std::vector<double> missRatios();
  void simulateRepresentatives(const std::vector<sampling::LaunchCluster> &);
  void projectClusters(const std::vector<sampling::LaunchCluster> &Clusters);
  void refineClusters();
  void keepChecked(const std::vector<size_t> &Launches);
  void simulateSampled(Session &S, sampling::SampledLaunch &L);
  bool keepForClone(Session &S, sampling::SampledLaunch &L);
  void simulateClones();
  void warnOfBentClones();
  sampling::CheckSample
  drawChecks(const std::vector<sampling::LaunchCluster> &Clusters,
             uint64_t Seed);
  double checkClusters(const sampling::CheckSample &Check);
  void warnOfLooseClusters(const sampling::CheckSample &Check);

  // Intervals and features.
  void runIntervals();
  sampling::IntervalSelection selectIntervals() const;
  void judgeCombinations(std::vector<sampling::IntervalSelection> &All);
  void chooseCombination(std::vector<sampling::IntervalSelection> &All);
  void exportSelection(const sampling::IntervalSelection &Selection) const;
  void checkIntervals(const sampling::IntervalSelection &Selection);

  // Known error.
  void runStratified();
  sampling::StratifiedSample stratify(uint64_t Seed) const;
  void countCoverage();
  void setConfidence(const sampling::CheckSample::Error &Error,
                     double InLaunches);
  void warnOfWideInterval();

  // Units of a full simulation.
  void runUnits();
  sampling::Baseline project(SamplingMethod Method) const;

  SampleRunOptions Options;
  arch::GPUSpec Spec;
  launch::Application Application;
  launch::Operations Operations;
  sampling::ApplicationProfile Profile;
  sampling::SamplingResult Result;
  /// Of whole launches, and of L2 between them.
  std::optional<LaunchSimulator> Simulator;
  sampling::FullSimulation Full;
  std::vector<double> FullCycles; ///< by launch, of the full simulation
  /// By launch: those simulated so far have cycles.
  std::vector<sampling::MeasuredLaunch> Measured;
  /// TBPoint: launches whose cycles are known, by index.
  std::map<size_t, sampling::SampledLaunch> Sampled;
  sampling::LaunchClusterOptions Clustering;
  /// Sampled launches that clones are to stand for, and what they do.
  std::vector<std::pair<size_t, behavior::Profile>> ToClone;
  bool HasPart = false; ///< a launch has been simulated
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SAMPLEMETHODS_H
