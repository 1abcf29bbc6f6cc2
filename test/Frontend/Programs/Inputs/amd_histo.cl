#pragma OPENCL EXTENSION cl_amd_printf : enable
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_khr_local_int32_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#define LINEAR_MEM_ACCESS
#define BIN_SIZE 256
#define MIN(a,b) ((a) < (b) ? (a) : (b))
#ifdef LINEAR_MEM_ACCESS
#define STEP(g) ((g) * get_num_groups(0))
#endif
__attribute__((vec_type_hint(uint4)))
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void histogram256(__global const uint4 *data, __local uchar *sharedArray, __global uint *binResult)
{
    const size_t localId = get_local_id(0), globalId = get_global_id(0), groupId = get_group_id(0), groupSize = get_local_size(0);
    __local uint4 *input = (__local uint4 *)sharedArray;
    uint4 z = (uint4)(0);
    for (int i = 0; i < BIN_SIZE / 16; ++i) input[groupSize * i + localId] = z;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 64; ++i) {
        uint4 v = data[groupId * groupSize * 64 + i * groupSize + localId];
        sharedArray[localId * BIN_SIZE + (v.s0 & 0xff)]++;
        sharedArray[localId * BIN_SIZE + amd_bfe(v.s1, 0u, 8u)]++;
        sharedArray[localId * BIN_SIZE + (v.z % BIN_SIZE)]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < BIN_SIZE / (int)groupSize; ++i) {
        int n = 0;
        for (int j = 0; j < (int)groupSize; ++j) n += sharedArray[j * BIN_SIZE + i * groupSize + localId];
        binResult[groupId * BIN_SIZE + i * groupSize + localId] = n;
    }
    if (globalId == 0) printf("done %u %v4hlu\n", binResult[0], data[0]);
}
__kernel void sads(__global const uint *a, __global const uint *b, __global uint *o, __global uint4 *p) {
    size_t i = get_global_id(0);
    o[i] = amd_sad(a[i], b[i], 0u) + amd_bytealign(a[i], b[i], 3u) + amd_bitalign(a[i], b[i], 5u) + amd_lerp(a[i], b[i], 0x01010101u);
    p[i].xyzw = (uint4)(convert_uint_sat(amd_unpack0(a[i]) * 2.0f), 0, 0, 0) + amd_pack((float4)(1.f, 2.f, 3.f, a[i])) ;
}
