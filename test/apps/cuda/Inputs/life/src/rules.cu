#include "rules.h"

__device__ unsigned birth = 1u << 3, survival = 1u << 2 | 1u << 3;

__device__ bool lives(bool now, int neighbours) {
  return (now ? survival : birth) >> neighbours & 1;
}
