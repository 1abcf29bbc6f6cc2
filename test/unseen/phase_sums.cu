// Sums of sines and cosines over samples in constant memory, for an MRI image.
struct Sample { float kx, ky, kz, phi; };
__constant__ Sample samples[512];
__global__ void phase_sums(const float *x, const float *y, const float *z, float *real, float *imaginary,
                           int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float px = x[i], py = y[i], pz = z[i], re = real[i], im = imaginary[i];
  for (int k = 0; k < count; k++) {
    float angle = 6.2831853071795864769252867665590058f *
                  (samples[k].kx * px + samples[k].ky * py + samples[k].kz * pz);
    re += samples[k].phi * cosf(angle);
    im += samples[k].phi * sinf(angle);
  }
  real[i] = re;
  imaginary[i] = im;
}
