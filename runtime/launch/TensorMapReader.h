//===- TensorMapReader.h - Tensor maps of launch files ----------*- C++ -*-===//
//
// What a launch file says of a tensor map beside its buffer: type, dims, box,
// strides (bytes), element_strides, im2col, swizzle, interleave, fill. Lists
// begin with the innermost dimension.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LAUNCH_TENSORMAPREADER_H
#define HEDDLE_LAUNCH_TENSORMAPREADER_H

#include "base/Result.h"
#include "launch/Launch.h"

namespace YAML {
class Node;
}

namespace heddle::launch {

/// The map, without its address. The keys of \p N are known ones. Fails where
/// one has no meaning, or as cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col
/// do.
Result<HeddleTensorMap> readTensorMap(const YAML::Node &N);

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_TENSORMAPREADER_H
