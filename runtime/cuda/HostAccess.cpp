//===- HostAccess.cpp - Finds host code that uses device memory -----------===//

#include "cuda/HostAccess.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <csignal>

namespace heddle::cuda {

/// Handlers belong to the process, and so does what they ask.
static HostAccess *Guard = nullptr;
static struct sigaction Before;

/// Where the fault was, and whether it was a write.
static std::pair<const void *, bool> placeOf(const void *Context) {
  const auto &Machine = static_cast<const ucontext_t *>(Context)->uc_mcontext;
#if defined(__x86_64__)
  constexpr long WriteBit = 2; // of the error code of a page fault
  return {reinterpret_cast<const void *>(Machine.gregs[REG_RIP]),
          (Machine.gregs[REG_ERR] & WriteBit) != 0};
#elif defined(__aarch64__)
  return {reinterpret_cast<const void *>(Machine.pc), false};
#else
  return {nullptr, false};
#endif
}

static void onFault(int Signal, siginfo_t *Info, void *Context) {
  const auto [Code, IsWrite] = placeOf(Context);
  if (Guard->handle(reinterpret_cast<uint64_t>(Info->si_addr), Code, IsWrite))
    return; // to the instruction, which can do it now
  // Again, with the action of the program.
  sigaction(Signal, &Before, nullptr);
}

HostAccess::HostAccess(const DeviceHeap &Heap,
                       std::function<void(const Access &)> Tell)
    : Heap(Heap), OnAccess(std::move(Tell)) {
  Guard = this;
  callStack(); // loads what it needs, which a signal handler must not
  struct sigaction Action = {};
  Action.sa_sigaction = onFault;
  Action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &Action, &Before);
}

static bool isOfDevice(const Allocation &A) {
  return (A.Kind == MemoryKind::Device || A.Kind == MemoryKind::Variable) &&
         !A.HostAddress;
}

/// While memory is checked each allocation has pages for itself (DeviceHeap).
static void protect(const Allocation &A, int Rights) {
  ::mprotect(reinterpret_cast<void *>(A.Address),
             std::max<uint64_t>(A.SizeBytes, 1), Rights);
}

void HostAccess::open() const {
  for (const auto &[Address, A] : Heap.all())
    if (isOfDevice(A))
      protect(A, DeviceHeap::rightsOf(A));
}

void HostAccess::close() const {
  for (const auto &[Address, A] : Heap.all())
    if (isOfDevice(A))
      protect(A, PROT_NONE);
}

bool HostAccess::handle(uint64_t Address, const void *Code, bool IsWrite) {
  const Allocation *A = Heap.find(Address);
  if (!A || !isOfDevice(*A))
    return false;
  protect(*A, PROT_READ | PROT_WRITE);
  if (std::ranges::find(Told, Code) != Told.end())
    return true;
  Told.push_back(Code);
  // As if it were the address that a call returns to.
  CallStack Stack = callStack();
  Stack.insert(Stack.begin(), static_cast<const char *>(Code) + 1);
  OnAccess({*A, Address, IsWrite, Stack});
  return true;
}

} // namespace heddle::cuda
