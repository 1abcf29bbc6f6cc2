// Philox4x32-10 (Salmon et al., SC 2011): four random words for a counter and a
// key, without state.
__device__ uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    unsigned high0 = __umulhi(0xD2511F53u, counter.x);
    unsigned low0 = 0xD2511F53u * counter.x;
    unsigned high1 = __umulhi(0xCD9E8D57u, counter.z);
    unsigned low1 = 0xCD9E8D57u * counter.z;
    counter = make_uint4(high1 ^ counter.y ^ key.x, low1,
                         high0 ^ counter.w ^ key.y, low0);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

// Uniform in (0, 1).
__device__ float uniform(unsigned word) {
  return (static_cast<float>(word >> 8) + 0.5f) * (1.0f / 16777216.0f);
}

struct Normals {
  float first, second;
};

// Two normally distributed numbers by Box and Muller's method.
__device__ Normals boxMuller(unsigned a, unsigned b) {
  float radius = sqrtf(-2.0f * logf(uniform(a)));
  float angle = 6.2831853f * uniform(b);
  return {radius * cosf(angle), radius * sinf(angle)};
}

// Mean payoff of a call option over each thread's share of random paths.
__global__ void monte_carlo(float *__restrict__ mean, int threads, int paths,
                            float price, float strike, float drift,
                            float deviation, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads)
    return;
  float sum = 0.0f;
  for (int path = 0; path < paths; path += 4) {
    uint4 words = philox(make_uint4(i, path, 0, 0), make_uint2(seed, 0));
    Normals a = boxMuller(words.x, words.y);
    Normals b = boxMuller(words.z, words.w);
    const float z[4] = {a.first, a.second, b.first, b.second};
#pragma unroll
    for (int k = 0; k < 4; ++k)
      sum += fmaxf(price * expf(drift + deviation * z[k]) - strike, 0.0f);
  }
  mean[i] = sum / paths;
}
