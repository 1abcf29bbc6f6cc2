//===- DeviceArchives.cpp - Device code in static libraries ---------------===//

#include "DeviceArchives.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle::tool {

/// What Compilation::relocatableStub (CcCommand.cpp) names.
static constexpr StringLiteral Registrar = "__cudaRegisterLinkedBinary__nv_";

/// The archives among \p Words, those that -l names in the folders of -L.
static std::vector<std::string> archivesOf(ArrayRef<std::string> Words) {
  std::vector<std::string> Folders, Found;
  for (StringRef Word : Words)
    if (Word.consume_front("-L"))
      Folders.push_back(Word.str());
  for (StringRef Word : Words) {
    if (Word.ends_with(".a"))
      Found.push_back(Word.str());
    if (!Word.consume_front("-l"))
      continue;
    for (const std::string &Folder : Folders) {
      SmallString<128> Path(Folder);
      sys::path::append(Path, "lib" + Word + ".a");
      if (!sys::fs::exists(Path))
        continue;
      Found.push_back(Path.str().str());
      break;
    }
  }
  return Found;
}

/// Files that are no archives of objects are the linker's to complain about.
static void addRegistrars(MemoryBufferRef File, std::vector<std::string> &To) {
  auto Archive = object::Archive::create(File);
  if (!Archive)
    return consumeError(Archive.takeError());
  Error Failed = Error::success();
  for (const auto &Member : (*Archive)->children(Failed)) {
    auto Binary = Member.getAsBinary();
    if (!Binary) {
      consumeError(Binary.takeError());
      continue;
    }
    const auto *Object = dyn_cast<object::ObjectFile>(Binary->get());
    if (!Object)
      continue;
    for (const object::SymbolRef &S : Object->symbols()) {
      auto Name = S.getName();
      auto Flags = S.getFlags();
      if (Name && Flags && Name->starts_with(Registrar) &&
          !(*Flags & object::SymbolRef::SF_Undefined))
        To.push_back(Name->str());
      if (!Name)
        consumeError(Name.takeError());
      if (!Flags)
        consumeError(Flags.takeError());
    }
  }
  consumeError(std::move(Failed));
}

std::vector<std::string> registrarsInArchives(ArrayRef<std::string> LinkWords) {
  std::vector<std::string> Found;
  for (const std::string &Path : archivesOf(LinkWords))
    if (auto File = MemoryBuffer::getFile(Path))
      addRegistrars((*File)->getMemBufferRef(), Found);
  return Found;
}

} // namespace heddle::tool
