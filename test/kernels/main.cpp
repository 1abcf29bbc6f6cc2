//===- main.cpp - kernel-reference ----------------------------------------===//
//
// Computes on the CPU what a launch of one of our kernels should leave in its
// buffers, for `heddle run --expect`.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"

#include "launch/LaunchFile.h"

#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace heddle;

static int failWith(const std::string &Message) {
  std::fprintf(stderr, "kernel-reference: error: %s\n", Message.c_str());
  return 1;
}

static Result<void> compute(void (*Reference)(reference::Arguments &),
                            const char *LaunchFile, const char *Folder) {
  auto Launch = launch::readLaunchFile(LaunchFile);
  if (!Launch)
    return std::unexpected(Launch.error());
  auto Args = reference::Arguments::create(std::move(*Launch));
  if (!Args)
    return std::unexpected(Args.error());
  try {
    Reference(*Args);
  } catch (const Error &E) {
    return std::unexpected(E);
  }
  std::error_code Failed;
  std::filesystem::create_directories(Folder, Failed);
  if (Failed)
    return fail(std::string(Folder) + ": " + Failed.message());
  return Args->write(Folder);
}

int main(int Argc, char **Argv) {
  if (Argc != 5 || std::strcmp(Argv[3], "-o") != 0) {
    std::fprintf(stderr,
                 "usage: kernel-reference KERNEL LAUNCH.yaml -o FOLDER\n");
    return 2;
  }
#define REFERENCE(NAME)                                                        \
  if (std::strcmp(Argv[1], #NAME) == 0) {                                      \
    auto Done = compute(reference::NAME, Argv[2], Argv[4]);                    \
    return Done ? 0 : failWith(Done.error().Message);                          \
  }
#include "References.def"
#undef REFERENCE
  return failWith(std::string("no kernel is called '") + Argv[1] + "'");
}
