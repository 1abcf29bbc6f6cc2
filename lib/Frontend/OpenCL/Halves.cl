// Mathematical functions on half and its vectors: in single precision, rounded
// once. Compiled only for programs that call one of them.

#include "HalfTypes.cl"

#define VECTOR1(name, n)                                                       \
  OVERLOAD half##n name(half##n x) { EACH(n, name((half)x[i])) }
#define FUNCTION1(name)                                                        \
  __attribute__((overloadable)) float name(float);                             \
  OVERLOAD half name(half x) { return (half)name((float)x); }                  \
  SIZES(VECTOR1, name)
#define VECTOR2(name, n)                                                       \
  OVERLOAD half##n name(half##n x, half##n y) {                                \
    EACH(n, name((half)x[i], (half)y[i]))                                      \
  }
#define FUNCTION2(name)                                                        \
  __attribute__((overloadable)) float name(float, float);                      \
  OVERLOAD half name(half x, half y) {                                         \
    return (half)name((float)x, (float)y);                                     \
  }                                                                            \
  SIZES(VECTOR2, name)
#define VECTOR2S(name, n)                                                      \
  OVERLOAD half##n name(half##n x, half y) { EACH(n, name((half)x[i], y)) }
#define VECTOR3(name, n)                                                       \
  OVERLOAD half##n name(half##n x, half##n y, half##n z) {                     \
    EACH(n, name((half)x[i], (half)y[i], (half)z[i]))                          \
  }
#define FUNCTION3(name)                                                        \
  __attribute__((overloadable)) float name(float, float, float);               \
  OVERLOAD half name(half x, half y, half z) {                                 \
    return (half)name((float)x, (float)y, (float)z);                           \
  }                                                                            \
  SIZES(VECTOR3, name)

FUNCTION1(acos) FUNCTION1(acosh) FUNCTION1(acospi) FUNCTION1(asin)
FUNCTION1(asinh) FUNCTION1(asinpi) FUNCTION1(atan) FUNCTION1(atanh)
FUNCTION1(atanpi) FUNCTION1(cbrt) FUNCTION1(ceil) FUNCTION1(cos)
FUNCTION1(cosh) FUNCTION1(cospi) FUNCTION1(degrees) FUNCTION1(erf)
FUNCTION1(erfc) FUNCTION1(exp) FUNCTION1(exp10) FUNCTION1(exp2)
FUNCTION1(expm1) FUNCTION1(fabs) FUNCTION1(floor) FUNCTION1(lgamma)
FUNCTION1(log) FUNCTION1(log10) FUNCTION1(log1p) FUNCTION1(log2)
FUNCTION1(logb) FUNCTION1(radians) FUNCTION1(rint) FUNCTION1(round)
FUNCTION1(rsqrt) FUNCTION1(sign) FUNCTION1(sin) FUNCTION1(sinh)
FUNCTION1(sinpi) FUNCTION1(sqrt) FUNCTION1(tan) FUNCTION1(tanh)
FUNCTION1(tanpi) FUNCTION1(tgamma) FUNCTION1(trunc)
FUNCTION2(atan2) FUNCTION2(atan2pi) FUNCTION2(copysign) FUNCTION2(fdim) FUNCTION2(fmax)
FUNCTION2(fmin) FUNCTION2(fmod) FUNCTION2(hypot) FUNCTION2(max)
FUNCTION2(maxmag) FUNCTION2(min) FUNCTION2(minmag) FUNCTION2(pow)
FUNCTION2(powr) FUNCTION2(remainder) FUNCTION2(step)
SIZES(VECTOR2S, fmax) SIZES(VECTOR2S, fmin) SIZES(VECTOR2S, max)
SIZES(VECTOR2S, min)
FUNCTION3(clamp) FUNCTION3(fma) FUNCTION3(mad) FUNCTION3(mix)
FUNCTION3(smoothstep)
#define CLAMPS(name, n)                                                        \
  OVERLOAD half##n name(half##n x, half low, half high) {                      \
    EACH(n, name((half)x[i], low, high))                                       \
  }
SIZES(CLAMPS, clamp)
#define MIXES(name, n)                                                         \
  OVERLOAD half##n name(half##n x, half##n y, half t) {                        \
    EACH(n, name((half)x[i], (half)y[i], t))                                   \
  }
SIZES(MIXES, mix)
#define STEPS(name, n)                                                         \
  OVERLOAD half##n name(half edge, half##n x) { EACH(n, name(edge, (half)x[i])) }
SIZES(STEPS, step)
#define SMOOTHSTEPS(name, n)                                                   \
  OVERLOAD half##n name(half low, half high, half##n x) {                      \
    EACH(n, name(low, high, (half)x[i]))                                       \
  }
SIZES(SMOOTHSTEPS, smoothstep)

OVERLOAD half dot(half x, half y) { return x * y; }
OVERLOAD half length(half x) { return fabs(x); }
OVERLOAD half distance(half x, half y) { return fabs(x - y); }
OVERLOAD half normalize(half x) { return sign(x); }
#define GEOMETRY(name, n)                                                      \
  OVERLOAD half dot(half##n x, half##n y) {                                    \
    float sum = 0;                                                             \
    for (int i = 0; i < n; ++i)                                                \
      sum += (float)x[i] * (float)y[i];                                        \
    return (half)sum;                                                          \
  }                                                                            \
  OVERLOAD half length(half##n x) { return sqrt(dot(x, x)); }                  \
  OVERLOAD half distance(half##n x, half##n y) { return length(x - y); }       \
  OVERLOAD half##n normalize(half##n x) { return x / length(x); }
GEOMETRY(, 2) GEOMETRY(, 3) GEOMETRY(, 4)

// Conversions: to and from half through single precision, with the compiler's
// own rounding to nearest. From half nothing is lost.
#define CONVERT(type, n)                                                       \
  OVERLOAD half##n convert_half##n(type##n x) { EACH(n, (half)x[i]) }          \
  OVERLOAD half##n convert_half##n##_rte(type##n x) { EACH(n, (half)x[i]) }    \
  OVERLOAD type##n convert_##type##n(half##n x) {                              \
    EACH_OF(type, n, (type)x[i])                                               \
  }
#define CONVERTS(type)                                                         \
  OVERLOAD half convert_half(type x) { return (half)x; }                       \
  OVERLOAD half convert_half_rte(type x) { return (half)x; }                   \
  OVERLOAD type convert_##type(half x) { return (type)x; }                     \
  CONVERT(type, 2) CONVERT(type, 3) CONVERT(type, 4) CONVERT(type, 8)          \
  CONVERT(type, 16)
CONVERTS(char) CONVERTS(uchar) CONVERTS(short) CONVERTS(ushort) CONVERTS(int)
CONVERTS(uint) CONVERTS(long) CONVERTS(ulong) CONVERTS(float) CONVERTS(double)

// Loads and stores of n elements, which need the alignment of one. A private
// pointer is a generic one here.
#define LOAD(n, space)                                                         \
  OVERLOAD half##n vload##n(ulong at, const space half *p) {                   \
    EACH(n, p[at * n + i])                                                     \
  }
#define STORE(n, space)                                                        \
  OVERLOAD void vstore##n(half##n x, ulong at, space half *p) {                \
    for (int i = 0; i < n; ++i)                                                \
      p[at * n + i] = x[i];                                                    \
  }
#define ACCESSES(n, space) LOAD(n, space) STORE(n, space)
#define SPACES(n)                                                              \
  LOAD(n, __constant) ACCESSES(n, __global) ACCESSES(n, __local)               \
  ACCESSES(n, __generic)
SPACES(2) SPACES(3) SPACES(4) SPACES(8) SPACES(16)
