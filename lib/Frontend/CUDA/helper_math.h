// Arithmetic on CUDA's vector types, as sample programs use it; for trees that
// lack the file.

#ifndef HEDDLE_CUDA_HELPER_MATH_H
#define HEDDLE_CUDA_HELPER_MATH_H

#include "cuda_runtime.h"

typedef unsigned int uint;
typedef unsigned short ushort;

#define __HEDDLE_OPERATOR(vector, type, n, op)                                 \
  __HEDDLE_BOTH vector operator op(vector a, vector b) {                       \
    return {__HEDDLE_OP##n(a., op, b.)};                                       \
  }                                                                            \
  __HEDDLE_BOTH vector operator op(vector a, type b) {                         \
    return {__HEDDLE_OPS##n(a., op, b)};                                       \
  }                                                                            \
  __HEDDLE_BOTH vector operator op(type a, vector b) {                         \
    return {__HEDDLE_SOP##n(a, op, b.)};                                       \
  }                                                                            \
  __HEDDLE_BOTH void operator op## = (vector & a, vector b) { a = a op b; }    \
  __HEDDLE_BOTH void operator op## = (vector & a, type b) { a = a op b; }
#define __HEDDLE_OP2(a, op, b) a x op b x, a y op b y
#define __HEDDLE_OP3(a, op, b) __HEDDLE_OP2(a, op, b), a z op b z
#define __HEDDLE_OP4(a, op, b) __HEDDLE_OP3(a, op, b), a w op b w
#define __HEDDLE_OPS2(a, op, b) a x op b, a y op b
#define __HEDDLE_OPS3(a, op, b) __HEDDLE_OPS2(a, op, b), a z op b
#define __HEDDLE_OPS4(a, op, b) __HEDDLE_OPS3(a, op, b), a w op b
#define __HEDDLE_SOP2(a, op, b) a op b x, a op b y
#define __HEDDLE_SOP3(a, op, b) __HEDDLE_SOP2(a, op, b), a op b z
#define __HEDDLE_SOP4(a, op, b) __HEDDLE_SOP3(a, op, b), a op b w
#define __HEDDLE_CALL2(f, a, b) f(a x, b x), f(a y, b y)
#define __HEDDLE_CALL3(f, a, b) __HEDDLE_CALL2(f, a, b), f(a z, b z)
#define __HEDDLE_CALL4(f, a, b) __HEDDLE_CALL3(f, a, b), f(a w, b w)
#define __HEDDLE_MAP2(f, a) f(a x), f(a y)
#define __HEDDLE_MAP3(f, a) __HEDDLE_MAP2(f, a), f(a z)
#define __HEDDLE_MAP4(f, a) __HEDDLE_MAP3(f, a), f(a w)
#define __HEDDLE_DOT2(a, b) a.x *b.x + a.y *b.y
#define __HEDDLE_DOT3(a, b) __HEDDLE_DOT2(a, b) + a.z *b.z
#define __HEDDLE_DOT4(a, b) __HEDDLE_DOT3(a, b) + a.w *b.w

__HEDDLE_BOTH float __heddle_min(float a, float b) { return a < b ? a : b; }
__HEDDLE_BOTH float __heddle_max(float a, float b) { return a > b ? a : b; }
__HEDDLE_BOTH int __heddle_min(int a, int b) { return a < b ? a : b; }
__HEDDLE_BOTH int __heddle_max(int a, int b) { return a > b ? a : b; }
__HEDDLE_BOTH uint __heddle_min(uint a, uint b) { return a < b ? a : b; }
__HEDDLE_BOTH uint __heddle_max(uint a, uint b) { return a > b ? a : b; }
__HEDDLE_BOTH float clamp(float v, float a, float b) {
  return __heddle_max(a, __heddle_min(v, b));
}
__HEDDLE_BOTH int clamp(int v, int a, int b) {
  return __heddle_max(a, __heddle_min(v, b));
}
__HEDDLE_BOTH uint clamp(uint v, uint a, uint b) {
  return __heddle_max(a, __heddle_min(v, b));
}
__HEDDLE_BOTH float lerp(float a, float b, float t) { return a + t * (b - a); }
__HEDDLE_BOTH float fracf(float v) { return v - __builtin_floorf(v); }
__HEDDLE_BOTH float smoothstep(float a, float b, float x) {
  float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

#define __HEDDLE_VECTOR(vector, type, n)                                       \
  __HEDDLE_OPERATOR(vector, type, n, +)                                        \
  __HEDDLE_OPERATOR(vector, type, n, -)                                        \
  __HEDDLE_OPERATOR(vector, type, n, *)                                        \
  __HEDDLE_BOTH vector min(vector a, vector b) {                               \
    return {__HEDDLE_CALL##n(__heddle_min, a., b.)};                           \
  }                                                                            \
  __HEDDLE_BOTH vector max(vector a, vector b) {                               \
    return {__HEDDLE_CALL##n(__heddle_max, a., b.)};                           \
  }                                                                            \
  __HEDDLE_BOTH type dot(vector a, vector b) { return __HEDDLE_DOT##n(a, b); } \
  __HEDDLE_BOTH vector clamp(vector v, vector a, vector b) {                   \
    return max(a, min(v, b));                                                  \
  }
#define __HEDDLE_SPLAT2(s) {s, s}
#define __HEDDLE_SPLAT3(s) {s, s, s}
#define __HEDDLE_SPLAT4(s) {s, s, s, s}
#define __HEDDLE_MAKE(vector, type, n)                                         \
  __HEDDLE_BOTH vector make_##vector(type s) { return __HEDDLE_SPLAT##n(s); }  \
  __HEDDLE_BOTH vector clamp(vector v, type a, type b) {                       \
    return clamp(v, make_##vector(a), make_##vector(b));                       \
  }
#define __HEDDLE_NEGATE(vector, n)                                             \
  __HEDDLE_BOTH vector operator-(vector a) { return {__HEDDLE_MAP##n(-, a.)}; }
#define __HEDDLE_FLOATS(n)                                                     \
  __HEDDLE_VECTOR(float##n, float, n)                                          \
  __HEDDLE_OPERATOR(float##n, float, n, /)                                     \
  __HEDDLE_MAKE(float##n, float, n)                                            \
  __HEDDLE_NEGATE(float##n, n)                                                 \
  __HEDDLE_BOTH float##n fminf(float##n a, float##n b) { return min(a, b); }   \
  __HEDDLE_BOTH float##n fmaxf(float##n a, float##n b) { return max(a, b); }   \
  __HEDDLE_BOTH float##n lerp(float##n a, float##n b, float t) {               \
    return a + t * (b - a);                                                    \
  }                                                                            \
  __HEDDLE_BOTH float length(float##n v) {                                     \
    return __builtin_sqrtf(dot(v, v));                                         \
  }                                                                            \
  __HEDDLE_BOTH float##n normalize(float##n v) {                               \
    return v * (1.0f / __builtin_sqrtf(dot(v, v)));                            \
  }                                                                            \
  __HEDDLE_BOTH float##n floorf(float##n v) {                                  \
    return {__HEDDLE_MAP##n(__builtin_floorf, v.)};                            \
  }                                                                            \
  __HEDDLE_BOTH float##n fabs(float##n v) {                                    \
    return {__HEDDLE_MAP##n(__builtin_fabsf, v.)};                             \
  }                                                                            \
  __HEDDLE_BOTH float##n fracf(float##n v) { return v - floorf(v); }           \
  __HEDDLE_BOTH float##n fmodf(float##n a, float##n b) {                       \
    return {__HEDDLE_CALL##n(__builtin_fmodf, a., b.)};                        \
  }                                                                            \
  __HEDDLE_BOTH float##n reflect(float##n i, float##n normal) {                \
    return i - 2.0f * normal * dot(normal, i);                                 \
  }                                                                            \
  __HEDDLE_BOTH float##n smoothstep(float##n a, float##n b, float##n x) {      \
    float##n y = clamp((x - a) / (b - a), 0.0f, 1.0f);                         \
    return y * y * (make_float##n(3.0f) - make_float##n(2.0f) * y);            \
  }
__HEDDLE_FLOATS(2)
__HEDDLE_FLOATS(3)
__HEDDLE_FLOATS(4)
#define __HEDDLE_INTS(n)                                                       \
  __HEDDLE_VECTOR(int##n, int, n)                                              \
  __HEDDLE_MAKE(int##n, int, n)                                                \
  __HEDDLE_NEGATE(int##n, n)                                                   \
  __HEDDLE_VECTOR(uint##n, uint, n)                                            \
  __HEDDLE_MAKE(uint##n, uint, n)                                              \
  __HEDDLE_BOTH float##n make_float##n(int##n v) {                             \
    return {__HEDDLE_MAP##n(float, v.)};                                       \
  }                                                                            \
  __HEDDLE_BOTH float##n make_float##n(uint##n v) {                            \
    return {__HEDDLE_MAP##n(float, v.)};                                       \
  }                                                                            \
  __HEDDLE_BOTH int##n make_int##n(float##n v) {                               \
    return {__HEDDLE_MAP##n(int, v.)};                                         \
  }                                                                            \
  __HEDDLE_BOTH int##n make_int##n(uint##n v) {                                \
    return {__HEDDLE_MAP##n(int, v.)};                                         \
  }                                                                            \
  __HEDDLE_BOTH uint##n make_uint##n(int##n v) {                               \
    return {__HEDDLE_MAP##n(uint, v.)};                                        \
  }
__HEDDLE_INTS(2)
__HEDDLE_INTS(3)
__HEDDLE_INTS(4)
// From and to other lengths.
#define __HEDDLE_RESIZE(name, type)                                            \
  __HEDDLE_BOTH name##2 make_##name##2(name##3 v) { return {v.x, v.y}; }       \
  __HEDDLE_BOTH name##2 make_##name##2(name##4 v) { return {v.x, v.y}; }       \
  __HEDDLE_BOTH name##3 make_##name##3(name##2 v) { return {v.x, v.y, 0}; }    \
  __HEDDLE_BOTH name##3 make_##name##3(name##2 v, type z) {                    \
    return {v.x, v.y, z};                                                      \
  }                                                                            \
  __HEDDLE_BOTH name##3 make_##name##3(name##4 v) { return {v.x, v.y, v.z}; }  \
  __HEDDLE_BOTH name##4 make_##name##4(name##3 v) {                            \
    return {v.x, v.y, v.z, 0};                                                 \
  }                                                                            \
  __HEDDLE_BOTH name##4 make_##name##4(name##3 v, type w) {                    \
    return {v.x, v.y, v.z, w};                                                 \
  }
__HEDDLE_RESIZE(float, float)
__HEDDLE_RESIZE(int, int)
__HEDDLE_RESIZE(uint, uint)
__HEDDLE_BOTH float3 cross(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#undef __HEDDLE_RESIZE
#undef __HEDDLE_INTS
#undef __HEDDLE_FLOATS
#undef __HEDDLE_NEGATE
#undef __HEDDLE_MAKE
#undef __HEDDLE_VECTOR
#undef __HEDDLE_OPERATOR

#endif
