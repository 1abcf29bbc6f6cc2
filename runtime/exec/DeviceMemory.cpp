//===- DeviceMemory.cpp - The memory of one launch ------------------------===//

#include "exec/DeviceMemory.h"

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace heddle::exec {

static constexpr uint64_t Guard = uint64_t(8) << 30;
static constexpr uint64_t Page = 4096;
static constexpr uint64_t HugePage = uint64_t(2) << 20;

static uint64_t alignTo(uint64_t Value, uint64_t To) {
  return (Value + To - 1) / To * To;
}

static constexpr uint64_t PartBases[] = {HEDDLE_GLOBAL_BASE, HEDDLE_SHARED_BASE,
                                         HEDDLE_LOCAL_BASE};

/// A slot begins with what lies unmapped in front of its base.
static void *startOf(uint64_t PartBase, uint64_t Offset) {
  return reinterpret_cast<void *>(PartBase + Offset - Guard);
}

bool DeviceMemory::OwnedSlot::reserve(unsigned Index, bool Whole) {
  release();
  Offset = Index * HEDDLE_SLOT_BYTES;
  for (uint64_t Base : PartBases) {
    void *At = startOf(Base, Offset);
    void *Got = ::mmap(At, Whole ? HEDDLE_SLOT_BYTES : Page, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                           MAP_FIXED_NOREPLACE,
                       -1, 0);
    if (Got == MAP_FAILED) {
      const int Why = errno;
      release();
      errno = Why;
      return false;
    }
    ++Parts;
  }
  return true;
}

void DeviceMemory::OwnedSlot::release() {
  while (Parts)
    ::munmap(startOf(PartBases[--Parts], Offset), HEDDLE_SLOT_BYTES);
}

DeviceMemory::OwnedSlot &DeviceMemory::OwnedSlot::operator=(OwnedSlot &&Other) {
  release();
  Offset = Other.Offset;
  Parts = std::exchange(Other.Parts, 0);
  return *this;
}

Result<DeviceMemory> DeviceMemory::create() {
  DeviceMemory M;
  // The kernel says which slots are taken, by whatever thread.
  unsigned Index = 0;
  bool Whole = true;
  while (!M.Slot.reserve(Index, Whole)) {
    // ulimit -v counts what is only reserved.
    if (errno == ENOMEM && std::exchange(Whole, false))
      continue;
    if (errno != EEXIST)
      return fail(fmt::format("cannot reserve addresses for device memory: {}",
                              std::strerror(errno)));
    if (++Index == MaxAtOnce)
      return fail(fmt::format("{} device memories exist at the same time, and "
                              "there is room for no more",
                              MaxAtOnce));
  }
  M.Next = M.Committed = HEDDLE_GLOBAL_BASE + M.Slot.Offset;
  return M;
}

/// Maps [From, To) where it is not mapped yet.
static bool map(uint64_t From, uint64_t To) {
  if (::mmap(reinterpret_cast<void *>(From), To - From, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0) != MAP_FAILED)
    return true;
  if (errno != EEXIST)
    return false;
  if (To - From == Page)
    return ::mprotect(reinterpret_cast<void *>(From), Page,
                      PROT_READ | PROT_WRITE) == 0;
  const uint64_t Middle = From + alignTo((To - From) / 2, Page);
  return map(From, Middle) && map(Middle, To);
}

/// Makes [From, To) accessible: reserved as a whole, or not mapped at all.
static Result<void> commit(uint64_t From, uint64_t To, std::string_view What) {
  if (From < To &&
      ::mprotect(reinterpret_cast<void *>(From), To - From,
                 PROT_READ | PROT_WRITE) != 0 &&
      (errno != ENOMEM || !map(From, To)))
    return fail(fmt::format("cannot allocate {} bytes for {}: {}", To - From,
                            What, std::strerror(errno)));
  // Kernels stride over all of it: fewer, larger pages where the host has them.
  if (To >= From + HugePage)
    ::madvise(reinterpret_cast<void *>(From), To - From, MADV_HUGEPAGE);
  return {};
}

Result<DeviceBuffer *> DeviceMemory::allocate(std::string Name,
                                              uint64_t SizeBytes) {
  const uint64_t Limit = HEDDLE_GLOBAL_BASE + Slot.Offset + HEDDLE_SLOT_BYTES;
  if (SizeBytes > Limit - 2 * Guard - Next)
    return fail(
        fmt::format("'{}' needs {} bytes, more than device memory has left",
                    Name, SizeBytes));
  uint64_t End = alignTo(Next + SizeBytes, Page);
  if (Result<void> Ok = commit(Committed, End, "'" + Name + "'"); !Ok)
    return std::unexpected(Ok.error());
  Committed = std::max(Committed, End);
  auto Buffer = std::make_unique<DeviceBuffer>();
  Buffer->Name = std::move(Name);
  Buffer->Address = Next;
  Buffer->SizeBytes = SizeBytes;
  // An empty buffer still gets an address of its own.
  Next = alignTo(Next + std::max<uint64_t>(SizeBytes, 1) + GapBytes, 256);
  Buffers.push_back(std::move(Buffer));
  return Buffers.back().get();
}

Result<DeviceBuffer *> DeviceMemory::allocateArgument(std::string Name,
                                                      uint64_t SizeBytes) {
  Result<DeviceBuffer *> Buffer = allocate(std::move(Name), SizeBytes);
  if (Buffer) {
    (*Buffer)->IsArgument = true;
    Arguments.try_emplace((*Buffer)->Name, *Buffer);
  }
  return Buffer;
}

Result<DeviceBuffer *> DeviceMemory::allocateAt(std::string Name,
                                                uint64_t Address,
                                                uint64_t SizeBytes) {
  const uint64_t Limit = base() + HEDDLE_SLOT_BYTES - 2 * Guard;
  auto After = std::ranges::lower_bound(
      Buffers, Address, {}, [](const auto &B) { return B->Address; });
  const bool Free =
      (After == Buffers.end() || Address + SizeBytes <= (*After)->Address) &&
      (After == Buffers.begin() ||
       (*std::prev(After))->Address + (*std::prev(After))->SizeBytes <=
           Address);
  if (!Free || Address < base() || Address > Limit ||
      SizeBytes > Limit - Address || findArgument(Name))
    return fail(fmt::format("'{}' cannot lie at 0x{:x}", Name, Address));
  const uint64_t End = alignTo(Address + SizeBytes, Page);
  if (Result<void> Ok = commit(Address / Page * Page, End, "'" + Name + "'");
      !Ok)
    return std::unexpected(Ok.error());
  Committed = std::max(Committed, End);
  Next =
      std::max(Next, alignTo(Address + std::max<uint64_t>(SizeBytes, 1), 256));
  auto Buffer = std::make_unique<DeviceBuffer>();
  Buffer->Name = std::move(Name);
  Buffer->Address = Address;
  Buffer->SizeBytes = SizeBytes;
  Buffer->IsArgument = Buffer->IsUntyped = true;
  DeviceBuffer *Made = Buffers.insert(After, std::move(Buffer))->get();
  Arguments.try_emplace(Made->Name, Made);
  return Made;
}

void DeviceMemory::release(std::string_view Name, bool OwnPages) {
  auto It = Arguments.find(Name);
  if (It == Arguments.end())
    return;
  const DeviceBuffer *Gone = It->second;
  // Pages at both ends may belong to neighbours as well.
  const uint64_t End = Gone->Address + Gone->SizeBytes,
                 From = alignTo(Gone->Address, Page),
                 To = OwnPages ? alignTo(End, Page) : End / Page * Page;
  if (From < To) {
    ::madvise(reinterpret_cast<void *>(From), To - From, MADV_DONTNEED);
    ::mprotect(reinterpret_cast<void *>(From), To - From, PROT_NONE);
  }
  Arguments.erase(It);
  std::erase_if(Buffers, [&](const auto &B) { return B.get() == Gone; });
}

void DeviceMemory::noteType(std::string_view Name, launch::ScalarType Type) {
  auto It = Arguments.find(Name);
  if (It == Arguments.end() || !It->second->IsUntyped)
    return;
  DeviceBuffer &B = *It->second;
  B.HasSeveralTypes |= B.Type && *B.Type != Type;
  B.Type = Type;
}

bool DeviceMemory::overlap(std::span<const uint64_t> Addresses) const {
  std::vector<const DeviceBuffer *> Of;
  Of.reserve(Addresses.size());
  for (size_t I = 0; I < Addresses.size(); ++I) {
    Of.push_back(find(Addresses[I]));
    for (size_t J = 0; Of[I] && J < I; ++J)
      if (Of[I] == Of[J] && Addresses[I] != Addresses[J])
        return true;
  }
  return false;
}

Result<void> DeviceMemory::makeWindows(unsigned Workers, uint64_t Shared,
                                       uint64_t Local, unsigned PerWorker) {
  if (Result<void> Ok = placeWindows(Workers, Shared, Local, PerWorker); !Ok)
    return Ok;
  return openWindows(Workers);
}

Result<void> DeviceMemory::placeWindows(unsigned Workers, uint64_t Shared,
                                        uint64_t Local, unsigned PerWorker) {
  SharedBytes = alignTo(Shared, 64);
  LocalBytes = alignTo(Local, 64);
  Together = PerWorker;
  if (uint64_t(Workers) * Together > MaxWindows)
    return fail(fmt::format("{} windows of memory asked for, at most {} are "
                            "possible",
                            uint64_t(Workers) * Together, MaxWindows));
  // One guard for each of a few windows; many share what these would take.
  WorkerStride =
      Guard * MaxWorkers / std::bit_ceil(std::max(Workers, MaxWorkers));
  constexpr uint64_t Reach = uint64_t(1) << 32; // of the lower half
  WindowStride = std::min(WorkerStride, Reach) / std::bit_ceil(Together + 1);
  const uint64_t Most = (Together == 1 ? WorkerStride : WindowStride) / 2;
  if (LocalBytes > Most)
    return fail(
        fmt::format("a thread block needs {} bytes of local memory; the "
                    "limit is {}",
                    Local, Most));
  if (Workers == Made.Workers && Together == Made.Together &&
      SharedBytes <= Made.SharedBytes && LocalBytes <= Made.LocalBytes)
    return {};
  Made = {Workers, Together, 0, SharedBytes, LocalBytes};
  return {};
}

Result<void> DeviceMemory::openWindows(unsigned Workers) {
  for (unsigned W = Made.Open * Together; W < Workers * Together; ++W) {
    for (auto [Base, Size, What] :
         {std::tuple(shared(W), Made.SharedBytes, "shared memory"),
          std::tuple(local(W), Made.LocalBytes, "local memory")}) {
      uint64_t From = reinterpret_cast<uint64_t>(Base);
      if (Result<void> Ok = commit(From, From + alignTo(Size, Page), What); !Ok)
        return Ok;
    }
  }
  Made.Open = std::max(Made.Open, Workers);
  return {};
}

uint64_t DeviceMemory::placeOf(unsigned Index) const {
  return Slot.Offset + Guard + Index / Together * WorkerStride +
         Index % Together * WindowStride;
}
uint8_t *DeviceMemory::shared(unsigned Index) const {
  return reinterpret_cast<uint8_t *>(HEDDLE_SHARED_BASE + placeOf(Index));
}
uint8_t *DeviceMemory::local(unsigned Index) const {
  return reinterpret_cast<uint8_t *>(HEDDLE_LOCAL_BASE + placeOf(Index));
}

const DeviceBuffer *DeviceMemory::findArgument(std::string_view Name) const {
  auto It = Arguments.find(Name);
  return It == Arguments.end() ? nullptr : It->second;
}

const DeviceBuffer *DeviceMemory::find(uint64_t Address) const {
  auto It = std::ranges::upper_bound(Buffers, Address, {},
                                     [](const auto &B) { return B->Address; });
  if (It == Buffers.begin())
    return nullptr;
  const DeviceBuffer &B = **--It;
  return Address - B.Address < B.SizeBytes ? &B : nullptr;
}

static uint64_t distance(const DeviceBuffer &B, uint64_t Address) {
  if (Address < B.Address)
    return B.Address - Address;
  uint64_t Offset = Address - B.Address;
  return Offset < B.SizeBytes ? 0 : Offset - B.SizeBytes + 1;
}

const DeviceBuffer *DeviceMemory::nearest(uint64_t Address) const {
  const DeviceBuffer *Best = nullptr;
  for (const auto &B : Buffers)
    // Our own buffers mean nothing to the author of the kernel.
    if (!B->Name.starts_with("__heddle") &&
        (!Best || distance(*B, Address) < distance(*Best, Address)))
      Best = B.get();
  return Best;
}

std::string DeviceMemory::describe(uint64_t Address) const {
  HeddleMemorySpace Space = heddleSpaceOfAddress(Address);
  if (Address >= HEDDLE_SHARED_BASE && Space != HEDDLE_SPACE_GLOBAL) {
    bool Shared = Space == HEDDLE_SPACE_SHARED;
    uint64_t Base =
        (Shared ? HEDDLE_SHARED_BASE : HEDDLE_LOCAL_BASE) + Slot.Offset + Guard;
    uint64_t Size = Shared ? SharedBytes : LocalBytes;
    int64_t Offset = int64_t(Address - Base);
    if (Offset >= 0) { // relative to the window of the host thread
      const uint64_t InWorker = uint64_t(Offset) % WorkerStride;
      Offset = int64_t(Together > 1 ? InWorker % WindowStride : InWorker);
      if (Together > 1 && Shared && InWorker / WindowStride >= Together)
        return fmt::format("offset {} of the shared memory of a block that the "
                           "cluster does not have: ranks go up to {}",
                           Offset, Together - 1);
    }
    return fmt::format("offset {} of {} memory ({} bytes)", Offset,
                       Shared ? "shared" : "local", Size);
  }
  bool Near =
      Address >= HEDDLE_GLOBAL_BASE - Guard && Address < HEDDLE_ARENA_END;
  const DeviceBuffer *B = Near ? nearest(Address) : nullptr;
  if (!B)
    return fmt::format("address 0x{:x}, which belongs to no buffer", Address);
  std::string Text = fmt::format("address 0x{:x}, ", toDevice(Address));
  if (Address < B->Address)
    Text += fmt::format("{} bytes before", B->Address - Address);
  else if (Address - B->Address < B->SizeBytes)
    Text += fmt::format("byte {} of", Address - B->Address);
  else {
    uint64_t Past = Address - B->Address - B->SizeBytes;
    Text += Past ? fmt::format("{} bytes past the end of", Past)
                 : "just past the end of";
  }
  return Text + fmt::format(" '{}' ({} bytes)", B->Name, B->SizeBytes);
}

} // namespace heddle::exec
