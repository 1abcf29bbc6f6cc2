//===- SASSFuzzer.cpp - Any bytes as what nvdisasm prints -----------------===//

#include "../../lib/MachineCode/SASSReader.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  auto Blocks = heddle::machine::readSASS(Text, "k");
  if (!Blocks) {
    if (llvm::toString(Blocks.takeError()).empty())
      std::abort();
    return 0;
  }
  heddle::machine::dropSlowPaths(*Blocks);
  for (const auto &B : *Blocks)
    for (unsigned To : B.Successors)
      if (To >= Blocks->size())
        std::abort();
  return 0;
}
