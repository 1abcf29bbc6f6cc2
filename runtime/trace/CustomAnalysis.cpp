//===- CustomAnalysis.cpp - Analyses of one's own -------------------------===//

#include "trace/CustomAnalysis.h"

#include "trace/WarpCursor.h"

namespace heddle::trace {

Result<void> analyse(TraceSource &Source, uint64_t Index,
                     CustomAnalysis &Analysis) {
  const CodeTable &Code = Source.code();
  Analysis.beginLaunch({Index, Source.header(), Code});
  BlockTrace Trace;
  WarpCursor Cursor;
  for (uint64_t B = 0; B < Source.header().Grid.count(); ++B) {
    if (Result<void> Ok = Source.read(B, Trace); !Ok)
      return Ok;
    for (unsigned W = 0; W < Trace.Warps.size(); ++W) {
      Cursor.reset(Code, Trace.Warps[W]);
      while (Cursor.next()) {
        const BlockEvent Executed{B, W, Cursor.block(), Cursor.mask()};
        Analysis.basicBlock(Executed);
        const HeddleBlock &Block = Code.Blocks[Cursor.block()];
        for (uint32_t R = Block.FirstMemory;
             R < Block.FirstMemory + Block.NumMemory; ++R)
          if (Cursor.access(R).Mask)
            Analysis.memory({Executed, Code.Memory[R], Cursor.access(R)});
      }
    }
  }
  Analysis.endLaunch();
  return {};
}

} // namespace heddle::trace
