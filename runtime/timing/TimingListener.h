//===- TimingListener.h - Observers of the timing model ---------*- C++ -*-===//

#ifndef HEDDLE_TIMING_TIMINGLISTENER_H
#define HEDDLE_TIMING_TIMINGLISTENER_H

#include "timing/Events.h"

#include <span>

namespace heddle::timing {

/// Sees everything that happens, without influence on it. All calls come from
/// one thread, SM by SM within a window of time, in time order within an SM:
/// the same for any number of threads. Without a listener no event is made.
class TimingListener {
public:
  virtual ~TimingListener() = default;
  /// The events that it wants to see; no others are made for it.
  virtual EventSet wants() const { return AllEvents; }
  /// Events of one SM in one window, in time order.
  virtual void onEvents(std::span<const Event> Events) = 0;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_TIMINGLISTENER_H
