//===- TraceReader.cpp ----------------------------------------------------===//

#include "trace/TraceReader.h"

#include "base/Fail.h"
#include "trace/Compression.h"
#include "trace/HeaderCodec.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::trace {

using namespace bytecode;

namespace {

/// A plain file. Not mapped: a file that shrinks meanwhile is an error then,
/// not a signal.
class FileSource : public ByteSource {
public:
  FileSource(int Descriptor, uint64_t Size, std::string Path)
      : Descriptor(Descriptor), Size(Size), Path(std::move(Path)) {}
  FileSource(const FileSource &) = delete;
  ~FileSource() override { ::close(Descriptor); }
  uint64_t size() const override { return Size; }
  Result<void> read(uint64_t Offset, std::span<uint8_t> Out) override {
    while (!Out.empty()) {
      ssize_t Got = ::pread(Descriptor, Out.data(), Out.size(), off_t(Offset));
      if (Got < 0 && errno == EINTR)
        continue;
      if (Got < 0)
        return fail("{}: offset {}: cannot read: {}", Path, Offset,
                    std::strerror(errno));
      if (Got == 0)
        return fail("{}: offset {}: the file has become shorter", Path, Offset);
      Offset += uint64_t(Got);
      Out = Out.subspan(size_t(Got));
    }
    return {};
  }

private:
  int Descriptor;
  uint64_t Size;
  std::string Path;
};

uint64_t fixed(const uint8_t *P, unsigned Bytes) {
  uint64_t V = 0;
  for (unsigned I = 0; I < Bytes; ++I)
    V |= uint64_t(P[I]) << 8 * I;
  return V;
}

} // namespace

bool TraceReader::isTrace(const std::string &Path) {
  int Descriptor = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (Descriptor < 0)
    return false;
  uint8_t Start[sizeof(file::Magic)];
  const bool Same =
      ::pread(Descriptor, Start, sizeof(Start), 0) == sizeof(Start) &&
      std::equal(Start, Start + sizeof(Start), file::Magic);
  ::close(Descriptor);
  return Same;
}

Result<std::unique_ptr<TraceReader>>
TraceReader::open(const std::string &Path) {
  int Descriptor = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (Descriptor < 0)
    return fail("{}: cannot open: {}", Path, std::strerror(errno));
  struct stat Status;
  if (::fstat(Descriptor, &Status) != 0 || !S_ISREG(Status.st_mode)) {
    ::close(Descriptor);
    return fail("{}: not a plain file", Path);
  }
  return open(
      std::make_unique<FileSource>(Descriptor, uint64_t(Status.st_size), Path),
      Path, Options());
}

Result<std::unique_ptr<TraceReader>>
TraceReader::open(std::unique_ptr<ByteSource> Bytes, const std::string &Name,
                  const Options &Opts) {
  std::unique_ptr<TraceReader> Reader(
      new TraceReader(std::move(Bytes), Name, Opts));
  uint64_t FirstFrame = 0;
  if (Result<void> Good = Reader->readHeader(FirstFrame); !Good)
    return std::unexpected(Good.error());
  if (Result<void> Good = Reader->readIndex(FirstFrame); !Good)
    return std::unexpected(Good.error());
  return Reader;
}

std::unexpected<Error> TraceReader::failAt(uint64_t Offset,
                                           const std::string &What) const {
  return fail("{}: offset {}: {}", Name, Offset, What);
}

Result<std::vector<uint8_t>>
TraceReader::section(uint64_t Offset, uint64_t Size, uint64_t MaxRaw,
                     const char *What, std::vector<uint8_t> Before) {
  if (Offset > Bytes->size() || Size > Bytes->size() - Offset)
    return failAt(
        Offset,
        fmt::format("{} of {} bytes reaches beyond the end of the file at "
                    "{}; is the file truncated?",
                    What, Size, Bytes->size()));
  std::vector<uint8_t> Packed(Size);
  if (Result<void> Good = Bytes->read(Offset, Packed); !Good)
    return std::unexpected(Good.error());
  Result<std::vector<uint8_t>> Raw =
      decompress(Packed, MaxRaw, Opts.IgnoreChecksums, std::move(Before));
  if (!Raw)
    return failAt(Offset,
                  fmt::format("{} is damaged: {}", What, Raw.error().Message));
  return Raw;
}

Result<void> TraceReader::readHeader(uint64_t &End) {
  uint8_t Prologue[file::PrologueBytes] = {};
  const size_t Got = std::min<uint64_t>(sizeof(Prologue), Bytes->size());
  if (Result<void> Good = Bytes->read(0, std::span(Prologue, Got)); !Good)
    return Good;
  const size_t MagicGot = std::min(Got, sizeof(file::Magic));
  if (Got == 0 || !std::equal(Prologue, Prologue + MagicGot, file::Magic))
    return failAt(0, "not a Heddle trace; `heddle trace` writes one");
  if (Got < sizeof(Prologue))
    return failAt(Got, "the file ends within its first bytes; it is truncated");
  if (uint64_t Version = fixed(Prologue + 8, 4); Version != file::Version)
    return failAt(
        8,
        fmt::format("trace format version {}, this program reads version {}; "
                    "write the trace again",
                    Version, file::Version));
  const uint64_t Size = fixed(Prologue + 12, 8);
  Result<std::vector<uint8_t>> Raw =
      section(sizeof(Prologue), Size, file::MaxHeaderBytes, "the header");
  if (!Raw)
    return std::unexpected(Raw.error());
  if (Result<void> Good = decodeHeader(*Raw, Header, Code); !Good)
    return failAt(sizeof(Prologue), Good.error().Message);
  End = sizeof(Prologue) + Size;
  return {};
}

Result<void> TraceReader::readIndex(uint64_t FirstFrame) {
  const uint64_t FileSize = Bytes->size();
  if (FileSize - FirstFrame < file::FooterBytes)
    return failAt(FileSize, "the file ends before its index; it is truncated");
  const uint64_t FooterAt = FileSize - file::FooterBytes;
  uint8_t Footer[file::FooterBytes];
  if (Result<void> Good = Bytes->read(FooterAt, Footer); !Good)
    return Good;
  if (!std::equal(Footer + 16, Footer + 24, file::EndMagic))
    return failAt(FooterAt + 16,
                  "the file does not end like a trace; it is truncated, or "
                  "something was appended");
  const uint64_t IndexAt = fixed(Footer, 8), IndexSize = fixed(Footer + 8, 8);
  if (IndexAt < FirstFrame || IndexAt > FooterAt ||
      IndexSize != FooterAt - IndexAt)
    return failAt(
        FooterAt,
        fmt::format("an index of {} bytes at {} does not fit into the file",
                    IndexSize, IndexAt));
  // A frame takes 9 bytes or more, its entry at most 50.
  Result<std::vector<uint8_t>> Raw =
      section(IndexAt, IndexSize, FileSize * 6 + 100, "the index");
  if (!Raw)
    return std::unexpected(Raw.error());

  ByteReader R{Raw->data(), Raw->data() + Raw->size()};
  const uint64_t NumFrames = R.varint();
  if (R.Failed || NumFrames > Raw->size() / 5)
    return failAt(IndexAt, "the index is incomplete");
  Frames.resize(NumFrames);
  uint64_t Offset = FirstFrame, Block = 0;
  for (size_t N = 0; N < NumFrames; ++N) {
    file::FrameEntry &F = Frames[N];
    F.Offset = Offset;
    F.FirstBlock = Block;
    bool Possible = true;
    for (file::SectionSize *Section : {&F.Control, &F.Numbers}) {
      Section->Stored = R.varint();
      Section->Raw = R.varint();
      Possible = Possible && Section->Stored <= IndexAt - Offset &&
                 Section->Raw <= file::MaxFrameBytes;
      if (Possible)
        Offset += Section->Stored;
      Summary.RawBytes += Section->Raw;
    }
    F.NumBlocks = R.varint();
    if (!Possible || F.Control.Raw + F.Numbers.Raw > file::MaxFrameBytes ||
        (F.Numbers.Stored == 0) != (F.Numbers.Raw == 0) || F.NumBlocks == 0 ||
        F.NumBlocks > Header.Grid.count() - Block)
      return failAt(
          IndexAt, fmt::format("the index entry of frame {} is impossible", N));
    Block += F.NumBlocks;
  }
  Summary.NumBodies = R.varint();
  TraceCounts &C = Summary.Counts;
  for (uint64_t *V : {&C.Events, &C.WarpInstructions, &C.IssuedInstructions,
                      &C.ThreadInstructions, &C.Accesses})
    *V = R.varint();
  if (R.Failed || R.P != R.End)
    return failAt(IndexAt, "the index does not have the length it says");
  if (Offset != IndexAt)
    return failAt(Offset,
                  fmt::format("{} bytes between the last frame and the index",
                              IndexAt - Offset));
  if (Block != Header.Grid.count())
    return failAt(IndexAt,
                  fmt::format("the index has {} thread blocks, the grid {}",
                              Block, Header.Grid.count()));
  Summary.FileBytes = FileSize;
  Summary.NumFrames = NumFrames;
  return {};
}

Result<void> TraceReader::load(size_t Number) {
  if (Current && CurrentNumber == Number)
    return {};
  Current.reset();
  const file::FrameEntry &Entry = Frames[Number];
  Result<std::vector<uint8_t>> Raw;
  uint64_t Offset = Entry.Offset;
  for (const file::SectionSize &Size : {Entry.Control, Entry.Numbers}) {
    if (Size.Stored == 0)
      continue;
    const size_t Before = Raw->size();
    Raw = section(Offset, Size.Stored, Size.Raw, "a frame", std::move(*Raw));
    if (!Raw)
      return std::unexpected(Raw.error());
    if (Raw->size() - Before != Size.Raw)
      return failAt(Offset, "the frame is not what the index says");
    Offset += Size.Stored;
  }
  Result<Frame> Parsed = Frame::parse(Header, Code, std::move(*Raw));
  if (!Parsed)
    return failAt(Entry.Offset, Parsed.error().Message);
  if (Parsed->numBlocks() != Entry.NumBlocks)
    return failAt(Entry.Offset, "the frame is not what the index says");
  Current = std::move(*Parsed);
  CurrentNumber = Number;
  return {};
}

Result<void> TraceReader::read(uint64_t Index, BlockTrace &Out) {
  if (Index >= Header.Grid.count())
    return fail("{}: thread block {} of {}", Name, Index, Header.Grid.count());
  auto After = std::ranges::upper_bound(Frames, Index, {},
                                        &file::FrameEntry::FirstBlock);
  const size_t Number = size_t(After - Frames.begin()) - 1;
  if (Result<void> Good = load(Number); !Good)
    return Good;
  Current->read(Index - Frames[Number].FirstBlock, Out);
  Out.Index = Index;
  return {};
}

Result<void> TraceReader::verifyAll() {
  TraceCounts Counts;
  uint64_t NumBodies = 0;
  for (size_t N = 0; N < Frames.size(); ++N) {
    if (Result<void> Good = load(N); !Good)
      return Good;
    Counts.add(Current->counts());
    NumBodies += Current->numBodies();
  }
  if (Counts != Summary.Counts || NumBodies != Summary.NumBodies)
    return fail("{}: the totals in the index are not those of the frames",
                Name);
  return {};
}

} // namespace heddle::trace
