#include "Reference.h"

void heddle::reference::transpose_tiled(Arguments &Args) {
  transpose_naive(Args);
}
