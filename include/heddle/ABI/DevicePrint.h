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

/// Calls \p Visit with the address of each string that heddlePrint would read
/// for \p Lane, and how many bytes of it at most.
typedef void (*HeddleStringVisit)(void *Context, uint64_t Address,
                                  uint64_t Most);
void heddlePrintedStrings(const char *Format, uint32_t Lane,
                          const uint64_t *Arguments, HeddleStringVisit Visit,
                          void *Context);

#ifdef __cplusplus
}
#endif

#endif // HEDDLE_ABI_DEVICEPRINT_H
