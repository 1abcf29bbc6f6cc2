//===- CodeCache.cpp - Compiled code kept on disk -------------------------===//

#include "heddle/Support/CodeCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <dlfcn.h>
#include <link.h>

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
  const StringRef Code = (*File)->getBuffer().drop_back(SealBytes);
  if (support::endian::read64le(Code.end()) !=
      xxh3_64bits(arrayRefFromStringRef(Code)))
    return std::nullopt;
  return SmallVector<char, 0>(Code.begin(), Code.end());
}

void CodeCache::keep(StringRef Key, ArrayRef<char> Code) const {
  if (Folder.empty() || sys::fs::create_directories(Folder))
    return;
  auto Temporary = sys::fs::TempFile::create(
      Folder + "/new-%%%%%%%%", sys::fs::owner_read | sys::fs::owner_write);
  if (!Temporary) {
    consumeError(Temporary.takeError());
    return;
  }
  char Seal[SealBytes];
  const StringRef Text(Code.data(), Code.size());
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

std::string CodeCache::keyOf(StringRef Inputs) {
  const XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Inputs));
  return utohexstr(Hash.high64, /*LowerCase=*/true, 16) +
         utohexstr(Hash.low64, /*LowerCase=*/true, 16);
}

/// Adds the file of a loaded object to the text at \p To if it is one of
/// Heddle's: named so, or the program if this function is in it.
static int addObject(dl_phdr_info *Object, size_t, void *To) {
  StringRef Path = Object->dlpi_name;
  Dl_info Own;
  if (Path.empty() &&
      ::dladdr(reinterpret_cast<const void *>(&addObject), &Own) &&
      Own.dli_fbase == reinterpret_cast<const void *>(Object->dlpi_addr))
    Path = "/proc/self/exe";
  else if (!sys::path::filename(Path).contains("eddle"))
    return 0;
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status))
    *static_cast<std::string *>(To) +=
        (Path + "\n" + Twine(Status.getSize()) + "\n" +
         Twine(sys::toTimeT(Status.getLastModificationTime())) + "\n")
            .str();
  return 0;
}

std::string buildIdentity() {
  std::string Text;
  ::dl_iterate_phdr(addObject, &Text);
  return Text;
}

} // namespace heddle
