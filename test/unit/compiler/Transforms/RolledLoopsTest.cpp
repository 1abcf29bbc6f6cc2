//===- RolledLoopsTest.cpp - Which unrolled loops are rolled again --------===//

#include "../Exec/UnrolledKernel.h"

#include "LoweredText.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// How many loops of the kernel have a form in which lanes count their rounds
/// together.
unsigned countedLoops(const std::string &Text, bool Counters = false) {
  LoweredText Kernel(Text, Counters);
  unsigned Found = 0;
  for (llvm::Instruction &I : llvm::instructions(Kernel.function()))
    Found += llvm::isa<llvm::AllocaInst>(I) &&
             I.getName().starts_with("rounds.together");
  return Found;
}

class RolledLoops : public LoweringTest {};

// The main loop counts its rounds in any case, what is left over never does.
TEST_F(RolledLoops, UnrolledOnes) {
  EXPECT_EQ(countedLoops(unrolledKernel()), 2u);
  EXPECT_EQ(countedLoops(unrolledKernel("%c2", 1)), 2u);
  EXPECT_EQ(countedLoops(unrolledKernel("%c1")), 1u);
  EXPECT_EQ(countedLoops(unrolledKernel(), true), 0u);
}

/// The kernel with one piece of its text in place of another.
std::string with(std::string Text, const std::string &Old,
                 const std::string &New) {
  size_t At = Text.find(Old);
  EXPECT_NE(At, std::string::npos) << Old;
  return Text.replace(At, Old.size(), New);
}

// The rest's offset from the buffer has another width than the main loop's.
TEST_F(RolledLoops, OffsetsOfTwoWidths) {
  EXPECT_EQ(countedLoops(
                with(unrolledKernel(),
                     "%start = getelementptr i8, ptr %columns, i32 %byte",
                     "%wide = sext i32 %byte to i64\n"
                     "  %start = getelementptr i8, ptr %columns, i64 %wide")),
            2u);
}

// Nothing can be added to a float, even if it stays what it is.
TEST_F(RolledLoops, ConstantFloats) {
  std::string Text = with(unrolledKernel(), "%sum = phi",
                          "%same = phi double [ 3.0, %before.rest ], "
                          "[ %same, %rest ]\n  %sum = phi");
  EXPECT_EQ(countedLoops(with(Text, "%sum4 = phi",
                              "%same4 = phi double [ 3.0, %before.main ], "
                              "[ %same4, %main ]\n  %sum4 = phi")),
            1u);
}

// What four rounds add does not fit into 64 bits.
TEST_F(RolledLoops, HugeSteps) {
  std::string Text = with(unrolledKernel(), "ptr %at, i32 4\n",
                          "ptr %at, i64 4611686018427387904\n");
  EXPECT_EQ(countedLoops(with(Text, "ptr %at4, i32 16\n", "ptr %at4, i64 0\n")),
            1u);
}

} // namespace
