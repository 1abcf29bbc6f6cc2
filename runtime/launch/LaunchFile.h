//===- LaunchFile.h - Reads launches from YAML or options -------*- C++ -*-===//

#ifndef HEDDLE_LAUNCH_LAUNCHFILE_H
#define HEDDLE_LAUNCH_LAUNCHFILE_H

#include "base/Result.h"
#include "launch/Launch.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::launch {

/// Reads a launch file (docs/LaunchFile.md). Errors start with "FILE:LINE: ".
Result<Launch> readLaunchFile(const std::string &Path);

/// Reads an application file: a list `launches:` of launches, `sync:` markers
/// and `repeat:` groups, which are unrolled. A launch file is an application of
/// one launch.
Result<Application> readApplicationFile(const std::string &Path);
Result<Application> parseApplication(const std::string &Text,
                                     const std::string &Path);

/// The same for text; \p Path is for messages and for paths of init files.
Result<Launch> parseLaunch(const std::string &Text, const std::string &Path);

/// "64", "64,64" or "64,64,2"; \p Option is for messages.
Result<Dim3> parseDim3(std::string_view Text, std::string_view Option);

/// One --arg: "i32=1024", "f32=0.5", "local=4096", "bytes=0a0b0c0d",
/// "f32=1,2,3,4" (a vector), "struct=MEMBER;MEMBER", or a buffer
/// "TYPE[COUNT]=INIT" with INIT one of zero, iota, value:V,
/// uniform:LOW:HIGH[:SEED], file:PATH; "TYPE[COUNT]" alone is a buffer without
/// first contents and "NAME:TYPE[COUNT]" gives it a name.
Result<Argument> parseArgument(std::string_view Text);

/// Checks grid, block, shared memory and sizes against what any CUDA or OpenCL
/// device takes (CUDA C++ Programming Guide, table of technical specifications
/// per compute capability). The timing model checks the machine's own limits.
Result<void> checkLimits(const Launch &L);
/// Whether \p Grid can be launched in clusters of \p Cluster blocks.
Result<void> checkCluster(const Dim3 &Grid, const Dim3 &Cluster);

/// Whether --dump and --expect can tell apart the buffers that the launch
/// makes.
Result<void> checkNames(const Launch &L);

/// 80 for "sm_80" and "sm_80a"; 0 if \p Name is no architecture.
unsigned archNumber(std::string_view Name);

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_LAUNCHFILE_H
