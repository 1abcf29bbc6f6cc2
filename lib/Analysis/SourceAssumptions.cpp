//===- SourceAssumptions.cpp - What the source says of its loops ----------===//

#include "heddle/Analysis/LoopBounds.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle {

/// Files that are larger are data, not source.
static constexpr uint64_t MaxFileBytes = 16 << 20;

std::vector<LoopAssumption> assumptionsInSource(const Function &F) {
  std::vector<LoopAssumption> Found;
  const DISubprogram *Program = F.getSubprogram();
  if (!Program)
    return Found;
  SmallString<256> Path(Program->getFilename());
  if (!sys::path::is_absolute(Path) && !Program->getDirectory().empty()) {
    Path = Program->getDirectory();
    sys::path::append(Path, Program->getFilename());
  }
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer || (*Buffer)->getBufferSize() > MaxFileBytes)
    return Found;
  std::optional<uint64_t> Open; // waits for its loop
  for (line_iterator Line(**Buffer); !Line.is_at_eof(); ++Line) {
    StringRef Text = Line->trim();
    if (!Text.consume_front("#")) {
      if (Open) {
        LoopAssumption A;
        A.Line = Line.line_number();
        A.Iterations = *Open;
        Found.push_back(A);
      }
      Open.reset();
      continue;
    }
    auto Word = [&](StringRef Expected) {
      Text = Text.ltrim();
      return Text.consume_front(Expected);
    };
    if (!Word("pragma") || !Word("heddle"))
      continue;
    uint64_t Count;
    if (Word("iterations(") && !Text.take_until([](char C) { return C == ')'; })
                                    .trim()
                                    .getAsInteger(10, Count))
      Open = Count;
  }
  return Found;
}

} // namespace heddle
