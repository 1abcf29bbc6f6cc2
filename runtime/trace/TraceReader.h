//===- TraceReader.h - Reads a trace file -----------------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_TRACEREADER_H
#define HEDDLE_TRACE_TRACEREADER_H

#include "trace/FrameCodec.h"
#include "trace/TraceFile.h"

#include <memory>
#include <optional>

namespace heddle::trace {

/// Bytes that can be read anywhere.
class ByteSource {
public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  /// Fills \p Out from \p Offset on; the range lies within size().
  virtual Result<void> read(uint64_t Offset, std::span<uint8_t> Out) = 0;
};

/// A trace file as the source of a model. Holds one frame in memory, so that
/// blocks in ascending order are read at full speed and any block can be read
/// at the price of its frame. All that it returns is verified. Errors read
/// "FILE: offset N: what is wrong".
class TraceReader : public TraceSource {
public:
  struct Options {
    bool IgnoreChecksums = false; ///< for fuzzing what lies behind them
  };

  static Result<std::unique_ptr<TraceReader>> open(const std::string &Path);
  static Result<std::unique_ptr<TraceReader>>
  open(std::unique_ptr<ByteSource> Bytes, const std::string &Name,
       const Options &Options);

  /// Whether \p Path begins like a trace file.
  static bool isTrace(const std::string &Path);

  const TraceHeader &header() const override { return Header; }
  const CodeTable &code() const override { return Code; }
  Result<void> read(uint64_t Index, BlockTrace &Out) override;
  bool servesAnyOrder() const override { return true; }

  /// As the index says; verifyAll() checks it.
  const file::FileSummary &summary() const { return Summary; }
  const std::vector<file::FrameEntry> &frames() const { return Frames; }

  /// Reads every frame and compares with the summary.
  Result<void> verifyAll();

private:
  TraceReader(std::unique_ptr<ByteSource> Bytes, const std::string &Name,
              const Options &Opts)
      : Bytes(std::move(Bytes)), Name(Name), Opts(Opts) {}
  std::unexpected<Error> failAt(uint64_t Offset, const std::string &What) const;
  Result<std::vector<uint8_t>> section(uint64_t Offset, uint64_t Size,
                                       uint64_t MaxRaw, const char *What,
                                       std::vector<uint8_t> Before = {});
  Result<void> readHeader(uint64_t &End);
  Result<void> readIndex(uint64_t FirstFrame);
  Result<void> load(size_t FrameNumber);

  std::unique_ptr<ByteSource> Bytes;
  std::string Name;
  Options Opts;
  TraceHeader Header;
  CodeTable Code;
  file::FileSummary Summary;
  std::vector<file::FrameEntry> Frames;
  std::optional<Frame> Current;
  size_t CurrentNumber = 0;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_TRACEREADER_H
