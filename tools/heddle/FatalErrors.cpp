//===- FatalErrors.cpp ----------------------------------------------------===//

#include "Commands.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstdio>
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace heddle::tool {

static std::string Last;

static void report(void *, const char *Reason, bool) {
  std::string Message =
      StringRef(Reason).contains("Cannot select")
          ? std::string("LLVM cannot make code of what the kernel does for "
                        "this architecture: ") +
                Reason + "; give another one: --arch sm_NN"
          : std::string("LLVM: ") + Reason;
  // Of many files the others go on.
  if (CrashRecoveryContext *Recovery = CrashRecoveryContext::GetCurrent()) {
    Last = std::move(Message);
    Recovery->HandleExit(BadInput);
  }
  std::fflush(stdout);
  std::fprintf(stderr, "heddle: error: %s\n", Message.c_str());
  // Threads may be at work on what destructors would take away; files that are
  // not finished have no name yet.
  ::_exit(BadInput);
}

std::string takeFatalError() { return std::exchange(Last, {}); }

void reportFatalErrors() {
  install_fatal_error_handler(report);
  install_bad_alloc_error_handler(report);
}

} // namespace heddle::tool
