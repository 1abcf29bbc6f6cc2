// A layer of a small neural network: products of 16 inputs with 16 outputs, and
// a sum over the inputs by halves in shared memory.
__global__ void layer_forward(const float *input, float *weights, float *partial, int inputs, int outputs) {
  __shared__ float node[16];
  __shared__ float matrix[16][16];
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = (outputs + 1) * 16 * by + (outputs + 1) * ty + tx + 1 + (outputs + 1);
  if (tx == 0)
    node[ty] = input[16 * by + ty + 1];
  __syncthreads();
  matrix[ty][tx] = weights[index];
  __syncthreads();
  matrix[ty][tx] *= node[ty];
  __syncthreads();
  for (int i = 1; i <= 4; i++) {
    int power = 1 << i;
    if (ty % power == 0)
      matrix[ty][tx] += matrix[ty + power / 2][tx];
    __syncthreads();
  }
  weights[index] = matrix[ty][tx];
  __syncthreads();
  if (tx == 0)
    partial[by * outputs + ty] = matrix[tx][ty];
}
