// The normal distribution's integral by Abramowitz and Stegun's formula 26.2.17.
float normal(float d) {
  const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f,
              a4 = -1.821255978f, a5 = 1.330274429f;
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float tail = 0.39894228f * exp(-0.5f * d * d) *
               (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
  return d > 0.0f ? 1.0f - tail : tail;
}

// Prices of European options.
__kernel void black_scholes(__global const float *price,
                            __global const float *strike,
                            __global const float *years, __global float *call,
                            __global float *put, float rate, float volatility,
                            int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float s = price[i], x = strike[i], t = years[i];
  float deviation = volatility * sqrt(t);
  float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
  float d2 = d1 - deviation;
  float discounted = x * exp(-rate * t);
  call[i] = s * normal(d1) - discounted * normal(d2);
  put[i] = discounted * (1.0f - normal(d2)) - s * (1.0f - normal(d1));
}
