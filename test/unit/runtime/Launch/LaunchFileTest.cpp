//===- LaunchFileTest.cpp - Launch files, options and first contents ------===//

#include "launch/LaunchFile.h"
#include "launch/BufferInit.h"
#include "launch/ScalarTypes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace heddle;
using namespace heddle::launch;

static const char *Full = R"(kernel: k
grid: [3, 2]
block: 64
dynamic_shared: 16
global_offset: [5]
args:
  - buffer: {name: a, type: u8, count: 4, init: {uniform: [0, 10], seed: 7}}
  - buffer: {type: f64, count: 2, init: {file: x.bin}}
  - i16: -0x10
  - f32: [1, 2]
  - bytes: [1, 255]
  - local: 4096
)";

TEST(LaunchFile, ReadsEveryField) {
  Result<Launch> L = parseLaunch(Full, "dir/l.yaml");
  ASSERT_TRUE(L) << L.error().Message;
  EXPECT_EQ(L->Kernel, "k");
  EXPECT_EQ(L->Grid, (Dim3{3, 2, 1}));
  EXPECT_EQ(L->Block, (Dim3{64, 1, 1}));
  EXPECT_EQ(L->GlobalOffset, (Dim3{5, 0, 0}));
  EXPECT_EQ(L->DynamicSharedBytes, 16u);
  ASSERT_EQ(L->Args.size(), 6u);
  EXPECT_EQ(std::get<BufferArg>(L->Args[0].Value).Name, "a");
  const auto &File = std::get<BufferArg>(L->Args[1].Value);
  EXPECT_EQ(std::get<InitFile>(File.Init).Path, "dir/x.bin");
  EXPECT_EQ(std::get<ScalarArg>(L->Args[2].Value).Integer, -16);
  EXPECT_EQ(std::get<BytesArg>(L->Args[3].Value).Bytes.size(), 8u);
  EXPECT_EQ(std::get<BytesArg>(L->Args[4].Value).Bytes[1], 255);
  EXPECT_EQ(std::get<LocalArg>(L->Args[5].Value).SizeBytes, 4096u);
  EXPECT_EQ(L->Args[5].Line, 12u);
}

/// No cut of a good file, and no byte changed in it, may do more than fail.
TEST(LaunchFile, SurvivesDamage) {
  std::string Text = Full;
  for (size_t I = 0; I < Text.size(); ++I) {
    Result<Launch> Cut = parseLaunch(Text.substr(0, I), "l.yaml");
    if (!Cut) {
      EXPECT_TRUE(Cut.error().Message.starts_with("l.yaml:")) << I;
    }
    for (char C : {'\0', '{', '-', '9', '\n', '*'}) {
      std::string Changed = Text;
      Changed[I] = C;
      Result<Launch> L = parseLaunch(Changed, "l.yaml");
      if (!L) {
        EXPECT_TRUE(L.error().Message.starts_with("l.yaml:")) << I;
      }
    }
  }
}

TEST(LaunchOptions, SayTheSameAsFiles) {
  Result<Argument> A = parseArgument("a:u8[4]=uniform:0:10:7");
  ASSERT_TRUE(A) << A.error().Message;
  const auto &B = std::get<BufferArg>(A->Value);
  EXPECT_EQ(B.Name, "a");
  EXPECT_EQ(B.Count, 4u);
  EXPECT_EQ(std::get<InitUniform>(B.Init).Seed, 7u);
  EXPECT_EQ(std::get<BytesArg>(parseArgument("f32=1,2")->Value).Bytes.size(),
            8u);
  EXPECT_EQ(std::get<BytesArg>(parseArgument("bytes=01ff")->Value).Bytes[1],
            255);
  for (const char *Bad :
       {"", "=", "f32", "f32=", "f32=x", "i8=128", "u8=-1", "f32[", "f32[]",
        "f32[0]", "f32[4]=", "f32[4]=value", "f32[4]=uniform:1:0",
        "f32[4]=file:", "bytes=0", "bytes=zz", "local=", "local=-1"})
    EXPECT_FALSE(parseArgument(Bad)) << Bad;
}

TEST(LaunchOptions, LayOutStructsAsC) {
  auto A = parseArgument("struct=i8=1;u8[2]=zero;f32=1,2;pad=1;i16=2");
  ASSERT_TRUE(A) << A.error().Message;
  const auto &S = std::get<BytesArg>(A->Value);
  ASSERT_EQ(S.Pointers.size(), 1u);
  EXPECT_EQ(S.Pointers[0].Offset, 8u);
  EXPECT_EQ(S.Bytes.size(), 32u);
  EXPECT_EQ(S.Bytes[26], 2); // behind 24 bytes and one of padding
  EXPECT_EQ(S.Alignment, 8u);
  auto Nested = parseArgument(
      "struct=i8=1;struct={i32=5;struct={i8=7;f32[2]=zero}};i8=9");
  ASSERT_TRUE(Nested) << Nested.error().Message;
  const auto &N = std::get<BytesArg>(Nested->Value);
  ASSERT_EQ(N.Bytes.size(), 40u);
  EXPECT_EQ(N.Bytes[8], 5);
  EXPECT_EQ(N.Bytes[16], 7);
  ASSERT_EQ(N.Pointers.size(), 1u);
  EXPECT_EQ(N.Pointers[0].Offset, 24u);
  EXPECT_EQ(N.Bytes[32], 9);
  for (const char *Bad :
       {"struct=", "struct=i32=1;", "struct=local=4", "struct=pad=x",
        "struct=pad=99999", "struct=struct=i32=1", "struct",
        "struct=struct={i32=1", "struct=i32=1}", "struct=struct={i32=1};}",
        "struct=struct={struct={struct={struct={struct={struct={struct={"
        "struct={struct={i8=1}}}}}}}}}"})
    EXPECT_FALSE(parseArgument(Bad)) << Bad;
}

TEST(LaunchFile, BoundsStructs) {
  std::string Deep = "i8: 1";
  for (int I = 0; I < 20; ++I)
    Deep = "struct: [{" + Deep + "}]";
  auto L =
      parseLaunch("grid: 1\nblock: 1\nargs:\n  - " + Deep + "\n", "l.yaml");
  ASSERT_FALSE(L);
  EXPECT_NE(L.error().Message.find("l.yaml:4: more than 16"),
            std::string::npos);
}

TEST(BufferInit, UniformIsTheDocumentedSequence) {
  BufferArg B{"", ScalarType::F32, 3, InitUniform{-1, 1, 42}};
  float Values[3];
  ASSERT_TRUE(
      initialise(B, {reinterpret_cast<uint8_t *>(Values), sizeof(Values)}));
  uint32_t S = 42;
  for (float V : Values) {
    S = S * 1664525u + 1013904223u;
    EXPECT_EQ(V, float(-1 + 2 * double(S >> 8) / 16777216.0));
  }
}

TEST(ScalarTypes, IntegersMustFit) {
  EXPECT_EQ(parseInteger(ScalarType::I8, "-128"), -128);
  EXPECT_FALSE(parseInteger(ScalarType::I8, "128"));
  EXPECT_EQ(parseInteger(ScalarType::I8, "0xff"), 255);
  EXPECT_EQ(parseInteger(ScalarType::U64, "18446744073709551615"), -1);
  EXPECT_FALSE(parseInteger(ScalarType::U64, "18446744073709551616"));
  EXPECT_FALSE(parseInteger(ScalarType::U32, "-1"));
  EXPECT_FALSE(parseInteger(ScalarType::I32, "1.0"));
}
