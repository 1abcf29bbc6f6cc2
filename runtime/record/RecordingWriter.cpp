//===- RecordingWriter.cpp - Appends to a recording -----------------------===//

#include "record/RecordingWriter.h"

#include "base/Fail.h"
#include "base/OutputFile.h"
#include "trace/Compression.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace heddle::record {

/// What may wait to be written before the program has to wait.
static constexpr uint64_t MaxQueuedBytes = uint64_t(256) << 20;
/// zstd's fast levels: programs make data faster than the others compress.
static constexpr int CompressionLevel = -1;

Result<std::unique_ptr<RecordingWriter>>
RecordingWriter::create(const std::string &Folder) {
  std::string Path = fmt::format("{}/{}", Folder, LogName);
  int Descriptor = ::open(
      Path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (Descriptor < 0)
    return fail("cannot create '{}': {}", Path, std::strerror(errno));
  std::unique_ptr<RecordingWriter> W(new RecordingWriter(Folder, Descriptor));
  return W;
}

RecordingWriter::RecordingWriter(std::string Folder, int Descriptor)
    : Folder(std::move(Folder)), Descriptor(Descriptor) {
  Encoder Header;
  Header.Out.assign(Magic.begin(), Magic.end());
  trace::bytecode::putNumber(Header.Out, FormatVersion, 4);
  writeAll(Header.Out);
  // Signals are the program's: its threads get them, not this one.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  Thread = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

RecordingWriter::~RecordingWriter() {
  (void)finish();
  ::close(Descriptor);
}

/// Where the handler tells the thread below; the C interface has nowhere else
/// to keep it.
static std::atomic<int> &signalPipe() {
  static std::atomic<int> Descriptor = -1;
  return Descriptor;
}

void RecordingWriter::holdSignals() {
  int Ends[2];
  if (::pipe2(Ends, O_CLOEXEC) != 0)
    return;
  signalPipe() = Ends[1];
  for (int Signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction Held = {};
    if (::sigaction(Signal, nullptr, &Held) != 0 || Held.sa_handler != SIG_DFL)
      continue; // the program's own, or ignored
    Held.sa_handler = [](int Number) {
      const uint8_t Byte = uint8_t(Number);
      (void)!::write(signalPipe(), &Byte, 1);
    };
    Held.sa_flags = SA_RESTART;
    ::sigaction(Signal, &Held, nullptr);
  }
  std::thread([this, From = Ends[0]] {
    uint8_t Number = 0;
    while (::read(From, &Number, 1) < 0 && errno == EINTR)
      ;
    (void)finish();
    std::signal(Number, SIG_DFL);
    ::kill(::getpid(), Number);
  }).detach();
}

Result<void> RecordingWriter::finish() {
  {
    std::lock_guard Guard(Lock);
    Stop = true;
  }
  Changed.notify_all();
  std::call_once(Joined, [this] { Thread.join(); });
  return Failure.empty() ? Result<void>() : fail(Failure);
}

void RecordingWriter::append(RecordKind Kind, Encoder Payload) {
  enqueue({Kind, std::move(Payload.Out), {}, false});
}

void RecordingWriter::append(RecordKind Kind, Encoder Payload,
                             std::vector<uint8_t> Bytes) {
  enqueue({Kind, std::move(Payload.Out), std::move(Bytes), true});
}

void RecordingWriter::program(uint64_t Number, const std::string &Source,
                              const std::string &Options) {
  auto File = OutputFile::create(Folder + "/" + programName(Number, Source));
  Result<void> Done = File ? File->write(Source) : fail(File.error().Message);
  if (Done)
    Done = File->commit();
  if (!Done) {
    std::lock_guard Guard(Lock);
    Failure = Done.error().Message;
    return;
  }
  const std::span Bytes(reinterpret_cast<const uint8_t *>(Source.data()),
                        Source.size());
  append(RecordKind::Program,
         Encoder().number(Number).hash(hashOf(Bytes)).text(Options));
}

void RecordingWriter::enqueue(Item I) {
  const uint64_t Size = I.Payload.size() + I.Bytes.size();
  {
    std::unique_lock Guard(Lock);
    Changed.wait(Guard, [&] {
      return QueuedBytes == 0 || QueuedBytes + Size <= MaxQueuedBytes;
    });
    if (!Failure.empty())
      return;
    Queue.push_back(std::move(I));
    QueuedBytes += Size;
  }
  Changed.notify_all();
}

void RecordingWriter::run() {
  std::unique_lock Guard(Lock);
  while (true) {
    Changed.wait(Guard, [&] { return Stop || !Queue.empty(); });
    if (Queue.empty())
      return;
    const Item I = std::move(Queue.front());
    Queue.pop_front();
    const bool Write = Failure.empty();
    Guard.unlock();
    if (Write)
      write(I);
    Guard.lock();
    QueuedBytes -= I.Payload.size() + I.Bytes.size();
    Changed.notify_all();
  }
}

void RecordingWriter::write(const Item &I) {
  if (!I.HasBytes)
    return writeRecord(I.Kind, I.Payload);
  const Hash H = hashOf(I.Bytes);
  if (Known.insert(H).second) {
    Encoder Blob;
    Blob.hash(H).number(I.Bytes.size());
    const std::vector<uint8_t> Compressed =
        trace::compress(I.Bytes, CompressionLevel);
    Blob.Out.insert(Blob.Out.end(), Compressed.begin(), Compressed.end());
    writeRecord(RecordKind::Blob, Blob.Out);
  }
  std::vector<uint8_t> Payload = I.Payload;
  Payload.insert(Payload.end(), H.begin(), H.end());
  writeRecord(I.Kind, Payload);
}

void RecordingWriter::writeRecord(RecordKind Kind,
                                  std::span<const uint8_t> Payload) {
  const auto Header =
      encodeHeader({uint32_t(Kind), Payload.size(), checksum(Payload), true});
  // One call for small records: a killed program leaves them whole.
  std::vector<uint8_t> Record(Header.begin(), Header.end());
  Record.insert(Record.end(), Payload.begin(), Payload.end());
  writeAll(Record);
}

void RecordingWriter::writeAll(std::span<const uint8_t> Bytes) {
  while (!Bytes.empty()) {
    const ssize_t Done = ::write(Descriptor, Bytes.data(), Bytes.size());
    if (Done < 0 && errno == EINTR)
      continue;
    if (Done < 0) {
      std::lock_guard Guard(Lock);
      Failure = fmt::format("cannot write '{}/{}': {}", Folder, LogName,
                            std::strerror(errno));
      return;
    }
    Bytes = Bytes.subspan(size_t(Done));
  }
}

} // namespace heddle::record
