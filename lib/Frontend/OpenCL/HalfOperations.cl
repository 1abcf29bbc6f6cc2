// What half has besides mathematics: comparisons, selection, shuffles, parts of
// a number, and conversions with a rounding mode or saturation. All exact, or
// rounded once. Compiled only for programs that call one of them.

#include "HalfTypes.cl"

static short bitsOf(half x) { return __builtin_astype(x, short); }
static half halfOf(short bits) { return __builtin_astype(bits, half); }

// --- Comparisons: 1 for true on scalars, all bits on vectors ----------------------
#define IS1(name, n)                                                           \
  OVERLOAD short##n name(half##n x) { EACH_OF(short, n, (short)-name((half)x[i])) }
#define TEST1(name, expression)                                                \
  OVERLOAD int name(half x) { return expression; }                             \
  SIZES(IS1, name)
#define IS2(name, n)                                                           \
  OVERLOAD short##n name(half##n x, half##n y) {                               \
    EACH_OF(short, n, (short)-name((half)x[i], (half)y[i]))                    \
  }
#define TEST2(name, expression)                                                \
  OVERLOAD int name(half x, half y) { return expression; }                     \
  SIZES(IS2, name)
TEST1(isnan, (bitsOf(x) & 0x7fff) > 0x7c00)
TEST1(isinf, (bitsOf(x) & 0x7fff) == 0x7c00)
TEST1(isfinite, (bitsOf(x) & 0x7fff) < 0x7c00)
TEST1(isnormal, (bitsOf(x) & 0x7fff) < 0x7c00 && (bitsOf(x) & 0x7fff) >= 0x0400)
TEST1(signbit, bitsOf(x) < 0)
TEST2(isequal, x == y)
TEST2(isnotequal, x != y)
TEST2(isgreater, x > y)
TEST2(isgreaterequal, x >= y)
TEST2(isless, x < y)
TEST2(islessequal, x <= y)
TEST2(islessgreater, x < y || x > y)
TEST2(isordered, x == x && y == y)
TEST2(isunordered, x != x || y != y)

// --- Selection ----------------------------------------------------------------------
OVERLOAD half bitselect(half x, half y, half mask) {
  return halfOf((bitsOf(x) & ~bitsOf(mask)) | (bitsOf(y) & bitsOf(mask)));
}
#define BITSELECT(name, n)                                                     \
  OVERLOAD half##n name(half##n x, half##n y, half##n mask) {                  \
    EACH(n, name((half)x[i], (half)y[i], (half)mask[i]))                       \
  }
SIZES(BITSELECT, bitselect)
OVERLOAD half select(half x, half y, short c) { return c ? y : x; }
OVERLOAD half select(half x, half y, ushort c) { return c ? y : x; }
#define SELECT(name, n)                                                        \
  OVERLOAD half##n name(half##n x, half##n y, short##n c) {                    \
    EACH(n, c[i] < 0 ? y[i] : x[i])                                            \
  }                                                                            \
  OVERLOAD half##n name(half##n x, half##n y, ushort##n c) {                   \
    EACH(n, c[i] >> 15 ? y[i] : x[i])                                          \
  }
SIZES(SELECT, select)

#define SHUFFLE(m, n)                                                          \
  OVERLOAD half##n shuffle(half##m x, ushort##n at) {                          \
    EACH(n, x[at[i] & (m - 1)])                                                \
  }                                                                            \
  OVERLOAD half##n shuffle2(half##m x, half##m y, ushort##n at) {              \
    EACH(n, at[i] & m ? y[at[i] & (m - 1)] : x[at[i] & (m - 1)])               \
  }
#define SHUFFLES(m) SHUFFLE(m, 2) SHUFFLE(m, 4) SHUFFLE(m, 8) SHUFFLE(m, 16)
SHUFFLES(2) SHUFFLES(4) SHUFFLES(8) SHUFFLES(16)

// --- Neighbours, exponents ------------------------------------------------------------
// One step away from or towards zero, past it, and from the greatest number to
// infinity and back.
static half above(half x) {
  const short bits = bitsOf(x);
  return halfOf((short)((bits & 0x7fff) == 0 ? 1 : bits < 0 ? bits - 1 : bits + 1));
}
static half below(half x) { return -above(-x); }
OVERLOAD half nextafter(half x, half y) {
  return x != x ? x : y != y || x == y ? y : x < y ? above(x) : below(x);
}
#define NEXTAFTER(name, n)                                                     \
  OVERLOAD half##n name(half##n x, half##n y) {                                \
    EACH(n, name((half)x[i], (half)y[i]))                                      \
  }
SIZES(NEXTAFTER, nextafter)

#define POWER_N(name, n)                                                       \
  OVERLOAD half##n name(half##n x, int##n y) { EACH(n, name((half)x[i], (int)y[i])) }
#define POWER(name)                                                            \
  __attribute__((overloadable)) float name(float, int);                        \
  OVERLOAD half name(half x, int y) { return (half)name((float)x, y); }        \
  SIZES(POWER_N, name)
POWER(pown) POWER(rootn) POWER(ldexp)
#define SCALE(name, n)                                                         \
  OVERLOAD half##n name(half##n x, int y) { EACH(n, name((half)x[i], y)) }
SIZES(SCALE, ldexp)

__attribute__((overloadable)) int ilogb(float);
OVERLOAD int ilogb(half x) { return ilogb((float)x); }
#define ILOGB(name, n)                                                         \
  OVERLOAD int##n name(half##n x) { EACH_OF(int, n, name((half)x[i])) }
SIZES(ILOGB, ilogb)

// --- Functions with a second result. A private pointer is a generic one here ------------
__attribute__((overloadable)) float floor(float);
__attribute__((overloadable)) float trunc(float);
__attribute__((overloadable)) float ceil(float);
__attribute__((overloadable)) float rint(float);
__attribute__((overloadable)) float sin(float);
__attribute__((overloadable)) float cos(float);
__attribute__((overloadable)) float frexp(float, int *);
__attribute__((overloadable)) float lgamma_r(float, int *);
__attribute__((overloadable)) float remquo(float, float, int *);
static half modfParts(half x, half *whole) {
  *whole = (half)trunc((float)x);
  // The sign of x also where no fraction is left.
  const half fraction = isinf(x) ? (half)0 : x - *whole;
  return halfOf((short)((bitsOf(fraction) & 0x7fff) | (bitsOf(x) & 0x8000)));
}
static half fractParts(half x, half *whole) {
  *whole = (half)floor((float)x);
  if (isnan(x))
    return x;
  if (isinf(x))
    return halfOf((short)(bitsOf(x) & 0x8000));
  const half fraction = (half)((float)x - (float)*whole);
  return fraction < (half)1 ? fraction : halfOf(0x3bff);
}
static half sincosParts(half x, half *cosine) {
  *cosine = (half)cos((float)x);
  return (half)sin((float)x);
}
static half frexpParts(half x, int *exponent) {
  return (half)frexp((float)x, exponent);
}
static half lgamma_rParts(half x, int *sign) {
  return (half)lgamma_r((float)x, sign);
}

#define SPACES(FOR, name, type)                                                \
  FOR(name, type, __global) FOR(name, type, __local) FOR(name, type, __generic)
#define PARTS_N(name, type, space, n)                                          \
  OVERLOAD half##n name(half##n x, space type##n *second) {                    \
    half##n r;                                                                 \
    type##n parts;                                                             \
    for (int i = 0; i < n; ++i) {                                              \
      type part;                                                               \
      r[i] = name##Parts(x[i], &part);                                         \
      parts[i] = part;                                                         \
    }                                                                          \
    *second = parts;                                                           \
    return r;                                                                  \
  }
#define PARTS(name, type, space)                                               \
  OVERLOAD half name(half x, space type *second) {                             \
    type part;                                                                 \
    const half r = name##Parts(x, &part);                                      \
    *second = part;                                                            \
    return r;                                                                  \
  }                                                                            \
  PARTS_N(name, type, space, 2) PARTS_N(name, type, space, 3)                  \
  PARTS_N(name, type, space, 4) PARTS_N(name, type, space, 8)                  \
  PARTS_N(name, type, space, 16)
SPACES(PARTS, modf, half) SPACES(PARTS, fract, half) SPACES(PARTS, sincos, half)
SPACES(PARTS, frexp, int) SPACES(PARTS, lgamma_r, int)

#define REMQUO_N(space, n)                                                     \
  OVERLOAD half##n remquo(half##n x, half##n y, space int##n *quotient) {      \
    half##n r;                                                                 \
    int##n q;                                                                  \
    for (int i = 0; i < n; ++i) {                                              \
      int part;                                                                \
      r[i] = (half)remquo((float)x[i], (float)y[i], &part);                    \
      q[i] = part;                                                             \
    }                                                                          \
    *quotient = q;                                                             \
    return r;                                                                  \
  }
#define REMQUO(name, type, space)                                              \
  OVERLOAD half name(half x, half y, space type *quotient) {                   \
    int part;                                                                  \
    const half r = (half)name((float)x, (float)y, &part);                      \
    *quotient = part;                                                          \
    return r;                                                                  \
  }                                                                            \
  REMQUO_N(space, 2) REMQUO_N(space, 3) REMQUO_N(space, 4) REMQUO_N(space, 8)  \
  REMQUO_N(space, 16)
SPACES(REMQUO, remquo, int)

OVERLOAD half nan(ushort code) { return halfOf((short)(0x7e00 | (code & 0x1ff))); }
#define NAN_N(name, n)                                                         \
  OVERLOAD half##n name(ushort##n code) { EACH(n, name((ushort)code[i])) }
SIZES(NAN_N, nan)

OVERLOAD half3 cross(half3 x, half3 y) {
  return (half3)(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x);
}
OVERLOAD half4 cross(half4 x, half4 y) {
  return (half4)(cross(x.xyz, y.xyz), (half)0);
}

// --- Conversions to half with a rounding mode -------------------------------------------
// The nearest half, by way of float, is one of the two around the number: one
// step mends it. Whole numbers beyond twice the greatest half round as that one.
static half up(double x) {
  const half h = (half)(float)x;
  return (double)h < x ? above(h) : h;
}
static half down(double x) {
  const half h = (half)(float)x;
  return (double)h > x ? below(h) : h;
}
static half towardsZero(double x) { return x > 0 ? down(x) : up(x); }
#define WIDE_INTEGER(x)                                                        \
  (x > 131008 ? 131008.0 : (long)x < -131008 ? -131008.0 : (double)x)
#define TO_HALF(type, suffix, function, wide, n)                               \
  OVERLOAD half##n convert_half##n##suffix(type##n x) {                        \
    EACH(n, convert_half##suffix((type)x[i]))                                  \
  }
#define TO_HALVES(type, suffix, function, wide)                                \
  OVERLOAD half convert_half##suffix(type x) { return function(wide(x)); }     \
  TO_HALF(type, suffix, function, wide, 2) TO_HALF(type, suffix, function, wide, 3) \
  TO_HALF(type, suffix, function, wide, 4) TO_HALF(type, suffix, function, wide, 8) \
  TO_HALF(type, suffix, function, wide, 16)
#define ROUNDED(type, wide)                                                    \
  TO_HALVES(type, _rtz, towardsZero, wide) TO_HALVES(type, _rtp, up, wide)     \
  TO_HALVES(type, _rtn, down, wide)
#define SAME(x) (x)
ROUNDED(char, SAME) ROUNDED(uchar, SAME) ROUNDED(short, SAME)
ROUNDED(ushort, SAME) ROUNDED(int, SAME) ROUNDED(uint, SAME)
ROUNDED(long, WIDE_INTEGER) ROUNDED(ulong, WIDE_INTEGER)
ROUNDED(float, SAME) ROUNDED(double, SAME)
TO_HALVES(half, , SAME, SAME) TO_HALVES(half, _rte, SAME, SAME)
TO_HALVES(half, _rtz, SAME, SAME) TO_HALVES(half, _rtp, SAME, SAME)
TO_HALVES(half, _rtn, SAME, SAME)

// --- Conversions from half ----------------------------------------------------------------
#define FROM_HALF(type, suffix, n)                                             \
  OVERLOAD type##n convert_##type##n##suffix(half##n x) {                      \
    EACH_OF(type, n, convert_##type##suffix((half)x[i]))                       \
  }
#define FROM_HALVES(type, suffix, expression)                                  \
  OVERLOAD type convert_##type##suffix(half x) { return expression; }          \
  FROM_HALF(type, suffix, 2) FROM_HALF(type, suffix, 3)                        \
  FROM_HALF(type, suffix, 4) FROM_HALF(type, suffix, 8)                        \
  FROM_HALF(type, suffix, 16)
#define SATURATED(type, minimum, maximum, x)                                   \
  (x != x                   ? (type)0                                          \
   : x <= (float)(minimum) ? (type)(minimum)                                   \
   : x >= (float)(maximum) ? (type)(maximum)                                   \
                            : (type)x)
#define TO_INTEGER(type, minimum, maximum, suffix, function)                   \
  static type saturated##type##suffix(half x) {                                \
    const float whole = function((float)x);                                    \
    return SATURATED(type, minimum, maximum, whole);                           \
  }                                                                            \
  FROM_HALVES(type, _sat##suffix, saturated##type##suffix(x))
#define MODE(type, minimum, maximum, suffix, function)                         \
  FROM_HALVES(type, suffix, (type)function((float)x))                          \
  TO_INTEGER(type, minimum, maximum, suffix, function)
#define TO_INTEGERS(type, minimum, maximum)                                    \
  TO_INTEGER(type, minimum, maximum, , trunc)                                  \
  MODE(type, minimum, maximum, _rte, rint)                                     \
  MODE(type, minimum, maximum, _rtz, trunc)                                    \
  MODE(type, minimum, maximum, _rtp, ceil)                                     \
  MODE(type, minimum, maximum, _rtn, floor)
TO_INTEGERS(char, -128, 127)
TO_INTEGERS(uchar, 0, 255)
TO_INTEGERS(short, -32768, 32767)
TO_INTEGERS(ushort, 0, 65535)
TO_INTEGERS(int, -0x7fffffff - 1, 0x7fffffff)
TO_INTEGERS(uint, 0u, 0xffffffffu)
TO_INTEGERS(long, -0x7fffffffffffffffl - 1, 0x7fffffffffffffffl)
TO_INTEGERS(ulong, 0ul, 0xfffffffffffffffful)
#define TO_WIDER(type)                                                         \
  FROM_HALVES(type, _rte, (type)x) FROM_HALVES(type, _rtz, (type)x)            \
  FROM_HALVES(type, _rtp, (type)x) FROM_HALVES(type, _rtn, (type)x)
TO_WIDER(float) TO_WIDER(double)
