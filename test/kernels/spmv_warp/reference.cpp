#include "Reference.h"

void heddle::reference::spmv_warp(Arguments &Args) { spmv_csr(Args); }
