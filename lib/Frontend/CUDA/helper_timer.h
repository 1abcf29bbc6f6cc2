// Timers of sample programs, for trees that lack the file.

#ifndef HEDDLE_CUDA_HELPER_TIMER_H
#define HEDDLE_CUDA_HELPER_TIMER_H

#include <sys/time.h>

class StopWatchInterface {
public:
  virtual ~StopWatchInterface() {}
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void reset() = 0;
  virtual float getTime() = 0;
  virtual float getAverageTime() = 0;
};
bool sdkCreateTimer(StopWatchInterface **);
bool sdkDeleteTimer(StopWatchInterface **);
bool sdkStartTimer(StopWatchInterface **);
bool sdkStopTimer(StopWatchInterface **);
bool sdkResetTimer(StopWatchInterface **);
float sdkGetAverageTimerValue(StopWatchInterface **);
float sdkGetTimerValue(StopWatchInterface **);

#endif
