//===- CodeCache.cpp - Compiled kernels on disk ---------------------------===//

#include "CodeCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>

using namespace llvm;

namespace heddle {

/// At the end of a file: a checksum of what is before it.
static constexpr size_t SealBytes = 8;
static constexpr uint64_t MostBytes = uint64_t(512) << 20;

CodeCache::CodeCache() {
  const char *Given = std::getenv("HEDDLE_CACHE");
  if (Given && *Given) {
    if (StringRef(Given) != "off")
      Folder = Given;
    return;
  }
  SmallString<128> User;
  if (sys::path::cache_directory(User)) {
    sys::path::append(User, "heddle");
    Folder = User.str().str();
  }
}

// The name that pruneCache() looks for.
std::string CodeCache::pathOf(StringRef Key) const {
  SmallString<128> Path(Folder);
  sys::path::append(Path, "llvmcache-" + Key);
  return Path.str().str();
}

std::optional<SmallVector<char, 0>> CodeCache::find(StringRef Key) const {
  if (Folder.empty())
    return std::nullopt;
  auto File = MemoryBuffer::getFile(pathOf(Key), /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!File || (*File)->getBufferSize() < SealBytes)
    return std::nullopt;
  const StringRef Object = (*File)->getBuffer().drop_back(SealBytes);
  if (support::endian::read64le(Object.end()) !=
      xxh3_64bits(arrayRefFromStringRef(Object)))
    return std::nullopt;
  return SmallVector<char, 0>(Object.begin(), Object.end());
}

void CodeCache::keep(StringRef Key, ArrayRef<char> Object) const {
  if (Folder.empty() || sys::fs::create_directories(Folder))
    return;
  auto Temporary = sys::fs::TempFile::create(
      Folder + "/new-%%%%%%%%", sys::fs::owner_read | sys::fs::owner_write);
  if (!Temporary) {
    consumeError(Temporary.takeError());
    return;
  }
  char Seal[SealBytes];
  const StringRef Text(Object.data(), Object.size());
  support::endian::write64le(Seal, xxh3_64bits(arrayRefFromStringRef(Text)));
  raw_fd_ostream Out(Temporary->FD, /*shouldClose=*/false);
  Out << Text << StringRef(Seal, SealBytes);
  Out.flush();
  const bool Written = !Out.has_error();
  Out.clear_error();
  // One step, so that another process sees the whole file or none.
  consumeError(Written ? Temporary->keep(pathOf(Key)) : Temporary->discard());
  CachePruningPolicy Policy;
  Policy.MaxSizeBytes = MostBytes;
  pruneCache(Folder, Policy);
}

} // namespace heddle
