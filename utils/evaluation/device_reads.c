/* Preloaded before a CUDA program: keeps what it copies from the device in the
   file that DEVICE_READS names, for each copy its size in eight bytes and then
   the bytes. With DEVICE_FILL new memory is full of that byte: what a program
   reads as other bytes with another DEVICE_FILL, nothing has written. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DeviceToHost = 2, Default = 4 };

#define NEXT(NAME) ((__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME))

int cudaMemset(void *at, int byte, size_t bytes);
int cudaMemsetAsync(void *at, int byte, size_t bytes, void *stream);

static FILE *reads(void) {
  static FILE *file;
  if (!file)
    file = fopen(getenv("DEVICE_READS"), "wb");
  return file;
}

static int kept(int status, const void *to, size_t bytes, int kind) {
  const uint64_t size = bytes;
  if (status == 0 && (kind == DeviceToHost || kind == Default)) {
    fwrite(&size, sizeof(size), 1, reads());
    fwrite(to, 1, bytes, reads());
    fflush(reads());
  }
  return status;
}

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  return kept(NEXT(cudaMemcpy)(to, from, bytes, kind), to, bytes, kind);
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                    void *stream) {
  const int status = NEXT(cudaMemcpyAsync)(to, from, bytes, kind, stream);
  return kept(status, to, bytes, kind);
}

int cudaMalloc(void **at, size_t bytes) {
  const int status = NEXT(cudaMalloc)(at, bytes);
  const char *fill = getenv("DEVICE_FILL");
  return status || !fill ? status : cudaMemset(*at, atoi(fill), bytes);
}

int cudaMallocAsync(void **at, size_t bytes, void *stream) {
  const int status = NEXT(cudaMallocAsync)(at, bytes, stream);
  const char *fill = getenv("DEVICE_FILL");
  return status || !fill ? status
                         : cudaMemsetAsync(*at, atoi(fill), bytes, stream);
}
