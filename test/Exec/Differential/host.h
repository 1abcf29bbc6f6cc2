// Runs a random kernel of generate.py on the host: a thread is a context of
// its own, which runs until it meets a barrier or a function of its warp. What
// the functions below compute is written from their descriptions.

#ifndef HEDDLE_TEST_EXEC_DIFFERENTIAL_HOST_H
#define HEDDLE_TEST_EXEC_DIFFERENTIAL_HOST_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __constant__
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

using u8 = unsigned char;
using u64 = unsigned long long;
typedef unsigned uint4 __attribute__((ext_vector_type(4)));
static uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

struct Index {
  unsigned x, y = 0, z = 0;
  unsigned count() const { return x * y * z; }
};
static Index threadIdx, blockIdx, blockDim, gridDim;

namespace host {
enum State { Runs, AtBarrier, AtWarp, Left };
struct Thread {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(1 << 17);
  State state = Runs;
  u64 value = 0;
};
static std::vector<Thread> threads;
static unsigned current; ///< the thread that runs
static ucontext_t scheduler;

static void wait(State state) {
  Thread &self = threads[current];
  self.state = state;
  swapcontext(&self.context, &scheduler);
}
/// Whether nobody whose number is in [first, last) still comes to \p state.
static bool complete(unsigned first, unsigned last, State state) {
  bool any = false;
  for (unsigned t = first; t < last; ++t) {
    if (threads[t].state != state && threads[t].state != Left)
      return false;
    any |= threads[t].state == state;
  }
  return any;
}
static void release(unsigned first, unsigned last) {
  for (unsigned t = first; t < last; ++t)
    if (threads[t].state != Left)
      threads[t].state = Runs;
}
template <typename F> void runBlock(unsigned size, F kernel) {
  static void (*body)(void *);
  static void *data;
  data = &kernel;
  body = [](void *k) { (*static_cast<F *>(k))(); };
  threads = std::vector<Thread>(size);
  for (Thread &t : threads) {
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = t.stack.data();
    t.context.uc_stack.ss_size = t.stack.size();
    t.context.uc_link = nullptr;
    makecontext(&t.context, +[] {
      body(data);
      wait(Left);
    }, 0);
  }
  for (bool any = true; any;) {
    any = false;
    for (unsigned t = 0; t < size; ++t)
      if (threads[t].state == Runs) {
        any = true;
        current = t;
        threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / (blockDim.x * blockDim.y)};
        swapcontext(&scheduler, &threads[t].context);
      }
    for (unsigned w = 0; w < size; w += 32)
      if (unsigned end = std::min(w + 32, size); complete(w, end, AtWarp)) {
        release(w, end);
        any = true;
      }
    if (complete(0, size, AtBarrier)) {
      release(0, size);
      any = true;
    }
  }
  for (Thread &t : threads)
    if (t.state != Left) {
      std::fprintf(stderr, "a thread waits for ever\n");
      std::exit(1);
    }
}
/// What the lanes of the own warp have in \p value; lanes that left have 0.
template <typename T> std::vector<T> exchange(T value) {
  const unsigned first = current & ~31u, last = std::min<unsigned>(first + 32, threads.size());
  u64 raw = 0;
  std::memcpy(&raw, &value, sizeof(T));
  threads[current].value = raw;
  wait(AtWarp);
  std::vector<T> all(32);
  for (unsigned t = first; t < last; ++t)
    if (threads[t].state != Left)
      std::memcpy(&all[t - first], &threads[t].value, sizeof(T));
  wait(AtWarp);
  return all;
}
} // namespace host

static void __syncthreads() { host::wait(host::AtBarrier); }
static u64 &shared_count() {
  static u64 count[2];
  return count[0];
}
static unsigned __syncthreads_count(int p) {
  if (p)
    ++shared_count();
  __syncthreads();
  unsigned result = shared_count();
  __syncthreads();
  shared_count() = 0;
  __syncthreads();
  return result;
}
static int __syncthreads_or(int p) { return __syncthreads_count(p) != 0; }
static unsigned ownLane() { return host::current & 31; }
template <typename T> T __shfl_sync(unsigned, T v, int lane, int width = 32) {
  return host::exchange(v)[(ownLane() & ~(width - 1)) | (lane & (width - 1))];
}
template <typename T> T __shfl_xor_sync(unsigned, T v, int by, int width = 32) {
  const unsigned from = ownLane() ^ by;
  return host::exchange(v)[from > (ownLane() | (width - 1)) ? ownLane() : from];
}
template <typename T> T __shfl_up_sync(unsigned, T v, unsigned by, int width = 32) {
  return host::exchange(v)[(ownLane() & (width - 1)) < by ? ownLane() : ownLane() - by];
}
template <typename T> T __shfl_down_sync(unsigned, T v, unsigned by, int width = 32) {
  return host::exchange(v)[(ownLane() & (width - 1)) + by >= unsigned(width) ? ownLane() : ownLane() + by];
}
static unsigned __ballot_sync(unsigned, int p) {
  std::vector<int> all = host::exchange(int(p != 0));
  unsigned r = 0;
  for (unsigned i = 0; i < 32; ++i)
    r |= unsigned(all[i]) << i;
  return r;
}
static int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
static int __all_sync(unsigned m, int p) { return __ballot_sync(m, !p) == 0; }
static unsigned __match_any_sync(unsigned, unsigned v) {
  std::vector<unsigned> all = host::exchange(v);
  unsigned r = 0;
  for (unsigned i = 0; i < 32; ++i)
    r |= unsigned(all[i] == v) << i;
  return r;
}
static unsigned __reduce_add_sync(unsigned, unsigned v) {
  unsigned r = 0;
  for (unsigned x : host::exchange(v))
    r += x;
  return r;
}

// Tiles of lanes, and OpenCL's groups, which have all lanes here.
namespace cg {
struct Block {};
static Block this_thread_block() { return {}; }
template <typename T> struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct greater {
  T operator()(T a, T b) const { return std::max(a, b); }
};
template <unsigned N> struct Tile {
  unsigned thread_rank() const { return ownLane() % N; }
  unsigned meta_group_rank() const { return host::current / N; }
  template <typename T> T shfl(T v, int lane) const { return __shfl_sync(~0u, v, lane, N); }
  template <typename T> T shfl_xor(T v, int by) const { return __shfl_xor_sync(~0u, v, by, N); }
  template <typename T> T shfl_up(T v, unsigned by) const { return __shfl_up_sync(~0u, v, by, N); }
  template <typename T> T shfl_down(T v, unsigned by) const { return __shfl_down_sync(~0u, v, by, N); }
  unsigned ballot(int p) const { return unsigned((u64(__ballot_sync(~0u, p)) >> (ownLane() / N * N)) & ((u64(1) << N) - 1)); }
  int any(int p) const { return ballot(p) != 0; }
  int all(int p) const { return ballot(!p) == 0; }
  void sync() const { host::wait(host::AtWarp); }
};
template <unsigned N> Tile<N> tiled_partition(Block) { return {}; }
template <unsigned N, typename T, typename F> T reduce(Tile<N>, T v, F f) {
  std::vector<T> all = host::exchange(v);
  const unsigned first = ownLane() / N * N;
  T r = all[first];
  for (unsigned i = 1; i < N; ++i)
    r = f(r, all[first + i]);
  return r;
}
} // namespace cg
static unsigned sub_group_reduce_add(unsigned v) { return __reduce_add_sync(~0u, v); }
static unsigned sub_group_reduce_max(unsigned v) { return cg::reduce(cg::Tile<32>(), v, cg::greater<unsigned>()); }
static unsigned sub_group_scan_inclusive_add(unsigned v) {
  std::vector<unsigned> all = host::exchange(v);
  unsigned r = 0;
  for (unsigned i = 0; i <= ownLane(); ++i)
    r += all[i];
  return r;
}
static unsigned sub_group_scan_exclusive_add(unsigned v) { return sub_group_scan_inclusive_add(v) - v; }
static unsigned sub_group_broadcast(unsigned v, unsigned lane) { return __shfl_sync(~0u, v, lane); }
static unsigned sub_group_shuffle(unsigned v, unsigned lane) { return __shfl_sync(~0u, v, lane); }
static unsigned sub_group_shuffle_xor(unsigned v, unsigned by) { return __shfl_xor_sync(~0u, v, by); }
static int sub_group_any(int p) { return __any_sync(~0u, p); }
static int sub_group_all(int p) { return __all_sync(~0u, p); }
static unsigned work_group_reduce_add(unsigned v) {
  static unsigned sum;
  sum += v;
  __syncthreads();
  unsigned result = sum;
  __syncthreads();
  sum = 0;
  __syncthreads();
  return result;
}
static int work_group_any(int p) { return __syncthreads_or(p); }
static unsigned work_group_broadcast(unsigned v, unsigned, unsigned, unsigned) {
  return work_group_reduce_add(host::current == 0 ? v : 0);
}

template <typename T> T atomicAdd(T *p, T v) { T old = *p; *p += v; return old; }
template <typename T> T atomicMax(T *p, T v) { T old = *p; *p = std::max(old, v); return old; }
static unsigned atomicInc(unsigned *p, unsigned most) { unsigned old = *p; *p = old >= most ? 0 : old + 1; return old; }
static unsigned atomicExch(unsigned *p, unsigned v) { unsigned old = *p; *p = v; return old; }
static unsigned atomicOr(unsigned *p, unsigned v) { unsigned old = *p; *p |= v; return old; }
static unsigned atomicCAS(unsigned *p, unsigned is, unsigned v) { unsigned old = *p; *p = old == is ? v : old; return old; }
static unsigned atomicMin(unsigned *p, unsigned v) { unsigned old = *p; *p = std::min(old, v); return old; }
static unsigned atomicXor(unsigned *p, unsigned v) { unsigned old = *p; *p ^= v; return old; }
static unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
static unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
static int min(int a, int b) { return a < b ? a : b; }

static int __popc(unsigned x) { return __builtin_popcount(x); }
static int __popcll(u64 x) { return __builtin_popcountll(x); }
static int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
static int __clzll(long long x) { return x ? __builtin_clzll(u64(x)) : 64; }
static int __ffs(int x) { return __builtin_ffs(x); }
static unsigned __brev(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i)
    r |= (x >> i & 1) << (31 - i);
  return r;
}
static unsigned __umulhi(unsigned a, unsigned b) { return unsigned(u64(a) * b >> 32); }
static u64 __umul64hi(u64 a, u64 b) { return u64((unsigned __int128)a * b >> 64); }
static unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  u64 all = u64(b) << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i)
    r |= unsigned(all >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
  return r;
}
static unsigned __funnelshift_l(unsigned low, unsigned high, unsigned s) { return unsigned((u64(high) << 32 | low) << (s & 31) >> 32); }
static unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned s) { return unsigned((u64(high) << 32 | low) >> (s < 32 ? s : 32)); }
static unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
template <int Bits, typename F> unsigned each(unsigned a, unsigned b, F f) {
  unsigned r = 0, mask = (1u << Bits) - 1;
  for (int i = 0; i < 32; i += Bits)
    r |= (unsigned(f(a >> i & mask, b >> i & mask)) & mask) << i;
  return r;
}
static unsigned __vadd4(unsigned a, unsigned b) { return each<8>(a, b, [](unsigned x, unsigned y) { return x + y; }); }
static unsigned __vmaxs4(unsigned a, unsigned b) {
  return each<8>(a, b, [](unsigned x, unsigned y) { return (signed char)x > (signed char)y ? x : y; });
}
static unsigned __vcmpgtu2(unsigned a, unsigned b) { return each<16>(a, b, [](unsigned x, unsigned y) { return x > y ? ~0u : 0u; }); }
static unsigned __vsadu4(unsigned a, unsigned b) {
  unsigned r = 0;
  for (int i = 0; i < 32; i += 8)
    r += std::abs(int(a >> i & 255) - int(b >> i & 255));
  return r;
}
static unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8)
    c += (a >> i & 255) * (b >> i & 255);
  return c;
}

// What the inline assembly of the kernel means.
static unsigned ptxBfe(unsigned a, unsigned at, unsigned n) {
  at &= 255, n &= 255;
  return at > 31 || !n ? 0 : n > 31 ? a >> at : a >> at & ((1u << n) - 1);
}
static unsigned ptxLop3(unsigned a, unsigned b, unsigned c) { return (a & b) | (~a & c); }
static unsigned ptxMin(unsigned a, unsigned b) { return unsigned(std::min(int(a), int(b))); }
static unsigned ptxSelect(unsigned a, unsigned b) { return a > b ? a - b : b + 1; }
static unsigned ptxCarry(unsigned a, unsigned b) { return unsigned((u64(a) + b) >> 32) + 7; }
static unsigned ptxShift(unsigned a, unsigned n) { return n > 31 ? 0 : a << n; }
static unsigned ptxInsert(unsigned a, unsigned b, unsigned at, unsigned n) {
  const unsigned mask = unsigned(((u64(1) << n) - 1) << at);
  return (b & ~mask) | (a << at & mask);
}
static unsigned ptxHigh(unsigned a, unsigned b, unsigned c) { return unsigned(u64(a) * b >> 32) + c; }
static unsigned ptxSaturate(unsigned a) { return int(a) < 0 ? 0 : std::min(a, 255u); }
static unsigned ptxWide(unsigned a, unsigned b) { return unsigned(u64(a) * b >> 9); }
static unsigned ptxLeap(unsigned a, unsigned b) { return (a < b ? a : a - b) ^ 3; }

// Textures: a line of the inputs, and 16 x 8 texels that count up.
using cudaTextureObject_t = int;
static std::vector<unsigned> inputs;
static unsigned texel(cudaTextureObject_t, int i) { return inputs[unsigned(i)]; }
static float texelAt(float x, float y) {
  return std::min(std::max(std::floor(x), 0.0f), 15.0f) + 16 * std::min(std::max(std::floor(y), 0.0f), 7.0f);
}
static float point(cudaTextureObject_t, float x, float y) { return texelAt(x, y); }
static float blend(cudaTextureObject_t, float x, float y) {
  x -= 0.5f, y -= 0.5f;
  const float a = x - std::floor(x), b = y - std::floor(y);
  return (1 - b) * ((1 - a) * texelAt(x, y) + a * texelAt(x + 1, y)) + b * ((1 - a) * texelAt(x, y + 1) + a * texelAt(x + 1, y + 1));
}

// Narrow floating point: a product and a sum are rounded once.
struct __half2 {
  _Float16 x, y;
};
static __half2 __floats2half2_rn(float a, float b) { return {_Float16(a), _Float16(b)}; }
static __half2 __hmul2(__half2 a, __half2 b) { return {_Float16(float(a.x) * float(b.x)), _Float16(float(a.y) * float(b.y))}; }
static __half2 __hadd2(__half2 a, __half2 b) { return {_Float16(float(a.x) + float(b.x)), _Float16(float(a.y) + float(b.y))}; }
static __half2 __hsub2(__half2 a, __half2 b) { return {_Float16(float(a.x) - float(b.x)), _Float16(float(a.y) - float(b.y))}; }
static _Float16 halfMultiplyAdd(double a, double b, double c) { return _Float16(a * b + c); } // exact but for the last
static __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {halfMultiplyAdd(a.x, b.x, c.x), halfMultiplyAdd(a.y, b.y, c.y)}; }
static __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
static float __low2float(__half2 a) { return a.x; }
static float __high2float(__half2 a) { return a.y; }
static unsigned __float2bfloat16(float v) {
  unsigned bits;
  std::memcpy(&bits, &v, 4);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
static float __bfloat162float(unsigned v) {
  v <<= 16;
  float r;
  std::memcpy(&r, &v, 4);
  return r;
}

// OpenCL's functions of integers.
static unsigned rotate(unsigned a, unsigned n) { return a << (n & 31) | u64(a) >> (32 - (n & 31)); }
static unsigned mad_hi(unsigned a, unsigned b, unsigned c) { return ptxHigh(a, b, c); }
static unsigned abs_diff(unsigned a, unsigned b) { return a > b ? a - b : b - a; }
static unsigned add_sat(unsigned a, unsigned b) { return unsigned(std::min(u64(a) + b, u64(~0u))); }
static unsigned sub_sat(unsigned a, unsigned b) { return a > b ? a - b : 0; }
static unsigned hadd(unsigned a, unsigned b) { return unsigned((u64(a) + b) >> 1); }
static unsigned rhadd(unsigned a, unsigned b) { return unsigned((u64(a) + b + 1) >> 1); }
static unsigned bitselect(unsigned a, unsigned b, unsigned c) { return (a & ~c) | (b & c); }
static unsigned mul24(unsigned a, unsigned b) { return a * b; }
static unsigned clamp(unsigned a, unsigned low, unsigned high) { return std::min(std::max(a, low), high); }
static unsigned popcount(unsigned a) { return unsigned(__builtin_popcount(a)); }

using HostFunction = void (*)(unsigned *out, float *real, double *wide, u64 *sums, unsigned *bins, const unsigned *in, unsigned n,
                              cudaTextureObject_t line, cudaTextureObject_t plane, cudaTextureObject_t smooth);
struct HostKernel {
  const char *name;
  Index block;
  HostFunction run;
};
extern const HostKernel hostKernels[]; ///< the last has no name

template <typename T> void write(FILE *file, const std::vector<T> &data) {
  std::fwrite(data.data(), sizeof(T), data.size(), file);
}
static void runKernel(const HostKernel &kernel, const std::vector<unsigned> &in, FILE *file) {
  const unsigned grid = 3, n = kernel.block.count() * grid;
  std::vector<unsigned> out(n), bins(32);
  std::vector<float> real(n);
  std::vector<double> wide(n);
  std::vector<u64> sums(n);
  for (unsigned i = 0; i < 32; ++i)
    bins[i] = i;
  gridDim.x = grid;
  blockDim = kernel.block;
  for (unsigned b = 0; b < grid; ++b) {
    blockIdx.x = b;
    host::runBlock(kernel.block.count(),
                   [&] { kernel.run(out.data(), real.data(), wide.data(), sums.data(), bins.data(), in.data(), 5, 0, 0, 0); });
  }
  write(file, out);
  write(file, real);
  write(file, wide);
  write(file, sums);
  write(file, bins);
}
/// PROGRAM IN FOLDER: writes the buffers of each kernel to FOLDER/KERNEL.host.
int main(int, char **argv) {
  std::vector<unsigned> in(128 * 3);
  FILE *given = std::fopen(argv[1], "rb");
  if (!given || std::fread(in.data(), 4, in.size(), given) != in.size())
    return 1;
  std::fclose(given);
  inputs = in;
  for (const HostKernel *kernel = hostKernels; kernel->name; ++kernel) {
    FILE *file = std::fopen((std::string(argv[2]) + "/" + kernel->name + ".host").c_str(), "wb");
    runKernel(*kernel, in, file);
    std::fclose(file);
  }
}

#endif // HEDDLE_TEST_EXEC_DIFFERENTIAL_HOST_H
