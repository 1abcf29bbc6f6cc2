//===- RecordingReader.cpp - A recording as an application ----------------===//

#include "base/Fail.h"
#include "record/Format.h"
#include "record/Recording.h"
#include "trace/Compression.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace heddle::record {

using namespace launch;

namespace {

struct Blob {
  uint64_t Offset = 0, StoredBytes = 0, SizeBytes = 0;
};

class BlobContents : public Contents {
public:
  BlobContents(std::shared_ptr<trace::ByteSource> Log, const Blob &B,
               const Hash &H, const std::string &Name)
      : Log(std::move(Log)), B(B), H(H), Name(Name) {}

  Result<void> read(std::span<uint8_t> To,
                    std::vector<uint8_t> &Room) const override {
    const std::span<uint8_t> Stored = launch::room(Room, B.StoredBytes);
    if (Result<void> Ok = Log->read(B.Offset, Stored); !Ok)
      return std::unexpected(Ok.error());
    // The hash says more than the frame's own checksum.
    if (Result<void> Ok =
            trace::decompressTo(To, Stored, /*IgnoreChecksum=*/true);
        !Ok)
      return fail("{}: offset {}: {}", Name, B.Offset, Ok.error().Message);
    if (hashOf(To) != H)
      return fail("{}: offset {}: contents are not what their hash says; "
                  "record the program again",
                  Name, B.Offset);
    return {};
  }

private:
  std::shared_ptr<trace::ByteSource> Log;
  Blob B;
  Hash H;
  std::string Name;
};

/// Walks the payload of one record. Methods throw Error, which parseRecording
/// turns into the result, so that the grammar reads straight.
class Payload {
public:
  explicit Payload(std::span<const uint8_t> Bytes)
      : R{Bytes.data(), Bytes.data() + Bytes.size()} {}

  uint64_t number(uint64_t Max = UINT64_MAX) {
    const uint64_t V = R.varint();
    check();
    if (V > Max)
      throw Error{
          fmt::format("a number of {} where {} is the largest", V, Max)};
    return V;
  }
  std::span<const uint8_t> bytes() {
    const uint64_t Size = number();
    if (Size > uint64_t(R.End - R.P))
      throw Error{"a record that ends too early"};
    std::span<const uint8_t> Bytes(R.P, Size);
    R.P += Size;
    return Bytes;
  }
  std::string text() {
    const auto Bytes = bytes();
    return {Bytes.begin(), Bytes.end()};
  }
  Hash hash() {
    Hash H;
    if (uint64_t(R.End - R.P) < H.size())
      throw Error{"a record that ends too early"};
    std::copy_n(R.P, H.size(), H.begin());
    R.P += H.size();
    return H;
  }
  uint64_t left() const { return uint64_t(R.End - R.P); }
  void end() const {
    if (left())
      throw Error{fmt::format("{} bytes too many in a record", left())};
  }

private:
  void check() const {
    if (R.Failed)
      throw Error{"a record that ends too early"};
  }
  trace::bytecode::ByteReader R;
};

class Parser {
public:
  Parser(std::shared_ptr<trace::ByteSource> Log, std::string Name,
         std::string Folder)
      : Log(std::move(Log)), Name(std::move(Name)), Folder(std::move(Folder)) {}

  Recording run();

private:
  struct KernelEntry {
    uint64_t Program;
    std::string Name;
  };
  struct BufferEntry {
    uint64_t SizeBytes;
    std::string Name;
    size_t Step; ///< that makes it
  };

  void readFileHeader();
  /// The next record; false at the end of the file, or where it was cut off.
  bool readRecord(RecordKind &Kind, std::span<const uint8_t> &Bytes);
  void record(RecordKind Kind, std::span<const uint8_t> Bytes);
  void info(Payload P);
  void blob(Payload P);
  void program(Payload P);
  void launch(Payload P);
  void rawLaunch(Payload P);
  void place(Payload P);
  void variable(Payload P);
  void stream(Payload P);
  void operation(Payload P);
  void ranges(Payload P);
  void addLaunch(Step S);
  Step launchOf(Payload &P, bool HasOffset) const;
  void read(Payload P);
  void readData(Payload P);
  Argument argument(Payload &P) const;
  Dim3 dim3(Payload &P, const char *What) const;
  Region region(Payload &P, uint64_t Buffer) const;
  uint64_t buffer(Payload &P) const;
  std::shared_ptr<const Contents> contents(Payload &P, uint64_t Size) const;
  void step(HostStep S) {
    R.Application.Steps.push_back({{}, {}, std::move(S)});
  }

  std::shared_ptr<trace::ByteSource> Log;
  const std::string Name, Folder;
  uint64_t At = 0, PayloadAt = 0;
  std::vector<uint8_t> Room; ///< of the record
  std::map<Hash, Blob> Blobs;
  std::map<uint64_t, BufferEntry> Buffers; // by number
  std::map<uint64_t, size_t> Programs;     // index in Application::Programs
  std::map<uint64_t, KernelEntry> Kernels;
  std::map<uint64_t, size_t> Reads; // step by number, until data come
  bool ExpectsLaunch = false;       // of the operation before
  std::map<std::pair<size_t, std::string>, size_t> Ranges; // by outer and name
  size_t Range = 0; // of the operations that come
  Recording R;
};

} // namespace

/// Whether the region lies in a buffer of \p Size bytes.
static bool fits(const Region &Box, uint64_t Size) {
  if (Box.RowBytes == 0 || Box.Rows == 0 || Box.Slices == 0 ||
      (Box.Rows > 1 && Box.RowPitch < Box.RowBytes) ||
      (Box.Slices > 1 && Box.SlicePitch < Box.RowBytes))
    return false;
  uint64_t Rows, Slices, End;
  return !__builtin_mul_overflow(Box.Rows - 1, Box.RowPitch, &Rows) &&
         !__builtin_mul_overflow(Box.Slices - 1, Box.SlicePitch, &Slices) &&
         !__builtin_add_overflow(Rows, Slices, &End) &&
         !__builtin_add_overflow(End, Box.RowBytes, &End) &&
         !__builtin_add_overflow(End, Box.Offset, &End) && End <= Size &&
         // Rows of different slices do not lie over each other.
         (Box.Slices == 1 || Rows < Box.SlicePitch);
}

uint64_t Parser::buffer(Payload &P) const {
  const uint64_t Number = P.number();
  if (!Buffers.contains(Number))
    throw Error{fmt::format("there is no buffer {}", Number)};
  return Number;
}

Region Parser::region(Payload &P, uint64_t Buffer) const {
  Region Box;
  for (uint64_t *Field : {&Box.Offset, &Box.RowBytes, &Box.Rows, &Box.RowPitch,
                          &Box.Slices, &Box.SlicePitch})
    *Field = P.number();
  if (!fits(Box, Buffers.at(Buffer).SizeBytes))
    throw Error{fmt::format("a region outside of buffer {} of {} bytes", Buffer,
                            Buffers.at(Buffer).SizeBytes)};
  return Box;
}

std::shared_ptr<const Contents> Parser::contents(Payload &P,
                                                 uint64_t Size) const {
  const Hash H = P.hash();
  P.end();
  auto It = Blobs.find(H);
  if (It == Blobs.end())
    throw Error{"contents that the recording does not hold"};
  if (It->second.SizeBytes != Size)
    throw Error{fmt::format("contents of {} bytes for a region of {}",
                            It->second.SizeBytes, Size)};
  return std::make_shared<BlobContents>(Log, It->second, H, Name);
}

void Parser::info(Payload P) {
  R.CommandLine = P.text();
  R.Folder = P.text();
  R.Device = P.text();
}

void Parser::blob(Payload P) {
  const Hash H = P.hash();
  const uint64_t Size = P.number();
  const uint64_t Stored = P.left();
  Blobs[H] = {At - Stored, Stored, Size};
  ++R.Blobs;
  R.BlobBytes += Size;
}

void Parser::program(Payload P) {
  const uint64_t Number = P.number(UINT32_MAX);
  const Hash H = P.hash();
  const std::string Options = P.text();
  launch::Program Program;
  Program.ClangArgs = clangOptions(Options, R.Folder);
  if (!Folder.empty()) {
    std::unique_ptr<FILE, int (*)(FILE *)> File(nullptr, std::fclose);
    for (const std::string &Name : programNames(Number))
      if (!File) {
        const std::string Path = Folder + "/" + Name;
        File.reset(std::fopen(Path.c_str(), "rb"));
        if (File || Program.Path.empty())
          Program.Path = Path;
      }
    std::vector<uint8_t> Source;
    uint8_t Part[4096];
    while (size_t Got =
               File ? std::fread(Part, 1, sizeof(Part), File.get()) : 0)
      Source.insert(Source.end(), Part, Part + Got);
    if (hashOf(Source) != H)
      throw Error{fmt::format("'{}' {}", Program.Path,
                              File ? "is not the source that was recorded; "
                                     "undo the change"
                                   : "is missing")};
  }
  Programs[Number] = R.Application.Programs.size();
  R.Application.Programs.push_back(std::move(Program));
}

Dim3 Parser::dim3(Payload &P, const char *What) const {
  Dim3 D;
  for (uint32_t *Part : {&D.X, &D.Y, &D.Z})
    *Part = uint32_t(P.number(UINT32_MAX));
  if (What && !(D.X && D.Y && D.Z))
    throw Error{fmt::format("a launch with {} of zero", What)};
  return D;
}

Argument Parser::argument(Payload &P) const {
  switch (ArgumentKind(P.number(UINT8_MAX))) {
  case ArgumentKind::Bytes: {
    const auto Bytes = P.bytes();
    return {BytesArg{{Bytes.begin(), Bytes.end()}}};
  }
  case ArgumentKind::Buffer: {
    BufferArg B;
    const uint64_t Number = buffer(P);
    B.Name = Buffers.at(Number).Name;
    B.Reference = true;
    B.OffsetBytes = P.number(Buffers.at(Number).SizeBytes);
    return {B};
  }
  case ArgumentKind::Null:
    return {ScalarArg{ScalarType::U64, 0, 0}};
  case ArgumentKind::Local:
    return {LocalArg{P.number()}};
  }
  throw Error{"an argument of unknown kind"};
}

/// What all launches begin with.
Step Parser::launchOf(Payload &P, bool HasOffset) const {
  const uint64_t Kernel = P.number();
  auto It = Kernels.find(Kernel);
  if (It == Kernels.end())
    throw Error{fmt::format("there is no kernel {}", Kernel)};
  Step S;
  S.Launch.File = Name;
  S.Launch.Program = It->second.Program;
  S.Launch.Kernel = It->second.Name;
  S.Launch.Grid = dim3(P, "a grid");
  S.Launch.Block = dim3(P, "a work-group");
  if (HasOffset)
    S.Launch.GlobalOffset = dim3(P, nullptr);
  return S;
}

void Parser::launch(Payload P) {
  Step S = launchOf(P, /*HasOffset=*/true);
  for (uint64_t N = P.number(); N; --N)
    S.Launch.Args.push_back(argument(P));
  P.end();
  addLaunch(std::move(S));
}

void Parser::rawLaunch(Payload P) {
  Step S = launchOf(P, /*HasOffset=*/false);
  S.Launch.DynamicSharedBytes = P.number();
  const auto Params = P.bytes();
  S.Launch.RawParams.emplace(Params.begin(), Params.end());
  P.end();
  addLaunch(std::move(S));
}

void Parser::addLaunch(Step S) {
  if (!R.Operations.All.empty() && !ExpectsLaunch)
    throw Error{"a launch that is no operation of a stream"};
  ExpectsLaunch = false;
  R.Application.Steps.push_back(std::move(S));
  ++R.Launches;
}

void Parser::stream(Payload P) {
  if (P.number() != R.Operations.Streams.size())
    throw Error{"streams out of order"};
  launch::Stream S;
  S.Name = P.text();
  S.Priority = uint32_t(P.number(UINT32_MAX));
  P.end();
  R.Operations.Streams.push_back(std::move(S));
}

void Parser::operation(Payload P) {
  auto &Streams = R.Operations.Streams;
  auto &All = R.Operations.All;
  Operation O;
  O.Range = Range;
  O.Kind = OperationKind(P.number(uint64_t(OperationKind::Host)));
  O.Stream = P.number();
  if (O.Stream >= Streams.size())
    throw Error{fmt::format("there is no stream {}", O.Stream)};
  O.Bytes = P.number();
  for (uint64_t N = P.number(All.size()); N; --N) {
    const uint64_t Back = P.number(All.size());
    if (Back == 0)
      throw Error{"an operation that waits for itself"};
    O.Waits.push_back(All.size() - Back);
  }
  P.end();
  O.Launch = R.Launches;
  ExpectsLaunch = O.Kind == OperationKind::Launch;
  if (R.Launches && All.empty())
    throw Error{"streams that begin after the first launch"};
  All.push_back(std::move(O));
}

void Parser::ranges(Payload P) {
  // Each range has its path as text, so depth costs the square of it. Deeper
  // ones, as programs have that never pop, count to the last that is told.
  constexpr unsigned MostNested = 64;
  unsigned Depth = 0;
  auto &All = R.Operations.Ranges;
  Range = 0;
  for (uint64_t N = P.number(); N; --N) {
    const std::string Name = P.text();
    if (++Depth > MostNested)
      continue;
    const auto [It, Fresh] =
        Ranges.try_emplace({Range, Name}, R.Operations.Ranges.size());
    if (Fresh)
      All.push_back(
          {Range ? All[Range].Path + "/" + Name : Name, /*Outer=*/Range});
    Range = It->second;
  }
  P.end();
}

void Parser::place(Payload P) {
  const BufferEntry &B = Buffers.at(buffer(P));
  std::get<MakeBuffer>(R.Application.Steps[B.Step].Host).Offset = P.number();
}

void Parser::variable(Payload P) {
  BufferEntry &B = Buffers.at(buffer(P));
  const uint64_t Program = P.number();
  if (!Programs.contains(Program))
    throw Error{fmt::format("there is no program {}", Program)};
  B.Name = variableBuffer(P.text(), Programs.at(Program));
  std::get<MakeBuffer>(R.Application.Steps[B.Step].Host).Name = B.Name;
}

void Parser::read(Payload P) {
  const uint64_t Number = P.number();
  const uint64_t Buffer = buffer(P);
  Reads[Number] = R.Application.Steps.size();
  step(ReadBuffer{Buffers.at(Buffer).Name, region(P, Buffer), nullptr});
}

void Parser::readData(Payload P) {
  auto It = Reads.find(P.number());
  if (It == Reads.end())
    throw Error{"results of no read"};
  auto &Read = std::get<ReadBuffer>(R.Application.Steps[It->second].Host);
  Read.Expected = contents(P, Read.At.sizeBytes());
  Reads.erase(It);
  ++R.Reads;
}

void Parser::record(RecordKind Kind, std::span<const uint8_t> Bytes) {
  Payload P(Bytes);
  if (ExpectsLaunch &&
      (Kind == RecordKind::Operation || Kind == RecordKind::End))
    throw Error{"an operation without its launch"};
  switch (Kind) {
  case RecordKind::Info:
    return info(P);
  case RecordKind::Blob:
    return blob(P);
  case RecordKind::Program:
    return program(P);
  case RecordKind::Kernel: {
    const uint64_t Number = P.number(), Program = P.number();
    if (!Programs.contains(Program))
      throw Error{fmt::format("there is no program {}", Program)};
    Kernels[Number] = {Programs.at(Program), P.text()};
    return;
  }
  case RecordKind::Buffer: {
    const uint64_t Number = P.number();
    const uint64_t Size = P.number(uint64_t(1) << 39);
    BufferEntry B{Size, fmt::format("buffer{}", Number),
                  R.Application.Steps.size()};
    step(MakeBuffer{B.Name, Size});
    if (!Buffers.try_emplace(Number, std::move(B)).second)
      throw Error{fmt::format("there are two buffers {}", Number)};
    return;
  }
  case RecordKind::Drop: {
    const uint64_t Number = buffer(P);
    step(DropBuffer{Buffers.at(Number).Name});
    Buffers.erase(Number);
    return;
  }
  case RecordKind::Write: {
    const uint64_t Buffer = buffer(P);
    const Region Box = region(P, Buffer);
    return step(WriteBuffer{Buffers.at(Buffer).Name, Box,
                            contents(P, Box.sizeBytes())});
  }
  case RecordKind::Fill: {
    const uint64_t Buffer = buffer(P);
    FillBuffer Fill;
    Fill.Buffer = Buffers.at(Buffer).Name;
    Fill.Offset = P.number();
    Fill.SizeBytes = P.number();
    const auto Pattern = P.bytes();
    Fill.Pattern.assign(Pattern.begin(), Pattern.end());
    Region Box;
    Box.Offset = Fill.Offset;
    Box.RowBytes = Fill.SizeBytes;
    if (Pattern.empty() || Fill.SizeBytes % Pattern.size() ||
        !fits(Box, Buffers.at(Buffer).SizeBytes))
      throw Error{"a fill outside of its buffer"};
    return step(std::move(Fill));
  }
  case RecordKind::Copy: {
    CopyBuffer Copy;
    const uint64_t From = buffer(P);
    Copy.FromAt = region(P, From);
    const uint64_t To = buffer(P);
    Copy.ToAt = region(P, To);
    Copy.From = Buffers.at(From).Name;
    Copy.To = Buffers.at(To).Name;
    if (Copy.FromAt.RowBytes != Copy.ToAt.RowBytes ||
        Copy.FromAt.Rows != Copy.ToAt.Rows ||
        Copy.FromAt.Slices != Copy.ToAt.Slices)
      throw Error{"a copy between regions of different shapes"};
    return step(std::move(Copy));
  }
  case RecordKind::Launch:
    return launch(P);
  case RecordKind::Place:
    return place(P);
  case RecordKind::Variable:
    return variable(P);
  case RecordKind::RawLaunch:
    return rawLaunch(P);
  case RecordKind::Stream:
    return stream(P);
  case RecordKind::Operation:
    return operation(P);
  case RecordKind::Ranges:
    return ranges(P);
  case RecordKind::Read:
    return read(P);
  case RecordKind::ReadData:
    return readData(P);
  case RecordKind::Sync: {
    Step S;
    S.Sync = P.text();
    if (S.Sync.empty())
      throw Error{"a synchronisation without name"};
    R.Application.Steps.push_back(std::move(S));
    return;
  }
  case RecordKind::Calls:
    while (P.left()) {
      const std::string Call = P.text();
      R.Calls[Call] = P.number();
    }
    return;
  case RecordKind::Unsupported:
    ++R.Unsupported[P.text()];
    return;
  case RecordKind::End:
    R.Complete = true;
    return;
  }
  throw Error{fmt::format("a record of unknown kind {}", uint32_t(Kind))};
}

void Parser::readFileHeader() {
  std::array<uint8_t, FileHeaderBytes> Header;
  if (Log->size() < Header.size())
    throw Error{"is not a recording; `heddle record` makes one"};
  if (Result<void> Ok = Log->read(0, Header); !Ok)
    throw Ok.error();
  if (!std::equal(Magic.begin(), Magic.end(), Header.begin()))
    throw Error{"is not a recording; `heddle record` makes one"};
  uint32_t Version = 0;
  for (unsigned I = 0; I < 4; ++I)
    Version |= uint32_t(Header[Magic.size() + I]) << 8 * I;
  if (Version != FormatVersion)
    throw Error{fmt::format("has recording format {}, this program reads {}; "
                            "record the program again",
                            Version, FormatVersion)};
  At = Header.size();
}

bool Parser::readRecord(RecordKind &Kind, std::span<const uint8_t> &Bytes) {
  std::array<uint8_t, RecordHeaderBytes> Raw;
  PayloadAt = At;
  if (Log->size() - At < Raw.size())
    return false;
  if (Result<void> Ok = Log->read(At, Raw); !Ok)
    throw Ok.error();
  const RecordHeader Header = decodeHeader(Raw);
  if (!Header.Intact)
    throw Error{"the file was altered; record the program again"};
  At += Raw.size();
  if (Header.SizeBytes > Log->size() - At)
    return false;
  const std::span<uint8_t> Payload = launch::room(Room, Header.SizeBytes);
  if (Result<void> Ok = Log->read(At, Payload); !Ok)
    throw Ok.error();
  Bytes = Payload;
  At += Header.SizeBytes;
  if (checksum(Bytes) != Header.Checksum)
    throw Error{"the file was altered; record the program again"};
  Kind = RecordKind(Header.Kind);
  return true;
}

Recording Parser::run() {
  R.Application.File = Name;
  R.FileBytes = Log->size();
  RecordKind Kind = RecordKind::End;
  std::span<const uint8_t> Bytes;
  try {
    readFileHeader();
  } catch (const Error &E) {
    throw Error{fmt::format("{}: {}", Name, E.Message)};
  }
  try {
    while (readRecord(Kind, Bytes)) {
      if (R.Complete)
        throw Error{"a record behind the end; the file was altered"};
      record(Kind, Bytes);
    }
  } catch (const Error &E) {
    throw Error{fmt::format("{}: offset {}: {}", Name, PayloadAt, E.Message)};
  }
  if (ExpectsLaunch)
    R.Operations.All.pop_back(); // the log ends before its launch
  // What a killed program asked for and did not get cannot be compared.
  std::erase_if(R.Application.Steps, [](const Step &S) {
    const auto *Read = std::get_if<ReadBuffer>(&S.Host);
    return Read && !Read->Expected;
  });
  return std::move(R);
}

Result<Recording> parseRecording(std::shared_ptr<trace::ByteSource> Log,
                                 const std::string &Name,
                                 const std::string &Folder) {
  try {
    return Parser(std::move(Log), Name, Folder).run();
  } catch (const Error &E) {
    return std::unexpected(E);
  }
}

} // namespace heddle::record
