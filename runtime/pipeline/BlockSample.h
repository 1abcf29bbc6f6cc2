//===- BlockSample.h - The thread blocks that an estimate looks at -*- C++
//-*-===//

#ifndef HEDDLE_PIPELINE_BLOCKSAMPLE_H
#define HEDDLE_PIPELINE_BLOCKSAMPLE_H

#include "base/Result.h"
#include "trace/TraceSource.h"

#include <cstdint>
#include <map>
#include <set>

namespace heddle::pipeline {

/// Reads chosen blocks of a launch in one ascending pass, as every source can
/// serve them, and keeps them.
class BlockSample {
public:
  static Result<BlockSample> read(trace::TraceSource &Source,
                                  const std::set<uint64_t> &Indices) {
    BlockSample S;
    for (uint64_t I : Indices)
      if (Result<void> R = Source.read(I, S.Blocks[I]); !R)
        return std::unexpected(R.error());
    return S;
  }
  const trace::BlockTrace &operator[](uint64_t Index) const {
    return Blocks.at(Index);
  }
  void merge(BlockSample &&Other) { Blocks.merge(Other.Blocks); }
  uint64_t size() const { return Blocks.size(); }
  uint64_t last() const { return Blocks.rbegin()->first; }

private:
  std::map<uint64_t, trace::BlockTrace> Blocks;
};

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_BLOCKSAMPLE_H
