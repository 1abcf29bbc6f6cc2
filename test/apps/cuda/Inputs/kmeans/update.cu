#include "kmeans.h"

namespace kmeans {

static __global__ void move_centres(Sums *sums, float2 *centres, float *moved) {
  const int c = threadIdx.x;
  float far = 0;
  if (c < Clusters && sums->count[c]) {
    const float2 to = make_float2(float(sums->x[c] / sums->count[c]),
                                  float(sums->y[c] / sums->count[c]));
    far = fabsf(to.x - centres[c].x) + fabsf(to.y - centres[c].y);
    centres[c] = to;
  }
  if (c < Clusters) {
    sums->x[c] = sums->y[c] = 0;
    sums->count[c] = 0;
  }
  for (int step = 16; step > 0; step /= 2)
    far = fmaxf(far, __shfl_down_sync(0xffffffffu, far, step));
  if (c == 0)
    *moved = far;
}

void update(Sums *sums, float2 *centres, float *moved, cudaStream_t stream) {
  move_centres<<<1, 32, 0, stream>>>(sums, centres, moved);
}

} // namespace kmeans
