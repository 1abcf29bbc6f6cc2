// Electrons on a square grid that repeats itself, in the field that they make:
// a particle-in-cell step in two dimensions.
#pragma once
#include "../check.h"
#include <utility>

constexpr int Side = 32, Cells = Side * Side;

struct Particles {
  float2 *at, *speed;
  int count;
};

/// Owns device memory.
template <typename T> class Buffer {
public:
  explicit Buffer(size_t n) : n(n) { CHECK(cudaMalloc(&data, n * sizeof(T))); }
  ~Buffer() { CHECK(cudaFree(data)); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  operator T *() const { return data; }
  void swap(Buffer &other) { std::swap(data, other.data); }
  void put(const T *from, cudaStream_t s = 0) {
    CHECK(cudaMemcpyAsync(data, from, n * sizeof(T), cudaMemcpyHostToDevice, s));
  }
  void get(T *to, cudaStream_t s = 0) const {
    CHECK(cudaMemcpyAsync(to, data, n * sizeof(T), cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
  }

private:
  T *data = nullptr;
  size_t n;
};

/// The four cells around a place, and what share each has of it.
struct Cloud {
  int cell[4];
  float share[4];
};
__host__ __device__ inline int cellOf(int x, int y) {
  return (y & (Side - 1)) * Side + (x & (Side - 1));
}
__host__ __device__ inline Cloud cloudOf(float2 at) {
  const int x = int(at.x), y = int(at.y);
  const float u = at.x - x, v = at.y - y;
  return {{cellOf(x, y), cellOf(x + 1, y), cellOf(x, y + 1),
           cellOf(x + 1, y + 1)},
          {(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v}};
}

// particles.cu
__device__ void spread(const Cloud &c, float charge, float *density);
void deposit(const Particles &, float *density, cudaStream_t);
void push(const Particles &, const float2 *force, float time, cudaStream_t);
// field.cu
__device__ float2 forceAt(const float2 *force, const Cloud &c);
void relax(const float *density, Buffer<float> &potential,
           Buffer<float> &other, int sweeps, cudaStream_t);
void differentiate(const float *potential, float2 *force, cudaStream_t);
