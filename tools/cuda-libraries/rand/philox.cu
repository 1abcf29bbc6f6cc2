//===- philox.cu - Numbers of Philox 4x32-10 ------------------------------===//

#include "Generator.h"

const heddle_rand::Kind heddle_rand::Philox =
    KindOf<curandStatePhilox4_32_10_t>::get();
