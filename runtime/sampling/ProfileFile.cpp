//===- ProfileFile.cpp - Profiles as JSON ---------------------------------===//

#include "sampling/ProfileFile.h"

#include "base/Fail.h"
#include "base/JSONText.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace heddle::sampling {

using JSON = nlohmann::ordered_json;

static constexpr unsigned ProfileFormat = 2;

namespace {
struct Column {
  const char *Name;
  uint64_t BlockWork::*Field;
};
struct BlockColumn {
  const char *Name;
  std::vector<uint64_t> LaunchProfile::*Field;
};
} // namespace

/// One number per basic block of the IR.
static constexpr BlockColumn BlockColumns[] = {
    {"basic_blocks", &LaunchProfile::BasicBlocks},
    {"bytes_read", &LaunchProfile::BytesRead},
    {"bytes_written", &LaunchProfile::BytesWritten},
};

/// Columns of thread blocks; one array each keeps files small.
static constexpr Column Columns[] = {
    {"warp_instructions", &BlockWork::WarpInstructions},
    {"thread_instructions", &BlockWork::ThreadInstructions},
    {"memory_requests", &BlockWork::MemoryRequests},
    {"bytes", &BlockWork::Bytes},
};

static JSON triple(const Dim3 &D) { return {D.X, D.Y, D.Z}; }

/// Equal neighbours are one pair [value, count].
static JSON runLengths(const std::vector<BlockWork> &Blocks,
                       uint64_t BlockWork::*Field) {
  JSON Runs = JSON::array();
  for (size_t I = 0; I < Blocks.size();) {
    size_t End = I;
    while (End < Blocks.size() && Blocks[End].*Field == Blocks[I].*Field)
      ++End;
    Runs.push_back({Blocks[I].*Field, End - I});
    I = End;
  }
  return Runs;
}

std::string writeProfile(const ApplicationProfile &Profile,
                         const std::string &Version) {
  JSON Root = {{"tool", "heddle"},
               {"version", Version},
               {"profile_format", ProfileFormat},
               {"launches", JSON::array()}};
  if (!Profile.Assumptions.empty())
    Root["assumptions"] = Profile.Assumptions;
  for (const LaunchProfile &L : Profile.Launches) {
    JSON Launch = {{"kernel", L.Kernel},
                   {"grid", triple(L.Grid)},
                   {"block", triple(L.Block)},
                   {"registers_per_thread", L.RegistersPerThread},
                   {"shared_bytes", L.SharedBytesPerBlock},
                   {"arguments", L.Arguments},
                   {"after_sync", L.AfterSync}};
    if (!L.Range.empty())
      Launch["range"] = L.Range;
    for (const BlockColumn &C : BlockColumns)
      Launch[C.Name] = L.*C.Field;
    for (const Column &C : Columns)
      Launch["blocks"][C.Name] = runLengths(L.Blocks, C.Field);
    Root["launches"].push_back(std::move(Launch));
  }
  return Root.dump() + "\n";
}

namespace {
/// Walks the JSON; methods throw Error.
class ProfileReader {
public:
  explicit ProfileReader(std::string Path) : Path(std::move(Path)) {}

  ApplicationProfile read(const JSON &Root) const {
    if (!Root.is_object() || !Root.contains("profile_format"))
      error("is not a profile; `heddle profile` writes one");
    if (Root["profile_format"] != ProfileFormat)
      error(
          fmt::format("has profile format {}, this program reads {}; make the "
                      "profile again",
                      quotedValue(Root["profile_format"]), ProfileFormat));
    ApplicationProfile Profile;
    for (const JSON &L : list(Root, "launches", "the profile"))
      Profile.Launches.push_back(launch(L, Profile.Launches.size()));
    if (Profile.Launches.empty())
      error("holds no launch");
    if (Root.contains("assumptions"))
      for (const JSON &Note : list(Root, "assumptions", "the profile"))
        Profile.Assumptions.push_back(text(Note, "an assumption"));
    return Profile;
  }

private:
  [[noreturn]] void error(const std::string &Message) const {
    throw Error{Path + ": " + Message};
  }
  const JSON &member(const JSON &At, const char *Key,
                     const std::string &Where) const {
    if (!At.is_object() || !At.contains(Key))
      error(fmt::format("{} lacks '{}'", Where, Key));
    return At[Key];
  }
  const JSON &list(const JSON &At, const char *Key,
                   const std::string &Where) const {
    const JSON &List = member(At, Key, Where);
    if (!List.is_array())
      error(fmt::format("'{}' of {} is not a list", Key, Where));
    return List;
  }
  uint64_t number(const JSON &N, const std::string &Where) const {
    if (!N.is_number_unsigned())
      error(
          fmt::format("{} holds {} instead of a count", Where, quotedValue(N)));
    return N.get<uint64_t>();
  }
  Dim3 dim3(const JSON &At, const char *Key, const std::string &Where) const {
    const JSON &List = list(At, Key, Where);
    if (List.size() != 3)
      error(fmt::format("'{}' of {} does not have three numbers", Key, Where));
    uint64_t Parts[3];
    for (unsigned I = 0; I < 3; ++I) {
      Parts[I] = number(List[I], Where);
      if (Parts[I] == 0 || Parts[I] > UINT32_MAX)
        error(fmt::format("'{}' of {} is out of range", Key, Where));
    }
    return {uint32_t(Parts[0]), uint32_t(Parts[1]), uint32_t(Parts[2])};
  }

  std::string text(const JSON &At, const char *Key,
                   const std::string &Where) const {
    return text(member(At, Key, Where), fmt::format("'{}' of {}", Key, Where));
  }
  std::string text(const JSON &Text, const std::string &What) const {
    if (!Text.is_string())
      error(fmt::format("{} is not a text", What));
    return Text.get<std::string>();
  }

  LaunchProfile launch(const JSON &At, size_t Index) const {
    const std::string Where = fmt::format("launch {}", Index);
    LaunchProfile L;
    L.Kernel = text(At, "kernel", Where);
    L.Grid = dim3(At, "grid", Where);
    // A short list may stand for all of them, which are held at once.
    constexpr uint64_t MaxBlocks = uint64_t(1) << 27;
    if (const uint64_t Plane = uint64_t(L.Grid.X) * L.Grid.Y;
        Plane > MaxBlocks || Plane * L.Grid.Z > MaxBlocks)
      error(fmt::format("'grid' of {} has more than {} thread blocks", Where,
                        MaxBlocks));
    L.Block = dim3(At, "block", Where);
    L.RegistersPerThread =
        unsigned(number(member(At, "registers_per_thread", Where), Where));
    L.SharedBytesPerBlock = number(member(At, "shared_bytes", Where), Where);
    L.Arguments = text(At, "arguments", Where);
    if (At.contains("range"))
      L.Range = text(At, "range", Where);
    const JSON &AfterSync = member(At, "after_sync", Where);
    if (!AfterSync.is_boolean())
      error(fmt::format("'after_sync' of {} is neither true nor false", Where));
    L.AfterSync = AfterSync.get<bool>();
    for (const BlockColumn &C : BlockColumns)
      for (const JSON &Count : list(At, C.Name, Where))
        (L.*C.Field).push_back(number(Count, Where));
    for (const BlockColumn &C : BlockColumns)
      if ((L.*C.Field).size() != L.BasicBlocks.size())
        error(fmt::format("'{}' of {} does not have one number for each of the "
                          "{} basic blocks",
                          C.Name, Where, L.BasicBlocks.size()));
    const JSON &Blocks = member(At, "blocks", Where);
    for (const Column &C : Columns)
      column(list(Blocks, C.Name, Where), C, Where, L);
    return L;
  }

  void column(const JSON &Runs, const Column &C, const std::string &Where,
              LaunchProfile &L) const {
    const uint64_t Count = L.Grid.count();
    size_t Next = 0;
    for (const JSON &Run : Runs) {
      if (!Run.is_array() || Run.size() != 2)
        error(fmt::format("'{}' of {} is not a list of [value, count]", C.Name,
                          Where));
      uint64_t Value = number(Run[0], Where), Times = number(Run[1], Where);
      if (Times == 0 || Times > Count - Next)
        break;
      if (L.Blocks.size() < Next + Times)
        L.Blocks.resize(Next + Times);
      for (; Times; --Times)
        L.Blocks[Next++].*C.Field = Value;
    }
    if (Next != Count)
      error(fmt::format("'{}' of {} does not have one value for each of the {} "
                        "thread blocks",
                        C.Name, Where, Count));
  }

  std::string Path;
};
} // namespace

Result<ApplicationProfile> parseProfile(const std::string &Text,
                                        const std::string &Path) {
  if (nestsTooDeep(Text))
    return fail(Path + NestsTooDeep);
  try {
    return ProfileReader(Path).read(JSON::parse(Text));
  } catch (const Error &E) {
    return std::unexpected(E);
  } catch (const nlohmann::json::exception &E) {
    return fail("{}: is not JSON, or was cut off: {}", Path, E.what());
  }
}

Result<ApplicationProfile> readProfile(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return fail("cannot read profile '{}': {}", Path, std::strerror(errno));
  std::ostringstream Text;
  Text << File.rdbuf();
  return parseProfile(Text.str(), Path);
}

} // namespace heddle::sampling
