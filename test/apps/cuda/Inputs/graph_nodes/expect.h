// What the programs of this folder share.
#pragma once
#include "../check.h"
#include <cstdint>
#include <cstring>
#include <vector>

static bool allRight = true;
static void expect(bool right, const char *what) {
  if (!right)
    fprintf(stderr, "wrong: %s\n", what);
  allRight &= right;
}

template <typename T> static std::vector<T> read(const void *from, size_t n) {
  std::vector<T> values(n);
  CHECK(cudaMemcpy(values.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}
