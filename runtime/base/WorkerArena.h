//===- WorkerArena.h - Where a thread's helpers look for work ---*- C++ -*-===//

#ifndef HEDDLE_BASE_WORKERARENA_H
#define HEDDLE_BASE_WORKERARENA_H

#include <oneapi/tbb/task_arena.h>

#include <map>

namespace heddle {

/// The arena in which the calling thread is one of \p Threads that work. It
/// lasts as long as the thread, from launch to launch: a worker of TBB leaves
/// an arena only after some hundred calls of sched_yield(). On a busy machine
/// these take seconds, in which it would help in no other.
inline tbb::task_arena &workerArena(unsigned Threads) {
  thread_local std::map<unsigned, tbb::task_arena> Arenas;
  return Arenas.try_emplace(Threads, int(Threads), /*reserved_for_masters=*/1)
      .first->second;
}

} // namespace heddle

#endif // HEDDLE_BASE_WORKERARENA_H
