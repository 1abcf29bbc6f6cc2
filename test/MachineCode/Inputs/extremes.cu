// Minima and maxima of three values and of sums, with and without a lower limit of zero.

#define AT(i) a[threadIdx.x + i]

#define THREE(name)                                                            \
  extern "C" __global__ void name(unsigned *to, const unsigned *a) {           \
    to[threadIdx.x] = __##name(AT(0), AT(32), AT(64));                         \
  }

THREE(viaddmax_u16x2)
THREE(viaddmin_s16x2_relu)
THREE(vimax3_s16x2_relu)
THREE(vimin3_s32_relu)
THREE(viaddmax_s32_relu)
THREE(vimax3_s32)

extern "C" __global__ void two(unsigned *to, const unsigned *a) {
  to[threadIdx.x] = __vimax_s16x2_relu(AT(0), AT(32));
}

// The sum has another use.
extern "C" __global__ void kept(unsigned *to, const unsigned *a) {
  const unsigned sum = __vadd2(AT(0), AT(32));
  to[threadIdx.x] = __vmaxs2(sum, AT(64));
  to[threadIdx.x + 32] = sum;
}

// What the loop carries has two halves.
extern "C" __global__ void carried(unsigned *to, const unsigned *a, int n) {
  unsigned v = to[threadIdx.x];
  for (int i = 0; i < n; ++i)
    v = __viaddmax_s16x2(v, AT(i), AT(i + 32));
  to[threadIdx.x] = v;
}

// One half is made alone once, so the two are no pair.
extern "C" __global__ void alone(short *to, const short2 *a, int n) {
  short x = to[0], y = to[1];
  for (int i = 0; i < n; ++i) {
    short2 s = AT(i);
    x = max(x, s.x);
    y = max(y, s.y);
    if (x > 100)
      y = y ^ n;
  }
  to[2] = x;
  to[3] = y;
}
// Two limits of zero in a chain.
extern "C" __global__ void limits(int *v, int s, int t) {
  int x = v[threadIdx.x];
  x = __vimax_s32_relu(x, s);
  v[threadIdx.x] = __vimax_s32_relu(x, t);
}
