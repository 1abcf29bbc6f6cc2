//===- Stop.h - Whether somebody wants an end -------------------*- C -*-===//

#ifndef HEDDLE_ABI_STOP_H
#define HEDDLE_ABI_STOP_H

#ifdef __cplusplus
extern "C" {
#endif

/// For an engine whose code a signal cannot tell from the rest of the program:
/// does not come back, but abandons the warp, if the launch is to end. The
/// engine must own nothing when it calls, now and then.
void heddleEndIfStopped(void);

#ifdef __cplusplus
}
#endif

#endif // HEDDLE_ABI_STOP_H
