// Images read through textures in all ways that programs use: arrays, pitched
// and linear memory, address modes, filtering, fractions, layers, surfaces, and
// references, with an argument, as CUDA had them before release 12.
#include "../check.h"
#include <cmath>
#include <cstring>
#include <vector>

static const int W = 37, H = 21;

// Heddle still has references; toolkits since release 12 do not.
#define HAS_REFERENCES (CUDART_VERSION <= 12000)
#if HAS_REFERENCES
texture<float, 1, cudaReadModeElementType> samples;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;
surface<void, 2> canvas;
#endif

__global__ void read2D(cudaTextureObject_t image, const float2 *at, float *out,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex2D<float>(image, at[i].x, at[i].y);
}
__global__ void read3D(cudaTextureObject_t volume, float *out, int n) {
  int i = threadIdx.x;
  if (i < n)
    out[i] = tex3D<float>(volume, i + 0.25f, 1.5f, 2.0f);
}
__global__ void readLayer(cudaTextureObject_t layers, float *out) {
  out[threadIdx.x] = tex2DLayered<float>(layers, threadIdx.x + 0.5f, 1.5f, 2);
}
__global__ void fetch(cudaTextureObject_t list, int2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex1Dfetch<int2>(list, n - 1 - i);
}
__global__ void invert(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H)
    return;
  uchar4 texel = surf2Dread<uchar4>(from, x * sizeof(uchar4), y);
  texel.x = 255 - texel.x;
  surf2Dwrite(texel, to, x * sizeof(uchar4), y);
}
#if HAS_REFERENCES
__global__ void old(float *out, int n) {
  int i = threadIdx.x;
  if (i < n) {
    out[i] = tex1Dfetch(samples, i) + tex2D(picture, i + 0.5f, 0.5f);
    surf2Dwrite(out[i], canvas, i * sizeof(float), 1);
  }
}
#endif

/// An index on an axis of \p n texels, or -1 outside of it.
static int place(int i, int n, cudaTextureAddressMode mode) {
  switch (mode) {
  case cudaAddressModeClamp:
    return i < 0 ? 0 : i >= n ? n - 1 : i;
  case cudaAddressModeWrap:
    return ((i % n) + n) % n;
  case cudaAddressModeMirror:
    i = ((i % (2 * n)) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
  default:
    return i < 0 || i >= n ? -1 : i;
  }
}
static float texel(const std::vector<float> &in, int x, int y,
                   cudaTextureAddressMode mode) {
  x = place(x, W, mode);
  y = place(y, H, mode);
  return x < 0 || y < 0 ? 0 : in[y * W + x];
}
/// Fractions have 8 bits, as the programming guide says.
static float fraction(float v) { return rintf((v - floorf(v)) * 256) / 256; }

static float expected(const std::vector<float> &in, float2 at,
                      const cudaTextureDesc &how) {
  float x = how.normalizedCoords ? at.x * W : at.x;
  float y = how.normalizedCoords ? at.y * H : at.y;
  cudaTextureAddressMode mode = how.addressMode[0];
  if (how.filterMode == cudaFilterModePoint)
    return texel(in, (int)floorf(x), (int)floorf(y), mode);
  x -= 0.5f;
  y -= 0.5f;
  int i = (int)floorf(x), j = (int)floorf(y);
  float a = fraction(x), b = fraction(y);
  return (1 - a) * (1 - b) * texel(in, i, j, mode) +
         a * (1 - b) * texel(in, i + 1, j, mode) +
         (1 - a) * b * texel(in, i, j + 1, mode) +
         a * b * texel(in, i + 1, j + 1, mode);
}

static bool near(float a, float b) { return fabsf(a - b) < 1e-3f; }

/// Every address mode with both filters; half of the texture is in an array,
/// the other in pitched memory.
static bool modes() {
  std::vector<float> in(W * H);
  for (int i = 0; i < W * H; ++i)
    in[i] = (float)((i * 37) % 101);
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, W, H));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), W * 4, W * 4, H,
                            cudaMemcpyHostToDevice));
  float *pitched;
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, W * 4, H));
  CHECK(cudaMemcpy2D(pitched, pitch, in.data(), W * 4, W * 4, H,
                     cudaMemcpyHostToDevice));
  const int n = 200;
  std::vector<float2> at(n);
  float2 *places;
  float *out;
  CHECK(cudaMalloc(&places, n * sizeof(float2)));
  CHECK(cudaMalloc(&out, n * 4));
  bool ok = true;
  for (int test = 0; test < 16; ++test) {
    cudaResourceDesc what;
    cudaTextureDesc how;
    memset(&what, 0, sizeof(what));
    memset(&how, 0, sizeof(how));
    how.addressMode[0] = how.addressMode[1] =
        (cudaTextureAddressMode)(test & 3);
    how.filterMode = test & 4 ? cudaFilterModeLinear : cudaFilterModePoint;
    // Wrap and mirror need coordinates from 0 to 1.
    how.normalizedCoords = how.addressMode[0] == cudaAddressModeWrap ||
                           how.addressMode[0] == cudaAddressModeMirror;
    if (test & 8) {
      what.resType = cudaResourceTypePitch2D;
      what.res.pitch2D.devPtr = pitched;
      what.res.pitch2D.desc = format;
      what.res.pitch2D.width = W;
      what.res.pitch2D.height = H;
      what.res.pitch2D.pitchInBytes = pitch;
    } else {
      what.resType = cudaResourceTypeArray;
      what.res.array.array = array;
    }
    for (int i = 0; i < n; ++i) {
      float x = -0.6f + 2.2f * ((i * 17) % n) / n, y = -0.6f + 2.2f * i / n;
      at[i] = how.normalizedCoords ? make_float2(x, y)
                                   : make_float2(x * W, y * H);
    }
    cudaTextureObject_t image = 0;
    CHECK(cudaCreateTextureObject(&image, &what, &how, nullptr));
    CHECK(cudaMemcpy(places, at.data(), n * sizeof(float2),
                     cudaMemcpyHostToDevice));
    read2D<<<(n + 63) / 64, 64>>>(image, places, out, n);
    std::vector<float> got(n);
    CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
      if (!near(got[i], expected(in, at[i], how))) {
        printf("test %d, place %d: %f instead of %f\n", test, i, got[i],
               expected(in, at[i], how));
        ok = false;
        break;
      }
    CHECK(cudaDestroyTextureObject(image));
  }
  cudaExtent size;
  CHECK(cudaArrayGetInfo(&format, &size, nullptr, array));
  std::vector<float> back(W * H);
  CHECK(cudaMemcpy2DFromArray(back.data(), W * 4, array, 0, 0, W * 4, H,
                              cudaMemcpyDeviceToHost));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(pitched));
  CHECK(cudaFree(places));
  CHECK(cudaFree(out));
  return ok && size.width == W && size.height == H && format.x == 32 &&
         back == in;
}

/// Volumes and layers, copied as boxes.
static bool volumes() {
  const int n = 8;
  std::vector<float> in(n * n * n);
  for (int i = 0; i < n * n * n; ++i)
    in[i] = (float)i;
  float *out, got[n];
  CHECK(cudaMalloc(&out, sizeof(got)));
  bool ok = true;
  for (unsigned flags : {(unsigned)cudaArrayDefault, (unsigned)cudaArrayLayered}) {
    cudaArray_t array;
    cudaChannelFormatDesc format =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, n), flags));
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(in.data(), n * 4, n, n);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(n, n, n);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] =
        cudaAddressModeClamp;
    how.filterMode = flags ? cudaFilterModePoint : cudaFilterModeLinear;
    cudaTextureObject_t volume;
    CHECK(cudaCreateTextureObject(&volume, &what, &how, nullptr));
    if (flags)
      readLayer<<<1, n>>>(volume, out);
    else
      read3D<<<1, 32>>>(volume, out, n);
    CHECK(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
      // Between texels i-1 and i on x, 1 on y, 1 and 2 on z.
      float x = i == 0 ? 0 : i - 0.25f;
      ok &= flags ? got[i] == 2 * n * n + n + i
                  : near(got[i], x + n + 1.5f * n * n);
    }
    CHECK(cudaDestroyTextureObject(volume));
    CHECK(cudaFreeArray(array));
  }
  CHECK(cudaFree(out));
  return ok;
}

static bool lists() {
  const int n = 100;
  std::vector<int2> in(n), got(n);
  for (int i = 0; i < n; ++i)
    in[i] = make_int2(i, -i);
  int2 *list, *out;
  CHECK(cudaMalloc(&list, n * sizeof(int2)));
  CHECK(cudaMalloc(&out, n * sizeof(int2)));
  CHECK(cudaMemcpy(list, in.data(), n * sizeof(int2), cudaMemcpyHostToDevice));
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeLinear;
  what.res.linear.devPtr = list;
  what.res.linear.desc = cudaCreateChannelDesc<int2>();
  what.res.linear.sizeInBytes = n * sizeof(int2);
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  fetch<<<2, 64>>>(texture, out, n);
  CHECK(cudaMemcpy(got.data(), out, n * sizeof(int2), cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < n; ++i)
    ok &= got[i].x == n - 1 - i && got[i].y == -(n - 1 - i);
  // Integers cannot be filtered.
  how.filterMode = cudaFilterModeLinear;
  ok &= cudaCreateTextureObject(&texture, &what, &how, nullptr) ==
        cudaErrorInvalidValue;
  return ok;
}

static bool surfaces() {
  std::vector<uchar4> in(W * H), got(W * H);
  for (int i = 0; i < W * H; ++i)
    in[i] = make_uchar4(i % 256, 1, 2, 3);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t arrays[2];
  cudaSurfaceObject_t objects[2];
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaMallocArray(&arrays[i], &format, W, H,
                          cudaArraySurfaceLoadStore));
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = arrays[i];
    CHECK(cudaCreateSurfaceObject(&objects[i], &what));
  }
  CHECK(cudaMemcpyToArray(arrays[0], 0, 0, in.data(), W * H * 4,
                          cudaMemcpyHostToDevice));
  invert<<<dim3(3, 2), dim3(16, 16)>>>(objects[0], objects[1]);
  CHECK(cudaMemcpyFromArray(got.data(), arrays[1], 0, 0, W * H * 4,
                            cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < W * H; ++i)
    ok &= got[i].x == 255 - i % 256 && got[i].w == 3;
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaDestroySurfaceObject(objects[i]));
    CHECK(cudaFreeArray(arrays[i]));
  }
  return ok;
}

#if HAS_REFERENCES
static bool references() {
  const int n = 16;
  float in[n], got[n], drawn[n], *list, *out;
  unsigned char bytes[n];
  for (int i = 0; i < n; ++i) {
    in[i] = i * 2.0f;
    bytes[i] = (unsigned char)(i * 17);
  }
  CHECK(cudaMalloc(&list, sizeof(in)));
  CHECK(cudaMalloc(&out, sizeof(in)));
  CHECK(cudaMemcpy(list, in, sizeof(in), cudaMemcpyHostToDevice));
  cudaArray *array, *drawing;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  CHECK(cudaMallocArray(&array, &format, n, 1));
  CHECK(cudaMemcpyToArray(array, 0, 0, bytes, n, cudaMemcpyHostToDevice));
  cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&drawing, &floats, n, 2, cudaArraySurfaceLoadStore));
  CHECK(cudaBindTexture(0, samples, list, sizeof(in)));
  picture.filterMode = cudaFilterModePoint;
  picture.addressMode[0] = picture.addressMode[1] = cudaAddressModeClamp;
  CHECK(cudaBindTextureToArray(picture, array));
  CHECK(cudaBindSurfaceToArray(canvas, drawing));
  old<<<1, 32>>>(out, n);
  CHECK(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromArray(drawn, drawing, 0, 1, sizeof(drawn),
                            cudaMemcpyDeviceToHost));
  CHECK(cudaUnbindTexture(samples));
  CHECK(cudaUnbindTexture(picture));
  bool ok = true;
  for (int i = 0; i < n; ++i)
    ok &= near(got[i], 2 * i + i * 17 / 255.0f) && drawn[i] == got[i];
  return ok;
}
#endif

int main(int argc, char **) {
  bool ok = modes();
  ok &= volumes();
  ok &= lists();
  ok &= surfaces();
#if HAS_REFERENCES
  if (argc > 1)
    ok &= references();
#endif
  return verdict(ok);
}
