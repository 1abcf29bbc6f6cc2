//===- replay-trace.cpp - A trace file on a machine, without LLVM ---------===//
//
// usage: replay-trace FILE.trace GPU [MODEL]
//
//===----------------------------------------------------------------------===//

#include "models/Models.h"

#include <cstdio>

using namespace heddle;

int main(int Argc, char **Argv) {
  if (Argc != 3 && Argc != 4) {
    std::fprintf(stderr, "usage: %s FILE.trace GPU [MODEL]\n", Argv[0]);
    return 2;
  }
  auto Fail = [](const Error &E) {
    std::fprintf(stderr, "error: %s\n", E.Message.c_str());
    return 1;
  };
  auto Trace = trace::TraceReader::open(Argv[1]);
  if (!Trace)
    return Fail(Trace.error());
  auto GPU = arch::loadMachine(Argv[2]);
  if (!GPU)
    return Fail(GPU.error());
  auto P = predict(**Trace, *GPU, Argc == 4 ? Argv[3] : "timing");
  if (!P)
    return Fail(P.error());
  std::printf("%s on %s, %s: %llu cycles\n", P->Kernel.c_str(), P->GPU.c_str(),
              P->Model.c_str(), static_cast<unsigned long long>(P->Cycles));
}
