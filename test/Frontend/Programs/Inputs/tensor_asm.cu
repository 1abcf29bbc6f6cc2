// Hand-written tensor core code: asynchronous copies, ldmatrix, mma.sync.
#include <cstdint>
#include <cuda_fp16.h>
#define CP_ASYNC_CG(dst, src, Bytes) asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(dst), "l"(src), "n"(Bytes))
#define CP_ASYNC_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT(N) asm volatile("cp.async.wait_group %0;\n" ::"n"(N))
#define LDMATRIX_X4(R0, R1, R2, R3, addr) asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3) : "r"(addr))
#define LDMATRIX_X2(R0, R1, addr) asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0, %1}, [%2];\n" : "=r"(R0), "=r"(R1) : "r"(addr))
#define HMMA16816(D0, D1, A0, A1, A2, A3, B0, B1, C0, C1) asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};\n" : "=r"(D0), "=r"(D1) : "r"(A0), "r"(A1), "r"(A2), "r"(A3), "r"(B0), "r"(B1), "r"(C0), "r"(C1))
template <typename T> __device__ __host__ constexpr T div_ceil(T a, T b) { return (a + b - 1) / b; }
__global__ void __launch_bounds__(32) hgemm(const half *__restrict__ A, const half *__restrict__ B, half *__restrict__ C, size_t N, size_t K) {
  __shared__ __align__(16) half As[16][16], Bs[8][16], Cs[16][8];
  const size_t warp_row = blockIdx.y * 16, warp_col = blockIdx.x * 8, lane = threadIdx.x % 32;
  uint32_t RC[2] = {0, 0};
#pragma unroll
  for (size_t i = 0; i < div_ceil(K, (size_t)16); ++i) {
    uint32_t s = static_cast<uint32_t>(__cvta_generic_to_shared(&As[lane / 2][lane % 2 * 8]));
    CP_ASYNC_CG(s, &A[(warp_row + lane / 2) * K + i * 16 + lane % 2 * 8], 16);
    if (lane < 16) *((int4 *)(&Bs[lane / 2][0]) + lane % 2) = *((int4 *)(&B[i * 16 + (warp_col + lane / 2) * K]) + lane % 2);
    CP_ASYNC_COMMIT();
    CP_ASYNC_WAIT(0);
    __syncthreads();
    uint32_t RA[4], RB[2];
    LDMATRIX_X4(RA[0], RA[1], RA[2], RA[3], (uint32_t)__cvta_generic_to_shared(&As[lane % 16][(lane / 16) * 8]));
    LDMATRIX_X2(RB[0], RB[1], (uint32_t)__cvta_generic_to_shared(&Bs[lane % 8][((lane / 8) % 2) * 8]));
    HMMA16816(RC[0], RC[1], RA[0], RA[1], RA[2], RA[3], RB[0], RB[1], RC[0], RC[1]);
    __syncthreads();
  }
  *((uint32_t *)(&Cs[lane / 4][0]) + lane % 4) = RC[0];
  *((uint32_t *)(&Cs[lane / 4 + 8][0]) + lane % 4) = RC[1];
  __syncthreads();
  if (lane < 16) *((int4 *)(&C[(warp_row + lane) * N + warp_col])) = *((int4 *)(&Cs[lane][0]));
}
