// One radix-2 stage of Stockham's fast Fourier transform: combines transforms
// of `size` points to such of 2 * size; the order needs no reversal at the end.
__kernel void fft_stage(__global const float2 *in, __global float2 *out,
                        uint half_points, uint size) {
  uint i = get_global_id(0);
  if (i >= half_points)
    return;
  uint k = i & (size - 1);
  float cosine;
  float sine = sincos(-M_PI_F * (float)k / (float)size, &cosine);
  float2 a = in[i];
  float2 b = in[i + half_points];
  float2 turned = (float2)(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
  uint j = 2 * i - k;
  out[j] = a + turned;
  out[j + size] = a - turned;
}
