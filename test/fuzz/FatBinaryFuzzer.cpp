//===- FatBinaryFuzzer.cpp - Hostile device code of programs --------------===//
//
// What `heddle cc` and nvcc put into programs, as cuLinkAddData and
// cuModuleLoad read it. What is accepted is written and read again as the same.
//
//===----------------------------------------------------------------------===//

#include "cuda/FatBinary.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace heddle::cuda;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  // On the heap, so that a read behind the end is seen.
  const auto Data = std::make_unique<uint8_t[]>(Size);
  std::copy_n(Bytes, Size, Data.get());
  const auto Images = readFatBinary(Data.get(), Size);
  if (!Images) {
    require(!Images.error().Message.empty());
    return 0;
  }
  const std::string Written = writeFatBinary(*Images);
  const auto Again = readFatBinary(Written.data(), Written.size());
  require(Again && writeFatBinary(*Again) == Written);
  const DeviceImage *Best = imageFor(*Images, 70);
  require(!Best || Best->Capability <= 70);
  return 0;
}
