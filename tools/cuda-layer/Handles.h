//===- Handles.h - Streams and events of both APIs --------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LAYER_HANDLES_H
#define HEDDLE_CUDA_LAYER_HANDLES_H

#include "cuda/Device.h"

#include <set>

namespace heddle::cuda {

struct StreamState {
  unsigned Flags;
  int Priority;
};
struct EventState {
  unsigned Flags;
  double AtMs; ///< when it was recorded
  bool Recorded;
};

/// Host time, or what launches took so far on the model (HEDDLE_TIMING).
double nowMs(Device &D);

/// Streams and events that exist. With the device's lock held.
std::set<const void *> &liveHandles();
StreamState *newStream(unsigned Flags, int Priority);
Status checkStream(const void *Stream);
EventState *newEvent(unsigned Flags);
EventState *eventOf(const void *Handle); ///< null if there is none
Status elapsed(float *To, const EventState *From, const EventState *Until);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_HANDLES_H
