/* Several data types by macro, vector tails, ARM printf and dot products where there. */
#if defined(cl_arm_printf)
#pragma OPENCL EXTENSION cl_arm_printf : enable
#endif
#if defined(cl_arm_integer_dot_product_int8)
#define DOT(a, b) arm_dot(a, b)
#else
#define DOT(a, b) ((int)(a).s0 * (b).s0 + (int)(a).s1 * (b).s1 + (int)(a).s2 * (b).s2 + (int)(a).s3 * (b).s3)
#endif
#define DATA_TYPE float
#define VEC_SIZE 4
#define STR(x) #x
#define VEC_DATA_TYPE_STR(type, size) type##size
#define VEC_DATA_TYPE(type, size) VEC_DATA_TYPE_STR(type, size)
#define CONVERT_STR(x, type) (convert_##type((x)))
#define CONVERT(x, type) CONVERT_STR(x, type)
#define CONVERT_SAT_STR(x, type) (convert_##type##_sat_rte((x)))
#define CONVERT_SAT(x, type) CONVERT_SAT_STR(x, type)
#define VLOAD_STR(size) vload##size
#define VLOAD(size) VLOAD_STR(size)
#define VSTORE_STR(size) vstore##size
#define VSTORE(size) VSTORE_STR(size)
#define TENSOR3D_DECLARATION(name) __global uchar *name##_ptr, uint name##_stride_x, uint name##_step_x, uint name##_stride_y, uint name##_step_y, uint name##_stride_z, uint name##_step_z, uint name##_offset
#define CONVERT_TO_TENSOR3D(name) update(name##_ptr, name##_offset, name##_stride_x, name##_step_x, name##_stride_y, name##_step_y, name##_stride_z, name##_step_z)
typedef struct Tensor3D { __global uchar *ptr; int stride_x, stride_y, stride_z; } Tensor3D;
inline Tensor3D update(__global uchar *p, uint off, uint sx, uint tx, uint sy, uint ty, uint sz, uint tz) {
  Tensor3D t = {.ptr = p + off + get_global_id(0) * tx + get_global_id(1) * ty + get_global_id(2) * tz, .stride_x = sx, .stride_y = sy, .stride_z = sz};
  return t;
}
__kernel void relu_quant(TENSOR3D_DECLARATION(input), TENSOR3D_DECLARATION(output), float scale, int4 clampv) {
  Tensor3D in = CONVERT_TO_TENSOR3D(input), out = CONVERT_TO_TENSOR3D(output);
  VEC_DATA_TYPE(DATA_TYPE, VEC_SIZE) v = VLOAD(VEC_SIZE)(0, (__global DATA_TYPE *)in.ptr);
  v = fmax(v, (VEC_DATA_TYPE(DATA_TYPE, VEC_SIZE))0);
  uchar4 q = CONVERT_SAT(v * scale, uchar4);
  VSTORE(VEC_SIZE)(clamp(q, (uchar4)(clampv.x), (uchar4)(clampv.y)), 0, out.ptr);
}
__kernel void dot8(__global const char4 *a, __global const char4 *b, __global int *o, int n) {
  int s = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) s += DOT(a[i], b[i]);
  atomic_add(o, s);
  if (isnan((float)s) || s == INT_MIN) printf("%s %d " STR(VEC_SIZE) "\n", "bad", s);
}
