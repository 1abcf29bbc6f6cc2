//===- DevicePrint.h - Text that a kernel prints ----------------*- C -*-===//

#ifndef HEDDLE_ABI_DEVICEPRINT_H
#define HEDDLE_ABI_DEVICEPRINT_H

#include "heddle/ABI/WarpKernel.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Appends to Warp->Printer, a std::string of the runtime, what the lanes of
/// \p Mask print, lowest lane first; does nothing where it is null.
/// \p Format is printf's, but "%@" stands for "block: [x,y,z], thread:
/// [x,y,z]". Arguments[32 * n + l] is the n-th argument in lane l: an integer,
/// the bits of a double, or the address of a string.
void heddlePrint(HeddleWarp *Warp, const char *Format, uint32_t Mask,
                 const uint64_t *Arguments);

#ifdef __cplusplus
}
#endif

#endif // HEDDLE_ABI_DEVICEPRINT_H
