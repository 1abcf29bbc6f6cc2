// What all of these programs share: ends them with file and line where a call
// fails, and prints the verdict that the tests look for.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = (call);                                               \
    if (status != cudaSuccess) {                                               \
      fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #call,     \
              cudaGetErrorString(status));                                     \
      exit(EXIT_FAILURE);                                                      \
    }                                                                          \
  } while (0)

static inline int verdict(bool ok) {
  printf("%s\n", ok ? "PASSED" : "FAILED");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
