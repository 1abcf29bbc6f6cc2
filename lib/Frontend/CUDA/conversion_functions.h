// Reinterpretation of bits and conversion between types.

#ifndef HEDDLE_CUDA_CONVERSION_FUNCTIONS_H
#define HEDDLE_CUDA_CONVERSION_FUNCTIONS_H

#include "host_defines.h"

// -------------------------------------------
__HEDDLE_DEVICE int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
__HEDDLE_DEVICE unsigned __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned, x);
}
__HEDDLE_DEVICE float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
__HEDDLE_DEVICE float __uint_as_float(unsigned x) {
  return __builtin_bit_cast(float, x);
}
__HEDDLE_DEVICE long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
__HEDDLE_DEVICE double __longlong_as_double(long long x) {
  return __builtin_bit_cast(double, x);
}
__HEDDLE_DEVICE int __double2hiint(double x) {
  return (int)(__double_as_longlong(x) >> 32);
}
__HEDDLE_DEVICE int __double2loint(double x) {
  return (int)__double_as_longlong(x);
}
__HEDDLE_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double(((long long)high << 32) | (unsigned)low);
}
// One instruction each: cvt with the direction and the type.
#define __HEDDLE_CONVERT_TO(prefix, letter, floating, type, name, short)       \
  __HEDDLE_DEVICE type __##prefix##2##name##_rn(floating x) {                  \
    return __nvvm_##letter##2##short##_rn(x);                                  \
  }                                                                            \
  __HEDDLE_DEVICE type __##prefix##2##name##_rz(floating x) {                  \
    return (type)x;                                                            \
  }                                                                            \
  __HEDDLE_DEVICE type __##prefix##2##name##_rd(floating x) {                  \
    return __nvvm_##letter##2##short##_rm(x);                                  \
  }                                                                            \
  __HEDDLE_DEVICE type __##prefix##2##name##_ru(floating x) {                  \
    return __nvvm_##letter##2##short##_rp(x);                                  \
  }
#define __HEDDLE_CONVERT_FROM(prefix, letter, floating)                        \
  __HEDDLE_CONVERT_TO(prefix, letter, floating, int, int, i)                   \
  __HEDDLE_CONVERT_TO(prefix, letter, floating, unsigned, uint, ui)            \
  __HEDDLE_CONVERT_TO(prefix, letter, floating, long long, ll, ll)             \
  __HEDDLE_CONVERT_TO(prefix, letter, floating, unsigned long long, ull, ull)
__HEDDLE_CONVERT_FROM(float, f, float)
__HEDDLE_CONVERT_FROM(double, d, double)
#undef __HEDDLE_CONVERT_TO
#undef __HEDDLE_CONVERT_FROM
__HEDDLE_DEVICE float __int2float_rn(int x) { return (float)x; }
__HEDDLE_DEVICE float __int2float_rz(int x) { return __nvvm_i2f_rz(x); }
__HEDDLE_DEVICE float __uint2float_rn(unsigned x) { return (float)x; }
__HEDDLE_DEVICE float __uint2float_rz(unsigned x) { return __nvvm_ui2f_rz(x); }
__HEDDLE_DEVICE float __ll2float_rn(long long x) { return (float)x; }
__HEDDLE_DEVICE float __ull2float_rn(unsigned long long x) { return (float)x; }
__HEDDLE_DEVICE double __int2double_rn(int x) { return (double)x; }
__HEDDLE_DEVICE double __uint2double_rn(unsigned x) { return (double)x; }
__HEDDLE_DEVICE double __ll2double_rn(long long x) { return (double)x; }
__HEDDLE_DEVICE double __ull2double_rn(unsigned long long x) {
  return (double)x;
}
__HEDDLE_DEVICE float __double2float_rn(double x) { return (float)x; }
__HEDDLE_DEVICE float __double2float_rz(double x) { return __nvvm_d2f_rz(x); }

__HEDDLE_DEVICE float __int2float_rd(int x) { return __nvvm_i2f_rm(x); }
__HEDDLE_DEVICE float __int2float_ru(int x) { return __nvvm_i2f_rp(x); }
__HEDDLE_DEVICE float __uint2float_rd(unsigned x) { return __nvvm_ui2f_rm(x); }
__HEDDLE_DEVICE float __uint2float_ru(unsigned x) { return __nvvm_ui2f_rp(x); }
__HEDDLE_DEVICE float __ll2float_rd(long long x) { return __nvvm_ll2f_rm(x); }
__HEDDLE_DEVICE float __ll2float_ru(long long x) { return __nvvm_ll2f_rp(x); }
__HEDDLE_DEVICE float __ll2float_rz(long long x) { return __nvvm_ll2f_rz(x); }
__HEDDLE_DEVICE double __ll2double_rd(long long x) { return __nvvm_ll2d_rm(x); }
__HEDDLE_DEVICE double __ll2double_ru(long long x) { return __nvvm_ll2d_rp(x); }
__HEDDLE_DEVICE double __ll2double_rz(long long x) { return __nvvm_ll2d_rz(x); }
__HEDDLE_DEVICE float __ull2float_rd(unsigned long long x) {
  return __nvvm_ull2f_rm(x);
}
__HEDDLE_DEVICE float __ull2float_ru(unsigned long long x) {
  return __nvvm_ull2f_rp(x);
}
__HEDDLE_DEVICE float __ull2float_rz(unsigned long long x) {
  return __nvvm_ull2f_rz(x);
}
__HEDDLE_DEVICE double __ull2double_rd(unsigned long long x) {
  return __nvvm_ull2d_rm(x);
}
__HEDDLE_DEVICE double __ull2double_ru(unsigned long long x) {
  return __nvvm_ull2d_rp(x);
}
__HEDDLE_DEVICE double __ull2double_rz(unsigned long long x) {
  return __nvvm_ull2d_rz(x);
}
__HEDDLE_DEVICE float __double2float_rd(double x) { return __nvvm_d2f_rm(x); }
__HEDDLE_DEVICE float __double2float_ru(double x) { return __nvvm_d2f_rp(x); }

#endif
