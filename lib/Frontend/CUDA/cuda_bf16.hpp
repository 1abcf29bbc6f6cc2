// Part of cuda_bf16.h here.

#include "cuda_bf16.h"
