//===- SavedStateTest.cpp - Kernels that are simulated in parts -----------===//

#include "../../runtime/Timing/Restarts.h"

#include "arch/SpecReader.h"
#include "heddle/Driver/Inputs.h"
#include "heddle/Driver/TraceModes.h"
#include "trace/HeldSource.h"

#include <cstdlib>
#include <filesystem>

using namespace heddle;

/// Compiles and executes test/kernels/NAME for \p GPU, and simulates it in
/// parts.
static void expectSameInParts(const std::string &Name, const char *GPU,
                              unsigned Parts, const char *Arch = nullptr,
                              const std::vector<std::string> &Sets = {},
                              const std::vector<std::string> &Flags = {}) {
  SCOPED_TRACE(Name + " on " + GPU);
  const char *Root = std::getenv("HEDDLE_SOURCE_DIR");
  ASSERT_NE(Root, nullptr);
  const std::string Base =
      std::string(Root) + "/test/kernels/" + Name + "/" + Name;
  const auto Spec = arch::loadMachine(GPU, Sets);
  ASSERT_TRUE(Spec.has_value());
  SessionOptions O;
  O.Input = Base + (std::filesystem::exists(Base + ".cu") ? ".cu" : ".cl");
  O.LaunchFile = Base + ".yaml";
  if (Arch)
    O.Arch = Arch;
  else if (!Spec->Target.empty())
    O.Arch = Spec->Target;
  O.ClangArgs = Flags;
  O.Order = laneOrderFor(*Spec);
  auto Launch = BoundLaunch::open(O);
  ASSERT_TRUE(bool(Launch)) << llvm::toString(Launch.takeError());
  auto Source = Launch->source({.Level = levelFor(*Spec)});
  ASSERT_TRUE(bool(Source)) << llvm::toString(Source.takeError());
  trace::HeldSource Held(**Source);
  timing::test::expectSameInParts(Held, *Spec, Parts);
}

TEST(SavedState, Reduction) {
  expectSameInParts("reduction", "v100", 6);
  expectSameInParts("reduction", "a100", 3);
}
TEST(SavedState, SharedMemoryAndBarriers) {
  expectSameInParts("matmul_tiled", "v100", 5);
  expectSameInParts("matmul_tiled", "reference-gtx480", 5);
}
TEST(SavedState, DivergenceAndGathers) {
  expectSameInParts("bfs_level", "v100", 5);
  expectSameInParts("spmv_csr", "t4", 5);
}
TEST(SavedState, Atomics) { expectSameInParts("histogram", "v100", 5); }
TEST(SavedState, AsynchronousCopies) {
  expectSameInParts("half_product_staged", "a100", 7);
}
// Fewer SMs, so that more parts take no longer.
TEST(SavedState, BulkCopiesAndGroupProducts) {
  const std::vector<std::string> Small = {"sm.count=16", "l2.size=3276800"};
  expectSameInParts("half_product_group", "h100", 25, "sm_90a", Small);
  expectSameInParts("half_product_specialised", "h100", 25, "sm_90a", Small);
  // Each slice of B goes to two blocks.
  expectSameInParts("half_product_specialised", "h100", 25, "sm_90a", Small,
                    {"-DCLUSTER=2"});
  expectSameInParts("product_tensor_maps", "h100", 40, "sm_90", Small);
}
TEST(SavedState, Clusters) {
  const std::vector<std::string> Small = {"sm.count=16", "l2.size=3276800"};
  expectSameInParts("cluster_histogram", "h100", 40, "sm_90", Small);
  expectSameInParts("stream_scale", "h100", 40, "sm_90", Small);
}
