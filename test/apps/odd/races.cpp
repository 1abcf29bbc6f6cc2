//===- races.cpp - Blocks that do not agree on an order -------------------===//
//
// Work-groups that write the same place, tickets from an atomic counter, and
// the last bits of functions.
// Group 0 takes its time, so that it comes last on a device that runs groups
// side by side; the program tries until it has seen that.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
int wait(int rounds) {
  uint x = 1;
  if (get_group_id(0) == 0)
    for (int i = 0; i < rounds; ++i)
      x = (x ^ (x << 13)) + (x >> 7);
  return (int)(x >> 1);
}
__kernel void last(__global int *who, int rounds) {
  int x = wait(rounds);
  if (get_local_id(0) == 0)
    who[0] = (int)get_group_id(0) + (x == 7);
}
__kernel void scale(__global const int *who, __global int *out) {
  out[get_global_id(0)] = who[0] * 3;
}
__kernel void tickets(__global int *next, __global int *order, int rounds) {
  int x = wait(rounds);
  if (get_local_id(0) == 0)
    order[get_group_id(0)] = atomic_inc(next) + (x == 7);
}
// Devices round in ways of their own, which integers show.
__kernel void bits(__global int *out) {
  int i = get_global_id(0);
  out[i] = as_int(pow(1.0f + 0.013f * i, 2.7f)) + as_int(exp(0.11f * i));
}
)";

int main() {
  constexpr size_t Groups = 4, Local = 32;
  Host H;
  cl_program P = H.build(Source);
  cl_kernel Last = H.kernel(P, "last"), Scale = H.kernel(P, "scale"),
            Tickets = H.kernel(P, "tickets"), Bits = H.kernel(P, "bits");
  const std::vector<int> Zero(Groups * Local);
  bool RaceSeen = false, OrderSeen = false;
  for (int Rounds = 1 << 20; Rounds <= 1 << 28 && !(RaceSeen && OrderSeen);
       Rounds *= 2) {
    cl_mem Who = H.buffer(Zero), Out = H.buffer(Zero), Next = H.buffer(Zero),
           Order = H.buffer(Zero);
    H.launch(Last, {Groups * Local}, {Local}, Who, Rounds);
    H.launch(Scale, {Groups * Local}, {Local}, Who, Out);
    RaceSeen |= H.read<int>(Out, 1)[0] != (Groups - 1) * 3;
    H.launch(Tickets, {Groups * Local}, {Local}, Next, Order, Rounds);
    OrderSeen |= H.read<int>(Order, 1)[0] != 0;
  }
  cl_mem Fixed = H.buffer(Zero);
  H.launch(Bits, {Groups * Local}, {Local}, Fixed);
  H.read<int>(Fixed, Groups * Local);
  std::printf("%s\n", RaceSeen && OrderSeen ? "seen" : "not seen");
}
