//===- Handles.h - Streams and events of both APIs --------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LAYER_HANDLES_H
#define HEDDLE_CUDA_LAYER_HANDLES_H

#include "Call.h"

#include <set>

namespace heddle::cuda {

/// What null means to code with a default stream per thread.
inline cudaStream_t own(cudaStream_t S) { return S ? S : cudaStreamPerThread; }

struct StreamState {
  unsigned Flags;
  int Priority;
};
struct EventState {
  unsigned Flags;
  bool Recorded;
  double HostMs;      ///< when it was recorded
  Timeline::Point At; ///< the same, in its stream
};

/// While it lives, operations belong to a stream; recordings and the model's
/// clock need it.
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
  Timeline *const Issued;
  Timeline::Lane Outer;
};

/// Streams and events that exist. With the device's lock held.
std::set<const void *> &liveHandles();
bool isStream(const void *Handle); ///< of them, not one with a number
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
/// \p E happens when \p After has ended.
void recordEvent(Device &D, EventState &E, const record::OperationSet &After);

/// What the attributes of a launch say about its shape.
void applyAttributes(LaunchShape &Shape, const cudaLaunchAttribute *Attributes,
                     unsigned Count);
/// Where parameter \p Index of \p K lies among them, and its size.
cudaError_t parameter(const Call &Enter, KernelHandle &K, size_t Index,
                      size_t *Offset, size_t *Bytes);

/// What a function of the runtime API does from here on is in \p S.
#define IN_STREAM(S)                                                           \
  if (cudaError_t E = checkStream(Enter, S))                                   \
    return E;                                                                  \
  const heddle::cuda::InStream Here(Enter.device(), S)

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_HANDLES_H
