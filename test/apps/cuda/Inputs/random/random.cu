// Generators of cuRAND: moments of each distribution, the same numbers in one
// call as in several, offsets, seeds, memory of the host, and the published
// numbers of Philox.
#include "../check.h"
#include <algorithm>
#include <cmath>
#include <curand.h>
#include <vector>

#define RANDOM(call)                                                           \
  do {                                                                         \
    curandStatus_t status = (call);                                            \
    if (status != CURAND_STATUS_SUCCESS) {                                     \
      fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, int(status));   \
      exit(EXIT_FAILURE);                                                      \
    }                                                                          \
  } while (0)

static const curandRngType_t kinds[] = {CURAND_RNG_PSEUDO_XORWOW,
                                        CURAND_RNG_PSEUDO_MRG32K3A,
                                        CURAND_RNG_PSEUDO_PHILOX4_32_10};

template <typename T> struct Numbers {
  T *at;
  size_t size;
  explicit Numbers(size_t n) : size(n) {
    CHECK(cudaMalloc(&at, n * sizeof(T)));
  }
  ~Numbers() { cudaFree(at); }
  std::vector<T> host() const {
    std::vector<T> to(size);
    CHECK(cudaMemcpy(to.data(), at, size * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
  }
};

static curandGenerator_t make(curandRngType_t kind, unsigned long long seed) {
  curandGenerator_t g;
  RANDOM(curandCreateGenerator(&g, kind));
  RANDOM(curandSetPseudoRandomGeneratorSeed(g, seed));
  return g;
}

/// Mean and variance within five standard errors of a normal sample.
template <typename T>
static bool moments(const char *what, const std::vector<T> &x, double mean,
                    double variance) {
  double sum = 0, squares = 0;
  for (T v : x)
    sum += v;
  const double is = sum / x.size();
  for (T v : x)
    squares += (v - is) * (v - is);
  const double spread = squares / x.size();
  const bool ok = std::fabs(is - mean) < 5 * std::sqrt(variance / x.size()) &&
                  std::fabs(spread / variance - 1) < 0.1;
  if (!ok)
    printf("%s: mean %g, not %g; variance %g, not %g\n", what, is, mean, spread,
           variance);
  return ok;
}

template <typename T>
static bool within(const char *what, const std::vector<T> &x, T low, T high) {
  for (T v : x)
    if (!(v > low && v <= high)) {
      printf("%s: %g\n", what, double(v));
      return false;
    }
  return true;
}

static bool distributions(curandRngType_t kind, bool quick) {
  const size_t n = quick ? 9000 : 50000;
  curandGenerator_t g = make(kind, 42);
  Numbers<float> f(n);
  Numbers<double> d(n);
  Numbers<unsigned> u(n);
  bool ok = true;
  RANDOM(curandGenerateUniform(g, f.at, n));
  ok &= within("uniform", f.host(), 0.0f, 1.0f) &
        moments("uniform", f.host(), 0.5, 1.0 / 12);
  RANDOM(curandGenerateNormal(g, f.at, n, 3, 2));
  ok &= moments("normal", f.host(), 3, 4);
  RANDOM(curandGeneratePoisson(g, u.at, n, 40));
  ok &= moments("poisson", u.host(), 40, 40);
  if (!quick) {
    RANDOM(curandGenerateUniformDouble(g, d.at, n));
    ok &= within("uniform double", d.host(), 0.0, 1.0) &
          moments("uniform double", d.host(), 0.5, 1.0 / 12);
    RANDOM(curandGenerateNormalDouble(g, d.at, n, -1, 0.5));
    ok &= moments("normal double", d.host(), -1, 0.25);
    // Of the logarithm: exp(m + s^2 / 2), and (exp(s^2) - 1) times its square.
    const double mean = std::exp(0.25 + 0.125 / 4);
    RANDOM(curandGenerateLogNormalDouble(g, d.at, n, 0.25, 0.25));
    ok &= moments("lognormal double", d.host(), mean,
                  (std::exp(0.0625) - 1) * mean * mean);
    RANDOM(curandGenerateLogNormal(g, f.at, n, 0.25f, 0.25f));
    ok &= moments("lognormal", f.host(), mean,
                  (std::exp(0.0625) - 1) * mean * mean);
    RANDOM(curandGeneratePoisson(g, u.at, n, 0.5));
    ok &= moments("rare", u.host(), 0.5, 0.5);
    RANDOM(curandGenerate(g, u.at, n));
    ok &=
        moments("bits", u.host(), std::ldexp(1, 31), std::ldexp(1.0 / 12, 64));
  }
  RANDOM(curandDestroyGenerator(g));
  return ok;
}

/// One call and several give the same numbers; an offset skips as many; another
/// seed gives others.
static bool order(curandRngType_t kind) {
  const size_t n = 10001, skipped = 4099;
  Numbers<unsigned> all(n), parts(n), later(n - skipped), others(n);
  curandGenerator_t g = make(kind, 7);
  RANDOM(curandGenerate(g, all.at, n));
  RANDOM(curandSetPseudoRandomGeneratorSeed(g, 7));
  RANDOM(curandSetGeneratorOffset(g, 0)); // begins again
  RANDOM(curandGenerate(g, parts.at, 1));
  RANDOM(curandGenerate(g, parts.at + 1, 5000));
  RANDOM(curandGenerate(g, parts.at + 5001, n - 5001));
  RANDOM(curandSetGeneratorOffset(g, skipped));
  RANDOM(curandGenerate(g, later.at, n - skipped));
  RANDOM(curandDestroyGenerator(g));
  g = make(kind, 8);
  RANDOM(curandGenerate(g, others.at, n));
  RANDOM(curandDestroyGenerator(g));
  curandGenerator_t onHost;
  std::vector<unsigned> direct(n);
  RANDOM(curandCreateGeneratorHost(&onHost, kind));
  RANDOM(curandSetPseudoRandomGeneratorSeed(onHost, 7));
  RANDOM(curandGenerate(onHost, direct.data(), n));
  RANDOM(curandDestroyGenerator(onHost));
  const std::vector<unsigned> a = all.host(), o = others.host();
  size_t same = 0;
  for (size_t i = 0; i < n; ++i)
    same += a[i] == o[i];
  const bool ok =
      a == parts.host() && a == direct && same < 3 &&
      std::vector<unsigned>(a.begin() + skipped, a.end()) == later.host();
  if (!ok)
    printf("order of generator %d\n", int(kind));
  return ok;
}

/// The numbers that NVIDIA's generator on the host gives for a seed
/// (CUDA 13.0), from the first on, and behind a turn of all sequences.
static bool philox() {
  const unsigned known[] = {0x450d0f76, 0x73e09021, 0x5bc52c46, 0xed7a649c,
                            0x60bd3814, 0x1a5067b0, 0xf03f148d, 0xcb42e3ae};
  const double reals[] = {0.45264542321863993, 0.9276489173438527,
                          0.7865742064718262,  0.12836845196751628,
                          0.1027892059444207,  0.7939894311063129};
  const double normals[] = {-0.5528621425567588, 1.1312098972850133,
                            0.5002270238996361, 0.4794886296139046};
  const double turned[] = {0.9494401601917564, 0.08649398902037048,
                           0.9802668209178296, 0.6039038479612593};
  const unsigned long long seed = 1234567890123, turn = 4 * 65536;
  Numbers<unsigned> bits(8);
  Numbers<double> numbers(6);
  curandGenerator_t g = make(CURAND_RNG_PSEUDO_PHILOX4_32_10, seed);
  RANDOM(curandGenerate(g, bits.at, 8));
  bool ok = bits.host() == std::vector<unsigned>(known, known + 8);
  auto same = [&](const double *wanted, size_t n) {
    const std::vector<double> is = numbers.host();
    for (size_t i = 0; i < n; ++i)
      ok &= std::fabs(is[i] - wanted[i]) < 1e-14;
  };
  auto from = [&](unsigned long long offset) {
    RANDOM(curandSetGeneratorOffset(g, offset));
  };
  from(0);
  RANDOM(curandGenerateUniformDouble(g, numbers.at, 6));
  same(reals, 6);
  from(0);
  RANDOM(curandGenerateNormalDouble(g, numbers.at, 4, 0, 1));
  same(normals, 4);
  from(turn);
  RANDOM(curandGenerateUniformDouble(g, numbers.at, 4));
  same(turned, 4);
  RANDOM(curandDestroyGenerator(g));
  // The test vector of the paper's authors: counter and key 0.
  const unsigned first[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  g = make(CURAND_RNG_PSEUDO_PHILOX4_32_10, 0);
  RANDOM(curandGenerate(g, bits.at, 4));
  RANDOM(curandDestroyGenerator(g));
  const std::vector<unsigned> is = bits.host();
  ok &= std::equal(first, first + 4, is.begin());
  if (!ok)
    printf("philox: other numbers\n");
  return ok;
}

// With an argument: fewer numbers.
int main(int argc, char **) {
  bool ok = philox();
  for (curandRngType_t kind : kinds) {
    ok &= distributions(kind, argc > 1);
    ok &= order(kind);
  }
  return verdict(ok);
}
