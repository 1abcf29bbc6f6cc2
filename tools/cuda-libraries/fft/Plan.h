//===- Plan.h - What a plan of libcufft holds -------------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LIBRARIES_FFT_PLAN_H
#define HEDDLE_CUDA_LIBRARIES_FFT_PLAN_H

#include "Transform.h"

#include <cufft.h>

#include <memory>
#include <vector>

namespace heddle_fft {

static constexpr int MaxRank = 3;

/// Distances between neighbours of each dimension, and between arrays.
struct Layout {
  long long Strides[MaxRank], Batch;
};

/// One transform; what of it lies on the device goes with it.
class Plan {
public:
  /// As cufftPlanMany has it.
  struct Shape {
    int Rank;
    long long N[MaxRank];
    const long long *InEmbed, *OutEmbed;
    long long InStride, InBatch, OutStride, OutBatch;
    cufftType Type;
    long long Batch;
  };
  static cufftResult check(const Shape &);

  explicit Plan(const Shape &);
  ~Plan();
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;

  cufftType type() const { return Type; }
  /// Bytes of the buffers between passes.
  size_t workBytes() const;
  /// Uploads the roots of unity.
  cufftResult prepare();
  cufftResult allocateWork();
  void useWork(void *Theirs);
  cufftResult execute(const void *In, void *Out, bool IsInverse,
                      cudaStream_t) const;

private:
  bool isDouble() const { return Type >= CUFFT_Z2Z; }
  size_t elementBytes() const { return isDouble() ? 16 : 8; }
  Layout basic(bool IsReal, bool InPlace) const;
  Layout layout(bool IsInput, bool InPlace) const;
  bool overwrites() const;
  Pass passOf(int Dimension, const std::vector<int> &Factors, int Before,
              bool IsInverse) const;
  std::vector<Pass> passes(bool InPlace, bool IsInverse) const;
  long long points() const;

  int Rank;
  int N[MaxRank]; ///< behind Rank dimensions of one point
  bool IsAdvanced = false;
  Layout In = {}, Out = {}; ///< of an advanced plan
  cufftType Type;
  long long Batch;
  void *Roots[MaxRank] = {};
  void *Work = nullptr;
  bool OwnsWork = false;
};

} // namespace heddle_fft

#endif // HEDDLE_CUDA_LIBRARIES_FFT_PLAN_H
