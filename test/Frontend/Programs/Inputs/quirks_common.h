#ifdef __OPENCL_VERSION__
#define SHARED_K 3.0f
#else
#include <CL/cl.h>
typedef cl_float4 float4;
#endif
