//===- Binding.cpp - A launch's arguments for one kernel ------------------===//

#include "exec/Binding.h"

#include "launch/BufferInit.h"
#include "launch/LaunchFile.h"
#include "launch/ScalarTypes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/resource.h>

namespace heddle::exec {

/// The number behind \p Key in a file of lines, or the first of all.
static std::optional<uint64_t> readNumber(const std::filesystem::path &Path,
                                          const std::string &Key = {}) {
  std::ifstream File(Path);
  std::string Word;
  while (!Key.empty() && File >> Word && Word != Key) {
  }
  uint64_t Value = 0;
  return File >> Value ? std::optional(Value) : std::nullopt;
}

/// What this process's control group and those around it have left.
static uint64_t freeInGroups() {
  uint64_t Free = UINT64_MAX;
  std::ifstream Groups("/proc/self/cgroup");
  for (std::string Line; std::getline(Groups, Line);) {
    const bool Second = Line.starts_with("0::/");
    const size_t First = Line.find(":memory:/");
    if (!Second && First == Line.npos)
      continue;
    const std::filesystem::path Root =
        Second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    std::filesystem::path Group = Root / Line.substr(Second ? 4 : First + 9);
    for (;; Group = Group.parent_path()) {
      const auto Limit =
          readNumber(Group / (Second ? "memory.max" : "memory.limit_in_bytes"));
      const auto Used = readNumber(
          Group / (Second ? "memory.current" : "memory.usage_in_bytes"));
      if (Limit && Used)
        Free = std::min(Free, *Limit - std::min(*Limit, *Used));
      if (Group == Root || Group == Group.root_path())
        break;
    }
  }
  return Free;
}

static uint64_t freeAddressSpace() {
  rlimit Limit = {};
  const auto Pages = readNumber("/proc/self/statm");
  if (getrlimit(RLIMIT_AS, &Limit) != 0 || Limit.rlim_cur == RLIM_INFINITY ||
      !Pages)
    return UINT64_MAX;
  constexpr uint64_t Page = 4096;
  return Limit.rlim_cur - std::min<uint64_t>(Limit.rlim_cur, *Pages * Page);
}

/// Bytes that this process can fill before the system refuses them or kills it:
/// the least of what Linux calls available, the limits of its control groups
/// and its address space (ulimit -v). UINT64_MAX where nothing says.
static uint64_t freeHostBytes() {
  uint64_t Free = UINT64_MAX;
  constexpr uint64_t KiB = 1024;
  if (const auto Available = readNumber("/proc/meminfo", "MemAvailable:"))
    Free = (*Available + readNumber("/proc/meminfo", "SwapFree:").value_or(0)) *
           KiB;
  return std::min({Free, freeInGroups(), freeAddressSpace()});
}

using namespace launch;

std::string KernelParam::typeName() const {
  switch (What) {
  case Pointer:
    return "a pointer (give a buffer)";
  case SharedPointer:
    return "a pointer to local memory (give 'local: BYTES')";
  case Integer:
    return fmt::format("i{}", SizeBytes * 8);
  case Float:
    return fmt::format("f{}", SizeBytes * 8);
  case Bytes:
    if (SizeBytes == 2)
      return "a half or struct of 2 bytes (give f16, bf16 or 'bytes: [...]')";
    return fmt::format("a struct or vector of {} bytes (give 'struct: [...]' "
                       "or 'bytes: [...]')",
                       SizeBytes);
  }
  return {};
}

static std::string kindOf(const Argument &A) {
  if (std::holds_alternative<BufferArg>(A.Value))
    return "a buffer";
  if (const auto *S = std::get_if<ScalarArg>(&A.Value))
    return std::string(nameOf(S->Type));
  if (std::holds_alternative<LocalArg>(A.Value))
    return "local memory";
  if (std::holds_alternative<ImageArg>(A.Value))
    return "an image";
  if (std::holds_alternative<SamplerArg>(A.Value))
    return "a sampler";
  if (std::holds_alternative<TensorMapArg>(A.Value))
    return "a tensor map";
  const auto &Bytes = std::get<BytesArg>(A.Value);
  return fmt::format("{}{} bytes", Bytes.Pointers.empty() ? "" : "a struct of ",
                     Bytes.Bytes.size());
}

namespace {
class Binder {
public:
  Binder(const Launch &L, const KernelInterface &Kernel, DeviceMemory &Memory,
         const FillCallback &OnFill)
      : L(L), Kernel(Kernel), Memory(Memory), OnFill(OnFill) {}
  Result<BoundLaunch> run();

private:
  std::unexpected<Error> error(size_t Index, const std::string &Message) const;
  Result<void> checkHostMemory() const;
  Result<void> bindBuffer(size_t Index, const BufferArg &B,
                          const KernelParam &P);
  Result<void> bindStruct(size_t Index, const BytesArg &A,
                          const KernelParam &P);
  Result<void> bindTensorMap(size_t Index, const TensorMapArg &A,
                             const KernelParam &P);
  Result<void> bindOne(size_t Index, const Argument &A, const KernelParam &P);
  Result<void> bindArguments();
  Result<void> bindRaw();
  std::string where(unsigned Line) const;

  const Launch &L;
  const KernelInterface &Kernel;
  DeviceMemory &Memory;
  const FillCallback &OnFill;
  BoundLaunch Bound;
  std::vector<uint64_t> Pointers; ///< to buffers of earlier launches
};
} // namespace

std::string Binder::where(unsigned Line) const {
  return L.File.empty() || !Line ? std::string()
                                 : fmt::format("{}:{}: ", L.File, Line);
}

std::unexpected<Error> Binder::error(size_t Index,
                                     const std::string &Message) const {
  const KernelParam &P = Kernel.Params[Index];
  return fail(fmt::format("{}argument {}{} of kernel '{}' {}",
                          where(L.Args[Index].Line), Index + 1,
                          P.Name.empty() ? "" : fmt::format(" ('{}')", P.Name),
                          Kernel.Name, Message));
}

/// Whether a buffer of \p Given is what a pointer to \p Wanted reads: the same
/// size and kind. Bytes are raw memory on either side.
static bool fits(ScalarType Given, ScalarType Wanted) {
  return Given == Wanted || Given == ScalarType::U8 || sizeOf(Wanted) == 1 ||
         (sizeOf(Given) == sizeOf(Wanted) && !isFloat(Given) &&
          !isFloat(Wanted));
}

Result<void> Binder::bindBuffer(size_t Index, const BufferArg &B,
                                const KernelParam &P) {
  // Launch files name buffers for --dump; else the parameter's name serves.
  std::string Name = !B.Name.empty()   ? B.Name
                     : !P.Name.empty() ? P.Name
                                       : fmt::format("arg{}", Index);
  if (B.Reference) {
    const DeviceBuffer *Earlier = Memory.findArgument(Name);
    if (!Earlier)
      return error(Index, fmt::format("refers to a buffer '{}' that no earlier "
                                      "launch has made",
                                      Name));
    if (P.Element)
      Memory.noteType(Name, *P.Element);
    const uint64_t Address = Earlier->Address + B.OffsetBytes;
    std::memcpy(Bound.Params.data() + P.Offset, &Address, 8);
    Pointers.push_back(Address);
    return {};
  }
  if (P.Element && !fits(B.Type, *P.Element))
    return error(Index,
                 fmt::format("points to elements of type {}, but the launch "
                             "gives a buffer of {}; write 'type: {}', or "
                             "'type: u8' and a file for raw bytes",
                             nameOf(*P.Element), nameOf(B.Type),
                             nameOf(*P.Element)));
  uint64_t Size = B.Count * sizeOf(B.Type);
  auto Buffer = Memory.allocateArgument(Name, Size);
  if (!Buffer)
    return error(Index, ": " + Buffer.error().Message);
  (*Buffer)->Type = B.Type;
  (*Buffer)->Initialised = !std::holds_alternative<InitNone>(B.Init);
  if (Result<void> Ok = initialise(B, Memory.bytes(**Buffer), OnFill); !Ok)
    return error(Index, "cannot be initialised: " + Ok.error().Message);
  std::memcpy(Bound.Params.data() + P.Offset, &(*Buffer)->Address, 8);
  return {};
}

/// Each buffer must lie where the struct can hold a pointer: a struct of the
/// right size but another layout would else run on wrong addresses.
Result<void> Binder::bindStruct(size_t Index, const BytesArg &A,
                                const KernelParam &P) {
  std::memcpy(Bound.Params.data() + P.Offset, A.Bytes.data(), A.Bytes.size());
  for (uint64_t Offset :
       A.Pointers.empty() ? std::vector<uint64_t>() : P.PointerOffsets) {
    auto Given =
        std::ranges::find(A.Pointers, Offset, &BytesArg::Pointer::Offset);
    if (Given == A.Pointers.end() &&
        std::any_of(A.Bytes.begin() + Offset, A.Bytes.begin() + Offset + 8,
                    [](uint8_t Byte) { return Byte != 0; }))
      return error(Index,
                   fmt::format("is a struct with a pointer at byte {}, where "
                               "the launch gives neither a buffer nor 'u64: 0'",
                               Offset));
  }
  for (size_t I = 0; I < A.Pointers.size(); ++I) {
    const auto &[Offset, Buffer] = A.Pointers[I];
    if (std::ranges::find(P.WordOffsets, Offset) == P.WordOffsets.end())
      return error(
          Index,
          fmt::format("is a struct {}, but the launch gives a buffer at byte "
                      "{}; add 'pad' where members are aligned wider",
                      P.PointerOffsets.empty()
                          ? std::string("without pointers")
                          : fmt::format("with pointers at bytes {}",
                                        fmt::join(P.PointerOffsets, ", ")),
                      Offset));
    KernelParam Member;
    Member.Name = fmt::format(
        "{}.{}", P.Name.empty() ? fmt::format("arg{}", Index) : P.Name, I);
    Member.What = KernelParam::Pointer;
    Member.Offset = P.Offset + Offset;
    Member.SizeBytes = 8;
    if (Result<void> Ok = bindBuffer(Index, Buffer, Member); !Ok)
      return Ok;
  }
  return {};
}

/// The map's bytes, with the address of its buffer.
Result<void> Binder::bindTensorMap(size_t Index, const TensorMapArg &A,
                                   const KernelParam &P) {
  std::memcpy(Bound.Params.data() + P.Offset, &A.Map, sizeof(A.Map));
  KernelParam Address;
  Address.Name = P.Name;
  Address.What = KernelParam::Pointer;
  Address.Offset = P.Offset + offsetof(HeddleTensorMap, Address);
  Address.SizeBytes = 8;
  if (Result<void> Ok = bindBuffer(Index, A.Buffer, Address); !Ok)
    return Ok;
  uint64_t Begin;
  std::memcpy(&Begin, Bound.Params.data() + Address.Offset, 8);
  const DeviceBuffer *B = Memory.find(Begin);
  if (B && A.extentBytes() > B->SizeBytes - (Begin - B->Address))
    return error(Index, fmt::format("is a tensor of {} bytes, but buffer '{}' "
                                    "has {}",
                                    A.extentBytes(), B->Name, B->SizeBytes));
  return {};
}

Result<void> Binder::bindOne(size_t Index, const Argument &A,
                             const KernelParam &P) {
  uint8_t *To = Bound.Params.data() + P.Offset;
  auto Mismatch = [&] {
    return error(Index, fmt::format("is {}, but the launch gives {}",
                                    P.typeName(), kindOf(A)));
  };
  if (const auto *B = std::get_if<BufferArg>(&A.Value))
    return P.What == KernelParam::Pointer || P.MayPoint
               ? bindBuffer(Index, *B, P)
               : Mismatch();
  if (const auto *S = std::get_if<ScalarArg>(&A.Value)) {
    bool Null = P.What == KernelParam::Pointer && !isFloat(S->Type) &&
                sizeOf(S->Type) == 8 && S->Integer == 0;
    // CUDA's __half and __nv_bfloat16 are structs.
    const bool IsHalf = isFloat(S->Type) && sizeOf(S->Type) == 2;
    bool Fits = (P.What == (isFloat(S->Type) ? KernelParam::Float
                                             : KernelParam::Integer) ||
                 (IsHalf && P.What == KernelParam::Bytes)) &&
                P.SizeBytes == sizeOf(S->Type);
    if (!Null && !Fits)
      return Mismatch();
    store(*S, To);
    return {};
  }
  if (const auto *Local = std::get_if<LocalArg>(&A.Value)) {
    if (P.What != KernelParam::SharedPointer)
      return Mismatch();
    // Aligned for the widest vector type of OpenCL, double16.
    Bound.SharedBytes = (Bound.SharedBytes + 127) / 128 * 128;
    Bound.SharedParams.push_back({P.Offset, Bound.SharedBytes});
    Bound.SharedBytes += Local->SizeBytes;
    return {};
  }
  bool IsHandle = P.What == KernelParam::Pointer ||
                  (P.What == KernelParam::Integer && P.SizeBytes == 8);
  if (const auto *Image = std::get_if<ImageArg>(&A.Value)) {
    if (!IsHandle)
      return Mismatch();
    std::string Name = !Image->Texels.Name.empty() ? Image->Texels.Name
                       : !P.Name.empty() ? P.Name
                                         : fmt::format("arg{}", Index);
    Result<uint64_t> Handle = placeImage(*Image, Name, Memory);
    if (!Handle)
      return error(Index, ": " + Handle.error().Message);
    std::memcpy(To, &*Handle, 8);
    return {};
  }
  if (const auto *Sampler = std::get_if<SamplerArg>(&A.Value)) {
    if (P.What != KernelParam::Pointer)
      return Mismatch();
    // Clang's numbers of CLK_ADDRESS_* (opencl-c-base.h), in the order of
    // AddressMode, and of CLK_FILTER_* and CLK_NORMALIZED_COORDS_TRUE.
    constexpr uint64_t Modes[] = {6, 2, 8, 4};
    uint64_t Bits = Modes[size_t(Sampler->Sampling.Address)] |
                    (Sampler->Sampling.Linear ? 0x20 : 0x10) |
                    uint64_t(Sampler->Sampling.Normalized);
    std::memcpy(To, &Bits, 8);
    return {};
  }
  if (const auto *Map = std::get_if<TensorMapArg>(&A.Value))
    return P.What == KernelParam::Bytes && P.SizeBytes == sizeof(Map->Map)
               ? bindTensorMap(Index, *Map, P)
               : Mismatch();
  const auto &Bytes = std::get<BytesArg>(A.Value);
  if (P.What == KernelParam::Pointer || P.What == KernelParam::SharedPointer ||
      Bytes.Bytes.size() != P.SizeBytes)
    return Mismatch();
  return bindStruct(Index, Bytes, P);
}

Result<void> Binder::bindRaw() {
  if (L.RawParams->size() != Kernel.ParamBytes)
    return fail(fmt::format("{}kernel '{}' takes {} bytes of parameters, but "
                            "the launch gives {}",
                            L.File.empty() ? "" : L.File + ": ", Kernel.Name,
                            Kernel.ParamBytes, L.RawParams->size()));
  Bound.Params = *L.RawParams;
  for (const KernelParam &P : Kernel.Params) {
    if (P.What != KernelParam::Pointer)
      continue;
    uint64_t Address;
    std::memcpy(&Address, Bound.Params.data() + P.Offset, 8);
    Pointers.push_back(Address);
    const DeviceBuffer *B = P.Element ? Memory.find(Address) : nullptr;
    if (B)
      Memory.noteType(B->Name, *P.Element);
  }
  return {};
}

Result<void> Binder::bindArguments() {
  if (L.Args.size() < Kernel.Params.size()) {
    const KernelParam &P = Kernel.Params[L.Args.size()];
    return fail(fmt::format(
        "{}kernel '{}' takes {} arguments, but the launch gives {}; argument "
        "{}{}, {}, "
        "is missing",
        L.File.empty() ? "" : L.File + ": ", Kernel.Name, Kernel.Params.size(),
        L.Args.size(), L.Args.size() + 1,
        P.Name.empty() ? "" : fmt::format(" ('{}')", P.Name), P.typeName()));
  }
  if (L.Args.size() > Kernel.Params.size())
    return fail(fmt::format("{}kernel '{}' takes {} arguments, but the launch "
                            "gives {}; argument {} ({}) "
                            "is surplus",
                            where(L.Args[Kernel.Params.size()].Line),
                            Kernel.Name, Kernel.Params.size(), L.Args.size(),
                            Kernel.Params.size() + 1,
                            kindOf(L.Args[Kernel.Params.size()])));
  for (size_t I = 0; I < L.Args.size(); ++I)
    if (Result<void> Ok = bindOne(I, L.Args[I], Kernel.Params[I]); !Ok)
      return Ok;
  return {};
}

/// Refuses what would end in the kernel's killing this process.
Result<void> Binder::checkHostMemory() const {
  uint64_t Needed = 0;
  forEachBuffer(L, [&](const BufferArg &B) { Needed += filledBytes(B); });
  constexpr uint64_t AlwaysTried = uint64_t(64) << 20;
  if (Needed <= AlwaysTried)
    return {};
  if (const uint64_t Free = freeHostBytes(); Needed > Free)
    return fail(fmt::format(
        "{}the buffers of kernel '{}' are to be filled with {} bytes, but this "
        "machine has memory for {}; give fewer elements, or 'zero', which "
        "takes memory only where the kernel writes",
        L.File.empty() ? "" : L.File + ": ", Kernel.Name, Needed, Free));
  return {};
}

static unsigned workDim(const Dim3 &Grid, const Dim3 &Block) {
  return Grid.Z * Block.Z > 1 ? 3 : Grid.Y * Block.Y > 1 ? 2 : 1;
}

Result<BoundLaunch> Binder::run() {
  if (Result<void> Ok = checkLimits(L); !Ok)
    return std::unexpected(Ok.error());
  if (Result<void> Ok = checkHostMemory(); !Ok)
    return std::unexpected(Ok.error());
  Bound.Grid = L.Grid;
  Bound.Block = L.Block;
  Bound.GlobalOffset = L.GlobalOffset;
  Bound.WorkDim = workDim(L.Grid, L.Block);
  Bound.Params.resize(Kernel.ParamBytes);
  Bound.DynamicSharedBytes = L.DynamicSharedBytes;
  Bound.LocalBytesPerThread = Kernel.LocalBytesPerThread;
  Bound.SharedBytes = L.DynamicSharedBytes || Kernel.UsesDynamicShared
                          ? Kernel.DynamicSharedOffset + L.DynamicSharedBytes
                          : Kernel.StaticSharedBytes;
  if (Result<void> Ok = L.RawParams ? bindRaw() : bindArguments(); !Ok)
    return std::unexpected(Ok.error());
  Bound.ArgumentsOverlap = Memory.overlap(Pointers);
  // The most that a thread block of any GPU to date may use (H100: 227 KiB).
  if (Bound.SharedBytes > 227 * 1024)
    return fail(
        fmt::format("{}kernel '{}' needs {} bytes of shared memory per block, "
                    "above the limit of {}",
                    L.File.empty() ? "" : L.File + ": ", Kernel.Name,
                    Bound.SharedBytes, 227 * 1024));
  return std::move(Bound);
}

void BoundLaunch::rebind(const Dim3 &NewGrid,
                         std::span<const uint8_t> NewParams,
                         const KernelInterface &Kernel,
                         const DeviceMemory &Memory) {
  Grid = NewGrid;
  WorkDim = workDim(Grid, Block);
  std::ranges::copy(NewParams, Params.begin());
  std::vector<uint64_t> Pointers;
  for (const KernelParam &P : Kernel.Params)
    if (P.What == KernelParam::Pointer)
      std::memcpy(&Pointers.emplace_back(), Params.data() + P.Offset, 8);
  ArgumentsOverlap = Memory.overlap(Pointers);
}

Result<BoundLaunch> bind(const Launch &L, const KernelInterface &Kernel,
                         DeviceMemory &Memory, const FillCallback &OnFill) {
  return Binder(L, Kernel, Memory, OnFill).run();
}

} // namespace heddle::exec
