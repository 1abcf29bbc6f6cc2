__kernel void good(__global int *x) { x[get_global_id(0)] += 1; }
__kernel void bad(__global int *x) { x[get_global_id(0)] = undefined_name; }
