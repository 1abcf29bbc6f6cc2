//===- RecordingWriter.h - Appends to a recording ---------------*- C++ -*-===//

#ifndef HEDDLE_RECORD_RECORDINGWRITER_H
#define HEDDLE_RECORD_RECORDINGWRITER_H

#include "base/Result.h"
#include "record/Format.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

namespace heddle::record {

/// Writes the log in a thread of its own, which hashes and compresses, so that
/// the recorded program waits only where it produces data faster than they are
/// written. Records are in the file in the order of the calls, each whole
/// before the next begins: what a killed program leaves behind is a recording
/// of what it did until shortly before.
class RecordingWriter {
public:
  /// Makes the log in \p Folder, which exists. Fails if there is one.
  static Result<std::unique_ptr<RecordingWriter>>
  create(const std::string &Folder);
  ~RecordingWriter();

  void append(RecordKind Kind, Encoder Payload);
  /// The hash of \p Bytes ends the payload; the blob comes before the record.
  void append(RecordKind Kind, Encoder Payload, std::vector<uint8_t> Bytes);
  /// Keeps a program's source in a file of its own, where messages and views
  /// can refer to it, and its hash in the log.
  void program(uint64_t Number, const std::string &Source,
               const std::string &Options);

  /// SIGTERM, SIGINT and SIGHUP that would end the process wait until all that
  /// it did so far is written.
  void holdSignals();

  /// Writes what is left and ends the thread. Fails with what went wrong while
  /// writing; nothing was written after that.
  Result<void> finish();

private:
  struct Item {
    RecordKind Kind;
    std::vector<uint8_t> Payload, Bytes;
    bool HasBytes = false;
  };
  RecordingWriter(std::string Folder, int Descriptor);
  void enqueue(Item I);
  void run();
  void write(const Item &I);
  void writeRecord(RecordKind Kind, std::span<const uint8_t> Payload);
  void writeAll(std::span<const uint8_t> Bytes);

  const std::string Folder;
  const int Descriptor;
  std::set<Hash> Known; // of the thread
  std::mutex Lock;
  std::condition_variable Changed;
  std::deque<Item> Queue;
  uint64_t QueuedBytes = 0;
  bool Stop = false;
  std::once_flag Joined;
  std::string Failure;
  std::thread Thread; // last: starts when all else is there
};

} // namespace heddle::record

#endif // HEDDLE_RECORD_RECORDINGWRITER_H
