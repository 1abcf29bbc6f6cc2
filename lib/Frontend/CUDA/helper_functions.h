// All that sample programs include at once, for trees that lack the file.

#ifndef HEDDLE_CUDA_HELPER_FUNCTIONS_H
#define HEDDLE_CUDA_HELPER_FUNCTIONS_H

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

#include <algorithm>
#include <assert.h>
#include <fstream>
#include <iostream>
#include <math.h>
#include <string>
#include <vector>

#endif
