//===- TraceWriter.h - Writes a trace file ----------------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_TRACEWRITER_H
#define HEDDLE_TRACE_TRACEWRITER_H

#include "base/OutputFile.h"
#include "trace/FrameCodec.h"
#include "trace/TraceFile.h"

#include <future>

namespace heddle::trace {

/// Writes the thread blocks of a launch in ascending order. The bytes depend
/// on header, code table and blocks alone, not on the number of threads.
///
/// The file gets its name in finish(); a writer that is destroyed before, or
/// that failed, leaves nothing behind.
class TraceWriter {
public:
  struct Options {
    unsigned Threads = 1; ///< that compress
    /// zstd level: higher ones gain a few percent for a multiple of the time.
    int Level = 3;
  };

  /// \p Header and \p Code must outlive the writer.
  static Result<TraceWriter> create(const std::string &Path,
                                    const TraceHeader &Header,
                                    const CodeTable &Code,
                                    const Options &Options);
  static Result<TraceWriter> create(const std::string &Path,
                                    const TraceHeader &Header,
                                    const CodeTable &Code) {
    return create(Path, Header, Code, Options());
  }
  TraceWriter(TraceWriter &&) = default;

  /// Adds the next thread block. Fails if it is another one, if its warps
  /// cannot be replayed, and if the file cannot be written.
  Result<void> add(const BlockTrace &Block);

  /// Completes the file; every block of the grid must have been added.
  Result<file::FileSummary> finish();

private:
  TraceWriter(OutputFile File, const TraceHeader &Header, const CodeTable &Code,
              const Options &Opts);
  Result<void> endFrame();
  Result<void> writeOldest();

  OutputFile File;
  const TraceHeader &Header;
  Options Opts;
  FrameBuilder Builder;
  uint64_t NextBlock = 0;
  struct FrameSections {
    std::vector<uint8_t> Control, Numbers;
  };
  std::deque<std::future<FrameSections>> Compressing; ///< oldest first
  std::vector<file::FrameEntry> Frames;
  size_t FramesWritten = 0;
  file::FileSummary Summary;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_TRACEWRITER_H
