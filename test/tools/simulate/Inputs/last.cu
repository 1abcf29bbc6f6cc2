// The last block never ends.
__global__ void last(volatile int *a) {
  if (threadIdx.x == 0 && blockIdx.x + 1 < gridDim.x)
    printf("block %d\n", blockIdx.x);
  while (blockIdx.x + 1 == gridDim.x)
    a[0] += 1;
}
