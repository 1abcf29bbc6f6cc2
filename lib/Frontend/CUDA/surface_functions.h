// Part of cuda_runtime.h here.

#include "cuda_runtime.h"
