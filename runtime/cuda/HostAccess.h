//===- HostAccess.h - Finds host code that uses device memory ---*- C++ -*-===//

#ifndef HEDDLE_CUDA_HOSTACCESS_H
#define HEDDLE_CUDA_HOSTACCESS_H

#include "cuda/CallSites.h"
#include "cuda/DeviceHeap.h"

#include <functional>

namespace heddle::cuda {

/// Keeps device memory from host code while no call of the API is under way:
/// both are in one process, so what faults on a GPU would work here. An access
/// is told and then goes on.
class HostAccess {
public:
  struct Access {
    const Allocation &Memory;
    uint64_t Address;
    bool IsWrite;
    const CallStack &Stack;
  };
  /// \p OnAccess is called in a signal handler, once for each place in code.
  HostAccess(const DeviceHeap &Heap, std::function<void(const Access &)> Tell);

  void open() const;
  void close() const;
  /// Whether the fault is the host's, which may go on then.
  bool handle(uint64_t Address, const void *Code, bool IsWrite);

private:
  const DeviceHeap &Heap;
  const std::function<void(const Access &)> OnAccess;
  std::vector<const void *> Told; ///< places in code
};

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_HOSTACCESS_H
