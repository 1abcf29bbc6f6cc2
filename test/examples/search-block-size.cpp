//===- search-block-size.cpp - The best block size by the interval model --===//
//
// usage: search-block-size SOURCE LAUNCH.yaml GPU [SECONDS]
//
// Keeps the number of threads of a one-dimensional launch and tries blocks of
// 32 to 1024 threads. Stops after SECONDS, with what was found until then.
//
//===----------------------------------------------------------------------===//

#include "heddle/Heddle.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace heddle;

namespace {
/// Cancels when time is up.
class Deadline {
public:
  explicit Deadline(double Seconds) : End(Clock::now() + Span(Seconds)) {}
  bool operator()(uint64_t, uint64_t, uint64_t) const {
    return Clock::now() < End;
  }

private:
  using Clock = std::chrono::steady_clock;
  using Span = std::chrono::duration<double>;
  std::chrono::time_point<Clock, Span> End;
};
} // namespace

/// The time of \p L with blocks of \p Threads threads.
static llvm::Expected<double> timeOf(const Program &Code, launch::Launch L,
                                     unsigned Threads,
                                     const arch::GPUSpec &GPU,
                                     const ModelOptions &Options) {
  const uint64_t All = L.Grid.count() * L.Block.count();
  L.Grid = {unsigned((All + Threads - 1) / Threads), 1, 1};
  L.Block = {Threads, 1, 1};
  llvm::Expected<BoundLaunch> Bound = Code.bind(L);
  if (!Bound)
    return Bound.takeError();
  llvm::Expected<Prediction> P = Bound->predict(GPU, "interval", Options);
  if (!P)
    return P.takeError();
  return P->TimeUs;
}

static llvm::Error search(const std::string &Path, const std::string &Launch,
                          const std::string &Machine, double Seconds) {
  auto GPU = expected(arch::loadMachine(Machine));
  if (!GPU)
    return GPU.takeError();
  auto Code = Program::compile({.Path = Path, .Arch = GPU->Target});
  if (!Code)
    return Code.takeError();
  auto L = expected(launch::readLaunchFile(Launch));
  if (!L)
    return L.takeError();
  ModelOptions Options;
  Options.OnProgress = Deadline(Seconds);
  unsigned Best = 0;
  double BestUs = 0;
  for (unsigned Threads = 32; Threads <= 1024; Threads *= 2) {
    auto TimeUs = timeOf(*Code, *L, Threads, *GPU, Options);
    bool Cancelled = false;
    llvm::Error Other =
        llvm::handleErrors(TimeUs.takeError(), [&](const Failure &F) {
          Cancelled = F.kind() == Failure::Cancelled;
          std::fprintf(stderr, "%u threads: %s\n", Threads, F.text().c_str());
        });
    if (Other)
      return Other;
    if (Cancelled)
      break;
    if (!TimeUs)
      continue; // the kernel does not take blocks of that size
    std::printf("%4u threads: %.2f us\n", Threads, *TimeUs);
    if (!Best || *TimeUs < BestUs) {
      Best = Threads;
      BestUs = *TimeUs;
    }
  }
  if (!Best)
    return failure("no block size was estimated");
  std::printf("best: %u threads per block, %.2f us\n", Best, BestUs);
  return llvm::Error::success();
}

int main(int Argc, char **Argv) {
  if (Argc != 4 && Argc != 5) {
    std::fprintf(stderr, "usage: %s SOURCE LAUNCH.yaml GPU [SECONDS]\n",
                 Argv[0]);
    return 2;
  }
  const double Seconds = Argc == 5 ? std::atof(Argv[4]) : 3600;
  if (llvm::Error E = search(Argv[1], Argv[2], Argv[3], Seconds)) {
    std::fprintf(stderr, "error: %s\n",
                 llvm::toString(std::move(E)).c_str());
    return 1;
  }
}
