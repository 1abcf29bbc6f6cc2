// A matrix product in steps: tiles, more work a thread, wider loads; the host
// chooses by macros that have defaults here.
#ifndef TS
#define TS 32
#endif
#ifndef WPT
#define WPT 8
#endif
#define RTS (TS / WPT)
#define WIDTH 4
#if WIDTH == 1
typedef float floatX;
#elif WIDTH == 2
typedef float2 floatX;
#elif WIDTH == 4
typedef float4 floatX;
#endif
#define MOD2(x, y) ((x) % (y))
#define DIV2(x, y) ((x) / (y))
__kernel void naive(const int M, const int N, const int K, const __global float *A, const __global float *B, __global float *C) {
  const int row = get_global_id(0), col = get_global_id(1);
  float acc = 0.0f;
  for (int k = 0; k < K; k++) {
    acc += A[k * M + row] * B[col * K + k];
  }
  C[col * M + row] = acc;
}
__kernel void tiled(const int M, const int N, const int K, const __global float *A, const __global float *B, __global float *C) {
  const int row = get_local_id(0), col = get_local_id(1);
  __local float Asub[TS][TS], Bsub[TS][TS];
  float acc[WPT];
  for (int w = 0; w < WPT; w++)
    acc[w] = 0.0f;
  const int numTiles = K / TS;
  for (int t = 0; t < numTiles; t++) {
    for (int w = 0; w < WPT; w++) {
      Asub[col + w * RTS][row] = A[(t * TS + col + w * RTS) * M + TS * get_group_id(0) + row];
      Bsub[col + w * RTS][row] = B[(TS * get_group_id(1) + col + w * RTS) * K + TS * t + row];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TS; k++)
      for (int w = 0; w < WPT; w++)
        acc[w] += Asub[k][row] * Bsub[col + w * RTS][k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int w = 0; w < WPT; w++)
    C[(get_global_id(1) + w * RTS) * M + get_global_id(0)] = acc[w];
}
__kernel void wide(const int M, const __global floatX *A, __global floatX *C) {
  floatX vec = A[get_global_id(1) * (M / WIDTH) + get_global_id(0)];
#if WIDTH == 4
  vec.w = fma(vec.x, vec.y, vec.z);
#endif
  C[get_global_id(0)] = vec;
}
__kernel void transpose(const int P, const int Q, const __global float *input, __global float *output) {
  __local float buffer[16][17];
  const int ID0 = get_group_id(0) * 16 + get_local_id(0), ID1 = get_group_id(1) * 16 + get_local_id(1);
  if (ID0 < P && ID1 < Q)
    buffer[get_local_id(1)][get_local_id(0)] = input[ID1 * P + ID0];
  barrier(CLK_LOCAL_MEM_FENCE);
  output[MOD2(ID0, Q) + DIV2(ID1, P)] = buffer[get_local_id(0)][get_local_id(1)];
}
