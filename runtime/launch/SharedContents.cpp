//===- SharedContents.cpp - Buffers that begin as a file's pages ----------===//

#include "launch/SharedContents.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace heddle::launch {

/// Below this a copy takes less time than asking the system does.
static constexpr uint64_t LeastBytes = uint64_t(64) << 10;

namespace {
/// A part of a file.
struct FilePart {
  dev_t Device = 0;
  ino_t Inode = 0;
  uint64_t Offset = 0;
};
} // namespace

/// The part of a file that [\p Begin, \p Begin + \p Size) is a shared mapping
/// of, if it is one (proc_pid_maps(5)).
static std::optional<FilePart> sharedFileAt(uint64_t Begin, uint64_t Size) {
  std::ifstream Maps("/proc/self/maps");
  for (std::string Line; std::getline(Maps, Line);) {
    uint64_t From, To, Offset, Inode;
    unsigned Major, Minor;
    char Rights[5];
    if (std::sscanf(Line.c_str(),
                    "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64,
                    &From, &To, Rights, &Offset, &Major, &Minor, &Inode) != 7 ||
        Begin < From || Begin >= To)
      continue;
    if (Rights[3] != 's' || !Inode || Size > To - Begin)
      return std::nullopt;
    return FilePart{makedev(Major, Minor), ino_t(Inode), Offset + Begin - From};
  }
  return std::nullopt;
}

/// A descriptor of the file that \p Part and \p Size bytes from there are in,
/// which this process has open already; -1 if there is none.
static int descriptorOf(const FilePart &Part, uint64_t Size) {
  std::error_code Failed;
  for (const auto &Entry :
       std::filesystem::directory_iterator("/proc/self/fd", Failed)) {
    const int File = std::atoi(Entry.path().filename().c_str());
    struct stat Is;
    if (::fstat(File, &Is) == 0 && Is.st_dev == Part.Device &&
        Is.st_ino == Part.Inode && uint64_t(Is.st_size) >= Part.Offset + Size)
      return File;
  }
  return -1;
}

std::span<uint8_t> shareContents(std::span<const uint8_t> From,
                                 std::span<uint8_t> To) {
  const auto Page = uint64_t(::sysconf(_SC_PAGESIZE));
  const auto Source = reinterpret_cast<uint64_t>(From.data()),
             Target = reinterpret_cast<uint64_t>(To.data());
  const uint64_t Begin = (Target + Page - 1) / Page * Page,
                 End = (Target + To.size()) / Page * Page;
  if (To.size() < LeastBytes || Source % Page != Target % Page || Begin >= End)
    return {};
  const uint64_t Size = End - Begin;
  const auto Part = sharedFileAt(Source + (Begin - Target), Size);
  const int File = Part ? descriptorOf(*Part, Size) : -1;
  if (File < 0)
    return {};
  // Where nothing is yet, so that a refusal costs no page of the target.
  void *Made = ::mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_NORESERVE, File, off_t(Part->Offset));
  if (Made == MAP_FAILED)
    return {};
  if (::mremap(Made, Size, Size, MREMAP_MAYMOVE | MREMAP_FIXED,
               reinterpret_cast<void *>(Begin)) == MAP_FAILED) {
    ::munmap(Made, Size);
    return {};
  }
  return To.subspan(Begin - Target, Size);
}

} // namespace heddle::launch
