//===- conjugate.cpp - Conjugate gradient on a sparse matrix --------------===//
//
// usage: conjugate [SIDE] [MOST ITERATIONS] [SYSTEMS]. The host computes the
// step widths from sums that it reads.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
__kernel void multiply(__global const int *rows, __global const int *columns,
                       __global const float *values, __global const float *x,
                       __global float *y) {
  int row = get_global_id(0);
  float sum = 0;
  for (int e = rows[row]; e < rows[row + 1]; ++e)
    sum += values[e] * x[columns[e]];
  y[row] = sum;
}

__kernel void dot_parts(__global const float *a, __global const float *b,
                        __global float *parts, __local float *partial) {
  int lane = get_local_id(0);
  partial[lane] = a[get_global_id(0)] * b[get_global_id(0)];
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step)
      partial[lane] += partial[lane + step];
  }
  if (lane == 0)
    parts[get_group_id(0)] = partial[0];
}

// y = y + a x, or with both ways round y = x + a y.
__kernel void add(__global float *y, __global const float *x, float a) {
  y[get_global_id(0)] += a * x[get_global_id(0)];
}
__kernel void scale_add(__global float *y, __global const float *x, float a) {
  y[get_global_id(0)] = x[get_global_id(0)] + a * y[get_global_id(0)];
}
)";

int main(int Argc, char **Argv) {
  const int Side = argument(Argc, Argv, 1, 64),
            Most = argument(Argc, Argv, 2, 80),
            Systems = argument(Argc, Argv, 3, 1);
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Multiply = H.kernel(P, "multiply"), Dot = H.kernel(P, "dot_parts"),
            Add = H.kernel(P, "add"), ScaleAdd = H.kernel(P, "scale_add");
  const int Size = Side * Side;
  std::vector<int> Rows = {0}, Columns;
  std::vector<float> Values;
  Numbers N(71);
  for (int I = 0; I < Size; ++I) {
    const int X = I % Side, Y = I / Side;
    auto Entry = [&](bool Inside, int Column, float Value) {
      if (Inside) {
        Columns.push_back(Column);
        Values.push_back(Value);
      }
    };
    Entry(Y > 0, I - Side, -1);
    Entry(X > 0, I - 1, -1);
    Entry(true, I, 4.2f);
    Entry(X < Side - 1, I + 1, -1);
    Entry(Y < Side - 1, I + Side, -1);
    Rows.push_back(int(Columns.size()));
  }
  const size_t Global = size_t(Size), Groups = Global / 64;
  cl_mem RowsM = H.buffer(Rows, CL_MEM_READ_ONLY),
         ColumnsM = H.buffer(Columns, CL_MEM_READ_ONLY),
         ValuesM = H.buffer(Values, CL_MEM_READ_ONLY), X = H.empty(Global * 4),
         R = H.empty(Global * 4), D = H.empty(Global * 4),
         Q = H.empty(Global * 4), Parts = H.empty(Groups * 4);
  auto Product = [&](cl_mem A, cl_mem B) {
    H.launch(Dot, {Global}, {64}, A, B, Parts, Local{256});
    float Sum = 0;
    for (float Part : H.read<float>(Parts, Groups))
      Sum += Part;
    return Sum;
  };
  for (int System = 0; System < Systems; ++System) {
    std::vector<float> Right(Global);
    for (float &Value : Right)
      Value = N.uniform(-1, 1);
    H.fill(X, 0.0f, Global);
    H.write(R, Right);
    H.write(D, Right);
    // r and r are one buffer passed twice.
    float Norm = Product(R, R);
    const float Enough = Norm * 1e-8f;
    int I = 0;
    for (; I < Most && Norm > Enough; ++I) {
      H.launch(Multiply, {Global}, {}, RowsM, ColumnsM, ValuesM, D, Q);
      const float Alpha = Norm / Product(D, Q);
      H.launch(Add, {Global}, {}, X, D, Alpha);
      H.launch(Add, {Global}, {}, R, Q, -Alpha);
      const float Next = Product(R, R);
      H.launch(ScaleAdd, {Global}, {}, D, R, Next / Norm);
      Norm = Next;
    }
    const auto Solution = H.read<float>(X, Global);
    double Worst = 0;
    for (int Row = 0; Row < Size; ++Row) {
      double Sum = -Right[Row];
      for (int E = Rows[Row]; E < Rows[Row + 1]; ++E)
        Sum += Values[E] * Solution[Columns[E]];
      Worst = std::fmax(Worst, std::fabs(Sum));
    }
    std::printf("%d iterations, error %s\n", I,
                Worst < 1e-2 ? "small" : "large");
    require(Worst < 1e-2, "solution");
  }
}
