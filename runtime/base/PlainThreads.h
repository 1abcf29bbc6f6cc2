//===- PlainThreads.h - Work in threads without TBB -------------*- C++ -*-===//
//
// For ThreadSanitizer. TBB's library is built without it, so it would not see
// how that passes work from thread to thread, and take it for races.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_BASE_PLAINTHREADS_H
#define HEDDLE_BASE_PLAINTHREADS_H

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace heddle {

/// Calls \p F with 0 in this thread and with the other numbers below \p Threads
/// in one of their own. Throws what one of the calls has thrown.
template <typename Function>
void runInThreads(unsigned Threads, const Function &F) {
  std::mutex Lock;
  std::exception_ptr Failure;
  auto Run = [&](unsigned I) {
    try {
      F(I);
    } catch (...) {
      std::lock_guard Guard(Lock);
      Failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> Others;
    for (unsigned I = 1; I < Threads; ++I)
      Others.emplace_back(Run, I);
    Run(0);
  }
  if (Failure)
    std::rethrow_exception(Failure);
}

/// Calls \p F with every number below \p N in as many threads. That one call
/// has taken its number before another orders nothing else between them.
template <typename Function>
void forEachInThreads(unsigned Threads, unsigned N, const Function &F) {
  std::atomic<unsigned> Next = 0;
  runInThreads(Threads, [&](unsigned) {
    for (unsigned I; (I = Next.fetch_add(1, std::memory_order_relaxed)) < N;)
      F(I);
  });
}

} // namespace heddle

#endif // HEDDLE_BASE_PLAINTHREADS_H
