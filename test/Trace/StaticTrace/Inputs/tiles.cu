// Blocks are numbered along rows of tiles, as persistent and swizzled kernels do.
__global__ void tiles(const float *in, float *out, int columns, int rounds) {
  const unsigned tile = blockIdx.x;
#if SHAPE == 0 // rows of any length
  const unsigned x = tile % columns, y = tile / columns;
#elif SHAPE == 1 // of a power of two
  const unsigned x = tile & 15, y = tile >> 4;
#elif SHAPE == 2 // signed, and columns in pairs
  const int x = int(tile) % columns, y = (int(tile) / columns) & ~1;
#else // threads of a block that fall into two rows
  const unsigned i = tile * blockDim.x + threadIdx.x, x = i % 1000, y = i / 1000;
#endif
  float sum = 0;
  for (int r = 0; r < rounds; ++r)
    sum += in[(y * 64 + r) * 1024 + x * 64 + (threadIdx.x & 63)];
  out[tile * blockDim.x + threadIdx.x] = sum;
}
