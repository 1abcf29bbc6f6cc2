//===- PerThread.h - An object for each thread ------------------*- C++ -*-===//

#ifndef HEDDLE_ABI_PERTHREAD_H
#define HEDDLE_ABI_PERTHREAD_H

#include <utility>

namespace heddle {

/// The calling thread's object for \p Tag, made at its first use and destroyed
/// at the thread's end. The main thread's ends before the program's globals:
/// their destructors, which may launch kernels, get another one that stays.
template <typename T, typename Tag> T &perThread() {
  static thread_local T *Object = nullptr; // can be read to the very end
  if (!Object) {
    struct Ender {
      ~Ender() { delete std::exchange(Object, nullptr); }
    };
    Object = new T();
    static thread_local const Ender AtEnd;
  }
  return *Object;
}

} // namespace heddle

#endif // HEDDLE_ABI_PERTHREAD_H
