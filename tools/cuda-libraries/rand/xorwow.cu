//===- xorwow.cu - Numbers of Marsaglia's XORWOW --------------------------===//

#include "Generator.h"

const heddle_rand::Kind heddle_rand::Xorwow =
    KindOf<curandStateXORWOW_t>::get();
