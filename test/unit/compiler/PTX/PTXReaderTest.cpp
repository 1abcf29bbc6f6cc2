//===- PTXReaderTest.cpp - PTX text as instructions -----------------------===//

#include "heddle/PTX/PTXReader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace heddle::ptx;
using testing::ElementsAre;
using testing::HasSubstr;

static std::string kernel(const std::string &Body) {
  return ".version 6.0\n.target sm_70\n.visible .entry k(\n.param .u64 "
         "p\n)\n{\n"
         ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<5>;\n" +
         Body + "}\n";
}

static Kernel read(const std::string &Body) {
  auto K = readKernel(kernel(Body), "k");
  EXPECT_TRUE(bool(K));
  if (!K) {
    ADD_FAILURE() << llvm::toString(K.takeError());
    return {};
  }
  return *K;
}

static std::string errorOf(const std::string &Text) {
  auto K = readKernel(Text, "k");
  return K ? "no error" : llvm::toString(K.takeError());
}

static std::vector<std::string> names(const Kernel &K,
                                      llvm::ArrayRef<unsigned> Registers) {
  std::vector<std::string> Out;
  for (unsigned R : Registers)
    Out.push_back(K.Registers[R].Name);
  return Out;
}

TEST(PTXReader, OperandsAndGuards) {
  Kernel K = read("mov.u32 %r1, %tid.x;\n"
                  "@!%p1 ld.global.v2.b32 {%r2, %r3}, [%rd1+8];\n"
                  "st.shared.b32 [%rd2+-4], %r2;\n"
                  "shfl.sync.down.b32 %r4|%p2, %r2, 1, 31, -1;\n"
                  "ret;\n");
  ASSERT_EQ(K.Blocks.size(), 1u);
  const auto &I = K.Blocks[0].Insts;
  ASSERT_EQ(I.size(), 5u);
  EXPECT_EQ(I[0].Symbol, "%tid.x");
  EXPECT_THAT(names(K, I[0].Defs), ElementsAre("%r1"));
  EXPECT_TRUE(I[1].Guarded);
  EXPECT_THAT(names(K, I[1].Defs), ElementsAre("%r2", "%r3"));
  EXPECT_THAT(names(K, I[1].Uses), ElementsAre("%p1", "%rd1"));
  EXPECT_EQ(I[1].Offset, 8);
  EXPECT_EQ(I[1].NumElements, 2u);
  EXPECT_TRUE(I[2].Defs.empty());
  EXPECT_THAT(names(K, I[2].Uses), ElementsAre("%rd2", "%r2"));
  EXPECT_EQ(I[2].Offset, -4);
  EXPECT_THAT(names(K, I[3].Defs), ElementsAre("%r4", "%p2"));
}

TEST(PTXReader, BlocksAndLines) {
  Kernel K = read("// %bb.0:                   // %B0\n"
                  ".loc 1 7 0\n"
                  "setp.eq.s32 %p1, %r1, 0;\n"
                  "@%p1 bra $L__BB0_2;\n"
                  "// %bb.1:                   // %B3\n"
                  "$L__tmp1:\n"
                  "add.s32 %r1, %r1, 1;\n"
                  "$L__BB0_2:                  // %B4\n"
                  ".pragma \"nounroll\";\n"
                  ".loc 1 9 0\n"
                  "ret;\n");
  ASSERT_EQ(K.Blocks.size(), 3u);
  EXPECT_EQ(K.Blocks[0].IRBlock, "B0");
  EXPECT_EQ(K.Blocks[1].IRBlock, "B3");
  EXPECT_EQ(K.Blocks[2].IRBlock, "B4");
  EXPECT_THAT(K.Blocks[0].Successors, ElementsAre(2, 1));
  EXPECT_THAT(K.Blocks[1].Successors, ElementsAre(2));
  EXPECT_TRUE(K.Blocks[2].Successors.empty());
  EXPECT_TRUE(K.Blocks[2].NoUnroll);
  EXPECT_EQ(K.Blocks[0].Insts[1].Line, 7u);
  EXPECT_EQ(K.Blocks[2].Insts[0].Line, 9u);
}

TEST(PTXReader, InlineAssemblyHasRegistersOfItsOwn) {
  Kernel K = read("{ .reg .pred q; .reg .b32 t;\n"
                  "add.s32 t, %r1, 1; setp.eq.s32 q, t, 0;\n"
                  "@q bra out;\n"
                  "mov.b32 %r2, t;\n"
                  "out: }\n"
                  "ret;\n");
  ASSERT_EQ(K.Blocks.size(), 3u);
  EXPECT_EQ(K.Blocks[0].Insts.size(), 3u);
  EXPECT_THAT(names(K, K.Blocks[0].Insts[0].Defs), ElementsAre("t"));
  EXPECT_THAT(names(K, K.Blocks[0].Insts[2].Uses), ElementsAre("q"));
  EXPECT_THAT(names(K, K.Blocks[1].Insts[0].Uses), ElementsAre("t"));
}

TEST(PTXReader, RegistersAreDense) {
  Kernel K = read("add.s32 %r7, %r3, %r3;\nret;\n");
  EXPECT_EQ(K.Registers.size(), 3u); // none, %r7, %r3
}

TEST(PTXReader, Errors) {
  EXPECT_THAT(errorOf(".version 6.0\n"), HasSubstr("no entry 'k'"));
  EXPECT_THAT(errorOf(kernel("bra nowhere;\n")), HasSubstr("no label"));
  EXPECT_THAT(errorOf(kernel("add.s32 %x9, %r1, 1;\nret;\n")),
              HasSubstr("line 10: '%x9' is written but was not declared"));
  EXPECT_THAT(errorOf(kernel("@%q bra L;\nL: ret;\n")),
              HasSubstr("'%q' is no register"));
  EXPECT_THAT(errorOf(kernel("ld.global.b32 %r1, [%rd1+x];\nret;\n")),
              HasSubstr("is no address"));
  EXPECT_THAT(errorOf(kernel("add.s32 %r1, %r1, 1;\n")),
              HasSubstr("control runs past the end"));
  std::string Cut = kernel("ret;\n");
  EXPECT_THAT(errorOf(Cut.substr(0, Cut.rfind('}'))),
              HasSubstr("the body of 'k' does not end"));
}
