#pragma once
__device__ bool lives(bool now, int neighbours);
