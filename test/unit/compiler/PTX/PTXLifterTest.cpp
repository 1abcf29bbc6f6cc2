//===- PTXLifterTest.cpp - What is no PTX is named ------------------------===//

#include "heddle/PTX/PTXLifter.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace heddle;
using testing::EndsWith;
using testing::HasSubstr;

static std::string moduleWith(const std::string &Before,
                              const std::string &Parameters,
                              const std::string &Body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + Before +
         "\n.visible .entry k(" + Parameters + ")\n{\n" +
         ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<5>; "
         ".reg .b64 %rd<5>; .reg .b128 %q<3>;\n" +
         Body + "\nret;\n}\n";
}

/// The message for \p Text, "" if it is lifted.
static std::string errorOf(const std::string &Text) {
  llvm::LLVMContext Context;
  std::vector<UnliftedKernel> Unlifted;
  auto M = liftPTX(Context, Text, "t.ptx", Unlifted);
  return M ? "" : llvm::toString(M.takeError());
}

TEST(PTXLifter, StatementsThatMeanNothingAreNamed) {
  for (const char *Statement : {
           // Operands that are missing or too many.
           "add.u32 %r1, %r2",
           "add.u32 %r1, %r2, %r3, %r4",
           "fma.rn.f32 %r1, %r2, %r3",
           "mul.wide.u32 %rd1, %r2",
           "mul24.lo.u32 %r1, %r2",
           "bfe.u32 %r1, %r2, %r3",
           "bfi.b32 %r1, %r2, %r3, %r1",
           "bmsk.clamp.b32 %r1, %r2",
           "selp.u32 %r1, %r2, %r3",
           "shl.b32 %r1, %r2",
           "dp4a.u32.u32 %r1, %r2, %r3",
           "activemask.b32",
           "st.global.u32 [%rd1]",
           // Types that the operation does not have.
           "and.f32 %r1, %r2, %r3",
           "popc.f32 %r1, %r2",
           "bfind.f32 %r1, %r2",
           "sqrt.u32 %r1, %r2",
           "rcp.u32 %r1, %r2",
           "div.pred %p1, %p2, %p3",
           "prmt.b64 %rd1, %rd2, %rd3, %rd4",
           "atom.global.add.foo %r1, [%rd1], %r2",
           "atom.global.cas.b128 %q1, [%rd1], %q1, %q2",
           "atom.global.cas.f32 %r1, [%rd1], %r2, %r3",
           "atom.global.inc.pred %p1, [%rd1], %p2",
           "red.global.and.f32 [%rd1], %r2",
           "mma.sync.aligned.m16n8k32.row.col.s32.s8.f16.s32 "
           "{%r1,%r1,%r1,%r1}, {%r1,%r1,%r1,%r1}, {%r1,%r1}, "
           "{%r1,%r1,%r1,%r1}",
           "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
           "{%r1,%r1,%r1}, {%r1,%r1,%r1,%r1}, {%r1,%r1}, "
           "{%r1,%r1,%r1,%r1}",
           "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%rd1]",
           "cp.async.cg.shared.global [%rd1], [%rd2], 8",
           // Sizes that no vector, copy or surface has.
           "ld.global.v3.u32 {%r1, %r2, %r3}, [%rd1]",
           "st.global.v3.u32 [%rd1], {%r1, %r2, %r3}",
           "st.global.u32 [%q1], %r1",
           "mov.b64 {%r1, %r2, %r3}, %rd1",
           "mov.b8 {%h1,%h1,%h1,%h1,%h1,%h1,%h1,%h1,%h1}, %h1",
           "cp.async.ca.shared.global [%rd1], [%rd2], 12",
           "cp.async.ca.shared.global [%rd1], [%rd2], 0",
           "suld.b.1d.b0.zero {%r1}, [%rd1, {%r1}]",
       })
    EXPECT_EQ(errorOf(moduleWith("", "", std::string(Statement) + ";")),
              "t.ptx: line 8: '" + std::string(Statement) + "' is not known");
}

TEST(PTXLifter, DeepNestingIsRefused) {
  const std::string Many(100000, '{'), Bars(100000, '|');
  EXPECT_THAT(errorOf(moduleWith("", "",
                                 "add.u32 %r1, " + Many +
                                     std::string(Many.size(), '}') + ";")),
              EndsWith("' is no list of registers"));
  EXPECT_THAT(errorOf(moduleWith("", "", "add.u32 " + Bars + ", %r1;")),
              EndsWith("' is more than two results"));
}

TEST(PTXLifter, ParametersAndVariablesThatCannotBe) {
  auto ofParameter = [](const char *P) {
    return errorOf(moduleWith("", P, ""));
  };
  EXPECT_THAT(ofParameter(".param .b128 p"),
              HasSubstr("has the type 'b128', which none can have"));
  EXPECT_THAT(ofParameter(".param .align 3 .b8 p[12]"),
              HasSubstr("malformed .align"));
  EXPECT_THAT(ofParameter(".param .align 9223372036854775808 .b8 p[12]"),
              HasSubstr("malformed .align"));
  EXPECT_THAT(ofParameter(".param .b8 p[1099511627776]"),
              HasSubstr("is larger than 32764 bytes"));
  auto ofVariable = [](const char *V) {
    return errorOf(moduleWith(V, "", ""));
  };
  EXPECT_THAT(ofVariable(".global .align 9223372036854775808 .b8 x[4];"),
              HasSubstr("malformed .align"));
  EXPECT_THAT(ofVariable(".global .b8 x[1099511627776] = {1};"),
              HasSubstr("'x' is too large to be initialised"));
  EXPECT_EQ(ofVariable(".global .b8 x[4] = {1};"), "");
}

TEST(PTXLifter, GuardedAccessMayReadNoOtherRegister) {
  EXPECT_EQ(errorOf(moduleWith(".global .u32 x;", ".param .u64 p",
                               "ld.param.u64 %rd1, [p];\n"
                               "@%p1 ld.global.u32 %r1, [x];\n"
                               "@%p1 st.global.u32 [x], 5;")),
            "");
}

TEST(PTXLifter, KernelsMayBeEmpty) {
  EXPECT_EQ(errorOf(".version 8.0\n.target sm_80\n.address_size 64\n"
                    ".visible .entry k()\n{\n}\n"),
            "");
}
