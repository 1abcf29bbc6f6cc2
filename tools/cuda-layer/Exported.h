//===- Exported.h - What programs link ---------------------------*- C++
//-*-===//

#ifndef HEDDLE_CUDA_LAYER_EXPORTED_H
#define HEDDLE_CUDA_LAYER_EXPORTED_H

#define EXPORTED extern "C" __attribute__((visibility("default")))

/// Counts a call for the recording of the program, if it is recorded. In
/// libcudart; other libraries call it if the program has that.
EXPORTED void __heddle_count(const char *Function);

#endif // HEDDLE_CUDA_LAYER_EXPORTED_H
