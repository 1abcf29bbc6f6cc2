// Collectives of a warp: reduce and scan, with shuffles.

#ifndef HEDDLE_CUDA_CUB_WARPS_H
#define HEDDLE_CUDA_CUB_WARPS_H

#include "utility.h"

namespace cub {

// --- warps -------------------------------------------------------------------
namespace __heddle {
template <int Width> __HEDDLE_CUB int lane() {
  return (int)(cooperative_groups::__heddle::rank() & (Width - 1));
}
/// The sum over the first \p valid lanes, in lane 0.
template <int Width, typename T, typename Op>
__HEDDLE_CUB T reduce(T v, Op op, int valid) {
  for (int distance = Width / 2; distance > 0; distance /= 2) {
    T other = cooperative_groups::__heddle::shfl_down(__activemask(), v,
                                                      distance, Width);
    if (lane<Width>() + distance < valid)
      v = op(v, other);
  }
  return v;
}
template <int Width, typename T, typename Op>
__HEDDLE_CUB T inclusive(T v, Op op) {
  for (int distance = 1; distance < Width; distance *= 2) {
    T other = cooperative_groups::__heddle::shfl_up(__activemask(), v, distance,
                                                    Width);
    if (lane<Width>() >= distance)
      v = op(other, v);
  }
  return v;
}
template <int Width, typename T> __HEDDLE_CUB T previous(T v) {
  return cooperative_groups::__heddle::shfl_up(__activemask(), v, 1, Width);
}
} // namespace __heddle

template <typename T, int Width = 32, int Arch = 0> class WarpReduce {
public:
  struct TempStorage {};
  __HEDDLE_CUB WarpReduce(TempStorage &) {}
  template <typename Op> __HEDDLE_CUB T Reduce(T v, Op op, int valid = Width) {
    return __heddle::reduce<Width>(v, op, valid);
  }
  __HEDDLE_CUB T Sum(T v, int valid = Width) {
    return __heddle::reduce<Width>(v, cub::Sum(), valid);
  }
};
template <typename T, int Width = 32, int Arch = 0> class WarpScan {
public:
  struct TempStorage {};
  __HEDDLE_CUB WarpScan(TempStorage &) {}
  template <typename Op> __HEDDLE_CUB void InclusiveScan(T v, T &out, Op op) {
    out = __heddle::inclusive<Width>(v, op);
  }
  template <typename Op>
  __HEDDLE_CUB void InclusiveScan(T v, T &out, Op op, T &total) {
    out = __heddle::inclusive<Width>(v, op);
    total = Broadcast(out, Width - 1);
  }
  template <typename Op>
  __HEDDLE_CUB void ExclusiveScan(T v, T &out, T initial, Op op) {
    T before = __heddle::previous<Width>(__heddle::inclusive<Width>(v, op));
    out = __heddle::lane<Width>() ? T(op(initial, before)) : initial;
  }
  template <typename Op>
  __HEDDLE_CUB void ExclusiveScan(T v, T &out, T initial, Op op, T &total) {
    total = Broadcast(__heddle::inclusive<Width>(v, op), Width - 1);
    ExclusiveScan(v, out, initial, op);
  }
  template <typename Op> __HEDDLE_CUB void ExclusiveScan(T v, T &out, Op op) {
    out = __heddle::previous<Width>(__heddle::inclusive<Width>(v, op));
  }
  __HEDDLE_CUB void InclusiveSum(T v, T &out) {
    InclusiveScan(v, out, cub::Sum());
  }
  __HEDDLE_CUB void InclusiveSum(T v, T &out, T &total) {
    InclusiveScan(v, out, cub::Sum(), total);
  }
  __HEDDLE_CUB void ExclusiveSum(T v, T &out) {
    ExclusiveScan(v, out, T(0), cub::Sum());
  }
  __HEDDLE_CUB void ExclusiveSum(T v, T &out, T &total) {
    ExclusiveScan(v, out, T(0), cub::Sum(), total);
  }
  __HEDDLE_CUB T Broadcast(T v, unsigned lane) {
    return cooperative_groups::__heddle::shfl(__activemask(), v, (int)lane,
                                              Width);
  }
};

} // namespace cub

#endif
