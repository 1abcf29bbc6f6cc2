//===- products_single.cu - Products in single precision ------------------===//
//
// A file for each precision: the device code of a file is compiled as a whole
// when a program first launches something in it.
//
//===----------------------------------------------------------------------===//

#include "Product.h"

PRODUCTS(S, float)
