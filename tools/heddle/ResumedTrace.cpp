//===- ResumedTrace.cpp - The trace that simulate --resume keeps ----------===//

#include "ResumedTrace.h"

#include "Progress.h"
#include "SynthClone.h"
#include "TextOutput.h"
#include "base/JSONText.h"

#include "heddle/Driver/TraceModes.h"
#include "heddle/Support/CodeCache.h"
#include "trace/TraceReader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

namespace heddle::tool {

namespace fs = std::filesystem;

static std::string digestOf(llvm::StringRef Bytes) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(Bytes)),
                     /*LowerCase=*/true);
}

/// Whose trace or state it is.
static views::JSON producer() {
  return {{"tool", "heddle"},
          {"version", HEDDLE_VERSION},
          {"build", buildIdentity()}};
}

/// All that decides the trace of \p S: the code after the frontend, with what
/// it includes, the launch, and the files that fill its buffers.
static std::string keyOf(const Session &S, ISA Level) {
  std::string Code;
  llvm::raw_string_ostream(Code) << S.module();
  views::JSON Inputs, Contents, Key = producer();
  addInputs(Inputs, S);
  std::vector<std::string> Files;
  launch::forEachBuffer(S.launch(), [&](const launch::BufferArg &B) {
    if (const auto *File = std::get_if<launch::InitFile>(&B.Init))
      Files.push_back(File->Path);
  });
  addSource(Contents, Files);
  Key.update({{"launch", Inputs["launch"]},
              {"compiler", Inputs["compiler"]},
              {"source", Inputs["source"]},
              {"contents", Contents["source"]},
              {"module_sha256", digestOf(Code)},
              {"level", nameOf(Level).str()},
              {"lane_order", S.options().Order == trace::LaneOrder::Kept}});
  return jsonText(Key, 2) + "\n";
}

std::string keyOfTrace(const std::string &Path) {
  const auto File = llvm::MemoryBuffer::getFile(
      Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!File)
    throw inputError("{}: {}", Path, File.getError().message());
  views::JSON Key = producer();
  Key["trace_sha256"] = digestOf((*File)->getBuffer());
  return jsonText(Key);
}

ResumedTrace::ResumedTrace(std::string Given) : Path(std::move(Given)) {
  std::error_code None;
  const bool HasTrace = fs::exists(Path, None),
             HasKey = fs::exists(keyFile(), None);
  if (HasTrace && !HasKey)
    throw inputError("--resume {}: the file is there, but not {}, which says "
                     "what it holds; remove it, or give another name",
                     Path, keyFile());
  IsThere = HasTrace && HasKey;
}

void ResumedTrace::identify(const Session &S, ISA Level) {
  Key = keyOf(S, Level);
  if (!IsThere)
    return;
  const auto Its = llvm::MemoryBuffer::getFile(keyFile());
  if (!Its || (*Its)->getBuffer() != Key)
    throw inputError("--resume {}: holds the trace of another launch, code or "
                     "version, which {} describes; give the same command, or "
                     "another file",
                     Path, keyFile());
}

void ResumedTrace::make(trace::TraceSource &Source, unsigned Threads,
                        bool Quiet) const {
  Progress Bar("tracing", "thread blocks", Quiet);
  take(writeTrace(Source, Path, Threads,
                  [&Bar](auto... Counts) { return Bar.update(Counts...); }));
  writeFile(keyFile(), Key);
}

std::unique_ptr<trace::TraceSource> ResumedTrace::open() const {
  return take(trace::TraceReader::open(Path));
}

void ResumedTrace::remove() const {
  std::error_code None;
  fs::remove(Path, None);
  fs::remove(keyFile(), None);
}

} // namespace heddle::tool
