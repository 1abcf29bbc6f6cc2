//===- WorkerArena.h - Where a thread's helpers look for work ---*- C++ -*-===//

#ifndef HEDDLE_BASE_WORKERARENA_H
#define HEDDLE_BASE_WORKERARENA_H

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#ifdef HEDDLE_THREAD_SANITIZER
#include "base/PlainThreads.h"
#endif

namespace heddle {

/// An arena of TBB in which the calling thread is one of \p Threads that work.
/// Launches take turns at the same arenas: a worker leaves one only after some
/// hundred calls of sched_yield(). On a busy machine these take seconds, in
/// which it would help in no other.
class WorkerArena {
public:
  explicit WorkerArena(unsigned Threads) : Threads(Threads) {
    Pool &P = pool();
    std::lock_guard Guard(P.Lock);
    auto &Free = P.Free[Threads];
    if (Free.empty())
      Free.push_back(std::make_unique<tbb::task_arena>(
          int(Threads), /*reserved_for_masters=*/1));
    Arena = std::move(Free.back());
    Free.pop_back();
  }
  ~WorkerArena() {
    Pool &P = pool();
    std::lock_guard Guard(P.Lock);
    P.Free[Threads].push_back(std::move(Arena));
  }
  WorkerArena(const WorkerArena &) = delete;
  WorkerArena &operator=(const WorkerArena &) = delete;

  /// Calls \p F with every number below \p N.
  template <typename Function> void forEach(unsigned N, const Function &F) {
#ifdef HEDDLE_THREAD_SANITIZER
    forEachInThreads(Threads, N, F);
#else
    Arena->execute([&] { tbb::parallel_for(0u, N, F); });
#endif
  }

  /// Calls \p F with 0 in this thread and with the numbers from there to the
  /// arena's threads in others as they wake. Those that have not begun when the
  /// first call has ended are left out.
  template <typename Function> void runWithHelp(const Function &F) {
#ifdef HEDDLE_THREAD_SANITIZER
    runInThreads(Threads, F);
#else
    Arena->execute([&] {
      tbb::task_group Helpers;
      for (unsigned I = 1; I < Threads; ++I)
        Helpers.run([&F, I] { F(I); });
      F(0);
      Helpers.cancel(); // those that have not begun
      Helpers.wait();
    });
#endif
  }

private:
  struct Pool {
    std::mutex Lock;
    std::map<unsigned, std::vector<std::unique_ptr<tbb::task_arena>>> Free;
  };
  /// It is never destroyed: destructors of a program's globals launch, too.
  static Pool &pool() {
    static Pool &P = *new Pool;
    return P;
  }

  unsigned Threads;
  std::unique_ptr<tbb::task_arena> Arena;
};

} // namespace heddle

#endif // HEDDLE_BASE_WORKERARENA_H
