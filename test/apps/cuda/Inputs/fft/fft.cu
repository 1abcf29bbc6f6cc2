// Each kind of transform of cuFFT beside the sum that defines it: sizes with
// all sorts of factors, one to three dimensions, batches, steps, in place.
#include "../check.h"
#include <complex>
#include <cufft.h>
#include <vector>

#define FFT(call)                                                              \
  do {                                                                         \
    cufftResult status = (call);                                               \
    if (status != CUFFT_SUCCESS) {                                             \
      fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, int(status));   \
      exit(EXIT_FAILURE);                                                      \
    }                                                                          \
  } while (0)

typedef std::complex<double> Number;
typedef std::vector<Number> Numbers;

// The functions of a precision by one name.
template <typename T> struct Of;
#define PRECISION(Real, C, R, Z, A, B, D)                                      \
  template <> struct Of<Real> {                                                \
    typedef Z Complex;                                                         \
    static constexpr auto both = CUFFT_##A, forth = CUFFT_##B,                 \
                          back = CUFFT_##D;                                    \
    static constexpr auto execBoth = cufftExec##A;                             \
    static constexpr auto execForth = cufftExec##B;                            \
    static constexpr auto execBack = cufftExec##D;                             \
  };
PRECISION(float, C, R, cufftComplex, C2C, R2C, C2R)
PRECISION(double, Z, D, cufftDoubleComplex, Z2Z, D2Z, Z2D)

static Numbers noise(size_t n, int seed, bool real) {
  Numbers x(n);
  unsigned state = seed * 7919 + 17;
  auto next = [&] {
    state = state * 1664525 + 1013904223;
    return double(state >> 8) / (1 << 23) - 1;
  };
  for (Number &v : x) {
    v = next();
    if (!real)
      v += Number(0, next());
  }
  return x;
}

/// Along one dimension after the other, each by the sum.
static Numbers transformed(Numbers x, const std::vector<int> &n, int sign) {
  size_t inner = 1;
  for (int d = int(n.size()) - 1; d >= 0; --d) {
    const int size = n[d];
    Numbers roots(size), line(size);
    for (int i = 0; i < size; ++i)
      roots[i] = std::polar(1.0, sign * 2 * M_PI * i / size);
    for (size_t at = 0; at < x.size(); ++at) {
      if (at / inner % size)
        continue;
      for (int k = 0; k < size; ++k) {
        line[k] = 0;
        for (int i = 0; i < size; ++i)
          line[k] += x[at + i * inner] * roots[(long long)i * k % size];
      }
      for (int k = 0; k < size; ++k)
        x[at + k * inner] = line[k];
    }
    inner *= size;
  }
  return x;
}

template <typename T> static T *upload(const std::vector<T> &from) {
  T *to;
  CHECK(cudaMalloc(&to, from.size() * sizeof(T)));
  CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T),
                   cudaMemcpyHostToDevice));
  return to;
}
template <typename T> static std::vector<T> download(const T *from, size_t n) {
  std::vector<T> to(n);
  CHECK(cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
  return to;
}

template <typename T>
static bool same(const char *what, int size, const Numbers &is,
                 const Numbers &wanted) {
  double error = 0, norm = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    error += std::norm(is[i] - wanted[i]);
    norm += std::norm(wanted[i]);
  }
  error = std::sqrt(error / norm);
  const bool ok = error < (sizeof(T) == 4 ? 2e-6 : 1e-13);
  if (!ok)
    printf("%s of %d points: error %g\n", what, size, error);
  return ok;
}

template <typename C> static std::vector<C> complexOf(const Numbers &x) {
  std::vector<C> to;
  for (Number v : x)
    to.push_back({decltype(C::x)(v.real()), decltype(C::x)(v.imag())});
  return to;
}
template <typename C> static Numbers numbersOf(const std::vector<C> &x) {
  Numbers to;
  for (C v : x)
    to.push_back({v.x, v.y});
  return to;
}

static cufftHandle planOf(const std::vector<int> &n, cufftType type) {
  cufftHandle plan;
  if (n.size() == 1)
    FFT(cufftPlan1d(&plan, n[0], type, 1));
  else if (n.size() == 2)
    FFT(cufftPlan2d(&plan, n[0], n[1], type));
  else
    FFT(cufftPlan3d(&plan, n[0], n[1], n[2], type));
  return plan;
}

template <typename T>
static bool complexes(const std::vector<int> &n, cudaStream_t stream) {
  typedef typename Of<T>::Complex C;
  size_t size = 1;
  for (int d : n)
    size *= d;
  const Numbers x = noise(size, int(size), false);
  C *in = upload(complexOf<C>(x)), *out = upload(std::vector<C>(size));
  cufftHandle plan = planOf(n, Of<T>::both);
  FFT(cufftSetStream(plan, stream));
  FFT(Of<T>::execBoth(plan, in, out, CUFFT_FORWARD));
  bool ok = same<T>("forward", int(size), numbersOf(download(out, size)),
                    transformed(x, n, -1));
  FFT(Of<T>::execBoth(plan, in, in, CUFFT_INVERSE)); // in place
  ok &= same<T>("inverse", int(size), numbersOf(download(in, size)),
                transformed(x, n, 1));
  FFT(cufftDestroy(plan));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return ok;
}

/// To the half that symmetry leaves, and back, which multiplies by the size.
template <typename T>
static bool reals(const std::vector<int> &n, bool inPlace) {
  typedef typename Of<T>::Complex C;
  size_t size = 1;
  for (int d : n)
    size *= d;
  const int last = n.back(), half = last / 2 + 1;
  const size_t lines = size / last, length = inPlace ? 2 * half : last;
  const Numbers x = noise(size, int(size), true);
  std::vector<T> padded(lines * length);
  for (size_t i = 0; i < size; ++i)
    padded[i / last * length + i % last] = T(x[i].real());
  T *in = upload(padded);
  C *out = inPlace ? (C *)in : upload(std::vector<C>(lines * half));
  cufftHandle forth = planOf(n, Of<T>::forth), back = planOf(n, Of<T>::back);
  FFT(Of<T>::execForth(forth, in, out));
  const Numbers all = transformed(x, n, -1);
  Numbers wanted;
  for (size_t i = 0; i < size; ++i)
    if (int(i % last) < half)
      wanted.push_back(all[i]);
  bool ok = same<T>("real", int(size), numbersOf(download(out, lines * half)),
                    wanted);
  FFT(Of<T>::execBack(back, out, in));
  const std::vector<T> again = download(in, padded.size());
  Numbers scaled(size);
  for (size_t i = 0; i < size; ++i)
    scaled[i] = double(again[i / last * length + i % last]) / double(size);
  ok &= same<T>("real inverse", int(size), scaled, x);
  FFT(cufftDestroy(forth));
  FFT(cufftDestroy(back));
  CHECK(cudaFree(in));
  if (!inPlace)
    CHECK(cudaFree(out));
  return ok;
}

/// Three arrays of 12 x 10 points, every second number of a wider array, into
/// packed ones; the program gives the memory between passes.
static bool batches() {
  int n[] = {12, 10}, inEmbed[] = {13, 11}, outEmbed[] = {12, 10};
  const int count = 3, step = 2, from = 13 * 11 * step + 5, to = 120;
  const Numbers wide = noise(from * count, 3, false);
  cufftComplex *in = upload(complexOf<cufftComplex>(wide));
  cufftComplex *out = upload(std::vector<cufftComplex>(to * count));
  cufftHandle plan;
  size_t bytes, asked;
  FFT(cufftCreate(&plan));
  FFT(cufftSetAutoAllocation(plan, 0));
  FFT(cufftMakePlanMany(plan, 2, n, inEmbed, step, from, outEmbed, 1, to,
                        CUFFT_C2C, count, &bytes));
  FFT(cufftGetSize(plan, &asked));
  bool ok = bytes == asked;
  void *work;
  CHECK(cudaMalloc(&work, bytes));
  FFT(cufftSetWorkArea(plan, work));
  FFT(cufftExecC2C(plan, in, out, CUFFT_FORWARD));
  const Numbers is = numbersOf(download(out, to * count));
  for (int b = 0; b < count; ++b) {
    Numbers x;
    for (int i = 0; i < to; ++i)
      x.push_back(wide[b * from + (i / 10 * 11 + i % 10) * step]);
    ok &= same<float>("batch", to, Numbers(&is[b * to], &is[b * to] + to),
                      transformed(x, {12, 10}, -1));
  }
  FFT(cufftDestroy(plan));
  CHECK(cudaFree(work));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));

  // Lines that lie across each other: neighbours are of different lines.
  int length = 9;
  const int lines = 20;
  const Numbers across = noise(length * lines, 5, true);
  std::vector<float> values;
  for (Number v : across)
    values.push_back(float(v.real()));
  float *real = upload(values);
  cufftComplex *half = upload(std::vector<cufftComplex>(5 * lines));
  FFT(cufftPlanMany(&plan, 1, &length, &length, lines, 1, &length, 1, 5,
                    CUFFT_R2C, lines));
  FFT(cufftExecR2C(plan, real, half));
  const Numbers halves = numbersOf(download(half, 5 * lines));
  for (int l = 0; l < lines; ++l) {
    Numbers x;
    for (int i = 0; i < length; ++i)
      x.push_back(across[i * lines + l]);
    x = transformed(x, {length}, -1);
    ok &=
        same<float>("line", length, Numbers(&halves[5 * l], &halves[5 * l] + 5),
                    Numbers(&x[0], &x[0] + 5));
  }
  FFT(cufftDestroy(plan));
  CHECK(cudaFree(real));
  CHECK(cudaFree(half));
  return ok;
}

template <typename T> static bool all(bool quick, cudaStream_t stream) {
  bool ok = true;
  // Prime powers, mixed factors, primes, lines longer than a block takes.
  std::vector<int> sizes = {1, 2, 8, 30, 49, 97, 210};
  if (!quick)
    for (int n : {3, 5, 7, 13, 64, 121, 1000, 1021, 2048, 2187, 4096, 4100})
      sizes.push_back(n);
  for (int n : sizes)
    ok &=
        complexes<T>({n}, stream) & reals<T>({n}, false) & reals<T>({n}, true);
  ok &= complexes<T>({15, 22}, stream) & complexes<T>({6, 5, 7}, stream);
  ok &= reals<T>({6, 9}, true) & reals<T>({4, 3, 10}, false);
  ok &= reals<T>({1, 8}, false) & complexes<T>({9, 1}, stream);
  // A prime too long for a block, twice.
  if (!quick)
    ok &= complexes<T>({2 * 2053}, stream);
  return ok;
}

// With an argument: short transforms in single precision only.
int main(int argc, char **) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const bool quick = argc > 1;
  bool ok = all<float>(quick, stream) & batches();
  if (!quick)
    ok &= all<double>(quick, stream);
  CHECK(cudaStreamDestroy(stream));
  return verdict(ok);
}
