//===- Application.h - The launches of an application in order --*- C++ -*-===//

#ifndef HEDDLE_DRIVER_APPLICATION_H
#define HEDDLE_DRIVER_APPLICATION_H

#include "behavior/BehaviorProfile.h"
#include "exec/HostSteps.h"
#include "heddle/Driver/Session.h"
#include "launch/Operation.h"
#include "sampling/paper/ApplicationStudy.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace heddle {

/// An application as its file says it.
struct ReadApplication {
  launch::Application Application;
  launch::Operations Operations;         ///< of a recorded program
  std::map<std::string, uint64_t> Calls; ///< the same
  std::string Warning;                   ///< what of a recording is missing
};

/// The application of the recording or launch file, or the one launch that the
/// options describe.
llvm::Expected<ReadApplication> readApplication(const SessionOptions &Options);

/// Sees what the host of a recorded program does between its launches.
class HostObserver {
public:
  virtual ~HostObserver() = default;
  /// \p Step is about to be done, after \p Launches launches.
  virtual llvm::Error onStep(const launch::HostStep &Step,
                             const exec::DeviceMemory &Memory,
                             size_t Launches) = 0;
};

/// Compares what a recorded program read with what a replay computes.
class ReadChecker : public HostObserver {
public:
  /// \p Tolerance: of floating elements (exec/HostSteps.h).
  explicit ReadChecker(double Tolerance) : Tolerance(Tolerance) {}
  llvm::Error onStep(const launch::HostStep &Step,
                     const exec::DeviceMemory &Memory,
                     size_t Launches) override;

  uint64_t equal() const { return Equal; }
  uint64_t near() const { return Near; }
  uint64_t different() const { return Different; }
  double largestError() const { return LargestError; }
  /// "27 results read: 25 equal, 2 within 0.0001 (largest error 2.1e-07)".
  std::string text() const;
  /// Of each buffer of which a read differs, what was read first: "read 3 of
  /// 'buffer1' after 2 launches: ...". Empty if none does.
  const std::map<std::string, std::string> &verdicts() const {
    return Verdicts;
  }
  /// text(), and a line for each verdict.
  std::string report() const;
  struct Outcome {
    uint64_t Hash; ///< of what the replay has there
    bool IsDifferent;
  };
  /// Of each read, in order.
  const std::vector<Outcome> &reads() const { return Reads; }

private:
  double Tolerance;
  exec::HostRooms Rooms;
  uint64_t Equal = 0, Near = 0, Different = 0;
  double LargestError = 0;
  std::map<std::string, std::string> Verdicts; ///< by buffer
  std::vector<Outcome> Reads;
};

/// Binds the launches of an application one after the other to their programs
/// and one memory, and does what the host did between them. \p Visit has to
/// execute each launch, since later ones read what it writes. \p Observer, if
/// given, looks at what the host did.
llvm::Error
forEachLaunch(const SessionOptions &Options,
              const launch::Application &Application,
              llvm::function_ref<llvm::Error(size_t Index, Session &)> Visit,
              HostObserver *Observer = nullptr);

/// Executes the launch without observing it.
llvm::Error execute(Session &S);

/// Executes the launch and counts what each thread block did, for \p Study,
/// too. Progress counts thread blocks.
llvm::Expected<sampling::LaunchProfile>
profile(Session &S, sampling::StudyBuilder *Study = nullptr,
        const ProgressCallback &OnProgress = {});

/// Executes all launches: what `heddle profile` writes. The work of \p Progress
/// is warp instructions of the launches that have ended.
llvm::Expected<sampling::ApplicationProfile>
profile(const SessionOptions &Options, const launch::Application &Application,
        const ProgressCallback &Progress, ReadChecker *Checker = nullptr,
        sampling::StudyBuilder *Study = nullptr);

/// Executes \p S's launch and profiles what it does, by PTX instruction.
llvm::Expected<behavior::Profile> behaviorOf(Session &S);
/// The same of the launch that \p Source is the trace of.
llvm::Expected<behavior::Profile> behaviorOf(Session &S,
                                             trace::TraceSource &Source);

} // namespace heddle

#endif // HEDDLE_DRIVER_APPLICATION_H
