//===- KeptState.cpp - The simulation that --resume goes on from ----------===//
//
// The file: a line with name and version, a line of JSON, the state, and eight
// bytes with the XXH3 of all before, lowest first.
//
//===----------------------------------------------------------------------===//

#include "KeptState.h"

#include "Commands.h"
#include "Progress.h"
#include "TextOutput.h"
#include "base/JSONText.h"

#include "models/ModelRun.h"
#include "views/View.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <filesystem>

namespace heddle::tool {

static constexpr llvm::StringRef Magic = "heddle simulation state 3\n";
static constexpr size_t DigestBytes = 8;

KeptState::KeptState(std::string Its, std::string What, Seconds Pause,
                     size_t Launch)
    : Path(std::move(Its)), Identity(std::move(What)), Launch(Launch),
      LeastPause(Pause), Pause(Pause), Begin(models::processSeconds()) {
  if (std::error_code None; std::filesystem::exists(Path, None))
    read();
}

/// What is before the digest at the end of \p File; nothing if it is wrong.
static llvm::StringRef checkedPart(llvm::StringRef File) {
  if (File.size() < Magic.size() + DigestBytes || !File.starts_with(Magic))
    return {};
  const llvm::StringRef Part = File.drop_back(DigestBytes);
  return llvm::support::endian::read64le(Part.end()) ==
                 llvm::xxh3_64bits(llvm::arrayRefFromStringRef(Part))
             ? Part
             : llvm::StringRef();
}

void KeptState::read() {
  const auto File = llvm::MemoryBuffer::getFile(
      Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!File)
    throw inputError("{}: {}", Path, File.getError().message());
  llvm::StringRef Rest = checkedPart((*File)->getBuffer());
  if (Rest.empty())
    throw inputError("{}: damaged, or not the state of a simulation; remove it "
                     "to start from cycle 0",
                     Path);
  Rest = Rest.drop_front(Magic.size());
  const auto [Line, Bytes] = Rest.split('\n');
  const auto Head = views::JSON::parse(Line.begin(), Line.end(), nullptr,
                                       /*allow_exceptions=*/false);
  if (!Head.is_object() || Head.value("identity", "") != Identity)
    throw inputError("{}: the state of a simulation of another launch, code, "
                     "machine, option or version of heddle; give the same "
                     "command, or remove it to start from cycle 0",
                     Path);
  if (Head.value("launch", size_t(0)) != Launch)
    return;
  At = Head.value("cycle", Cycle(0));
  Before = Head.value("seconds", 0.0);
  State.assign(Bytes.bytes_begin(), Bytes.bytes_end());
}

void KeptState::keep(Cycle Now, std::vector<uint8_t> NewState) {
  const double Spent = Before + models::processSeconds() - Begin;
  std::string Head = Magic.str() +
                     jsonText({{"identity", Identity},
                               {"launch", Launch},
                               {"cycle", Now},
                               {"seconds", Spent}}) +
                     "\n";
  Head.append(NewState.begin(), NewState.end());
  std::string Digest(DigestBytes, '\0');
  llvm::support::endian::write64le(
      Digest.data(), llvm::xxh3_64bits(llvm::arrayRefFromStringRef(Head)));
  auto Write = [&]() -> Result<void> {
    Result<OutputFile> File = OutputFile::create(Path);
    if (!File)
      return std::unexpected(File.error());
    for (const std::string *Part : {&Head, &Digest})
      if (Result<void> R = File->write(std::string_view(*Part)); !R)
        return R;
    return File->commit();
  };
  // What is there already still counts.
  if (Result<void> R = Write(); R) {
    At = Now;
  } else if (!std::exchange(Warned, true)) {
    Progress::clearLine();
    fmt::print(stderr, "heddle: warning: the state is not kept: {}\n",
               R.error().Message);
  }
  constexpr double MostShare = 0.02; // of the time
  Last = Clock::now();
  Pause = std::max(LeastPause, Seconds(Last - Asked) / MostShare);
}

void KeptState::remove() const {
  std::error_code None;
  std::filesystem::remove(Path, None);
}

} // namespace heddle::tool
