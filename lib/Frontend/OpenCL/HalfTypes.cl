// Types and macros of the files with functions on half, which include this one.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define OVERLOAD __attribute__((overloadable, always_inline))
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define VECTOR(type, n) typedef type type##n __attribute__((ext_vector_type(n)));
#define VECTORS(type)                                                          \
  VECTOR(type, 2) VECTOR(type, 3) VECTOR(type, 4) VECTOR(type, 8)              \
  VECTOR(type, 16)
VECTORS(half) VECTORS(char) VECTORS(uchar) VECTORS(short) VECTORS(ushort)
VECTORS(int) VECTORS(uint) VECTORS(long) VECTORS(ulong) VECTORS(float)
VECTORS(double)

// Element by element, over vectors of any length.
#define EACH_OF(type, n, expression)                                           \
  type##n r;                                                                   \
  for (int i = 0; i < n; ++i)                                                  \
    r[i] = expression;                                                         \
  return r;
#define EACH(n, expression) EACH_OF(half, n, expression)
#define SIZES(FOR, name) FOR(name, 2) FOR(name, 3) FOR(name, 4) FOR(name, 8) FOR(name, 16)
