#include <cstdio>
#include <cassert>
#include <cinttypes>
#define DBG(fmt, ...) printf("[%d,%d] " fmt "\n", blockIdx.x, threadIdx.x, ##__VA_ARGS__)
enum Color { Red, Green };
__constant__ const char *names[] = {"red", "green"};
__global__ void say(int *p, double d, unsigned long long u, Color c) {
  DBG("plain");
  DBG("%5d|%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%c|%%", 42, 42, 42, 42, 42, 255, 255, 255, 8, 'z');
  DBG("%f %.3e %G %10.2f %a %Lf", d, d, d, d, d, (long double)d);
  DBG("%llu %lld %lu %zu %hd %hhu %" PRIu64 " %p %s %*d", u, (long long)u, (unsigned long)u, sizeof(d), (short)p[0], (unsigned char)300, (uint64_t)u, (void *)p, c == Red ? "red" : names[c], 6, 7);
  assert(p && "pointer");
  if (threadIdx.x == 0)
    std::printf("%s:%d %s\n", __FILE__, __LINE__, __func__);
  asm volatile("// nothing\n" ::: "memory");
}
int main() { say<<<1, 2>>>(nullptr, 1.5, 7, Green); cudaDeviceSynchronize(); }
