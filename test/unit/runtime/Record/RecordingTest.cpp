//===- RecordingTest.cpp - Written, read, cut, altered --------------------===//

#include "record/Recording.h"
#include "exec/HostSteps.h"
#include "record/RecordingWriter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace heddle;
using namespace heddle::record;
using launch::Region;

namespace {

Encoder &region(Encoder &E, uint64_t Offset, uint64_t Bytes) {
  return E.number(Offset).number(Bytes).number(1).number(0).number(1).number(0);
}

class RecordingTest : public testing::Test {
protected:
  void SetUp() override {
    Folder = testing::TempDir() + "recording-" +
             testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(Folder);
    std::filesystem::create_directories(Folder);
  }
  void TearDown() override { std::filesystem::remove_all(Folder); }

  /// A program that writes 64 bytes, launches and reads them.
  void record(std::vector<uint8_t> Data) {
    auto W = *RecordingWriter::create(Folder);
    W->append(RecordKind::Info, Encoder().text("app").text("/").text("cpu"));
    W->program(0, "kernel void k(global int *x) {}", "-DN=4 -Werror");
    W->append(RecordKind::Kernel, Encoder().number(0).number(0).text("k"));
    W->append(RecordKind::Buffer, Encoder().number(7).number(64));
    Encoder Write;
    W->append(RecordKind::Write, region(Write.number(7), 0, 64), Data);
    Encoder Launch;
    for (uint64_t N : {0, 2, 1, 1, 8, 1, 1, 0, 0, 0, 1, 1, 7, 16})
      Launch.number(N);
    W->append(RecordKind::Launch, Launch);
    Encoder Read;
    W->append(RecordKind::Read, region(Read.number(0).number(7), 0, 64));
    W->append(RecordKind::ReadData, Encoder().number(0), Data);
    W->append(RecordKind::Sync, Encoder().text("clFinish"));
    W->append(RecordKind::End, {});
    ASSERT_TRUE(W->finish());
  }
  std::string log() const { return Folder + "/recording.log"; }
  std::string bytes() const {
    std::ifstream File(log(), std::ios::binary);
    return {std::istreambuf_iterator<char>(File), {}};
  }
  void rewrite(const std::string &Bytes) const {
    std::ofstream(log(), std::ios::binary) << Bytes;
  }

  std::string Folder;
};

TEST_F(RecordingTest, IsReadAsWritten) {
  record(std::vector<uint8_t>(64, 3));
  ASSERT_TRUE(isRecording(Folder));
  Result<Recording> R = readRecording(Folder);
  ASSERT_TRUE(R) << R.error().Message;
  EXPECT_TRUE(R->Complete);
  EXPECT_EQ(R->Launches, 1u);
  EXPECT_EQ(R->Reads, 1u);
  EXPECT_EQ(R->Blobs, 1u) << "equal contents are there once";
  const auto &Steps = R->Application.Steps;
  ASSERT_EQ(Steps.size(), 5u);
  const launch::Launch &L = Steps[2].Launch;
  EXPECT_TRUE(Steps[2].isLaunch());
  EXPECT_EQ(L.Kernel, "k");
  EXPECT_EQ(L.Grid, (Dim3{2, 1, 1}));
  EXPECT_EQ(L.Block, (Dim3{8, 1, 1}));
  const auto &B = std::get<launch::BufferArg>(L.Args.at(0).Value);
  EXPECT_EQ(B.Name, "buffer7");
  EXPECT_EQ(B.OffsetBytes, 16u);
  EXPECT_EQ(R->Application.Programs[0].ClangArgs,
            (std::vector<std::string>{"-I/", "-DN=4"}));
  std::vector<uint8_t> Bytes(64), Room;
  ASSERT_TRUE(
      std::get<launch::WriteBuffer>(Steps[1].Host).Bytes->read(Bytes, Room));
  EXPECT_EQ(Bytes, std::vector<uint8_t>(64, 3));
}

TEST_F(RecordingTest, CutAnywhereIsReadUpToThereOrRefused) {
  record(std::vector<uint8_t>(64, 3));
  const std::string Whole = bytes();
  for (size_t Size = 0; Size < Whole.size(); ++Size) {
    rewrite(Whole.substr(0, Size));
    Result<Recording> R = readRecording(Folder);
    ASSERT_EQ(bool(R), Size >= FileHeaderBytes) << Size;
    if (R)
      EXPECT_FALSE(R->Complete) << Size;
    else
      EXPECT_NE(R.error().Message.find("is not a recording"),
                std::string::npos);
  }
}

TEST_F(RecordingTest, EveryAlteredByteIsNoticed) {
  record(std::vector<uint8_t>(64, 3));
  const std::string Whole = bytes();
  for (size_t At = 0; At < Whole.size(); ++At) {
    std::string Changed = Whole;
    Changed[At] = char(Changed[At] ^ 0x10);
    rewrite(Changed);
    Result<Recording> R = readRecording(Folder);
    EXPECT_FALSE(R) << At;
  }
}

TEST_F(RecordingTest, OperationsAreInTheRangesBeforeThem) {
  auto W = *RecordingWriter::create(Folder);
  W->append(RecordKind::Stream, Encoder().number(0).text("host").number(0));
  for (const std::vector<std::string> &Names :
       {std::vector<std::string>{"a"}, {"a", "b"}, {}, {"b"}, {"a", "b"}}) {
    Encoder E;
    E.number(Names.size());
    for (const std::string &Name : Names)
      E.text(Name);
    W->append(RecordKind::Ranges, E);
    W->append(RecordKind::Operation,
              Encoder()
                  .number(uint64_t(launch::OperationKind::Fill))
                  .number(0)
                  .number(16)
                  .number(0));
  }
  ASSERT_TRUE(W->finish());
  Result<Recording> R = readRecording(Folder);
  ASSERT_TRUE(R) << R.error().Message;
  const auto &[Streams, All, Ranges] = R->Operations;
  std::vector<std::string> Paths;
  for (const launch::Operation &O : All)
    Paths.push_back(Ranges[O.Range].Path);
  EXPECT_EQ(Paths, (std::vector<std::string>{"a", "a/b", "", "b", "a/b"}));
  EXPECT_EQ(Ranges.size(), 4u);
  EXPECT_EQ(Ranges[All[1].Range].Outer, All[0].Range);
  EXPECT_EQ(Ranges[All[3].Range].Outer, 0u);
}

TEST_F(RecordingTest, EditedSourceIsRefused) {
  record(std::vector<uint8_t>(64, 3));
  std::ofstream(Folder + "/program-0.cl") << "kernel void k() {}";
  Result<Recording> R = readRecording(Folder);
  ASSERT_FALSE(R);
  EXPECT_NE(R.error().Message.find("is not the source that was recorded"),
            std::string::npos);
}

TEST_F(RecordingTest, SecondWriterIsRefused) {
  record(std::vector<uint8_t>(64, 3));
  EXPECT_FALSE(RecordingWriter::create(Folder));
}

class FixedContents : public launch::Contents {
public:
  explicit FixedContents(std::vector<uint8_t> Bytes)
      : Bytes(std::move(Bytes)) {}
  Result<void> read(std::span<uint8_t> To,
                    std::vector<uint8_t> &) const override {
    std::ranges::copy(Bytes, To.begin());
    return {};
  }

private:
  std::vector<uint8_t> Bytes;
};

std::shared_ptr<launch::Contents> floats(std::vector<float> Values) {
  std::vector<uint8_t> Bytes(Values.size() * 4);
  std::memcpy(Bytes.data(), Values.data(), Bytes.size());
  return std::make_shared<FixedContents>(std::move(Bytes));
}

TEST(HostStepsTest, RegionsAndTolerance) {
  auto Memory = exec::DeviceMemory::create();
  ASSERT_TRUE(Memory);
  exec::HostRooms Rooms;
  ASSERT_TRUE(apply(launch::MakeBuffer{"a", 64}, *Memory, Rooms));
  ASSERT_TRUE(apply(launch::MakeBuffer{"b", 64}, *Memory, Rooms));
  // Two rows of two elements, into the first columns of four.
  const Region Box{0, 8, 2, 16, 1, 0};
  ASSERT_TRUE(apply(launch::WriteBuffer{"a", Box, floats({1, 2, 3, 4})},
                    *Memory, Rooms));
  const Region Line{0, 32, 1, 0, 1, 0};
  auto Same =
      compare({"a", Line, floats({1, 2, 0, 0, 3, 4, 0, 0})}, *Memory, 0, Rooms);
  ASSERT_TRUE(Same);
  EXPECT_EQ(Same->What, exec::ReadOutcome::Equal);

  ASSERT_TRUE(apply(launch::CopyBuffer{"a", "b", Box, {0, 8, 2, 8, 1, 0}},
                    *Memory, Rooms));
  const Region Packed{0, 16, 1, 0, 1, 0};
  auto compareB = [&](std::vector<float> Values) {
    return compare({"b", Packed, floats(std::move(Values))}, *Memory, 1e-4,
                   Rooms)
        ->What;
  };
  EXPECT_EQ(compareB({1, 2, 3, 4}), exec::ReadOutcome::Equal);
  // Without a type every byte counts.
  EXPECT_EQ(compareB({1, 2, 3, 4.0001f}), exec::ReadOutcome::Different);
  Memory->noteType("b", launch::ScalarType::F32);
  EXPECT_EQ(compareB({1, 2, 3, 4.0001f}), exec::ReadOutcome::Near);
  EXPECT_EQ(compareB({1, 2, 3, 4.1f}), exec::ReadOutcome::Different);
  Memory->noteType("b", launch::ScalarType::I32);
  EXPECT_EQ(compareB({1, 2, 3, 4.0001f}), exec::ReadOutcome::Different);

  const uint64_t A = Memory->findArgument("a")->Address;
  EXPECT_TRUE(Memory->overlap(std::array{A, A + 16}));
  EXPECT_FALSE(Memory->overlap(std::array{A, A}));
  EXPECT_FALSE(
      Memory->overlap(std::array{A, Memory->findArgument("b")->Address}));
  ASSERT_TRUE(apply(launch::DropBuffer{"a"}, *Memory, Rooms));
  EXPECT_EQ(Memory->findArgument("a"), nullptr);
}

} // namespace
