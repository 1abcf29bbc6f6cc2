//===- MachineFileFuzzer.cpp - Hostile machine files ----------------------===//
//
// Whatever the reader accepts must make a memory system, as it has passed
// every check.
//
//===----------------------------------------------------------------------===//

#include "arch/SpecReader.h"
#include "memory/MemorySystem.h"

#include <string_view>

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  std::string_view Text(reinterpret_cast<const char *>(Bytes), Size);
  auto Spec = arch::parseMachine(Text, "fuzz.yaml");
  // Large caches take memory and time, but find nothing new.
  if (!Spec || Spec->L2.TotalSize > (8 << 20) || Spec->L2.Slices > 128)
    return 0;
  memory::MemorySystem Memory(*Spec);
  std::vector<memory::MemoryRequest> Requests(1);
  std::vector<memory::MemoryResponse> Responses;
  Requests[0].SectorMask = 1;
  Memory.process(Requests, 1, Responses);
  return 0;
}
