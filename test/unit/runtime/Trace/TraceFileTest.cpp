//===- TraceFileTest.cpp - TraceWriter and TraceReader --------------------===//

#include "RoundTrip.h"

#include "trace/TraceReader.h"
#include "trace/TraceWriter.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <random>
#include <unistd.h>

using namespace heddle;
using namespace heddle::trace;
using namespace heddle::trace::test;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class MemorySource : public ByteSource {
public:
  explicit MemorySource(std::vector<uint8_t> Bytes) : Bytes(std::move(Bytes)) {}
  uint64_t size() const override { return Bytes.size(); }
  Result<void> read(uint64_t Offset, std::span<uint8_t> Out) override {
    std::copy_n(Bytes.begin() + ptrdiff_t(Offset), Out.size(), Out.begin());
    return {};
  }

private:
  std::vector<uint8_t> Bytes;
};

/// A launch made up of what kernels do: a loop, a divergent branch, a gather.
struct Launch {
  TraceHeader Header;
  CodeTable Code = makeCode({{4}, {4, 4}, {8}, {}});

  explicit Launch(uint32_t Blocks, uint32_t Threads = 80) {
    Header.Kernel = "test";
    Header.Producer = "executed";
    Header.Target = "sm_70";
    Header.Grid = {Blocks, 1, 1};
    Header.Block = {Threads, 1, 1};
    Header.RegistersPerThread = 20;
    Header.SharedBytesPerBlock = 1024;
    Code.Files = {"test.cl"};
  }

  BlockTrace block(uint64_t Index) const {
    BlockTrace Block;
    Block.Index = Index;
    std::mt19937_64 Random(Index);
    for (unsigned W = 0; W < Header.warpsPerBlock(); ++W) {
      const uint32_t Live = liveLanes(Header, W);
      const uint64_t Thread = Index * Header.Block.X + W * 32;
      std::vector<BlockEvent> Events = {
          {0, Live, {affine(0, Live, 0x10000 + Thread * 4, 4)}}};
      for (unsigned I = 0; I < 5 + Index % 3; ++I) {
        Events.push_back({1,
                          Live,
                          {affine(1, Live, 0x20000 + Thread * 4 + I * 256, 4),
                           affine(2, Live, 0x30000 + I * 4, 0)}});
        if (uint32_t Some = Live & uint32_t(Random()); Index % 4 == 0 && Some) {
          AccessEvent Gather{3, HEDDLE_SPACE_GLOBAL, Some, {}};
          for (uint64_t &A : Gather.Addresses)
            A = 0x100000 + Random() % 10000 * 8;
          Events.push_back({2, Some, {Gather}});
        }
      }
      Events.push_back({3, Live, {}});
      Block.Warps.push_back(encode(Code, Events));
    }
    return Block;
  }
};

class TraceFile : public ::testing::Test {
protected:
  void SetUp() override {
    std::string Name = fs::temp_directory_path() / "heddle-trace-XXXXXX";
    Folder = ::mkdtemp(Name.data());
  }
  void TearDown() override { fs::remove_all(Folder); }

  static Result<file::FileSummary>
  write(const Launch &L, const std::string &Path, unsigned Threads = 1) {
    Result<TraceWriter> Writer =
        TraceWriter::create(Path, L.Header, L.Code, {.Threads = Threads});
    if (!Writer)
      return std::unexpected(Writer.error());
    for (uint64_t B = 0; B < L.Header.Grid.count(); ++B)
      if (Result<void> Good = Writer->add(L.block(B)); !Good)
        return std::unexpected(Good.error());
    return Writer->finish();
  }
  std::string path(const char *Name) const { return Folder / Name; }
  static std::vector<uint8_t> bytes(const std::string &Path) {
    std::ifstream In(Path, std::ios::binary);
    return {std::istreambuf_iterator<char>(In), {}};
  }
  static Result<std::unique_ptr<TraceReader>> open(std::vector<uint8_t> Bytes) {
    return TraceReader::open(std::make_unique<MemorySource>(std::move(Bytes)),
                             "t.hdlt", {});
  }
  /// All that a reader says of \p Bytes, or nothing if it finds them at fault.
  static std::optional<std::vector<BlockTrace>>
  readAll(std::vector<uint8_t> Bytes) {
    auto Reader = open(std::move(Bytes));
    if (!Reader || !(*Reader)->verifyAll())
      return std::nullopt;
    std::vector<BlockTrace> Blocks((*Reader)->header().Grid.count());
    for (uint64_t B = 0; B < Blocks.size(); ++B)
      if (!(*Reader)->read(B, Blocks[B]))
        return std::nullopt;
    return Blocks;
  }

  fs::path Folder;
};

TEST_F(TraceFile, RoundTrip) {
  Launch L(3000);
  L.Header.Order = LaneOrder::Free;
  Result<file::FileSummary> Written = write(L, path("a"));
  ASSERT_TRUE(Written) << Written.error().Message;
  EXPECT_GT(Written->NumFrames, 2u);
  EXPECT_EQ(Written->FileBytes, fs::file_size(path("a")));

  auto Reader = TraceReader::open(path("a"));
  ASSERT_TRUE(Reader) << Reader.error().Message;
  TraceReader &R = **Reader;
  EXPECT_EQ(R.header().Kernel, "test");
  EXPECT_EQ(R.header().Grid, L.Header.Grid);
  EXPECT_EQ(R.header().Block, L.Header.Block);
  EXPECT_EQ(R.header().SharedBytesPerBlock, 1024u);
  EXPECT_EQ(R.header().Order, L.Header.Order);
  EXPECT_EQ(R.code().Opcodes, L.Code.Opcodes);
  ASSERT_EQ(R.code().Insts.size(), L.Code.Insts.size());
  EXPECT_EQ(std::memcmp(R.code().Insts.data(), L.Code.Insts.data(),
                        L.Code.Insts.size() * sizeof(HeddleInst)),
            0);
  EXPECT_EQ(R.summary().Counts, Written->Counts);
  EXPECT_TRUE(R.verifyAll());
  BlockTrace Block;
  for (uint64_t B = 0; B < 3000; ++B) {
    ASSERT_TRUE(R.read(B, Block));
    ASSERT_EQ(Block.Index, B);
    ASSERT_EQ(Block.Warps, L.block(B).Warps) << "block " << B;
  }
  // Any block alone, in any order.
  for (uint64_t B : {2999, 0, 1500, 7, 2048, 1023}) {
    ASSERT_TRUE(R.read(B, Block));
    ASSERT_EQ(Block.Warps, L.block(B).Warps) << "block " << B;
  }
  EXPECT_FALSE(R.read(3000, Block));
}

TEST_F(TraceFile, CountsAreThoseOfTheEvents) {
  Launch L(5);
  Result<file::FileSummary> Written = write(L, path("a"));
  ASSERT_TRUE(Written);
  TraceCounts Counts;
  for (uint64_t B = 0; B < 5; ++B)
    for (const WarpTrace &Warp : L.block(B).Warps) {
      WarpCursor C(L.Code, Warp);
      while (C.next()) {
        const HeddleBlock &Code = L.Code.Blocks[C.block()];
        ++Counts.Events;
        Counts.WarpInstructions += Code.NumInsts;
        Counts.IssuedInstructions += Code.NumInsts;
        Counts.ThreadInstructions += Code.NumInsts * std::popcount(C.mask());
        Counts.Accesses += Code.NumMemory;
      }
    }
  EXPECT_EQ(Written->Counts, Counts);
}

TEST_F(TraceFile, BytesDoNotDependOnThreads) {
  Launch L(5000);
  ASSERT_TRUE(write(L, path("1"), 1));
  ASSERT_TRUE(write(L, path("4"), 4));
  EXPECT_EQ(bytes(path("1")), bytes(path("4")));
}

TEST_F(TraceFile, RegularWarpsCostNextToNothing) {
  struct Regular : Launch {
    using Launch::Launch;
  } L(20000, 256);
  Result<TraceWriter> Writer = TraceWriter::create(path("a"), L.Header, L.Code);
  ASSERT_TRUE(Writer);
  BlockTrace Block;
  for (Block.Index = 0; Block.Index < 20000; ++Block.Index) {
    Block.Warps.clear();
    for (unsigned W = 0; W < 8; ++W) {
      uint64_t Thread = Block.Index * 256 + W * 32;
      Block.Warps.push_back(encode(
          L.Code, {{0, ~0u, {affine(0, ~0u, 0x7f0000000000 + Thread * 4, 4)}},
                   {1,
                    ~0u,
                    {affine(1, ~0u, 0x7f0010000000 + Thread * 4, 4),
                     affine(2, ~0u, 0x7f0020000000 + Thread * 4, 4)}}}));
    }
    ASSERT_TRUE(Writer->add(Block));
  }
  Result<file::FileSummary> Written = Writer->finish();
  ASSERT_TRUE(Written);
  EXPECT_LT(double(Written->FileBytes) /
                double(Written->Counts.WarpInstructions),
            0.01);
}

TEST_F(TraceFile, EveryFlippedByteIsFound) {
  // Of one section per frame, and of two.
  for (uint32_t Size : {9, 24}) {
    Launch L(Size, Size == 9 ? 40 : 256);
    ASSERT_TRUE(write(L, path("a")));
    const std::vector<uint8_t> Good = bytes(path("a"));
    const auto Blocks = readAll(Good);
    ASSERT_TRUE(Blocks);
    EXPECT_EQ((*open(Good))->frames()[0].Numbers.Stored != 0, Size != 9);
    unsigned Found = 0, Tried = 0;
    for (size_t At = 0; At < Good.size(); ++At)
      for (uint8_t Flip : {0x01, 0x80, 0xff}) {
        if (Size != 9 && At % 3 != Flip % 3)
          continue; // each byte once
        std::vector<uint8_t> Bad = Good;
        Bad[At] ^= uint8_t(Flip);
        const auto Read = readAll(Bad);
        ++Tried;
        if (!Read) {
          ++Found;
          continue;
        }
        ASSERT_EQ(Read->size(), Blocks->size()) << "byte " << At;
        for (size_t B = 0; B < Blocks->size(); ++B)
          ASSERT_EQ((*Read)[B].Warps, (*Blocks)[B].Warps) << "byte " << At;
      }
    // All but a few bits of zstd's frame headers are covered by a check.
    EXPECT_GT(Found, Tried * 98 / 100);
  }
}

TEST_F(TraceFile, EveryTruncationIsFound) {
  Launch L(9, 40);
  ASSERT_TRUE(write(L, path("a")));
  const std::vector<uint8_t> Good = bytes(path("a"));
  for (size_t Size = 0; Size < Good.size(); ++Size) {
    auto Reader = open({Good.begin(), Good.begin() + ptrdiff_t(Size)});
    ASSERT_FALSE(Reader) << "of " << Size << " bytes";
    EXPECT_THAT(Reader.error().Message, HasSubstr("t.hdlt: offset "));
  }
  std::vector<uint8_t> Longer = Good;
  Longer.push_back(0);
  EXPECT_FALSE(open(Longer));
}

TEST_F(TraceFile, ErrorsNameFileAndOffset) {
  Launch L(9, 40);
  ASSERT_TRUE(write(L, path("a")));
  const std::vector<uint8_t> Good = bytes(path("a"));
  auto Reader = open(Good);
  ASSERT_TRUE(Reader);
  const uint64_t FrameAt = (*Reader)->frames()[0].Offset;
  std::vector<uint8_t> Bad = Good;
  Bad[FrameAt + 20] ^= 0x10;
  Reader = open(Bad);
  ASSERT_TRUE(Reader) << "frames are read on demand";
  BlockTrace Block;
  Result<void> Read = (*Reader)->read(0, Block);
  ASSERT_FALSE(Read);
  EXPECT_THAT(Read.error().Message,
              HasSubstr("t.hdlt: offset " + std::to_string(FrameAt) +
                        ": a frame is damaged"));

  Bad = Good;
  Bad[8] = 77;
  EXPECT_THAT(open(Bad).error().Message,
              AllOf(HasSubstr("t.hdlt: offset 8:"), HasSubstr("version 77")));
  EXPECT_THAT(open({'P', 'K', 3, 4}).error().Message,
              HasSubstr("not a Heddle trace"));
  EXPECT_THAT(TraceReader::open(path("none")).error().Message,
              HasSubstr("none: cannot open: No such file"));
  EXPECT_THAT(TraceReader::open(Folder).error().Message,
              HasSubstr("not a plain file"));
}

TEST_F(TraceFile, FailedWritesLeaveNothing) {
  Launch L(9);
  {
    Result<TraceWriter> Writer =
        TraceWriter::create(path("a"), L.Header, L.Code);
    ASSERT_TRUE(Writer);
    ASSERT_TRUE(Writer->add(L.block(0)));
    EXPECT_THAT(Writer->add(L.block(2)).error().Message,
                HasSubstr("thread block 2 comes where block 1"));
    EXPECT_THAT(Writer->finish().error().Message,
                HasSubstr("1 of 9 thread blocks"));
  }
  EXPECT_TRUE(fs::is_empty(Folder));

  Result<file::FileSummary> Full = write(L, "/dev/full");
  ASSERT_FALSE(Full);
  EXPECT_THAT(Full.error().Message,
              AllOf(HasSubstr("/dev/full: write failed at offset 0"),
                    HasSubstr("No space")));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_THAT(write(L, path("no/folder")).error().Message,
              HasSubstr("No such file"));
  EXPECT_THAT(write(L, Folder).error().Message, HasSubstr("is a directory"));
}

TEST_F(TraceFile, AnExistingFileStaysUntilTheNewOneIsComplete) {
  std::ofstream(path("a")) << "old";
  Launch L(3);
  {
    Result<TraceWriter> Writer =
        TraceWriter::create(path("a"), L.Header, L.Code);
    ASSERT_TRUE(Writer->add(L.block(0)));
  }
  EXPECT_EQ(bytes(path("a")).size(), 3u);
  ASSERT_TRUE(write(L, path("a")));
  EXPECT_TRUE(TraceReader::isTrace(path("a")));
}

TEST_F(TraceFile, WarpsThatCannotBeReplayedAreNotWritten) {
  Launch L(3);
  auto Add = [&](auto Change) {
    Result<TraceWriter> Writer =
        TraceWriter::create(path("a"), L.Header, L.Code);
    BlockTrace Block = L.block(0);
    Change(Block);
    Result<void> Done = Writer->add(Block);
    return Done ? std::string("accepted") : Done.error().Message;
  };
  EXPECT_EQ(Add([](BlockTrace &B) {}), "accepted");
  EXPECT_THAT(Add([](BlockTrace &B) { B.Warps.pop_back(); }),
              HasSubstr("2 warps instead of 3"));
  EXPECT_THAT(Add([](BlockTrace &B) { B.Warps[1].Bases.pop_back(); }),
              HasSubstr("block 0 warp 1: 3 bases for 4 first executions"));
  EXPECT_THAT(Add([](BlockTrace &B) { B.Warps[1].Body.push_back(4); }),
              HasSubstr("1 bytes of numbers that no event"));
  EXPECT_THAT(Add([](BlockTrace &B) { B.Warps[1].Body[0] -= 2; }),
              HasSubstr("bytes of numbers that no event"));
  EXPECT_THAT(Add([](BlockTrace &B) { B.Warps[2] = B.Warps[1]; }),
              HasSubstr("only 0000ffff hold threads"));
}

} // namespace
