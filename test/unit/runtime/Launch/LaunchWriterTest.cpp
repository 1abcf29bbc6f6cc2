//===- LaunchWriterTest.cpp - Launches as files ---------------------------===//

#include "launch/LaunchWriter.h"
#include "launch/LaunchFile.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::launch;

namespace {

constexpr char Everything[] = R"(kernel: 'it''s'
grid: [3, 2, 1]
block: [64, 1, 1]
dynamic_shared: 128
global_offset: [1, 0, 2]
args:
  - buffer: {name: 'in', type: f32, count: 100, init: {uniform: [-0.5, 2], seed: 7}}
  - buffer: {name: 'index', type: i32, count: 9, init: iota}
  - buffer: {name: 'half', type: f16, count: 4, init: {value: 0.1}}
  - buffer: {name: 'whole', type: u64, count: 4, init: {value: 18446744073709551613}}
  - buffer: {type: u8, count: 5}
  - buffer: {name: 'rows', type: i32, count: 2, init: {file: '/data/rows.bin'}}
  - i32: -4
  - u64: 18446744073709551615
  - f64: 0.1
  - local: 256
  - bytes: [1, 0, 255]
  - struct: [{bytes: [7, 0, 0, 0, 0, 0, 0, 0]}, {buffer: {name: 'p', type: f32, count: 2, init: zero}}, {bytes: [1, 2, 0, 0, 0, 0, 0, 0]}]
)";

TEST(LaunchWriter, WritesWhatReadsBackTheSame) {
  auto First = parseLaunch(Everything, "launch.yaml");
  ASSERT_TRUE(First) << First.error().Message;
  auto Text = launchText(*First);
  ASSERT_TRUE(Text) << Text.error().Message;
  auto Second = parseLaunch(*Text, "launch.yaml");
  ASSERT_TRUE(Second) << Second.error().Message << "\n" << *Text;
  EXPECT_EQ(*Text, *launchText(*Second));
  EXPECT_EQ(*Text, Everything);
}

TEST(LaunchWriter, RefusesImages) {
  auto L = parseLaunch("grid: 1\nblock: 1\nargs:\n  - image: {type: f32, size: "
                       "[4, 4]}\n",
                       "launch.yaml");
  ASSERT_TRUE(L) << L.error().Message;
  auto Text = launchText(*L);
  ASSERT_FALSE(Text);
  EXPECT_NE(Text.error().Message.find("images"), std::string::npos);
}

} // namespace
