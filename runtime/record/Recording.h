//===- Recording.h - A recorded OpenCL program ------------------*- C++ -*-===//

#ifndef HEDDLE_RECORD_RECORDING_H
#define HEDDLE_RECORD_RECORDING_H

#include "base/Result.h"
#include "launch/Launch.h"
#include "launch/Operation.h"
#include "trace/TraceReader.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heddle::record {

/// What a recording holds, as an application that the tool runs like one of a
/// launch file, and what is known beside it.
struct Recording {
  launch::Application Application;
  /// Empty where the recording was made before streams were recorded.
  launch::Operations Operations;
  std::string CommandLine, Folder, Device;
  /// How often each function of OpenCL was called.
  std::map<std::string, uint64_t> Calls;
  /// Operations of the program that were not recorded, and how often:
  /// "clSVMAlloc: shared virtual memory".
  std::map<std::string, uint64_t> Unsupported;
  uint64_t Launches = 0, Reads = 0, Blobs = 0;
  uint64_t BlobBytes = 0; ///< of distinct contents, uncompressed
  uint64_t FileBytes = 0; ///< of the log
  bool Complete = false;  ///< the program ended in order
};

/// Whether \p Path is the folder or the log of a recording.
bool isRecording(const std::string &Path);

/// Reads the recording in folder \p Path. A log without end, as a killed
/// program leaves it, is read as far as it goes; one that was altered is an
/// error that names file and offset. Contents are read when a step needs them.
Result<Recording> readRecording(const std::string &Path);

/// The same of \p Log; sources are looked for in \p Folder unless it is empty.
/// \p Name: for messages.
Result<Recording> parseRecording(std::shared_ptr<trace::ByteSource> Log,
                                 const std::string &Name,
                                 const std::string &Folder);

/// OpenCL's build options as Clang takes them; relative paths start at \p
/// Folder. Options for other compilers only are dropped.
std::vector<std::string> clangOptions(const std::string &BuildOptions,
                                      const std::string &Folder);

} // namespace heddle::record

#endif // HEDDLE_RECORD_RECORDING_H
