//===- StaticTraceTest.cpp - Walks without data ---------------------------===//

#include "heddle/Trace/StaticTrace.h"
#include "heddle/Trace/LoopIterations.h"
#include "heddle/Transforms/ControlSlice.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

struct NoGlobals : GlobalAddresses {
  uint64_t addressOf(llvm::StringRef) const override { return 0; }
};

/// What a warp did: blocks with masks, and the reach of its trace.
struct Seen {
  std::vector<std::pair<uint32_t, uint32_t>> Blocks;
  std::vector<HeddleBlockCondition> Conditions;
  bool OnlyHere = false;
  uint32_t Assumed = 0;
};

void onBlock(HeddleWarp *W, uint32_t Block, uint32_t Mask) {
  static_cast<Seen *>(W->Observer)->Blocks.emplace_back(Block, Mask);
}
void onReach(HeddleWarp *W, const HeddleWarpReach *R) {
  auto &S = *static_cast<Seen *>(W->Observer);
  S.Conditions.assign(R->Conditions, R->Conditions + R->NumConditions);
  S.OnlyHere = R->OnlyHere;
  S.Assumed = R->NumAssumed;
}

class StaticWalk : public testing::Test {
protected:
  llvm::Function &parse(const char *Text) {
    llvm::SMDiagnostic Diagnostic;
    M = llvm::parseAssemblyString(Text, Diagnostic, Context);
    EXPECT_TRUE(M) << Diagnostic.getMessage().str();
    return *M->getFunction("k");
  }
  /// Warp 0 of block \p Block of 32 threads; \p N is the only argument.
  Seen walk(llvm::Function &F, uint32_t Block, uint32_t N,
            StaticTraceOptions Options = {}) {
    Seen Result;
    Options.OnBlock = onBlock;
    Options.OnReach = onReach;
    auto Engine = createStaticEngine(F, NoGlobals(), Options);
    EXPECT_TRUE(bool(Engine));
    uint64_t Params = N;
    HeddleWarp W{};
    W.Engine = (*Engine)->kernel().Engine;
    W.Params = reinterpret_cast<uint8_t *>(&Params);
    W.GridDim[0] = 8;
    W.GridDim[1] = W.GridDim[2] = 1;
    W.BlockDim[0] = 32;
    W.BlockDim[1] = W.BlockDim[2] = 1;
    W.BlockIdx[0] = Block;
    for (uint32_t L = 0; L < 32; ++L)
      W.TidX[L] = L;
    W.LiveMask = ~0u;
    W.StepsLeft = 1000;
    W.Observer = &Result;
    EXPECT_EQ((*Engine)->kernel().Run(&W), uint32_t(HEDDLE_WARP_DONE));
    return Result;
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

constexpr char Guarded[] = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, 32
  %i = add i32 %m, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %body, label %end
body:
  br label %end
end:
  ret void
})";

TEST_F(StaticWalk, ReachOfAGuard) {
  llvm::Function &F = parse(Guarded);
  EXPECT_EQ(firstDataDecision(F), nullptr);
  Seen Inside = walk(F, 0, 100);
  EXPECT_EQ(Inside.Blocks, (std::vector<std::pair<uint32_t, uint32_t>>{
                               {0, ~0u}, {1, ~0u}, {2, ~0u}}));
  EXPECT_FALSE(Inside.OnlyHere);
  EXPECT_EQ(Inside.Assumed, 0u);
  // Block b does the same while 32 b + 31 < 100.
  auto Holds = [&](int64_t B) {
    for (const HeddleBlockCondition &C : Inside.Conditions)
      if (C.PerBlock[0] * B + C.Slack < 0)
        return false;
    return true;
  };
  EXPECT_TRUE(Holds(2));
  EXPECT_FALSE(Holds(3));
  // The edge of the grid: four lanes.
  EXPECT_EQ(walk(F, 3, 100).Blocks[1], std::pair(1u, 0xfu));
}

constexpr char DataLoop[] = R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret void
})";

TEST_F(StaticWalk, IterationsOfDataLoops) {
  llvm::Function &F = parse(DataLoop);
  const llvm::Instruction *Decision = firstDataDecision(F);
  ASSERT_TRUE(Decision);
  EXPECT_EQ(Decision->getParent()->getName(), "loop");
  auto Rounds = [&](const StaticTraceOptions &O) {
    Seen S = walk(F, 0, 0, O);
    EXPECT_GT(S.Assumed, 0u);
    return S.Blocks.size() - 2;
  };
  StaticTraceOptions O;
  EXPECT_EQ(Rounds(O), 16u);
  O.DataIterations = 5;
  EXPECT_EQ(Rounds(O), 5u);
  LoopAssumption A;
  A.Loop = 0;
  A.Iterations = 9;
  LoopAssumption Wrong = A;
  Wrong.Loop = 3;
  LoopIterations Known = loopIterations(F, {A, Wrong}, LaunchValues());
  O.Iterations = Known.OfHeader;
  EXPECT_EQ(Rounds(O), 9u);
  ASSERT_EQ(Known.Unused.size(), 1u);
  EXPECT_EQ(Known.Unused[0].Loop, 3);
}

TEST_F(StaticWalk, SlicesOfBlocksThatMeet) {
  llvm::Function &Alone = parse(DataLoop);
  EXPECT_FALSE(makeControlSlice(Alone).Counts.BlocksMeet);
  // What a block writes decides how often the loop of another runs.
  llvm::Function &Meets = parse(R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %v = load i32, ptr addrspace(1) %p
  %less = sub i32 %v, 1
  store i32 %less, ptr addrspace(1) %p
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret void
})");
  EXPECT_TRUE(makeControlSlice(Meets).Counts.BlocksMeet);
}

} // namespace
