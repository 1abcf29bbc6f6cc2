//===- SourceLines.cpp - Lines of a program's own code --------------------===//
//
// For messages of the library that name the program's calls: lines come from
// its debug information, which `heddle cc` always makes.
//
//===----------------------------------------------------------------------===//

#include "cuda/CallSites.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"

#include <dlfcn.h>
#include <link.h>

using namespace llvm;

/// The file that code lies in, and the address that it has there.
static std::optional<std::pair<std::string, uint64_t>>
placeOf(const void *Return) {
  Dl_info Info;
  link_map *Map = nullptr;
  if (!::dladdr1(Return, &Info, reinterpret_cast<void **>(&Map),
                 RTLD_DL_LINKMAP) ||
      !Map)
    return std::nullopt;
  // The call is before the address that it returns to.
  const uint64_t At = reinterpret_cast<uint64_t>(Return) - Map->l_addr - 1;
  return std::pair(std::string(*Map->l_name ? Map->l_name : "/proc/self/exe"),
                   At);
}

/// Whether \p Path is of Heddle's own libraries or headers, or the system's.
static bool isForeign(StringRef Path) {
  return Path.contains("/lib/heddle/") || Path.contains("/share/heddle/") ||
         Path.starts_with("/usr/") || Path.starts_with("/lib");
}

static bool hasLine(const DILineInfo &Frame) {
  return Frame.Line && Frame.FileName != DILineInfo::BadString &&
         !isForeign(Frame.FileName);
}

extern "C" __attribute__((visibility("default"))) void
heddleLineOf(const heddle::cuda::CallStack &Stack, std::string &To) {
  symbolize::LLVMSymbolizer::Options Options;
  Options.PathStyle = DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath;
  Options.Demangle = true;
  symbolize::LLVMSymbolizer Symbolizer(Options);
  std::string Function;
  for (const void *Return : Stack) {
    const auto Place = placeOf(Return);
    if (!Place || isForeign(Place->first))
      continue;
    auto Frames = Symbolizer.symbolizeInlinedCode(
        Place->first, {Place->second, object::SectionedAddress::UndefSection});
    if (!Frames) {
      consumeError(Frames.takeError());
      continue;
    }
    for (unsigned N = 0; N < Frames->getNumberOfFrames(); ++N) {
      const DILineInfo &Frame = Frames->getFrame(N);
      if (hasLine(Frame)) {
        To = (StringRef(Frame.FileName).rsplit('/').second + ":" +
              Twine(Frame.Line))
                 .str();
        return;
      }
      if (Function.empty() && Place->first == "/proc/self/exe" &&
          Frame.FunctionName != DILineInfo::BadString)
        Function = Frame.FunctionName;
    }
  }
  if (!Function.empty())
    To = "'" + Function + "'";
}
