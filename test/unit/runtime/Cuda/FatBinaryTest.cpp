//===- FatBinaryTest.cpp - Device code inside of programs -----------------===//

#include "cuda/FatBinary.h"

#include <gtest/gtest.h>

#include <memory>

using namespace heddle::cuda;

/// The images at \p Bytes, which lie at the end of their memory.
static auto read(const std::string &Bytes) {
  const auto Data = std::make_unique<char[]>(Bytes.size());
  Bytes.copy(Data.get(), Bytes.size());
  return readFatBinary(Data.get(), Bytes.size());
}

TEST(FatBinary, WhatIsCutOffIsRefused) {
  const std::string Whole = writeFatBinary(
      {{70, true, "first", {"a", "longer"}, 0}, {80, false, "second", {}, 0}});
  const auto Images = read(Whole);
  ASSERT_TRUE(Images.has_value());
  ASSERT_EQ(Images->size(), 2u);
  EXPECT_EQ((*Images)[0].Managed[1], "longer");
  EXPECT_EQ((*Images)[1].Code, "second");
  for (size_t Size = 0; Size < Whole.size(); ++Size) {
    const auto Part = read(Whole.substr(0, Size));
    ASSERT_FALSE(Part.has_value()) << Size;
    EXPECT_FALSE(Part.error().Message.empty());
  }
}

TEST(FatBinary, SizesThatLieAreRefused) {
  const std::string Whole = writeFatBinary({{70, false, "code", {"name"}, 0}});
  // The number of images, the size of the code, the number of names.
  for (size_t At : {8, 20, 32}) {
    std::string Other = Whole;
    Other[At + 3] = '\x7f';
    const auto Images = read(Other);
    ASSERT_FALSE(Images.has_value()) << At;
    EXPECT_EQ(Images.error().Message, "the program's device code is damaged");
  }
}

TEST(FatBinary, EntriesOfNvccThatLieAreRefused) {
  // A header, an entry of PTX that is said to be of a gigabyte in LZ4.
  std::string Bytes(16 + 64 + 8, '\0');
  const auto Put = [&](size_t At, uint64_t Value, size_t Size) {
    Bytes.replace(At, Size, reinterpret_cast<const char *>(&Value), Size);
  };
  Put(0, 0xBA55ED50, 4);
  Put(6, 16, 2);
  Put(8, 64 + 8, 8);
  Put(16, 1, 2);
  Put(20, 64, 4);
  Put(24, 8, 8);
  Put(32, 8, 4);
  Put(56, 0x2000, 8);
  Put(72, uint64_t(1) << 30, 8);
  EXPECT_FALSE(read(Bytes).has_value());
  Put(8, uint64_t(1) << 40, 8); // longer than the file
  EXPECT_FALSE(read(Bytes).has_value());
}
