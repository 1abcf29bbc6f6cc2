//===- Handles.h - Streams and events of both APIs --------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LAYER_HANDLES_H
#define HEDDLE_CUDA_LAYER_HANDLES_H

#include "Call.h"

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
  record::OperationSet After; ///< what it was recorded behind
};

/// While it lives, operations belong to a stream; only recordings need it.
class InStream {
public:
  InStream(Device &D, const void *Stream);
  ~InStream();
  InStream(const InStream &) = delete;
  InStream &operator=(const InStream &) = delete;

  /// What the stream's next operation waits for.
  record::OperationSet before() const;
  /// The stream's next operation waits for \p Events, too.
  void wait(const record::OperationSet &Events) const;

private:
  Recorder *const Log;
  Recorder::Lane Outer;
};

/// Host time, or what launches took so far on the model (HEDDLE_TIMING).
double nowMs(Device &D);

/// Streams and events that exist. With the device's lock held.
std::set<const void *> &liveHandles();
StreamState *newStream(unsigned Flags, int Priority);
Status checkStream(const void *Stream);
/// The same in a call, with a line on stderr.
inline cudaError_t checkStream(const Call &Enter, const void *Stream) {
  const Status S = checkStream(Stream);
  return S == Status::Success ? cudaSuccess
                              : Enter.refuse(S, "there is no such stream");
}
EventState *newEvent(unsigned Flags);
EventState *eventOf(const void *Handle); ///< null if there is none
Status elapsed(float *To, const EventState *From, const EventState *Until);

/// What a function of the runtime API does from here on is in \p S.
#define IN_STREAM(S)                                                           \
  if (cudaError_t E = checkStream(Enter, S))                                   \
    return E;                                                                  \
  const heddle::cuda::InStream Here(Enter.device(), S)

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_HANDLES_H
