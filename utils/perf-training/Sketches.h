//===- Sketches.h - Kernels to count branches on ----------------*- C++ -*-===//

#ifndef HEDDLE_PERFTRAINING_SKETCHES_H
#define HEDDLE_PERFTRAINING_SKETCHES_H

#include "LaunchSketch.h"

namespace heddle::sketch {

/// The launch of each sketch: enough to fill a large GPU.
inline constexpr unsigned Blocks = 640, Threads = 256;

/// A kernel made up of what kernels do: its code, and the trace of a block.
struct Sketch {
  CodeBuilder Code;
  SyntheticSource::Program Run;
};

/// A product of tiles, a stream, a stencil, neighbours in a graph, a histogram,
/// arithmetic of many kinds and a sum over the thread block.
std::vector<Sketch> sketches();

} // namespace heddle::sketch

#endif // HEDDLE_PERFTRAINING_SKETCHES_H
