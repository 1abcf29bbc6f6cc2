//===- AccelSimFolder.h - Launches for another simulator -------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_ACCELSIMFOLDER_H
#define HEDDLE_TOOLS_ACCELSIMFOLDER_H

#include "views/AccelSimTrace.h"

#include <string>

namespace heddle::tool {

/// A folder with `kernel-N.traceg` for each launch added, `kernelslist.g` that
/// names them in order (what Accel-Sim's `-trace` takes), and `weights.csv`:
/// how many cycles of the whole application each cycle of a kernel stands for.
/// Errors throw CommandError; without finish() there is no list.
class AccelSimFolder {
public:
  AccelSimFolder(std::string Path, unsigned BinaryVersion);

  /// Returns a line that says what was written, and what of it has no line.
  std::string add(trace::TraceSource &Source, uint64_t FirstBlock,
                  uint64_t NumBlocks);
  /// All of launch \p Launch of an application.
  void add(trace::TraceSource &Source, size_t Launch, double Weight);
  void finish();

private:
  std::string Path;
  views::AccelSimOptions Options;
  std::string Kernels, Weights;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_ACCELSIMFOLDER_H
