//===- HostMemory.cpp - What this machine can still hold ------------------===//

#include "base/HostMemory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <sys/resource.h>

namespace heddle {

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

uint64_t freeHostBytes() {
  uint64_t Free = UINT64_MAX;
  constexpr uint64_t KiB = 1024;
  if (const auto Available = readNumber("/proc/meminfo", "MemAvailable:"))
    Free = (*Available + readNumber("/proc/meminfo", "SwapFree:").value_or(0)) *
           KiB;
  return std::min({Free, freeInGroups(), freeAddressSpace()});
}

} // namespace heddle
