#include "timer.h"
#include <cuda.h>
#include <unistd.h>
extern "C" {
#include "avilib.h"
}
#include "common.h"
using namespace tinyobj;
extern fp *input;
LOGGER_DECL(foo);
static const option::Descriptor usage[] = {
    {UNKNOWN, 0, "", "", option::Arg::None, "USAGE"}, {0, 0, 0, 0, 0, 0}};
BENCHMARK(BM_foo)->Range(8, 8 << 10);
TEST(Suite, Case) {
  EXPECT_EQ(1, 2);
  kern2<<<1, 1>>>(0);
}
__global__ void kern(int *p, int nn) { p[threadIdx.x] = nn; }
__global__ void kern2(int *p) { p[0] = 2; }
DEFINE_int32(n, 10, "number");
int parse(args_t *a) { return a->b }
void main(int argc, char **argv) {
  struct foo_s *f = malloc(sizeof(struct foo_s));
  f->x = 1;
  int *p = malloc(4);
  kern<<<1, 32>>>(p, FLAGS_n);
  undefined_thing(1, 2, [&](auto x) { return x.y; });
  goto done;
  int q = 5;
done:
  return;
}
