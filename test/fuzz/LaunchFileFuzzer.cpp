//===- LaunchFileFuzzer.cpp - Any bytes as a launch file ------------------===//

#include "launch/LaunchFile.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  using namespace heddle;
  std::string Text(reinterpret_cast<const char *>(Data), Size);
  Result<launch::Launch> L = launch::parseLaunch(Text, "fuzz.yaml");
  // What is accepted is within the limits; what is refused has a message.
  if (L ? !launch::checkLimits(*L).has_value() : L.error().Message.empty())
    std::abort();
  Result<launch::Application> App = launch::parseApplication(Text, "fuzz.yaml");
  if (!App && App.error().Message.empty())
    std::abort();
  if (App)
    for (const launch::Step &S : App->Steps)
      if (S.isLaunch() && !launch::checkLimits(S.Launch))
        std::abort();
  // The same bytes as an option.
  Result<launch::Argument> A = launch::parseArgument(Text);
  if (!A && A.error().Message.empty())
    std::abort();
  return 0;
}
