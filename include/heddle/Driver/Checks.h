//===- Checks.h - Wrong accesses of launches, and what follows --*- C++ -*-===//
//
// One launch, or all of a recording, under the checking interpreter: what it
// finds, and which results of a recorded program that explains.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DRIVER_CHECKS_H
#define HEDDLE_DRIVER_CHECKS_H

#include "exec/Checker.h"
#include "heddle/Driver/Application.h"

#include <set>

namespace heddle {

/// What the checker saw of a launch.
struct CheckedLaunch {
  struct Finding {
    /// The buffer whose contents it spoils; empty: whatever the launch writes.
    std::string Buffer;
    std::string Text;
  };
  std::vector<Finding> Findings; ///< errors of the kernel
  /// Atomics of several blocks on one place that show in which order they
  /// came. No error, but results differ from device to device.
  std::vector<Finding> Orders;
  std::set<std::string> Read, Written; ///< buffers
  bool IsPartial = false; ///< too much memory to find all races between blocks
  std::string Printed;    ///< by the kernel
};

/// checkLaunch with all that is known.
llvm::Expected<CheckedLaunch>
inspectLaunch(Session &S, std::optional<uint64_t> OnlyBlock = {});

/// What the checker says of a recording.
struct CheckedReplay {
  size_t Launches = 0;
  /// A line for each finding, with the kernel and its first launch: errors, and
  /// atomics that show the order of blocks.
  std::vector<std::string> Findings, Orders;
  /// Of each buffer in which a read differs, why: a finding that reaches it,
  /// or that there is none.
  std::map<std::string, std::string> Causes;
  bool IsPartial = false;

  /// Lines of the verdicts of \p Replayed, each with its cause behind it.
  std::vector<std::string> verdicts(const ReadChecker &Replayed) const;
};

/// Executes all launches under the checker, in order and in one thread. \p
/// Replayed has seen the replay by the engine that is asked about. The cause
/// of a difference is the last finding of a launch that wrote the buffer, or
/// from which data has come into it, buffer by buffer; atomics that show the
/// order of blocks count as well. Where there is none, checker and replay are
/// two independent computations: if they agree, the device differs.
llvm::Expected<CheckedReplay>
checkReplay(const SessionOptions &Options,
            const launch::Application &Application, const ReadChecker &Replayed,
            const ProgressCallback &Progress);

} // namespace heddle

#endif // HEDDLE_DRIVER_CHECKS_H
