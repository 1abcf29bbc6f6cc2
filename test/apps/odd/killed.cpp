//===- killed.cpp - A program that does not live to its end ---------------===//

#include "Host.h"

#include <csignal>
#include <ctime>

using namespace apps;

static const char *Source = R"(
__kernel void count(__global int *x) { x[get_global_id(0)] += 1; }
)";

int main() {
  Host H;
  cl_kernel Count = H.kernel(H.build(Source), "count");
  cl_mem X = H.buffer(std::vector<int>(64));
  for (int I = 0; I < 100; ++I) {
    H.launch(Count, {64}, {32}, X);
    require(H.readOne<int>(X) == I + 1, "count");
  }
  const timespec Moment{0, 200'000'000}; // for what is written beside it
  nanosleep(&Moment, nullptr);
  std::raise(SIGKILL);
}
