//===- Recorder.cpp - Records a CUDA program ------------------------------===//

#include "cuda/Recorder.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace heddle::cuda {

using launch::Region;
using record::Encoder;
using record::RecordKind;

static Region linear(uint64_t Offset, uint64_t SizeBytes) {
  Region At;
  At.Offset = Offset;
  At.RowBytes = SizeBytes;
  return At;
}

static Encoder &encode(Encoder &E, const Region &At) {
  return E.number(At.Offset)
      .number(At.RowBytes)
      .number(At.Rows)
      .number(At.RowPitch)
      .number(At.Slices)
      .number(At.SlicePitch);
}

static std::vector<uint8_t> bytesOf(const Allocation &A, const Region &At) {
  std::vector<uint8_t> Bytes(At.sizeBytes());
  const auto *From = reinterpret_cast<const uint8_t *>(A.where());
  At.forEachRow([&](uint64_t Offset, uint64_t Packed) {
    std::memcpy(Bytes.data() + Packed, From + Offset, At.RowBytes);
  });
  return Bytes;
}

std::unique_ptr<Recorder> Recorder::create(const exec::DeviceMemory &Memory,
                                           const std::string &DeviceName) {
  const char *Folder = std::getenv("HEDDLE_RECORDING");
  if (!Folder || !*Folder)
    return nullptr;
  auto Writer = record::RecordingWriter::create(Folder);
  if (!Writer) {
    std::fprintf(stderr,
                 "heddle: warning: nothing of process %ld is recorded: %s; one "
                 "process makes one recording\n",
                 long(::getpid()), Writer.error().Message.c_str());
    return nullptr;
  }
  (*Writer)->holdSignals();
  std::unique_ptr<Recorder> R(new Recorder(std::move(*Writer), Memory.base()));
  R->info(DeviceName);
  return R;
}

Recorder::Recorder(std::unique_ptr<record::RecordingWriter> Writer,
                   uint64_t Base)
    : Log(std::move(Writer)), Base(Base) {}

record::StreamOrder::Sink Recorder::sink() {
  return [this](RecordKind Kind, Encoder E) {
    if (Kind == RecordKind::Operation && Ranges != WrittenRanges)
      writeRanges();
    Log->append(Kind, std::move(E));
  };
}

void Recorder::writeRanges() {
  Encoder E;
  E.number(Ranges.size());
  for (const std::string &Name : Ranges)
    E.text(Name);
  Log->append(RecordKind::Ranges, std::move(E));
  WrittenRanges = Ranges;
}

void Recorder::info(const std::string &DeviceName) {
  std::ifstream File("/proc/self/cmdline", std::ios::binary);
  std::string Command((std::istreambuf_iterator<char>(File)), {});
  std::ranges::replace(Command, '\0', ' ');
  while (Command.ends_with(' '))
    Command.pop_back();
  std::string Folder(4096, '\0');
  Folder = ::getcwd(Folder.data(), Folder.size()) ? Folder.c_str() : ".";
  Log->append(RecordKind::Info,
              Encoder().text(Command).text(Folder).text(DeviceName));
}

Recorder::~Recorder() {
  Encoder E;
  for (const auto &[Name, Times] : Counts)
    E.text(Name).number(Times);
  Log->append(RecordKind::Calls, std::move(E));
  Log->append(RecordKind::End, {});
  if (Result<void> Done = Log->finish(); !Done)
    std::fprintf(stderr, "heddle: warning: the recording is cut off: %s\n",
                 Done.error().Message.c_str());
}

void Recorder::made(const Allocation &A) {
  declare(A);
  watch(A);
}

void Recorder::declare(const Allocation &A) {
  Log->append(RecordKind::Buffer,
              Encoder().number(A.Number).number(A.SizeBytes));
  Log->append(RecordKind::Place,
              Encoder().number(A.Number).number(A.Address - Base));
}

/// If the host may write and read it without a call.
void Recorder::watch(const Allocation &A) {
  if (A.Kind != MemoryKind::Managed && A.Kind != MemoryKind::Pinned)
    return;
  // What was there before may be left in device memory.
  if (A.SizeBytes)
    Log->append(RecordKind::Fill, Encoder()
                                      .number(A.Number)
                                      .number(0)
                                      .number(A.SizeBytes)
                                      .bytes(std::array<uint8_t, 1>{}));
  SharedBuffers[A.Number] = {reinterpret_cast<const uint8_t *>(A.where()),
                             A.Address, std::vector<uint8_t>(A.SizeBytes)};
}

void Recorder::dropped(const Allocation &A) {
  Log->append(RecordKind::Drop, Encoder().number(A.Number));
  SharedBuffers.erase(A.Number);
}

void Recorder::written(const Allocation &A, const Region &At) {
  if (At.sizeBytes() == 0 || SharedBuffers.contains(A.Number))
    return; // compared at the next launch
  Encoder E;
  encode(E.number(A.Number), At);
  Log->append(RecordKind::Write, std::move(E), bytesOf(A, At));
}

void Recorder::filled(const Allocation &A, uint64_t Offset, uint64_t SizeBytes,
                      std::vector<uint8_t> Pattern) {
  if (SizeBytes == 0 || SharedBuffers.contains(A.Number))
    return;
  Log->append(RecordKind::Fill,
              Encoder().number(A.Number).number(Offset).number(SizeBytes).bytes(
                  Pattern));
}

void Recorder::copied(const Allocation &From, const Region &FromAt,
                      const Allocation &To, const Region &ToAt) {
  if (FromAt.sizeBytes() == 0 || SharedBuffers.contains(To.Number))
    return;
  if (SharedBuffers.contains(From.Number))
    return written(To, ToAt); // the host may have written From
  Encoder E;
  encode(E.number(From.Number), FromAt);
  encode(E.number(To.Number), ToAt);
  Log->append(RecordKind::Copy, std::move(E));
}

void Recorder::readAs(uint64_t Number, const Region &At,
                      std::vector<uint8_t> Bytes) {
  Encoder E;
  encode(E.number(NextRead).number(Number), At);
  Log->append(RecordKind::Read, std::move(E));
  Log->append(RecordKind::ReadData, Encoder().number(NextRead++),
              std::move(Bytes));
}

void Recorder::read(const Allocation &A, const Region &At) {
  if (At.sizeBytes() && !SharedBuffers.contains(A.Number))
    readAs(A.Number, At, bytesOf(A, At));
}

void Recorder::program(uint64_t Number, const std::string &Code) {
  Log->program(Number, Code, "");
}

void Recorder::variable(uint64_t Program, const Variable &V,
                        const Allocation &A) {
  declare(A);
  Log->append(RecordKind::Variable,
              Encoder().number(A.Number).number(Program).text(V.Name));
  watch(A);
  written(A, linear(0, A.SizeBytes));
}

/// Calls \p Visit with the ranges in which the two differ, page by page.
template <typename Function>
static void forEachChange(const uint8_t *Now, const std::vector<uint8_t> &Was,
                          Function Visit) {
  constexpr size_t Page = 4096;
  size_t Begin = Was.size();
  for (size_t At = 0; At < Was.size(); At += Page) {
    const size_t Size = std::min(Page, Was.size() - At);
    const bool Differs = std::memcmp(Now + At, Was.data() + At, Size) != 0;
    if (Differs && Begin == Was.size())
      Begin = At;
    if (!Differs && Begin != Was.size()) {
      Visit(Begin, At - Begin);
      Begin = Was.size();
    }
  }
  if (Begin != Was.size())
    Visit(Begin, Was.size() - Begin);
}

std::vector<uint8_t> Recorder::translated(std::vector<uint8_t> Params) const {
  for (size_t At = 0; At + sizeof(uint64_t) <= Params.size();
       At += sizeof(uint64_t)) {
    uint64_t Word;
    std::memcpy(&Word, Params.data() + At, sizeof(Word));
    for (const auto &[Number, S] : SharedBuffers) {
      const uint64_t Begin = reinterpret_cast<uint64_t>(S.Bytes);
      if (Begin == S.Address || Word < Begin || Word - Begin >= S.Known.size())
        continue;
      const uint64_t There = S.Address + (Word - Begin);
      std::memcpy(Params.data() + At, &There, sizeof(There));
      break;
    }
  }
  return Params;
}

/// Registered memory that the program has given back to the system must not be
/// looked at any more.
void Recorder::dropUnmapped() {
  const uint64_t Page = uint64_t(::sysconf(_SC_PAGESIZE));
  std::erase_if(SharedBuffers, [&](const auto &Entry) {
    const Shared &S = Entry.second;
    const uint64_t Begin = reinterpret_cast<uint64_t>(S.Bytes);
    if (Begin == S.Address)
      return false;
    const uint64_t First = Begin / Page * Page;
    const uint64_t Size = Begin + S.Known.size() - First;
    std::vector<unsigned char> Present((Size + Page - 1) / Page);
    if (::mincore(reinterpret_cast<void *>(First), Size, Present.data()) == 0)
      return false;
    unsupported("cudaHostRegister: memory that was freed before "
                "cudaHostUnregister");
    return true;
  });
}

void Recorder::launching(uint64_t Program, const launch::Launch &L) {
  dropUnmapped();
  for (auto &[Number, S] : SharedBuffers)
    forEachChange(S.Bytes, S.Known, [&](size_t Offset, size_t Size) {
      Encoder E;
      encode(E.number(Number), linear(Offset, Size));
      Log->append(RecordKind::Write, std::move(E),
                  std::vector(S.Bytes + Offset, S.Bytes + Offset + Size));
      std::memcpy(S.Known.data() + Offset, S.Bytes + Offset, Size);
    });
  if (L.Cluster && L.Cluster->count() > 1)
    unsupported("a launch that gives the size of clusters");
  auto [It, Fresh] = Kernels.try_emplace({Program, L.Kernel}, Kernels.size());
  if (Fresh)
    Log->append(RecordKind::Kernel,
                Encoder().number(It->second).number(Program).text(L.Kernel));
  Encoder E;
  E.number(It->second);
  for (const Dim3 &D : {L.Grid, L.Block})
    E.number(D.X).number(D.Y).number(D.Z);
  E.number(L.DynamicSharedBytes).bytes(translated(*L.RawParams));
  Log->append(RecordKind::RawLaunch, std::move(E));
}

void Recorder::launched() {
  for (auto &[Number, S] : SharedBuffers)
    forEachChange(S.Bytes, S.Known, [&](size_t Offset, size_t Size) {
      std::memcpy(S.Known.data() + Offset, S.Bytes + Offset, Size);
      S.Changed = true;
    });
}

void Recorder::synchronised(const char *Call) {
  dropUnmapped();
  for (auto &[Number, S] : SharedBuffers)
    if (std::exchange(S.Changed, false))
      readAs(Number, linear(0, S.Known.size()), S.Known);
  Log->append(RecordKind::Sync, Encoder().text(Call));
}

void Recorder::unsupported(const std::string &What) {
  Log->append(RecordKind::Unsupported, Encoder().text(What));
}

} // namespace heddle::cuda
