#include "step.h"
#include "rules.h"

__global__ void next(const unsigned char *from, unsigned char *to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= CELLS || y >= CELLS)
    return;
  int around = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        around += from[(y + dy + CELLS) % CELLS * CELLS +
                       (x + dx + CELLS) % CELLS];
  to[y * CELLS + x] = lives(from[y * CELLS + x], around);
}

void step(const unsigned char *from, unsigned char *to) {
  const dim3 block(32, 4), grid((CELLS + 31) / 32, (CELLS + 3) / 4);
  next<<<grid, block>>>(from, to);
}
