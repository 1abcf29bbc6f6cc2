extern "C" __global__ void video(int *p) {
  int sum;
  asm("vadd4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(p[0]), "r"(p[1]), "r"(p[2]));
  p[threadIdx.x] = sum;
}
