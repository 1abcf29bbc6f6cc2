//===- SpecReader.cpp - Machine files -------------------------------------===//

#include "arch/SpecReader.h"

#include "arch/BuiltinMachines.h"
#include "arch/GPUSpec.h"
#include "arch/RegisterBanks.h"
#include "arch/SpecAssign.h"
#include "arch/SpecFields.h"
#include "base/Fail.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>

namespace heddle::arch {

namespace {
struct FieldError {
  std::string Field;   ///< where it shows best
  std::string Message; ///< goes on from the field's name
};

using MaybeError = std::optional<FieldError>;

MaybeError checkRanges(const GPUSpec &Spec) {
  MaybeError Found;
  forEachField(Spec, [&](const FieldInfo &Field, const auto &Value) {
    using T = std::remove_cvref_t<decltype(Value)>;
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
      if (!Found && (double(Value) < Field.Min || double(Value) > Field.Max))
        Found = FieldError{
            std::string(Field.Name),
            fmt::format("is missing; give a number from {} to {}{}{}",
                        Field.Min, Field.Max, Field.Unit.empty() ? "" : " ",
                        Field.Unit)};
  });
  return Found;
}

MaybeError checkCache(std::string Section, const CacheSpec &C,
                      uint64_t SizeBytes) {
  auto Bad = [&](const char *Field, std::string Message) {
    return FieldError{Section + "." + Field, std::move(Message)};
  };
  if (!std::has_single_bit(C.Line))
    return Bad("line",
               fmt::format("is {}, but must be a power of two", C.Line));
  if (!std::has_single_bit(C.Sector) || C.Sector > C.Line ||
      C.Line / C.Sector > 16)
    return Bad("sector",
               fmt::format("is {}, but must be a power of two, at most "
                           "the line of {} and at least 1/16 of it",
                           C.Sector, C.Line));
  // Lines and sectors count without the cache too: accesses are cut into them.
  if (SizeBytes % (uint64_t(C.Line) * C.Ways))
    return Bad("size",
               fmt::format("is {}{}, but must be a multiple of {} lines of "
                           "{} bytes ({}.ways x {}.line)",
                           SizeBytes,
                           Section == "l2" ? " per slice (l2.slices)" : "",
                           C.Ways, C.Line, Section, Section));
  return std::nullopt;
}

MaybeError checkGPCCache(const GPUSpec &Spec) {
  const uint64_t Way = uint64_t(Spec.L2.Line) * Spec.GPCCache.Ways;
  if (Spec.GPCCache.Size % Way)
    return FieldError{
        "gpc_cache.size",
        fmt::format("is {}, but must be a multiple of {} lines of "
                    "{} bytes (gpc_cache.ways x l2.line)",
                    Spec.GPCCache.Size, Spec.GPCCache.Ways, Spec.L2.Line)};
  if (Spec.GPCCache.Size && Spec.Icnt.SectorRequests)
    return FieldError{"gpc_cache.size",
                      fmt::format("is {}, but icnt.sector_requests is true: "
                                  "the cache asks for whole lines",
                                  Spec.GPCCache.Size)};
  return std::nullopt;
}

MaybeError checkSM(const GPUSpec &Spec) {
  if (Spec.Pipes.empty())
    return FieldError{"pipes", "is missing: a machine needs pipes"};
  for (const PipeSpec &P : Spec.Pipes) {
    if (P.Units == 0)
      return FieldError{"pipes." + P.Name + ".units",
                        "is 0, but must be a whole number from 1 to 64"};
    if (P.PerScheduler && P.Units % Spec.SM.Schedulers)
      return FieldError{
          "pipes." + P.Name + ".units",
          fmt::format("is {}, but must be a multiple of sm.schedulers ({}), as "
                      "the pipe is per_scheduler",
                      P.Units, Spec.SM.Schedulers)};
    if (P.Collectors % Spec.SM.Schedulers)
      return FieldError{
          "pipes." + P.Name + ".collectors",
          fmt::format("is {}, but must be a multiple of sm.schedulers ({})",
                      P.Collectors, Spec.SM.Schedulers)};
    if (!P.Collectors && Spec.hasCollectors() &&
        !Spec.FrontEnd.OperandCollectors)
      return FieldError{"pipes." + P.Name + ".collectors",
                        "is 0, but other pipes have collectors of their own "
                        "and front.operand_collectors is 0 too"};
  }
  if (!Spec.hasCollectors() && Spec.FrontEnd.RegisterBanks > MaxBanks)
    return FieldError{"front.register_banks",
                      fmt::format("is {}, but at most {} are modelled where "
                                  "front.operand_collectors is 0",
                                  Spec.FrontEnd.RegisterBanks, MaxBanks)};
  if (Spec.SM.MaxWarps * 32 < Spec.SM.MaxThreadsPerBlock)
    return FieldError{
        "sm.max_threads_per_block",
        fmt::format("is {}, but sm.max_warps ({}) hold only {} threads",
                    Spec.SM.MaxThreadsPerBlock, Spec.SM.MaxWarps,
                    Spec.SM.MaxWarps * 32)};
  if (Spec.Shared.MaxPerBlock > Spec.Shared.Size)
    return FieldError{"shared.max_per_block",
                      fmt::format("is {}, more than shared.size ({})",
                                  Spec.Shared.MaxPerBlock, Spec.Shared.Size)};
  if (!std::has_single_bit(Spec.Shared.Banks))
    return FieldError{"shared.banks",
                      fmt::format("is {}, but must be a power of "
                                  "two",
                                  Spec.Shared.Banks)};
  if (Spec.Shared.BankBytes != 4 && Spec.Shared.BankBytes != 8)
    return FieldError{
        "shared.bank_bytes",
        fmt::format("is {}, but must be 4 or 8", Spec.Shared.BankBytes)};
  const std::vector<uint32_t> &Sizes = Spec.Shared.CarveOuts;
  if (!std::ranges::is_sorted(Sizes) ||
      (!Sizes.empty() && Sizes.back() != Spec.Shared.Size))
    return FieldError{"shared.carve_outs",
                      fmt::format("must ascend and end with shared.size ({})",
                                  Spec.Shared.Size)};
  const uint32_t Tags = Spec.L1.Tags;
  if (Tags > 2 && Tags != 4 && Tags != 16)
    return FieldError{"l1.tags",
                      fmt::format("is {}, but must be 0, 1, 2, 4 or 16", Tags)};
  if (Spec.L1.Unified && Spec.L1.Unified < Spec.Shared.Size)
    return FieldError{"l1.unified",
                      fmt::format("is {}, less than shared.size ({})",
                                  Spec.L1.Unified, Spec.Shared.Size)};
  return std::nullopt;
}

/// What shared memory leaves of a unified L1 becomes ways; as many as a file
/// may give. The size then only says how many sets there are, which who sets
/// it alone does not mean.
MaybeError checkUnified(const GPUSpec &Spec) {
  constexpr uint32_t MaxWays = 1024;
  if (!Spec.L1.Size || !Spec.L1.Unified)
    return std::nullopt;
  const auto Set =
      std::ranges::find(Spec.UserFields, "l1.size", &UserField::Path);
  if (Set != Spec.UserFields.end() && Set->IsWhatIf)
    return FieldError{
        "l1.size",
        fmt::format("is {}, but L1 has what shared memory leaves of l1.unified "
                    "({}): set that, or l1.unified=0 too",
                    Spec.L1.Size, Spec.L1.Unified)};
  if (Spec.L1.Size > Spec.L1.Unified)
    return FieldError{"l1.size", fmt::format("is {}, more than l1.unified ({})",
                                             Spec.L1.Size, Spec.L1.Unified)};
  const uint32_t Ways = Spec.l1For(0).Ways;
  if (Ways > MaxWays)
    return FieldError{
        "l1.unified",
        fmt::format("is {}, which makes {} ways of {} sets of L1, "
                    "but at most {} are possible",
                    Spec.L1.Unified, Ways, Spec.L1.sets(), MaxWays)};
  return std::nullopt;
}

MaybeError checkMemory(const GPUSpec &Spec) {
  const L2Spec &L2 = Spec.L2;
  if (L2.Slices % Spec.DRAM.Channels)
    return FieldError{"l2.slices",
                      fmt::format("is {}, but must be a multiple of "
                                  "dram.channels ({})",
                                  L2.Slices, Spec.DRAM.Channels)};
  if (Spec.DRAM.Channels % L2.Halves)
    return FieldError{"l2.halves", fmt::format("is {}, but dram.channels ({}) "
                                               "is not a multiple of it",
                                               L2.Halves, Spec.DRAM.Channels)};
  if (L2.TotalSize % L2.Slices)
    return FieldError{"l2.size", fmt::format("is {}, but must be a multiple of "
                                             "l2.slices ({})",
                                             L2.TotalSize, L2.Slices)};
  if (!std::has_single_bit(L2.Interleave) || L2.Interleave < L2.Line)
    return FieldError{"l2.interleave",
                      fmt::format("is {}, but must be a power of two and at "
                                  "least l2.line ({})",
                                  L2.Interleave, L2.Line)};
  if (Spec.L1.Size && Spec.L1.Sector < L2.Sector)
    return FieldError{"l1.sector",
                      fmt::format("is {}, less than l2.sector ({})",
                                  Spec.L1.Sector, L2.Sector)};
  for (const auto &[Name, Cache] :
       {std::pair<const char *, const CacheSpec *>{"l1", &Spec.L1},
        {"icache", &Spec.ICache},
        {"constant", &Spec.Constant},
        {"constant2", &Spec.Constant2},
        {"texture", &Spec.Texture}})
    if (Cache->Size && Cache->Line > L2.Interleave)
      return FieldError{std::string(Name) + ".line",
                        fmt::format("is {}, more than l2.interleave ({})",
                                    Cache->Line, L2.Interleave)};
  if (!std::has_single_bit(Spec.DRAM.Banks) ||
      !std::has_single_bit(Spec.DRAM.BankGroups) ||
      Spec.DRAM.BankGroups > Spec.DRAM.Banks)
    return FieldError{
        "dram.banks",
        fmt::format("({}) and dram.bank_groups ({}) must be powers "
                    "of two, no more groups than banks",
                    Spec.DRAM.Banks, Spec.DRAM.BankGroups)};
  if (Spec.DRAM.TREFI && Spec.DRAM.TRFC >= Spec.DRAM.TREFI)
    return FieldError{"dram.trfc",
                      fmt::format("is {}, and dram.trefi {}: a bank would "
                                  "never be free",
                                  Spec.DRAM.TRFC, Spec.DRAM.TREFI)};
  const double Peak = double(Spec.DRAM.Channels) * Spec.DRAM.BurstBytes *
                      Spec.Clock.DRAM / std::max(Spec.DRAM.TCCD, 1u) / 1000;
  if (Spec.DRAM.Policy != DRAMPolicy::Fixed &&
      Spec.DRAM.Bandwidth > 1.01 * Peak)
    return FieldError{"dram.bandwidth",
                      fmt::format("is {}, but dram.channels ({}) x dram.burst "
                                  "({}) x clock.dram ({}) / dram.tccd ({}) "
                                  "allow {:.1f} GB/s; change them together",
                                  Spec.DRAM.Bandwidth, Spec.DRAM.Channels,
                                  Spec.DRAM.BurstBytes, Spec.Clock.DRAM,
                                  Spec.DRAM.TCCD, Peak)};
  if (!std::has_single_bit(Spec.DRAM.RowBytes) ||
      !std::has_single_bit(Spec.DRAM.BurstBytes))
    return FieldError{"dram.row",
                      fmt::format("({}) and dram.burst ({}) must be "
                                  "powers of two",
                                  Spec.DRAM.RowBytes, Spec.DRAM.BurstBytes)};
  return std::nullopt;
}

} // namespace

/// Derives what follows from other fields: the size of an L2 slice, limits
/// that are not given.
static void completeSpec(GPUSpec &Spec) {
  if (Spec.L2.Slices)
    Spec.L2.Size = Spec.L2.TotalSize / Spec.L2.Slices;
  if (Spec.Shared.MaxPerBlock == 0)
    Spec.Shared.MaxPerBlock = Spec.Shared.Size;
  if (Spec.Clock.L2 == 0)
    Spec.Clock.L2 = Spec.Clock.Core;
  // A cache that is absent or perfect needs no MSHRs in its file.
  for (CacheSpec *C : {static_cast<CacheSpec *>(&Spec.L1), &Spec.ICache,
                       static_cast<CacheSpec *>(&Spec.Constant),
                       &Spec.Constant2, static_cast<CacheSpec *>(&Spec.Texture),
                       static_cast<CacheSpec *>(&Spec.L2)}) {
    bool Absent = C->Size == 0;
    C->MSHRs = C->MSHRs || !Absent ? C->MSHRs : 1;
    C->MSHRMerge = C->MSHRMerge || !Absent ? C->MSHRMerge : 1;
  }
}

/// The queue of textures is not that of loads.
static std::optional<FieldError> checkTexturePipe(const GPUSpec &Spec) {
  if (Spec.Texture.QuadsPerCycle == 0)
    return std::nullopt;
  if (Spec.Texture.QuadsPerCycle < 0.125)
    return FieldError{"texture.quads_per_cycle",
                      fmt::format("is {}, but must be 0 or at least 0.125",
                                  Spec.Texture.QuadsPerCycle)};
  for (unsigned Type = 0; Type < HEDDLE_NUM_DATA_TYPES; ++Type)
    for (unsigned Class : {HEDDLE_OP_LOAD, HEDDLE_OP_STORE, HEDDLE_OP_ATOMIC,
                           HEDDLE_OP_REDUCTION})
      if (Spec.Ops.at(Class, Type).Pipe ==
          Spec.Ops.at(HEDDLE_OP_TEXTURE, Type).Pipe)
        return FieldError{
            "texture.quads_per_cycle",
            fmt::format("is {}, but textures share pipe '{}' "
                        "with other accesses; give the row "
                        "texture.* of 'ops' a pipe of its own",
                        Spec.Texture.QuadsPerCycle,
                        Spec.Pipes[Spec.Ops.at(Class, Type).Pipe].Name)};
  return std::nullopt;
}

/// Missing fields, and fields that contradict each other.
static std::optional<FieldError> checkSpec(const GPUSpec &Spec) {
  if (MaybeError E = checkRanges(Spec))
    return E;
  if (MaybeError E = checkSM(Spec))
    return E;
  if (MaybeError E = checkCache("l1", Spec.L1, Spec.L1.Size))
    return E;
  if (MaybeError E = checkUnified(Spec))
    return E;
  if (MaybeError E = checkCache("icache", Spec.ICache, Spec.ICache.Size))
    return E;
  if (MaybeError E = checkCache("constant", Spec.Constant, Spec.Constant.Size))
    return E;
  if (MaybeError E =
          checkCache("constant2", Spec.Constant2, Spec.Constant2.Size))
    return E;
  if (MaybeError E = checkGPCCache(Spec))
    return E;
  if (MaybeError E = checkCache("texture", Spec.Texture, Spec.Texture.Size))
    return E;
  if (MaybeError E = checkTexturePipe(Spec))
    return E;
  if (MaybeError E = checkMemory(Spec))
    return E;
  // A slice's share is what has to divide; the file gives the sum.
  return checkCache("l2", Spec.L2, Spec.L2.Size);
}

CacheSpec GPUSpec::l1For(uint64_t SharedBytes) const {
  CacheSpec C = L1;
  if (L1.Unified == 0 || L1.Size == 0)
    return C;
  uint64_t Carved = Shared.Size;
  for (uint32_t Size : Shared.CarveOuts)
    if (Size >= SharedBytes) {
      Carved = Size;
      break;
    }
  // The number of sets is wired; a larger L1 has more ways.
  uint64_t SetBytes = uint64_t(L1.Line) * L1.sets();
  C.Ways = uint32_t(std::max<uint64_t>(1, (L1.Unified - Carved) / SetBytes));
  C.Size = C.Ways * SetBytes;
  return C;
}

namespace {

namespace fs = std::filesystem;

/// Machine files are a few KiB; more is a mistake.
constexpr size_t MaxFileBytes = 1 << 20;
/// "base" may point to a file with a base of its own.
constexpr unsigned MaxBaseDepth = 8;
constexpr unsigned MaxNesting = 4;

const BuiltinMachine *findBuiltin(std::string_view Name) {
  for (const BuiltinMachine &M : builtinMachineFiles())
    if (M.Name == Name)
      return &M;
  return nullptr;
}

/// What people write of a name: "RTX 4090" is rtx4090.
std::string plainName(std::string_view Name) {
  std::string Plain;
  for (const char C : Name)
    if (std::isalnum(static_cast<unsigned char>(C)))
      Plain += char(std::tolower(static_cast<unsigned char>(C)));
  return Plain;
}

/// The built-in machine that \p NameOrFile means: by its name, or by a name in
/// other letters where there is no such file.
const BuiltinMachine *meantBuiltin(std::string_view NameOrFile) {
  if (const BuiltinMachine *M = findBuiltin(NameOrFile))
    return M;
  std::error_code Code;
  if (fs::exists(fs::path(NameOrFile), Code))
    return nullptr;
  const std::string Plain = plainName(NameOrFile);
  for (const BuiltinMachine &M : builtinMachineFiles())
    if (plainName(M.Name) == Plain)
      return &M;
  return nullptr;
}

std::string position(std::string_view File, const YAML::Node &Node) {
  return fmt::format("{}:{}", File, Node.Mark().line + 1);
}

/// Turns the tree of a machine file into assignments in file order.
Result<void> flatten(const YAML::Node &Node, const std::string &Path,
                     std::string_view File, unsigned Depth,
                     std::vector<Assignment> &Out) {
  Assignment A{Path, {}, false, position(File, Node)};
  switch (Node.Type()) {
  case YAML::NodeType::Scalar:
    A.Values.push_back(Node.Scalar());
    Out.push_back(std::move(A));
    return {};
  case YAML::NodeType::Sequence:
    A.IsList = true;
    for (const YAML::Node &Element : Node) {
      if (!Element.IsScalar())
        return fail("{}: {}: a list of plain values is expected", A.Where,
                    Path);
      A.Values.push_back(Element.Scalar());
    }
    Out.push_back(std::move(A));
    return {};
  case YAML::NodeType::Map:
    if (Depth == MaxNesting)
      return fail("{}: {}: sections are nested too deeply", A.Where, Path);
    for (std::set<std::string> Names; const auto &Entry : Node) {
      if (!Entry.first.IsScalar())
        return fail("{}: a field name is expected",
                    position(File, Entry.first));
      std::string Name = Path.empty() ? Entry.first.Scalar()
                                      : Path + "." + Entry.first.Scalar();
      if (!Names.insert(Name).second)
        return fail("{}: {} is given twice", position(File, Entry.first), Name);
      if (Entry.second.IsNull())
        return fail("{}: {} has no value", position(File, Entry.first), Name);
      if (Result<void> R = flatten(Entry.second, Name, File, Depth + 1, Out);
          !R)
        return R;
    }
    return {};
  default:
    return fail("{}: {} has no value", A.Where, Path);
  }
}

Result<std::string> readFile(const fs::path &Path) {
  std::ifstream In(Path, std::ios::binary);
  if (!In || !fs::is_regular_file(Path))
    return fail("{}: cannot read the machine file", Path.string());
  std::string Text(std::istreambuf_iterator<char>(In), {});
  if (Text.size() > MaxFileBytes)
    return fail("{}: a machine file has at most {} bytes, this has {}",
                Path.string(), MaxFileBytes, Text.size());
  return Text;
}

Error unknownMachine(std::string_view Name, std::string_view Where) {
  const std::string Plain = plainName(Name);
  std::string Similar;
  size_t Least = Plain.size() / 3 + 1;
  for (const std::string_view Known : builtinMachines())
    if (const size_t D = editDistance(Plain, plainName(Known)); D < Least) {
      Least = D;
      Similar = fmt::format("; did you mean {}?", Known);
    }
  if (std::error_code None;
      fs::is_regular_file(std::string(Name) + ".yaml", None))
    Similar = fmt::format("; did you mean {}.yaml?", Name);
  return Error{fmt::format(
      "{}{}{} is neither a machine file nor one of the built-in machines {}{}",
      Where, Where.empty() ? "" : ": ", Name,
      fmt::join(builtinMachines(), ", "), Similar)};
}

/// Reads \p Text after whatever its "base" names. What a \p Builtin machine or
/// a whole machine of the user's says is the machine; what a user's file says
/// beside its base is a change.
Result<void> collect(std::string_view Text, std::string_view File, bool Builtin,
                     unsigned Depth, std::vector<Assignment> &Out) {
  std::vector<Assignment> Own;
  try {
    YAML::Node Root = YAML::Load(std::string(Text));
    if (!Root.IsMap())
      return fail("{}:1: a machine file is a map of fields", File);
    if (Result<void> R = flatten(Root, "", File, 0, Own); !R)
      return R;
  } catch (const YAML::Exception &E) {
    return fail("{}:{}: {}", File, E.mark.line + 1, E.msg);
  }
  auto Base = std::ranges::find(Own, "base", &Assignment::Path);
  if (Base != Own.end()) {
    if (Base->IsList)
      return fail("{}: base takes one machine, not a list", Base->Where);
    if (Depth == MaxBaseDepth)
      return fail("{}: base: more than {} machines in a chain; do they refer "
                  "to each other?",
                  Base->Where, MaxBaseDepth);
    const std::string &Name = Base->Values.front();
    if (const BuiltinMachine *M = findBuiltin(Name)) {
      if (Result<void> R =
              collect(M->Text, Name + ".yaml", true, Depth + 1, Out);
          !R)
        return R;
    } else {
      fs::path Path = fs::path(File).parent_path() / Name;
      std::error_code Code;
      if (!fs::is_regular_file(Path, Code))
        return std::unexpected(unknownMachine(Name, Base->Where + ": base"));
      Result<std::string> BaseText = readFile(Path);
      if (!BaseText)
        return std::unexpected(BaseText.error());
      if (Result<void> R =
              collect(*BaseText, Path.string(), false, Depth + 1, Out);
          !R)
        return R;
    }
    Own.erase(Base);
    for (Assignment &A : Own)
      A.Origin =
          Builtin ? Assignment::From::Machine : Assignment::From::UserFile;
  }
  Out.insert(Out.end(), std::make_move_iterator(Own.begin()),
             std::make_move_iterator(Own.end()));
  return {};
}

Result<GPUSpec> readMachine(std::string_view Text, std::string_view File,
                            bool Builtin, std::span<const std::string> Sets) {
  std::vector<Assignment> Assignments;
  if (Result<void> R = collect(Text, File, Builtin, 0, Assignments); !R)
    return std::unexpected(R.error());
  for (const std::string &Set : Sets) {
    Result<Assignment> A = parseSet(Set);
    if (!A)
      return std::unexpected(A.error());
    Assignments.push_back(std::move(*A));
  }

  GPUSpec Spec;
  Spec.PlainName = fs::path(File).stem().string();
  if (!Builtin) {
    Spec.File = File;
    // A user's v100.yaml is not the v100.
    if (findBuiltin(Spec.PlainName))
      Spec.PlainName = Spec.File;
  }
  Spec.Name = Spec.PlainName;
  SpecAssigner Assigner(Spec);
  for (const Assignment &A : Assignments)
    if (Result<void> R = Assigner.assign(A); !R)
      return std::unexpected(R.error());
  for (const UserField &Field : Spec.UserFields)
    if (Field.IsWhatIf)
      Spec.Name +=
          fmt::format("{}{}={}", Spec.Name == Spec.PlainName ? " with " : ", ",
                      Field.Path, Field.Value);
  completeSpec(Spec);
  if (std::optional<FieldError> E = checkSpec(Spec)) {
    std::string Where = Assigner.where(E->Field);
    return fail("{}: {} {}", Where.empty() ? File : Where, E->Field,
                E->Message);
  }
  return Spec;
}

} // namespace

std::vector<std::string_view> builtinMachines() {
  std::vector<std::string_view> Names;
  for (const BuiltinMachine &M : builtinMachineFiles())
    Names.push_back(M.Name);
  return Names;
}

std::string_view builtinName(std::string_view NameOrFile) {
  const BuiltinMachine *M = meantBuiltin(NameOrFile);
  return M ? M->Name : std::string_view();
}

Result<GPUSpec> parseMachine(std::string_view Text, std::string_view File,
                             std::span<const std::string> Sets) {
  return readMachine(Text, File, false, Sets);
}

Result<std::string> baseOfMachine(std::string_view NameOrFile) {
  const BuiltinMachine *M = meantBuiltin(NameOrFile);
  Result<std::string> Text =
      M ? Result<std::string>(M->Text) : readFile(fs::path(NameOrFile));
  if (!Text)
    return Text;
  const YAML::Node Base = YAML::Load(*Text)["base"];
  if (!Base)
    return std::string();
  const std::string &Name = Base.Scalar();
  return findBuiltin(Name)
             ? Name
             : (fs::path(NameOrFile).parent_path() / Name).string();
}

Result<GPUSpec> loadMachine(std::string_view NameOrFile,
                            std::span<const std::string> Sets) {
  if (const BuiltinMachine *M = meantBuiltin(NameOrFile))
    return readMachine(M->Text, std::string(M->Name) + ".yaml", true, Sets);
  std::error_code Code;
  if (!fs::is_regular_file(fs::path(NameOrFile), Code))
    return std::unexpected(unknownMachine(NameOrFile, ""));
  Result<std::string> Text = readFile(fs::path(NameOrFile));
  if (!Text)
    return std::unexpected(Text.error());
  return parseMachine(*Text, NameOrFile, Sets);
}

} // namespace heddle::arch
