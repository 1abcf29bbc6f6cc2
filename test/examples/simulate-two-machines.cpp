//===- simulate-two-machines.cpp - One launch on two machines -------------===//
//
// usage: simulate-two-machines SOURCE LAUNCH.yaml GPU GPU
//
// Executes the launch once, replays what its warps did on two machines, and
// prints the cycles and what the warps mostly wait for.
//
//===----------------------------------------------------------------------===//

#include "heddle/Heddle.h"

#include "llvm/Support/Error.h"

#include <cstdio>

using namespace heddle;

static llvm::Error simulate(const std::string &Path, const std::string &Launch,
                            const std::string &A, const std::string &B) {
  llvm::Expected<Program> Code = Program::compile({.Path = Path});
  if (!Code)
    return Code.takeError();
  auto L = expected(launch::readLaunchFile(Launch));
  if (!L)
    return L.takeError();
  llvm::Expected<BoundLaunch> Bound = Code->bind(*L);
  if (!Bound)
    return Bound.takeError();
  llvm::Expected<Trace> Recorded = Bound->trace();
  if (!Recorded)
    return Recorded.takeError();
  for (const std::string &Name : {A, B}) {
    auto GPU = expected(arch::loadMachine(Name));
    if (!GPU)
      return GPU.takeError();
    llvm::Expected<Prediction> P = predict(*Recorded, *GPU, "timing");
    if (!P)
      return P.takeError();
    std::printf("%s on %s: %llu cycles, %.2f us; warps wait for %s (%.0f %%)\n",
                P->Kernel.c_str(), P->GPU.c_str(),
                static_cast<unsigned long long>(P->Cycles), P->TimeUs,
                P->Waits.front().Name.c_str(), 100 * P->Waits.front().Share);
  }
  return llvm::Error::success();
}

int main(int Argc, char **Argv) {
  if (Argc != 5) {
    std::fprintf(stderr, "usage: %s SOURCE LAUNCH.yaml GPU GPU\n", Argv[0]);
    return 2;
  }
  if (llvm::Error E = simulate(Argv[1], Argv[2], Argv[3], Argv[4])) {
    std::fprintf(stderr, "error: %s\n",
                 llvm::toString(std::move(E)).c_str());
    return 1;
  }
}
