//===- LaunchOptions.cpp - Launches given on the command line -------------===//

#include "launch/LaunchFile.h"

#include "base/Clusters.h"
#include "base/Fail.h"
#include "launch/ScalarTypes.h"

#include <set>
#include <string_view>

namespace heddle::launch {

static std::vector<std::string_view> split(std::string_view Text, char At) {
  std::vector<std::string_view> Parts;
  for (size_t Comma; (Comma = Text.find(At)) != Text.npos;
       Text.remove_prefix(Comma + 1))
    Parts.push_back(Text.substr(0, Comma));
  Parts.push_back(Text);
  return Parts;
}

Result<Dim3> parseDim3(std::string_view Text, std::string_view Option) {
  auto Parts = split(Text, ',');
  Dim3 D;
  uint32_t *To[] = {&D.X, &D.Y, &D.Z};
  for (size_t I = 0; I < Parts.size(); ++I) {
    auto Value = parseCount(Parts[I], UINT32_MAX);
    if (I == 3 || !Value)
      return fail("{}: '{}' is not X, X,Y or X,Y,Z", Option, Text);
    *To[I] = uint32_t(*Value);
  }
  return D;
}

static Result<Init> parseInit(std::string_view Text, ScalarType Type) {
  auto Bad = [&] {
    return fail("--arg: '{}' is not an init; known are: zero, iota, value:V, "
                "uniform:LOW:HIGH[:SEED], file:PATH",
                Text);
  };
  auto Parts = split(Text, ':');
  if (Text == "zero")
    return Init(InitZero{});
  if (Text == "iota")
    return Init(InitIota{});
  if (Parts[0] == "file" && Text.size() > 5)
    return Init(InitFile{std::string(Text.substr(5))});
  if (Parts[0] == "value" && Parts.size() == 2) {
    auto Integer = parseInteger(Type, Parts[1]);
    auto Float = parseFloat(Parts[1]);
    if (isFloat(Type) ? !Float : !Integer)
      return Bad();
    return Init(InitValue{Float.value_or(0), Integer.value_or(0)});
  }
  if (Parts[0] == "uniform" && (Parts.size() == 3 || Parts.size() == 4)) {
    auto Low = parseFloat(Parts[1]), High = parseFloat(Parts[2]);
    auto Seed = Parts.size() == 4 ? parseCount(Parts[3], UINT32_MAX)
                                  : std::optional<uint64_t>(0);
    if (!Low || !High || !Seed || !(*Low <= *High))
      return Bad();
    return Init(InitUniform{*Low, *High, *Seed});
  }
  return Bad();
}

/// "[NAME:]TYPE[COUNT]" and the text after '='.
static Result<BufferArg> parseBuffer(std::string_view Kind,
                                     std::string_view Value, bool HasValue) {
  BufferArg B;
  if (size_t Colon = Kind.find(':'); Colon != Kind.npos) {
    B.Name = Kind.substr(0, Colon);
    Kind.remove_prefix(Colon + 1);
  }
  size_t Open = Kind.find('[');
  auto Type = scalarType(Kind.substr(0, Open));
  if (!Type)
    return fail("--arg: unknown type '{}'; known are: {}", Kind.substr(0, Open),
                scalarTypeNames());
  constexpr uint64_t MostBytes = uint64_t(1) << 39;
  auto Count = Kind.ends_with(']')
                   ? parseCount(Kind.substr(Open + 1, Kind.size() - Open - 2),
                                UINT64_MAX / sizeOf(*Type))
                   : std::nullopt;
  if (Count && *Count > MostBytes / sizeOf(*Type))
    return fail("--arg: '{}' takes {} bytes; a buffer has at most {}", Kind,
                *Count * sizeOf(*Type), MostBytes);
  if (!Count || *Count == 0)
    return fail("--arg: '{}' does not name a number of elements of at least 1, "
                "as in f32[1024]",
                Kind);
  B.Type = *Type;
  B.Count = *Count;
  if (HasValue) {
    auto I = parseInit(Value, *Type);
    if (!I)
      return std::unexpected(I.error());
    B.Init = *I;
  }
  return B;
}

static Result<std::vector<uint8_t>> parseElements(ScalarType Type,
                                                  std::string_view Value) {
  std::vector<uint8_t> Bytes;
  for (std::string_view Part : split(Value, ',')) {
    Bytes.resize(Bytes.size() + sizeOf(Type));
    uint8_t *To = Bytes.data() + Bytes.size() - sizeOf(Type);
    auto Float = parseFloat(Part);
    auto Integer = parseInteger(Type, Part);
    if (isFloat(Type) ? !Float : !Integer)
      return fail("--arg: '{}' is not a value of type {}", Part, nameOf(Type));
    isFloat(Type) ? storeFloat(Type, *Float, To)
                  : storeInteger(Type, *Integer, To);
  }
  return Bytes;
}

static Result<std::vector<uint8_t>> parseHex(std::string_view Text) {
  std::vector<uint8_t> Bytes;
  for (size_t I = 0; I < Text.size(); I += 2) {
    auto Byte =
        parseInteger(ScalarType::U8, fmt::format("0x{}", Text.substr(I, 2)));
    if (!Byte || I + 1 == Text.size())
      return fail("--arg: '{}' is not pairs of hexadecimal digits", Text);
    Bytes.push_back(uint8_t(*Byte));
  }
  return Bytes;
}

/// Structs within structs, at most.
static constexpr unsigned MaxStructDepth = 8;

/// Members are separated by ';' because vectors and names take ',' and ':'; a
/// struct within a struct stands in braces, and its ';' are its own.
static Result<std::vector<std::string_view>>
splitMembers(std::string_view Text) {
  std::vector<std::string_view> Parts;
  size_t Start = 0;
  unsigned Depth = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    Depth += Text[I] == '{';
    if (Text[I] == '}' && Depth-- == 0)
      return fail("--arg: '{}' closes a brace that is not open", Text);
    if (Text[I] == ';' && Depth == 0) {
      Parts.push_back(Text.substr(Start, I - Start));
      Start = I + 1;
    }
  }
  if (Depth)
    return fail("--arg: '{}' leaves a brace open", Text);
  Parts.push_back(Text.substr(Start));
  return Parts;
}

static Result<BytesArg> parseStruct(std::string_view Text, unsigned Depth = 0) {
  constexpr std::string_view Nested = "struct=";
  StructMembers Members;
  auto Parts = splitMembers(Text);
  if (!Parts)
    return std::unexpected(Parts.error());
  for (std::string_view Part : *Parts) {
    Result<void> Ok;
    if (Part.starts_with(Nested)) {
      std::string_view Inner = Part.substr(Nested.size());
      if (!Inner.starts_with('{') || !Inner.ends_with('}'))
        return fail("--arg: a struct within a struct is written in braces: "
                    "struct={MEMBER;MEMBER}");
      if (Depth == MaxStructDepth)
        return fail("--arg: more than {} structs within each other",
                    MaxStructDepth);
      auto Member = parseStruct(Inner.substr(1, Inner.size() - 2), Depth + 1);
      if (!Member)
        return std::unexpected(Member.error());
      Argument A;
      A.Value = std::move(*Member);
      Ok = Members.add(A);
    } else if (Part.starts_with("pad=")) {
      auto Size = parseCount(Part.substr(4), MaxStructBytes);
      if (!Size)
        return fail("--arg: '{}' is not a number of bytes", Part);
      Ok = Members.pad(*Size);
    } else {
      auto Member = parseArgument(Part);
      if (!Member)
        return std::unexpected(Member.error());
      Ok = Members.add(*Member);
    }
    if (!Ok)
      return fail("--arg: '{}': {}", Text, Ok.error().Message);
  }
  return Members.finish();
}

Result<Argument> parseArgument(std::string_view Text) {
  size_t Equal = Text.find('=');
  std::string_view Kind = Text.substr(0, Equal);
  std::string_view Value =
      Equal == Text.npos ? std::string_view() : Text.substr(Equal + 1);
  Argument A;
  if (Kind == "struct") {
    auto Struct = parseStruct(Value);
    if (!Struct)
      return std::unexpected(Struct.error());
    A.Value = std::move(*Struct);
    return A;
  }
  if (Kind.find('[') != Kind.npos) {
    auto B = parseBuffer(Kind, Value, Equal != Text.npos);
    if (!B)
      return std::unexpected(B.error());
    A.Value = *B;
    return A;
  }
  if (Kind == "local") {
    auto Size = parseCount(Value, UINT32_MAX);
    if (!Size)
      return fail("--arg: local needs a number of bytes, not '{}'", Value);
    A.Value = LocalArg{*Size};
    return A;
  }
  if (Kind == "bytes") {
    auto Bytes = parseHex(Value);
    if (!Bytes)
      return std::unexpected(Bytes.error());
    A.Value = BytesArg{*Bytes};
    return A;
  }
  if (Kind == "image" || Kind == "texture" || Kind == "sampler" ||
      Kind == "tensor_map")
    return fail("--arg: '{}': an argument of the kind '{}' stands in a launch "
                "file (--launch; docs/LaunchFile.md)",
                Text, Kind);
  auto Type = scalarType(Kind);
  if (!Type)
    return fail(
        "--arg: '{}' is not an argument; write TYPE=VALUE, TYPE[COUNT]=INIT, "
        "local=BYTES, bytes=HEX or struct=MEMBER;MEMBER with TYPE one of {}",
        Text, scalarTypeNames());
  auto Bytes = parseElements(*Type, Value);
  if (!Bytes)
    return std::unexpected(Bytes.error());
  if (Bytes->size() > sizeOf(*Type))
    A.Value = BytesArg{*Bytes, uint32_t(sizeOf(*Type))};
  else if (isFloat(*Type))
    A.Value = ScalarArg{*Type, 0, *parseFloat(Value)};
  else
    A.Value = ScalarArg{*Type, *parseInteger(*Type, Value), 0};
  return A;
}

Result<void> checkLimits(const Launch &L) {
  struct Limit {
    const char *Field;
    uint64_t Value, Max;
  };
  const Limit Limits[] = {
      {"grid x", L.Grid.X, 0x7FFFFFFF}, {"grid y", L.Grid.Y, 65535},
      {"grid z", L.Grid.Z, 65535},      {"block x", L.Block.X, 1024},
      {"block y", L.Block.Y, 1024},     {"block z", L.Block.Z, 64},
  };
  for (const Limit &Each : Limits) {
    if (Each.Value == 0)
      return fail("{} is 0; it must be at least 1", Each.Field);
    if (Each.Value > Each.Max)
      return fail("{} is {}, above the limit of {}", Each.Field, Each.Value,
                  Each.Max);
  }
  if (L.Block.count() > 1024)
    return fail("block has {} threads ({} x {} x {}), above the limit of 1024",
                L.Block.count(), L.Block.X, L.Block.Y, L.Block.Z);
  // 227 KiB: the most that a thread block of any GPU to date may use (H100).
  if (L.DynamicSharedBytes > 227 * 1024)
    return fail("dynamic_shared is {} bytes, above the limit of {}",
                L.DynamicSharedBytes, 227 * 1024);
  return {};
}

Result<void> checkCluster(const Dim3 &Grid, const Dim3 &Cluster) {
  const std::string Asks = fmt::format("clusters of {} x {} x {} blocks",
                                       Cluster.X, Cluster.Y, Cluster.Z);
  if (!Cluster.count() || Cluster.X > MaxClusterBlocks ||
      Cluster.Y > MaxClusterBlocks || Cluster.Z > MaxClusterBlocks ||
      Cluster.count() > MaxClusterBlocks)
    return fail("{}; a cluster has 1 to {} blocks", Asks, MaxClusterBlocks);
  if (Grid.X % Cluster.X || Grid.Y % Cluster.Y || Grid.Z % Cluster.Z)
    return fail("{}, but the grid of {} x {} x {} is no multiple of it", Asks,
                Grid.X, Grid.Y, Grid.Z);
  return {};
}

Result<void> checkNames(const Launch &L) {
  std::set<std::string_view> Names;
  Result<void> Ok;
  forEachBuffer(L, [&](const BufferArg &B) {
    if (!B.Reference && !B.Name.empty() && !Names.insert(B.Name).second && Ok)
      Ok = fail("two buffers of the launch are called '{}'", B.Name);
  });
  return Ok;
}

} // namespace heddle::launch
