//===- ApplicationRun.h - The launches of an application in order -*- C++
//-*-===//

#ifndef HEDDLE_TOOLS_APPLICATIONRUN_H
#define HEDDLE_TOOLS_APPLICATIONRUN_H

#include "Session.h"
#include "exec/HostSteps.h"
#include "sampling/ApplicationStudy.h"

#include <functional>

namespace heddle::tool {

/// The application of the recording or launch file, or the one launch that the
/// command line describes. Throws CommandError.
/// \p Calls: where to put how often a recorded program called each function.
launch::Application
readApplication(const SessionOptions &Options,
                std::map<std::string, uint64_t> *Calls = nullptr);

/// Compares what a recorded program read with what a replay computes.
class ReadChecker {
public:
  /// \p Tolerance: of floating elements (exec/HostSteps.h).
  explicit ReadChecker(double Tolerance) : Tolerance(Tolerance) {}
  void check(const launch::ReadBuffer &Read, const exec::DeviceMemory &Memory,
             size_t Launches);

  uint64_t equal() const { return Equal; }
  uint64_t near() const { return Near; }
  uint64_t different() const { return Different; }
  double largestError() const { return LargestError; }
  /// "27 results read: 25 equal, 2 within 0.0001 (largest error 2.1e-07)".
  std::string text() const;
  /// Throws CommandError if a read differs.
  void requireEqual() const;

private:
  double Tolerance;
  uint64_t Equal = 0, Near = 0, Different = 0;
  double LargestError = 0;
  std::string First; ///< the first that differs
};

/// --tolerance.
void addToleranceOption(CLI::App &Command, double &Tolerance);

/// Binds the launches of an application one after the other to their programs
/// and one memory, and does what the host did between them. \p Visit has to
/// execute each launch, since later ones read what it writes. \p Checker, if
/// given, looks at what the host read.
void forEachLaunch(const SessionOptions &Options,
                   const launch::Application &Application,
                   const std::function<void(size_t Index, Session &)> &Visit,
                   ReadChecker *Checker = nullptr);

/// Executes all launches of a recording and checks its results: `heddle run`.
void replay(const SessionOptions &Options, double Tolerance);

/// Executes the launch without observing it.
void execute(Session &S);

/// Executes the launch and counts what each thread block did, for \p Study,
/// too.
sampling::LaunchProfile profile(Session &S,
                                sampling::StudyBuilder *Study = nullptr);

/// Executes all launches: what `heddle profile` writes.
sampling::ApplicationProfile profile(const SessionOptions &Options,
                                     const launch::Application &Application,
                                     ReadChecker *Checker = nullptr,
                                     sampling::StudyBuilder *Study = nullptr);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_APPLICATIONRUN_H
