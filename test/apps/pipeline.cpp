//===- pipeline.cpp - Frames through an image pipeline --------------------===//
//
// usage: pipeline [WIDTH] [HEIGHT] [FRAMES]. Two programs: colour and filters.
// Each frame is written as a rectangle, blurred, its edges found, its histogram
// counted and equalised; results come back through maps.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include <cstring>

using namespace apps;

static const char *Colour = R"(
__kernel void luma(__global const uchar4 *pixels, __global uchar *out) {
  int i = get_global_id(0);
  uchar4 p = pixels[i];
  out[i] = (uchar)((p.x * 77 + p.y * 150 + p.z * 29) >> 8);
}
)";

static const char *Filters = R"(
__constant int Weights[5] = {1, 4, 6, 4, 1};

__kernel void blur(__global const uchar *from, __global uchar *to, int width,
                   int height, int dx, int dy) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int sum = 8;
  for (int k = -2; k <= 2; ++k)
    sum += Weights[k + 2] * from[clamp(y + k * dy, 0, height - 1) * width +
                                 clamp(x + k * dx, 0, width - 1)];
  to[y * width + x] = (uchar)(sum >> 4);
}

__kernel void edges(__global const uchar *from, __global uchar *to, int width,
                    int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int l = max(x - 1, 0), r = min(x + 1, width - 1);
  int u = max(y - 1, 0), d = min(y + 1, height - 1);
  int gx = from[y * width + r] - from[y * width + l];
  int gy = from[d * width + x] - from[u * width + x];
  to[y * width + x] = (uchar)min(abs(gx) + abs(gy), 255u);
}

__kernel void histogram(__global const uchar *image, __global uint *bins,
                        __local uint *own, int count) {
  for (int b = get_local_id(0); b < 256; b += get_local_size(0))
    own[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < count; i += get_global_size(0))
    atomic_inc(&own[image[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = get_local_id(0); b < 256; b += get_local_size(0))
    if (own[b])
      atomic_add(&bins[b], own[b]);
}

__kernel void equalise(__global uchar *image, __global const uchar *table) {
  int i = get_global_id(0);
  image[i] = table[image[i]];
}
)";

int main(int Argc, char **Argv) {
  const int Width = argument(Argc, Argv, 1, 320),
            Height = argument(Argc, Argv, 2, 240),
            Frames = argument(Argc, Argv, 3, 15);
  Host H;
  cl_program C = H.build(Colour), F = H.build(Filters, "-cl-std=CL1.2");
  cl_kernel Luma = H.kernel(C, "luma"), Blur = H.kernel(F, "blur"),
            Edges = H.kernel(F, "edges"), Histogram = H.kernel(F, "histogram"),
            Equalise = H.kernel(F, "equalise");
  const size_t Count = size_t(Width) * Height;
  const size_t Pitch = size_t(Width) * 4 + 64; // of the host's frames
  std::vector<uint8_t> Frame(Pitch * Height);
  cl_mem Pixels = H.empty(Count * 4), A = H.empty(Count), B = H.empty(Count),
         Bins = H.empty(256 * 4), Table = H.empty(256);
  Numbers N(61);
  auto Map = [&](cl_mem M, size_t Bytes, cl_map_flags Flags) {
    cl_int Status;
    void *P = clEnqueueMapBuffer(H.Queue, M, CL_TRUE, Flags, 0, Bytes, 0,
                                 nullptr, nullptr, &Status);
    check(Status, "clEnqueueMapBuffer");
    return P;
  };
  auto Unmap = [&](cl_mem M, void *P) {
    check(clEnqueueUnmapMemObject(H.Queue, M, P, 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
  };
  const std::vector<size_t> Grid = {size_t((Width + 31) / 32 * 32),
                                    size_t((Height + 3) / 4 * 4)};
  for (int I = 0; I < Frames; ++I) {
    for (int Y = 0; Y < Height; ++Y)
      for (int X = 0; X < Width * 4; ++X)
        Frame[Y * Pitch + X] =
            uint8_t((X / 4 + I * 3) * (Y + I) / 64 + int(N.below(16)));
    const size_t Origin[3] = {0, 0, 0},
                 Box[3] = {size_t(Width) * 4, size_t(Height), 1};
    check(clEnqueueWriteBufferRect(H.Queue, Pixels, CL_TRUE, Origin, Origin,
                                   Box, 0, 0, Pitch, 0, Frame.data(), 0,
                                   nullptr, nullptr),
          "clEnqueueWriteBufferRect");
    H.launch(Luma, {Count}, {}, Pixels, A);
    for (int Pass = 0; Pass <= I % 3; ++Pass) { // frames differ in work
      H.launch(Blur, Grid, {32, 4}, A, B, Width, Height, 1, 0);
      H.launch(Blur, Grid, {32, 4}, B, A, Width, Height, 0, 1);
    }
    H.launch(Edges, Grid, {32, 4}, A, B, Width, Height);
    H.fill(Bins, 0u, 256);
    H.launch(Histogram, {2048}, {128}, B, Bins, Local{1024}, int(Count));
    auto *Counts = static_cast<cl_uint *>(Map(Bins, 1024, CL_MAP_READ));
    auto *To =
        static_cast<uint8_t *>(Map(Table, 256, CL_MAP_WRITE_INVALIDATE_REGION));
    cl_uint Sum = 0;
    for (int V = 0; V < 256; ++V) {
      Sum += Counts[V];
      To[V] = uint8_t(uint64_t(Sum) * 255 / Count);
    }
    require(Sum == Count, "histogram");
    Unmap(Bins, Counts);
    Unmap(Table, To);
    H.launch(Equalise, {Count}, {}, B, Table);
    auto *Result = static_cast<uint8_t *>(Map(B, Count, CL_MAP_READ));
    uint64_t Total = 0;
    for (size_t K = 0; K < Count; ++K)
      Total += Result[K];
    std::printf("frame %d: %llu\n", I, static_cast<unsigned long long>(Total));
    Unmap(B, Result);
  }
  H.finish();
}
