//===- EvaluationTest.cpp - Formulas as numbers of a launch ---------------===//

#include "heddle/Analysis/Evaluation.h"
#include "heddle/Analysis/AnalyzedKernel.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

/// for (i = tid; i < n; i += 32) for (w = n; w; w >>= 1) p[i * 4 + w] = ...
constexpr char Text[] = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ %tid, %entry ], [ %i.next, %latch ]
  %in = icmp slt i32 %i, %n
  br i1 %in, label %inner, label %end
inner:
  %w = phi i32 [ %n, %outer ], [ %w.next, %inner ]
  %four = mul i32 %i, 4
  %sum = add i32 %four, %w
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %sum
  store i32 %w, ptr addrspace(1) %at
  %w.next = lshr i32 %w, 1
  %more = icmp ne i32 %w.next, 0
  br i1 %more, label %inner, label %latch
latch:
  %i.next = add i32 %i, 32
  br label %outer
end:
  ret void
})";

class Evaluation : public testing::Test {
protected:
  void SetUp() override {
    llvm::SMDiagnostic Diagnostic;
    M = llvm::parseAssemblyString(Text, Diagnostic, Context);
    ASSERT_TRUE(M) << Diagnostic.getMessage().str();
    Kernel = std::make_unique<AnalyzedKernel>(*M->getFunction("k"));
    Launch.Block = {64, 1, 1};
    Launch.Grid = {4, 1, 1};
    Launch.Arguments = {uint64_t(1) << 32, uint64_t(100)};
    Launch.Structs.resize(2);
  }
  const ExprPool &pool() { return Kernel->expressions().pool(); }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<AnalyzedKernel> Kernel;
  LaunchValues Launch;
};

TEST_F(Evaluation, BoundsPerThread) {
  const LoopBound &Outer = Kernel->loops().loops()[0];
  ASSERT_TRUE(Outer.Iterations);
  // i = 3, 35, 67, 99 and i = 5, 37, 69.
  EXPECT_EQ(evaluate(Outer.Iterations, pool(), Launch, 0, 3), 4);
  EXPECT_EQ(evaluate(Outer.Iterations, pool(), Launch, 2, 5), 3);
  const LoopBound &Inner = Kernel->loops().loops()[1];
  ASSERT_TRUE(Inner.Iterations);
  EXPECT_EQ(Inner.Source, BoundSource::Geometric);
  EXPECT_EQ(evaluate(Inner.Iterations, pool(), Launch, 0, 0), 7); // of 100
}

TEST_F(Evaluation, LanesAndIterations) {
  const Access &A = Kernel->accesses().accesses()[0];
  WarpEvaluator E(pool(), Launch);
  E.setWarp(0, 1);
  E.setIteration(0, uint64_t(2));
  E.setIteration(1, uint64_t(1));
  WarpEvaluator::Lanes Out;
  ASSERT_TRUE(E.evaluate(A.Address, E.fullMask(), Out));
  for (unsigned L = 0; L < 32; ++L)
    EXPECT_EQ(Out[L], (uint64_t(1) << 32) + 4 * (4 * (32 + L + 64) + 50));
}

TEST_F(Evaluation, UnknownArgumentHasNoValue) {
  Launch.Arguments[1].reset();
  EXPECT_EQ(
      evaluate(Kernel->loops().loops()[0].Iterations, pool(), Launch, 0, 3),
      std::nullopt);
}

TEST_F(Evaluation, StepsAreLimited) {
  WarpEvaluator E(pool(), Launch);
  E.setWarp(0, 0);
  E.MaxSteps = 2;
  WarpEvaluator::Lanes Out;
  EXPECT_FALSE(
      E.evaluate(Kernel->loops().loops()[1].Iterations, E.fullMask(), Out));
}

} // namespace
