//===- CodeCacheFuzzer.cpp - Any file in the cache of compiled code -------===//
//
// The first byte says whether the rest is a whole file or gets the checksum
// that it needs. A file of the cache is found with what it holds, or not at
// all. What it holds is not read here: with its checksum it is what Heddle
// wrote, and programs in it run.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/CodeCache.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

static std::string folder() {
  SmallString<128> Path;
  if (sys::fs::createUniqueDirectory("heddle-fuzz-cache", Path))
    std::abort();
  ::setenv("HEDDLE_CACHE", Path.c_str(), 1);
  return Path.str().str();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  static const std::string Folder = folder();
  if (Size == 0)
    return 0;
  const heddle::CodeCache Cache;
  const ArrayRef Rest(reinterpret_cast<const char *>(Bytes) + 1, Size - 1);
  if (Bytes[0] & 1) {
    Cache.keep("key", Rest);
  } else {
    std::error_code Failed;
    raw_fd_ostream File(Folder + "/llvmcache-key", Failed);
    File.write(Rest.data(), Rest.size());
  }
  const auto Found = Cache.find("key");
  if (Bytes[0] & 1 ? !Found || ArrayRef<char>(*Found) != Rest
                   : Found && Found->size() + 8 != Rest.size())
    std::abort();
  return 0;
}
