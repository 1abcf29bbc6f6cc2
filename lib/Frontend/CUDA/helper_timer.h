// Timers of sample programs, for trees that lack the file. Times are in
// milliseconds.

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

class StopWatchLinux : public StopWatchInterface {
public:
  void start() override {
    begin = now();
    running = true;
  }
  void stop() override {
    total += float(now() - begin);
    running = false;
    ++sessions;
  }
  void reset() override {
    total = 0;
    sessions = 0;
    begin = now();
  }
  float getTime() override {
    return running ? total + float(now() - begin) : total;
  }
  float getAverageTime() override {
    return sessions ? total / float(sessions) : 0.0f;
  }

private:
  static double now() {
    timeval t;
    gettimeofday(&t, nullptr);
    return 1e3 * double(t.tv_sec) + 1e-3 * double(t.tv_usec);
  }
  double begin = 0;
  float total = 0;
  bool running = false;
  int sessions = 0;
};

inline bool sdkCreateTimer(StopWatchInterface **timer) {
  *timer = new StopWatchLinux;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
  if (*timer)
    (*timer)->start();
  return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer) {
  if (*timer)
    (*timer)->stop();
  return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer) {
  if (*timer)
    (*timer)->reset();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) {
  return *timer ? (*timer)->getTime() : 0.0f;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
  return *timer ? (*timer)->getAverageTime() : 0.0f;
}

#endif
