//===- PTXFuzzer.cpp - Any bytes as a PTX file ----------------------------===//

#include "heddle/PTX/PTXLifter.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  llvm::LLVMContext Context;
  std::vector<heddle::UnliftedKernel> Unlifted;
  auto M = heddle::liftPTX(Context, Text, "fuzz.ptx", Unlifted);
  if (M)
    return 0;
  // What is refused is named, not built and found broken.
  std::string Message = llvm::toString(M.takeError());
  if (Message.empty() || llvm::StringRef(Message).contains("malformed IR"))
    std::abort();
  return 0;
}
