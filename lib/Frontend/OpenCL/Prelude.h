// Seen before every OpenCL source.

#ifndef HEDDLE_OPENCL_PRELUDE_H
#define HEDDLE_OPENCL_PRELUDE_H

// Compilers of vendors take half without being asked.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#endif
