__global__ void endless(float *a) {
  for (float x = a[0]; x < 1; x = a[0])
    a[threadIdx.x] = x * x;
}
