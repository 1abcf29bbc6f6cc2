// Three pictures at a time, each in a stream of its own with events between the
// stages and a host function at the end; the host does the same to compare.
#include "stages.h"
#include <algorithm>
#include <cmath>
#include <vector>

static const float Weights[2 * Radius + 1] = {0.0625f, 0.25f, 0.375f, 0.25f,
                                              0.0625f};

/// What one stream has.
struct Lane {
  cudaStream_t stream;
  cudaEvent_t enlarged;
  cudaArray_t picture;
  cudaTextureObject_t texture;
  float *from, *between, *to;
  unsigned char *edges, *result;
  unsigned *bins;
  size_t pitch, bytePitch;
  int done = 0;

  Lane() {
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&enlarged, cudaEventDisableTiming));
    const auto texel = cudaCreateChannelDesc<unsigned char>();
    CHECK(cudaMallocArray(&picture, &texel, Width, Height));
    cudaResourceDesc of = {};
    of.resType = cudaResourceTypeArray;
    of.res.array.array = picture;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeNormalizedFloat;
    how.normalizedCoords = 1;
    CHECK(cudaCreateTextureObject(&texture, &of, &how, nullptr));
    for (float **p : {&from, &between, &to})
      CHECK(cudaMallocPitch(p, &pitch, Wide * sizeof(float), High));
    CHECK(cudaMallocPitch(&edges, &bytePitch, Wide, High));
    CHECK(cudaMallocManaged(&bins, Bins * sizeof(unsigned)));
    CHECK(cudaMallocHost(&result, Wide * High));
  }
  ~Lane() {
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(picture));
    for (void *p : {(void *)from, (void *)between, (void *)to, (void *)edges,
                    (void *)bins})
      CHECK(cudaFree(p));
    CHECK(cudaFreeHost(result));
    CHECK(cudaEventDestroy(enlarged));
    CHECK(cudaStreamDestroy(stream));
  }
  Lane(const Lane &) = delete;
  Lane &operator=(const Lane &) = delete;

  void start(const std::vector<unsigned char> &pixels) {
    CHECK(cudaMemcpy2DToArrayAsync(picture, 0, 0, pixels.data(), Width, Width,
                                   Height, cudaMemcpyHostToDevice, stream));
    enlarge(texture, from, pitch, stream);
    CHECK(cudaEventRecord(enlarged, stream));
    smooth(from, between, to, pitch, stream);
    findEdges(to, edges, pitch, bytePitch, stream);
    CHECK(cudaMemsetAsync(bins, 0, Bins * sizeof(unsigned), stream));
    countBrightness(edges, bytePitch, bins, stream);
    CHECK(cudaMemcpy2DAsync(result, Wide, edges, bytePitch, Wide, High,
                            cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(
        stream, [](void *lane) { ++static_cast<Lane *>(lane)->done; }, this));
  }
};

static int clamped(int i, int n) { return std::min(std::max(i, 0), n - 1); }

/// What a texture with linear filter reads; fractions have 8 bits.
static float enlargedAt(const std::vector<unsigned char> &p, int x, int y) {
  const float u = (x + 0.5f) / 2 - 0.5f, v = (y + 0.5f) / 2 - 0.5f;
  const int i = int(std::floor(u)), j = int(std::floor(v));
  const float a = std::round((u - i) * 256) / 256,
              b = std::round((v - j) * 256) / 256;
  auto at = [&](int s, int t) {
    return p[clamped(t, Height) * Width + clamped(s, Width)] / 255.f;
  };
  return (1 - b) * ((1 - a) * at(i, j) + a * at(i + 1, j)) +
         b * ((1 - a) * at(i, j + 1) + a * at(i + 1, j + 1));
}

static std::vector<float> expected(const std::vector<unsigned char> &pixels) {
  std::vector<float> a(Wide * High), b(a), result(a);
  for (int y = 0; y < High; ++y)
    for (int x = 0; x < Wide; ++x)
      a[y * Wide + x] = enlargedAt(pixels, x, y);
  for (bool columns : {false, true}) {
    for (int y = 0; y < High; ++y)
      for (int x = 0; x < Wide; ++x) {
        float sum = 0;
        for (int d = -Radius; d <= Radius; ++d)
          sum += Weights[d + Radius] *
                 a[columns ? clamped(y + d, High) * Wide + x
                           : y * Wide + clamped(x + d, Wide)];
        b[y * Wide + x] = sum;
      }
    a.swap(b);
  }
  for (int y = 0; y < High; ++y)
    for (int x = 0; x < Wide; ++x) {
      auto at = [&](int i, int j) {
        return a[clamped(y + j, High) * Wide + clamped(x + i, Wide)];
      };
      const float h = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) -
                      2 * at(-1, 0) - at(-1, 1);
      const float v = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) -
                      2 * at(0, -1) - at(1, -1);
      result[y * Wide + x] = std::min(std::sqrt(h * h + v * v) * 64, 255.f);
    }
  return result;
}

static bool check(const Lane &lane, const std::vector<float> &wanted) {
  std::vector<unsigned> bins(Bins);
  bool near = true;
  for (int i = 0; i < Wide * High; ++i) {
    near &= std::fabs(lane.result[i] - wanted[i]) <= 1;
    ++bins[lane.result[i] * Bins / 256];
  }
  return near && std::equal(bins.begin(), bins.end(), lane.bins);
}

int main() {
  setWeights(Weights);
  Lane lanes[3];
  bool ok = true;
  for (int batch = 0; batch < 2; ++batch) {
    std::vector<unsigned char> pictures[3];
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < Width * Height; ++i) {
        const int x = i % Width - 30, y = i / Width - 22;
        pictures[k].push_back(
            x * x + y * y < 100 * (k + 1) ? 200 - batch * 50 : (i * 13) % 40);
      }
      lanes[k].start(pictures[k]);
    }
    for (int k = 0; k < 3; ++k) {
      CHECK(cudaEventSynchronize(lanes[k].enlarged));
      CHECK(cudaStreamSynchronize(lanes[k].stream));
      ok &= lanes[k].done == batch + 1 && check(lanes[k], expected(pictures[k]));
    }
  }
  return verdict(ok);
}
