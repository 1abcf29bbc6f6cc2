//===- products_double.cu - Products in double precision ------------------===//

#include "Product.h"

PRODUCTS(D, double)
