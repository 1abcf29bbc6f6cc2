// The normal distribution's integral by Abramowitz and Stegun's formula 26.2.17.
__device__ inline float normal(float d) {
  const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f,
              a4 = -1.821255978f, a5 = 1.330274429f;
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = 0.39894228f * expf(-0.5f * d * d) *
               (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
  return d > 0.0f ? 1.0f - tail : tail;
}

// Prices of European options.
__global__ void black_scholes(const float *__restrict__ price,
                              const float *__restrict__ strike,
                              const float *__restrict__ years,
                              float *__restrict__ call, float *__restrict__ put,
                              float rate, float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = price[i], x = strike[i], t = years[i];
  float deviation = volatility * sqrtf(t);
  float d1 =
      (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
  float d2 = d1 - deviation;
  float discounted = x * expf(-rate * t);
  call[i] = s * normal(d1) - discounted * normal(d2);
  put[i] = discounted * (1.0f - normal(d2)) - s * (1.0f - normal(d1));
}
