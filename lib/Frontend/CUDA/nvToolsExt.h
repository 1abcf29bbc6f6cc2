// Part of nvtx3 here.

#include "nvtx3/nvToolsExt.h"
