//===- TuneSpace.cpp - What `heddle tune` tries ---------------------------===//

#include "TuneSpace.h"

#include "Commands.h"
#include "TextOutput.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heddle::tool {

std::string TuneChoice::unrollText() const {
  return Unroll == 0 ? "-" : Unroll == 1 ? "off" : std::to_string(Unroll);
}

static unsigned rounded(uint64_t Threads, uint64_t Block) {
  return unsigned((Threads + Block - 1) / Block);
}

std::vector<TuneChoice> blockChoices(const Dim3 &Grid, const Dim3 &Block,
                                     const arch::GPUSpec &Machine) {
  constexpr unsigned Warp = 32;
  const uint64_t X = uint64_t(Grid.X) * Block.X, Y = uint64_t(Grid.Y) * Block.Y;
  std::vector<TuneChoice> Choices;
  for (unsigned BY = 1; BY <= (Block.Y > 1 ? 32u : 1u); BY *= 2)
    for (unsigned BX = Block.Y > 1 ? 8 : Warp;
         uint64_t(BX) * BY * Block.Z <= Machine.SM.MaxThreadsPerBlock;
         BX *= 2) {
      const Dim3 Size{BX, BY, Block.Z};
      const bool IsOwn = BX == Block.X && BY == Block.Y;
      if (Size.count() < Warp || IsOwn || (BX > X && BX > Warp) || BY > 2 * Y)
        continue;
      Choices.push_back({{rounded(X, BX), rounded(Y, BY), Grid.Z}, Size, 0, 0});
    }
  return Choices;
}

std::vector<BoundsChoice> boundsChoices(const BlockResources &Block,
                                        const arch::GPUSpec &Machine,
                                        unsigned LeastRegisters) {
  constexpr unsigned MostMore = 3; // blocks beyond those that fit
  std::vector<BoundsChoice> Choices;
  const auto Now = arch::computeOccupancy(Block, Machine);
  if (!Now || Now->Limiter != "registers")
    return Choices;
  for (unsigned More = 1; More <= MostMore; ++More) {
    const unsigned Blocks = Now->BlocksPerSM + More;
    BlockResources Fewer = Block;
    bool Fits = false;
    while (!Fits && Fewer.RegistersPerThread > LeastRegisters) {
      --Fewer.RegistersPerThread;
      const auto O = arch::computeOccupancy(Fewer, Machine);
      Fits = O && O->BlocksPerSM >= Blocks;
    }
    if (!Fits)
      break;
    // The registers that the code has now, on a machine that holds them.
    arch::GPUSpec Larger = Machine;
    const uint32_t Step = Machine.SM.RegisterGranularity *
                          std::max(1u, Machine.SM.WarpGranularity);
    for (auto O = Now; O && O->BlocksPerSM < Blocks &&
                       Larger.SM.Registers < 4 * Machine.SM.Registers;
         O = arch::computeOccupancy(Block, Larger))
      Larger.SM.Registers += Step;
    Choices.push_back({Blocks,
                       Fewer.RegistersPerThread,
                       {fmt::format("sm.registers={}", Larger.SM.Registers)}});
  }
  return Choices;
}

//===----------------------------------------------------------------------===//
// UnrolledSource
//===----------------------------------------------------------------------===//

static bool isWord(char C) { return std::isalnum(uint8_t(C)) || C == '_'; }

/// Where the loop of \p Line begins; npos if it has no such word.
static size_t loopIn(const std::string &Line) {
  for (const char *Word : {"for", "while", "do"}) {
    const std::string Text = Word;
    for (size_t At = Line.find(Text); At != Line.npos;
         At = Line.find(Text, At + 1))
      if ((At == 0 || !isWord(Line[At - 1])) &&
          (At + Text.size() == Line.size() || !isWord(Line[At + Text.size()])))
        return At;
  }
  return std::string::npos;
}

static bool isUnrollPragma(const std::string &Line) {
  const size_t At = Line.find_first_not_of(" \t");
  return At != Line.npos && Line[At] == '#' &&
         Line.find("pragma") != Line.npos && Line.find("unroll") != Line.npos;
}

UnrolledSource::UnrolledSource(const std::string &Path,
                               const std::vector<unsigned> &Loops,
                               unsigned Count)
    : Original(Path) {
  std::ifstream In(Path);
  std::vector<std::string> Lines;
  for (std::string Line; std::getline(In, Line);)
    Lines.push_back(Line);
  for (unsigned Number : Loops) {
    if (Number == 0 || Number > Lines.size())
      continue;
    std::string &Line = Lines[Number - 1];
    const size_t At = loopIn(Line);
    if (At == Line.npos)
      continue;
    Line.insert(At, fmt::format("_Pragma(\"unroll {}\") ", Count));
    if (Number > 1 && isUnrollPragma(Lines[Number - 2]))
      Lines[Number - 2].clear(); // one pragma a loop
  }
  // The copy stands for the original in messages and debug lines.
  std::string Text = fmt::format("#line 1 \"{}\"\n", Path);
  for (const std::string &Line : Lines)
    Text += Line + "\n";
  std::string Template =
      (fs::temp_directory_path() / "heddle-tune-XXXXXX").string();
  if (!::mkdtemp(Template.data()))
    throw inputError("tune: no folder for copies of the source in {}",
                     fs::temp_directory_path().string());
  Folder = Template;
  Copy = (fs::path(Folder) / fs::path(Path).filename()).string();
  writeText(Copy, Text);
}

UnrolledSource::~UnrolledSource() {
  std::error_code Ignored;
  if (!Folder.empty())
    fs::remove_all(Folder, Ignored);
}

std::vector<std::string> UnrolledSource::flags() const {
  const fs::path Home = fs::absolute(Original).parent_path();
  return {"-iquote", Home.string()};
}

} // namespace heddle::tool
