//===- CodeTableTest.cpp - From prepared IR to instructions ---------------===//

#include "heddle/PTX/CodeTable.h"
#include "heddle/PTX/BackEnd.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace heddle;
using testing::HasSubstr;

namespace {

class CodeTableTest : public testing::Test {
protected:
  llvm::Function &prepare(const std::string &Body) {
    llvm::SMDiagnostic Diagnostic;
    M = llvm::parseAssemblyString("target triple = \"nvptx64-nvidia-cuda\"\n" +
                                      Body,
                                  Diagnostic, Context);
    if (!M)
      throw std::runtime_error(Diagnostic.getMessage().str());
    llvm::Error E = runBackEndIRPasses(*M, "sm_70");
    EXPECT_FALSE(bool(E));
    llvm::consumeError(std::move(E));
    return *M->getFunction("k");
  }

  KernelCode table(const std::string &Body, ISA Level = ISA::PTX) {
    auto Code = buildCodeTable(prepare(Body), "sm_70", Level, false);
    if (!Code)
      throw std::runtime_error(llvm::toString(Code.takeError()));
    return std::move(*Code);
  }

  /// The only instruction whose opcode starts with \p Name.
  const HeddleInst &only(const KernelCode &Code, llvm::StringRef Name) {
    const HeddleInst *Found = nullptr;
    for (const HeddleInst &I : Code.Insts)
      if (llvm::StringRef(Code.Opcodes[I.Opcode]).starts_with(Name)) {
        EXPECT_EQ(Found, nullptr) << Name.str() << " stands twice";
        Found = &I;
      }
    if (!Found)
      throw std::runtime_error("no " + Name.str());
    return *Found;
  }

  unsigned blockOf(const KernelCode &Code, const HeddleInst &I) {
    unsigned Index = &I - Code.Insts.data();
    for (unsigned B = 0; B != Code.Blocks.size(); ++B)
      if (Index - Code.Blocks[B].FirstInst < Code.Blocks[B].NumInsts)
        return B;
    return ~0u;
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

TEST_F(CodeTableTest, InstructionsStandInTheirBlocks) {
  KernelCode Code = table(R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load float, ptr addrspace(1) %a
  %w = fmul float %v, 3.0
  store float %w, ptr addrspace(1) %a
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
})");
  unsigned Loop = blockOf(Code, only(Code, "mul.rn.f32"));
  EXPECT_EQ(blockOf(Code, only(Code, "ld.global")), Loop);
  EXPECT_EQ(blockOf(Code, only(Code, "st.global")), Loop);
  EXPECT_NE(blockOf(Code, only(Code, "ret")), Loop);
  EXPECT_EQ(only(Code, "ld.global").Memory, 0u);
  EXPECT_EQ(only(Code, "st.global").Memory, 1u);
  EXPECT_EQ(Code.Blocks[Loop].NumMemory, 2u);
  EXPECT_EQ(only(Code, "ret").Class, HEDDLE_OP_EXIT);
  EXPECT_EQ(Code.RegisterSource, "estimate");
  EXPECT_GE(Code.RegistersPerThread, 8u);
}

TEST_F(CodeTableTest, OpaqueFunctionsAreOneInstruction) {
  KernelCode Code = table(R"(
declare float @llvm.sin.f32(float)
declare double @heddle.math.erf.f64(double) memory(none)
define ptx_kernel void @k(ptr addrspace(1) %p, float %x, double %y) {
  %s = call float @llvm.sin.f32(float %x)
  %e = call double @heddle.math.erf.f64(double %y)
  store float %s, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %p, i32 8
  store double %e, ptr addrspace(1) %q
  ret void
})");
  const HeddleInst &Sin = only(Code, "math.sin.f32");
  EXPECT_EQ(Sin.Class, HEDDLE_OP_MATH);
  EXPECT_EQ(Sin.Type, HEDDLE_TYPE_F32);
  EXPECT_EQ(Sin.NumDefs, 1u);
  EXPECT_EQ(Sin.NumUses, 1u);
  EXPECT_GT(Sin.Issued, 10u);
  EXPECT_EQ(only(Code, "math.erf.f64").Type, HEDDLE_TYPE_F64);
}

TEST_F(CodeTableTest, ApproximateFunctionsAreInstructions) {
  KernelCode Code = table(R"(
declare float @llvm.sin.f32(float)
declare float @llvm.log2.f32(float)
define ptx_kernel void @k(ptr addrspace(1) %p, float %x) {
  %s = call afn float @llvm.sin.f32(float %x)
  %l = call afn float @llvm.log2.f32(float %s)
  store float %l, ptr addrspace(1) %p
  ret void
})");
  EXPECT_EQ(only(Code, "sin.approx.f32").Class, HEDDLE_OP_SFU);
  EXPECT_EQ(only(Code, "lg2.approx.f32").Class, HEDDLE_OP_SFU);
}

TEST_F(CodeTableTest, NeighbouringLoadsAreOneAccess) {
  KernelCode Code = table(R"(
define ptx_kernel void @k(ptr addrspace(1) align 16 %p, ptr addrspace(1) %q) {
  %a = load float, ptr addrspace(1) %p, align 16
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %b = load float, ptr addrspace(1) %p1, align 4
  %s = fadd float %a, %b
  store float %s, ptr addrspace(1) %q
  ret void
})");
  ASSERT_EQ(Code.Memory.size(), 2u);
  EXPECT_EQ(Code.Memory[0].AccessBytes, 8u);
  const HeddleInst &Load = only(Code, "ld.global");
  EXPECT_EQ(Load.AccessBytes, 8u);
  EXPECT_EQ(Load.NumDefs, 2u);
  EXPECT_EQ(Load.ByteOffset, 0);
}

TEST_F(CodeTableTest, WideAccessIsSplitWithOffsets) {
  KernelCode Code = table(R"(
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = load <4 x i32>, ptr addrspace(1) %p, align 8
  store <4 x i32> %a, ptr addrspace(1) %q, align 16
  ret void
})");
  std::vector<int> Offsets;
  for (const HeddleInst &I : Code.Insts)
    if (I.Class == HEDDLE_OP_LOAD && I.Space == HEDDLE_SPACE_GLOBAL) {
      EXPECT_EQ(I.Memory, 0u);
      Offsets.push_back(I.ByteOffset);
    }
  llvm::sort(Offsets);
  EXPECT_EQ(Offsets, (std::vector<int>{0, 8}));
}

TEST_F(CodeTableTest, ArgumentsHaveNoRecord) {
  KernelCode Code = table(R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  store i32 %n, ptr addrspace(1) %p
  ret void
})");
  for (const HeddleInst &I : Code.Insts)
    if (I.Class == HEDDLE_OP_LOAD) {
      EXPECT_EQ(I.Space, HEDDLE_SPACE_PARAM);
      EXPECT_EQ(I.Memory, HEDDLE_NO_MEMORY);
      EXPECT_EQ(I.Issued, 0u);
    }
  EXPECT_EQ(Code.Memory.size(), 1u);
}

TEST_F(CodeTableTest, WideDivisionBranches) {
  // The back end tries 32 bits first; the blocks of both ways must be there.
  llvm::Function &K = prepare(R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %a, i64 %b) {
  %d = udiv i64 %a, %b
  store i64 %d, ptr addrspace(1) %p
  ret void
})");
  EXPECT_GT(K.size(), 1u);
  auto Code = buildCodeTable(K, "sm_70", ISA::PTX, false);
  ASSERT_TRUE(bool(Code));
  EXPECT_NE(blockOf(*Code, only(*Code, "div.u32")),
            blockOf(*Code, only(*Code, "div.u64")));
  EXPECT_GT(only(*Code, "div.u64").Issued, only(*Code, "div.u32").Issued);
}

TEST_F(CodeTableTest, IRLevelLeavesAddressesAndPhisOut) {
  KernelCode Code = table(R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %a = getelementptr float, ptr addrspace(1) %p, i32 %n
  %v = load float, ptr addrspace(1) %a
  %w = fadd float %v, 1.0
  store float %w, ptr addrspace(1) %a
  ret void
})",
                          ISA::IR);
  EXPECT_EQ(Code.Insts.size(), 4u);
  EXPECT_EQ(only(Code, "load").Memory, 0u);
  const HeddleInst &Add = only(Code, "fadd");
  EXPECT_EQ(Add.Registers[Add.NumDefs], only(Code, "load").Registers[0]);
}

TEST_F(CodeTableTest, UnknownArchitecture) {
  llvm::Function &K = prepare("define ptx_kernel void @k() { ret void }");
  auto Code = buildCodeTable(K, "sm_1", ISA::PTX, false);
  ASSERT_FALSE(bool(Code));
  EXPECT_THAT(llvm::toString(Code.takeError()),
              HasSubstr("unknown architecture 'sm_1'"));
}

} // namespace
