//===- Recorder.h - Records a CUDA program ----------------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_RECORDER_H
#define HEDDLE_CUDA_RECORDER_H

#include "cuda/DeviceHeap.h"
#include "cuda/Engine.h"
#include "launch/HostStep.h"
#include "record/RecordingWriter.h"
#include "record/StreamOrder.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace heddle::cuda {

/// Writes what the device does to a recording (docs/Recording.md). Buffers and
/// variables keep their addresses, so parameters and pointers in memory are
/// recorded as they are. What the host writes to memory that it shares with the
/// device is found at launches, by comparing with what was there before.
class Recorder {
public:
  /// Of the folder that HEDDLE_RECORDING names; null without it.
  static std::unique_ptr<Recorder> create(const exec::DeviceMemory &Memory,
                                          const std::string &DeviceName);
  ~Recorder();

  void count(const char *Call) { ++Counts[Call]; }

  /// Writes records of streams and operations.
  record::StreamOrder::Sink sink();
  /// Operations that come now are in these ranges of the program, outermost
  /// first.
  void inRanges(std::vector<std::string> Names) { Ranges = std::move(Names); }

  void made(const Allocation &A);
  void dropped(const Allocation &A);
  /// The host wrote what lies at \p At of \p A now.
  void written(const Allocation &A, const launch::Region &At);
  void filled(const Allocation &A, uint64_t Offset, uint64_t SizeBytes,
              std::vector<uint8_t> Pattern);
  void copied(const Allocation &From, const launch::Region &FromAt,
              const Allocation &To, const launch::Region &ToAt);
  /// The program reads what lies there now.
  void read(const Allocation &A, const launch::Region &At);
  /// A program with its variables, which are in place.
  void program(uint64_t Number, const std::string &Code);
  void variable(uint64_t Program, const Variable &V, const Allocation &A);

  /// Before each launch, which is an operation by then: what the host wrote to
  /// shared memory.
  void launching(uint64_t Program, const launch::Launch &L);
  /// After each one.
  void launched();
  /// The host waited for the device: it may look at shared memory now.
  void synchronised(const char *Call);
  void unsupported(const std::string &What);

private:
  struct Shared { // what the host may write and read without a call
    const uint8_t *Bytes;
    uint64_t Address;           ///< in the recording's device memory
    std::vector<uint8_t> Known; ///< as the recording has it
    bool Changed = false;       ///< by launches since the host waited
  };
  Recorder(std::unique_ptr<record::RecordingWriter> Log, uint64_t Base);
  void info(const std::string &DeviceName);
  void writeRanges();
  /// \p Params with addresses of the recording where they point into memory
  /// that the host has elsewhere.
  std::vector<uint8_t> translated(std::vector<uint8_t> Params) const;
  void dropUnmapped();
  void declare(const Allocation &A);
  void watch(const Allocation &A);
  void readAs(uint64_t Number, const launch::Region &At,
              std::vector<uint8_t> Bytes);

  const std::unique_ptr<record::RecordingWriter> Log;
  const uint64_t Base; ///< of device memory
  std::map<std::string, uint64_t> Counts;
  std::map<std::pair<uint64_t, std::string>, uint64_t> Kernels;
  std::map<uint64_t, Shared> SharedBuffers; ///< by number
  std::vector<std::string> Ranges, WrittenRanges;
  uint64_t NextRead = 0;
};

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_RECORDER_H
