#include "Reference.h"

void heddle::reference::product_tensor_maps(Arguments &Args) {
  auto A = Args.buffer<float>(0), B = Args.buffer<float>(1),
       C = Args.buffer<float>(2);
  const size_t Depth = Args.scalar<int>(3);
  const size_t Columns = B.size() / Depth, Rows = A.size() / Depth;
  for (size_t M = 0; M < Rows; ++M)
    for (size_t N = 0; N < Columns; ++N) {
      float Sum = 0;
      for (size_t K = 0; K < Depth; ++K)
        Sum += A[M * Depth + K] * B[K * Columns + N];
      C[M * Columns + N] = Sum;
    }
}
