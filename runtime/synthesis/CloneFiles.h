//===- CloneFiles.h - What goes with the PTX of a clone ---------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_CLONEFILES_H
#define HEDDLE_SYNTHESIS_CLONEFILES_H

#include "synthesis/PTXWriter.h"

#include <optional>
#include <span>
#include <string>

namespace heddle::synthesis {

/// A launch file (docs/LaunchFile.md).
std::string cloneLaunch(const ClonePlan &Plan, const CloneText &Clone);

/// A host program that loads clone.ptx with CUDA's driver interface, launches
/// it and prints its time in milliseconds.
std::string cloneHost(const ClonePlan &Plan, const CloneText &Clone);

/// Parts of every host program: the function that ends it with the driver's
/// message, and the rest of main() from a kernel with its arguments on.
inline constexpr char HostCheck[] =
    R"(static void check(CUresult Result, const char *What) {
  if (Result == CUDA_SUCCESS)
    return;
  const char *Text = "";
  cuGetErrorString(Result, &Text);
  std::fprintf(stderr, "%s: %s\n", What, Text);
  std::exit(1);
}
)";
std::string hostLaunch(const Dim3 &Grid, const Dim3 &Block);

/// What was kept and what was reduced, and how to scale results back, as JSON.
/// Of assumptions only the number, since their texts name parts of the
/// original.
std::string cloneReport(const ClonePlan &Plan, const CloneText &Clone,
                        double ExpectedError, const std::string &Version);

/// The first of \p Names that stands as a word in \p Text. Names of fewer than
/// four letters say nothing and are not looked for.
std::optional<std::string> findLeak(const std::string &Text,
                                    std::span<const std::string> Names);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_CLONEFILES_H
