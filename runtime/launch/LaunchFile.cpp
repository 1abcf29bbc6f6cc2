//===- LaunchFile.cpp - Reads launches from YAML --------------------------===//

#include "launch/LaunchFile.h"

#include "base/Fail.h"
#include "launch/ScalarTypes.h"
#include "launch/TensorMapReader.h"

#include <charconv>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>

namespace heddle::launch {

namespace {

constexpr uint64_t MaxBytes = uint64_t(1) << 39; // half of the arena's part

/// Recursive descent over the YAML nodes. Methods throw Error, which
/// parseLaunch turns into the result, so that the grammar reads straight.
class Reader {
public:
  explicit Reader(std::string Path) : Path(std::move(Path)) {}

  Launch read(const YAML::Node &Root);
  Application readApplication(const YAML::Node &Root);

  [[noreturn]] void error(const YAML::Node &At,
                          const std::string &Message) const {
    error(At.Mark().line + 1, Message);
  }
  [[noreturn]] void error(int Line, const std::string &Message) const {
    throw Error{fmt::format("{}:{}: {}", Path, Line, Message)};
  }

private:
  std::string scalar(const YAML::Node &N, const std::string &What) const {
    if (!N.IsScalar())
      error(N, fmt::format("{} must be a single value", What));
    return N.Scalar();
  }
  void checkKeys(const YAML::Node &Map, const std::string &What,
                 std::initializer_list<std::string_view> Known) const;
  uint64_t count(const YAML::Node &N, const std::string &What,
                 uint64_t Max) const;
  double number(const YAML::Node &N, const std::string &What) const;
  Dim3 dim3(const YAML::Node &N, const std::string &What) const;
  Argument argument(const YAML::Node &N);
  BufferArg buffer(const YAML::Node &N);
  BufferArg variable(const YAML::Node &N);
  Init init(const YAML::Node &N, ScalarType Type) const;
  ImageArg image(const YAML::Node &N) const;
  TensorMapArg tensorMap(const YAML::Node &N);
  Sampling sampling(const YAML::Node &N) const;
  std::vector<uint8_t> bytes(const YAML::Node &N) const;
  BytesArg structure(const YAML::Node &N);
  ScalarArg scalarArg(ScalarType Type, const YAML::Node &N) const;
  void readSteps(const YAML::Node &List, std::vector<Step> &Out);
  void repeat(const YAML::Node &N, std::vector<Step> &Out);

  std::string Path;
  /// Names that buffers of the launches so far have given.
  std::set<std::string> Buffers;
  bool InApplication = false;
  unsigned StructDepth = 0;
};

void Reader::checkKeys(const YAML::Node &Map, const std::string &What,
                       std::initializer_list<std::string_view> Known) const {
  if (!Map.IsMap())
    error(Map, fmt::format("{} must be a mapping (key: value)", What));
  std::vector<std::string> Seen;
  for (const auto &Entry : Map) {
    std::string Key = scalar(Entry.first, "a key");
    if (Key == "launches" && What == "the launch")
      error(Entry.first, "this is an application of several launches, which "
                         "'heddle profile' and 'heddle sample' take; here is "
                         "room for one");
    if (std::find(Known.begin(), Known.end(), Key) == Known.end())
      error(Entry.first, fmt::format("unknown key '{}' in {}; known are: {}",
                                     Key, What, fmt::join(Known, ", ")));
    if (std::find(Seen.begin(), Seen.end(), Key) != Seen.end())
      error(Entry.first,
            fmt::format("key '{}' appears twice in {}", Key, What));
    Seen.push_back(Key);
  }
}

uint64_t Reader::count(const YAML::Node &N, const std::string &What,
                       uint64_t Max) const {
  std::string Text = scalar(N, What);
  if (std::optional<uint64_t> Value = parseCount(Text, Max))
    return *Value;
  error(N, fmt::format("{} must be a whole number from 0 to {}, not '{}'", What,
                       Max, Text));
}

double Reader::number(const YAML::Node &N, const std::string &What) const {
  std::string Text = scalar(N, What);
  if (std::optional<double> Value = parseFloat(Text))
    return *Value;
  error(N, fmt::format("{} must be a number, not '{}'", What, Text));
}

Dim3 Reader::dim3(const YAML::Node &N, const std::string &What) const {
  Dim3 D;
  if (N.IsScalar()) {
    D.X = uint32_t(count(N, What, UINT32_MAX));
    return D;
  }
  if (!N.IsSequence() || N.size() < 1 || N.size() > 3)
    error(N, fmt::format("{} must be a list of one to three numbers", What));
  uint32_t *Parts[] = {&D.X, &D.Y, &D.Z};
  for (size_t I = 0; I < N.size(); ++I)
    *Parts[I] = uint32_t(count(N[I], What, UINT32_MAX));
  return D;
}

ScalarArg Reader::scalarArg(ScalarType Type, const YAML::Node &N) const {
  ScalarArg S{Type};
  std::string What = fmt::format("'{}' argument", nameOf(Type));
  if (isFloat(Type)) {
    S.Float = number(N, What);
    return S;
  }
  std::string Text = scalar(N, What);
  std::optional<int64_t> Value = parseInteger(Type, Text);
  if (!Value)
    error(N, fmt::format("'{}' is not a value of type {}", Text, nameOf(Type)));
  S.Integer = *Value;
  return S;
}

std::vector<uint8_t> Reader::bytes(const YAML::Node &N) const {
  if (!N.IsSequence())
    error(N, "'bytes' must be a list of numbers from 0 to 255");
  std::vector<uint8_t> Bytes;
  for (const YAML::Node &B : N)
    Bytes.push_back(uint8_t(count(B, "a byte", 255)));
  return Bytes;
}

BytesArg Reader::structure(const YAML::Node &N) {
  // Deeper than any that a kernel takes; keeps the recursion small.
  constexpr unsigned MaxDepth = 16;
  if (!N.IsSequence() || N.size() == 0)
    error(N, "'struct' must be a list of members, written as arguments are, "
             "and 'pad: BYTES'");
  if (++StructDepth > MaxDepth)
    error(N, fmt::format("more than {} structs in each other", MaxDepth));
  StructMembers Members;
  for (const YAML::Node &Member : N) {
    const bool IsPadding =
        Member.IsMap() && Member.size() == 1 && Member["pad"];
    Result<void> Ok =
        IsPadding ? Members.pad(count(Member["pad"], "'pad'", MaxStructBytes))
                  : Members.add(argument(Member));
    if (!Ok)
      error(Member, Ok.error().Message);
  }
  --StructDepth;
  return Members.finish();
}

Init Reader::init(const YAML::Node &N, ScalarType Type) const {
  if (N.IsScalar()) {
    if (N.Scalar() == "zero")
      return InitZero{};
    if (N.Scalar() == "iota")
      return InitIota{};
    error(N,
          fmt::format("unknown init '{}'; known are: zero, iota, {{value: V}}, "
                      "{{uniform: [LOW, HIGH], seed: N}}, {{file: PATH}}",
                      N.Scalar()));
  }
  checkKeys(N, "init", {"value", "uniform", "seed", "file"});
  if (int(bool(N["value"])) + bool(N["uniform"]) + bool(N["file"]) != 1)
    error(N, "init must have one of 'value', 'uniform' and 'file'");
  if (N["seed"] && !N["uniform"])
    error(N["seed"], "'seed' belongs to 'uniform'");
  if (YAML::Node Value = N["value"]) {
    ScalarArg S = scalarArg(Type, Value);
    return InitValue{isFloat(Type) ? S.Float : double(S.Integer), S.Integer};
  }
  if (YAML::Node File = N["file"]) {
    std::filesystem::path Given = scalar(File, "'file'");
    return InitFile{
        Given.is_absolute()
            ? Given.string()
            : (std::filesystem::path(Path).parent_path() / Given).string()};
  }
  YAML::Node Range = N["uniform"];
  if (!Range.IsSequence() || Range.size() != 2)
    error(Range, "'uniform' must be [LOW, HIGH]");
  InitUniform U{number(Range[0], "'uniform'"), number(Range[1], "'uniform'"),
                0};
  if (!(U.Low <= U.High))
    error(Range,
          fmt::format("'uniform' has LOW {} above HIGH {}", U.Low, U.High));
  if (N["seed"])
    U.Seed = count(N["seed"], "'seed'", UINT32_MAX);
  return U;
}

BufferArg Reader::buffer(const YAML::Node &N) {
  checkKeys(N, "buffer", {"name", "type", "count", "init"});
  BufferArg B;
  if (N["name"])
    B.Name = scalar(N["name"], "'name'");
  if (!B.Name.empty() && N.size() == 1 &&
      (InApplication || Buffers.contains(B.Name))) {
    if (!Buffers.contains(B.Name))
      error(N, fmt::format("no launch before this one has a buffer '{}'; give "
                           "its type and count where it is first used",
                           B.Name));
    B.Reference = true;
    return B;
  }
  if (!N["type"] || !N["count"])
    error(N, fmt::format("buffer needs '{}'", N["type"] ? "count" : "type"));
  std::string Type = scalar(N["type"], "'type'");
  std::optional<ScalarType> T = scalarType(Type);
  if (!T)
    error(N["type"], fmt::format("unknown type '{}'; known are: {}", Type,
                                 scalarTypeNames()));
  B.Type = *T;
  B.Count = count(N["count"], "'count'", MaxBytes / sizeOf(*T));
  if (B.Count == 0)
    error(N["count"], "'count' must be at least 1");
  if (N["init"])
    B.Init = init(N["init"], *T);
  if (!B.Name.empty() && !Buffers.insert(B.Name).second && InApplication)
    error(N["name"],
          fmt::format("a buffer '{}' exists already; to use it again, leave "
                      "out all but its name",
                      B.Name));
  return B;
}

/// What a variable of the source holds when the launch begins.
BufferArg Reader::variable(const YAML::Node &N) {
  for (const char *Needed : {"name", "init"})
    if (!N.IsMap() || !N[Needed])
      error(N, fmt::format("a variable needs '{}'", Needed));
  // Names of variables and of buffers do not meet.
  const std::set<std::string> Kept = std::exchange(Buffers, {});
  BufferArg B = buffer(N);
  Buffers = Kept;
  return B;
}

Sampling Reader::sampling(const YAML::Node &N) const {
  Sampling S;
  auto Choose = [&](const char *Key,
                    std::initializer_list<const char *> Names) {
    std::string Text = scalar(N[Key], fmt::format("'{}'", Key));
    for (size_t I = 0; I < Names.size(); ++I)
      if (Text == Names.begin()[I])
        return I;
    error(N[Key], fmt::format("'{}' is '{}'; known are: {}", Key, Text,
                              fmt::join(Names, ", ")));
  };
  if (N["address"])
    S.Address =
        AddressMode(Choose("address", {"wrap", "clamp", "mirror", "border"}));
  if (N["filter"])
    S.Linear = Choose("filter", {"nearest", "linear"}) == 1;
  if (N["normalized"])
    S.Normalized = Choose("normalized", {"false", "true"}) == 1;
  return S;
}

ImageArg Reader::image(const YAML::Node &N) const {
  checkKeys(N, "image",
            {"name", "type", "channels", "size", "init", "address", "filter",
             "normalized", "read"});
  for (const char *Needed : {"type", "size"})
    if (!N[Needed])
      error(N, fmt::format("image needs '{}'", Needed));
  ImageArg I;
  Dim3 Size = dim3(N["size"], "'size'");
  I.Width = Size.X;
  I.Height = Size.Y;
  I.Depth = Size.Z;
  if (N["channels"])
    I.Channels = uint32_t(count(N["channels"], "'channels'", 4));
  if (I.Channels == 0 || I.Channels == 3)
    error(N["channels"], "'channels' must be 1, 2 or 4");
  if (N["name"])
    I.Texels.Name = scalar(N["name"], "'name'");
  std::string Type = scalar(N["type"], "'type'");
  std::optional<ScalarType> T = scalarType(Type);
  if (!T || sizeOf(*T) == 8 || *T == ScalarType::BF16)
    error(N["type"],
          fmt::format("'{}' is not a type of texels; known are: i8 u8 "
                      "i16 u16 i32 u32 f16 f32",
                      Type));
  I.Texels.Type = *T;
  // Row and slice are counted in 32 bits.
  uint64_t Row = uint64_t(I.Width) * I.Channels * sizeOf(*T);
  if (!Row || !I.Height || !I.Depth || Row > UINT32_MAX ||
      Row * I.Height > UINT32_MAX || Row * I.Height > MaxBytes / I.Depth)
    error(N["size"], "'size' must be positive and a slice below 4 GiB");
  I.Texels.Count = Row / sizeOf(*T) * I.Height * I.Depth;
  if (N["init"])
    I.Texels.Init = init(N["init"], *T);
  I.Sampling = sampling(N);
  if (N["read"]) {
    std::string Text = scalar(N["read"], "'read'");
    if (Text != "element" && Text != "normalized")
      error(
          N["read"],
          fmt::format("'read' is '{}'; known are: element, normalized", Text));
    I.NormalizedValues = Text == "normalized";
    if (I.NormalizedValues && (isFloat(*T) || sizeOf(*T) > 2))
      error(N["read"], "only texels of 8 and 16 bits are read as fractions");
  }
  return I;
}

TensorMapArg Reader::tensorMap(const YAML::Node &N) {
  checkKeys(N, "tensor_map",
            {"buffer", "type", "dims", "strides", "box", "element_strides",
             "im2col", "swizzle", "interleave", "fill"});
  for (const char *Needed : {"buffer", "type", "dims", "box"})
    if (!N[Needed])
      error(N, fmt::format("tensor_map needs '{}'", Needed));
  TensorMapArg A;
  A.Buffer = buffer(N["buffer"]);
  Result<HeddleTensorMap> Map = readTensorMap(N);
  if (!Map)
    error(N, "tensor_map: " + Map.error().Message);
  A.Map = *Map;
  const uint64_t Bytes = A.Buffer.Count * sizeOf(A.Buffer.Type);
  if (!A.Buffer.Reference && A.extentBytes() > Bytes)
    error(N, fmt::format("the tensor has {} bytes, but its buffer {}",
                         A.extentBytes(), Bytes));
  return A;
}

Argument Reader::argument(const YAML::Node &N) {
  Argument A;
  A.Line = N.Mark().line + 1;
  if (!N.IsMap() || N.size() != 1)
    error(N, "an argument is one 'KIND: value' with KIND one of buffer, local, "
             "image, sampler, tensor_map, bytes, struct, " +
                 scalarTypeNames());
  std::string Kind = scalar(N.begin()->first, "the kind of an argument");
  const YAML::Node Value = N.begin()->second;
  if (Kind == "buffer") {
    A.Value = buffer(Value);
  } else if (Kind == "local") {
    A.Value = LocalArg{count(Value, "'local'", MaxBytes)};
  } else if (Kind == "image" || Kind == "texture") {
    A.Value = image(Value);
  } else if (Kind == "tensor_map") {
    A.Value = tensorMap(Value);
  } else if (Kind == "sampler") {
    checkKeys(Value, "sampler", {"address", "filter", "normalized"});
    A.Value = SamplerArg{sampling(Value)};
  } else if (Kind == "bytes") {
    A.Value = BytesArg{bytes(Value)};
  } else if (Kind == "struct") {
    A.Value = structure(Value);
  } else if (std::optional<ScalarType> Type = scalarType(Kind)) {
    if (!Value.IsSequence()) {
      A.Value = scalarArg(*Type, Value);
      return A;
    }
    BytesArg Vector; // of the elements, as OpenCL's and CUDA's vector types
    for (const YAML::Node &Element : Value) {
      ScalarArg S = scalarArg(*Type, Element);
      Vector.Bytes.resize(Vector.Bytes.size() + sizeOf(*Type));
      uint8_t *To = Vector.Bytes.data() + Vector.Bytes.size() - sizeOf(*Type);
      store(S, To);
    }
    Vector.Alignment = uint32_t(sizeOf(*Type));
    A.Value = std::move(Vector);
  } else {
    error(N, fmt::format(
                 "unknown kind of argument '{}'; known are: buffer, local, "
                 "image, sampler, tensor_map, bytes, struct, {}",
                 Kind, scalarTypeNames()));
  }
  return A;
}

Launch Reader::read(const YAML::Node &Root) {
  Launch L;
  L.File = Path;
  if (!Root.IsMap())
    error(InApplication ? Root.Mark().line + 1 : 1,
          "a launch file is a mapping with the keys kernel, grid, block, "
          "cluster, dynamic_shared, global_offset, args");
  checkKeys(Root, "the launch",
            {"kernel", "arch", "grid", "block", "cluster", "dynamic_shared",
             "global_offset", "args", "textures", "variables"});
  if (Root["kernel"])
    L.Kernel = scalar(Root["kernel"], "'kernel'");
  if (Root["arch"]) {
    L.LeastArch = archNumber(scalar(Root["arch"], "'arch'"));
    if (!L.LeastArch)
      error(Root["arch"], "'arch' is the least architecture that the kernel "
                          "needs, like sm_80");
  }
  for (const char *Needed : {"grid", "block"})
    if (!Root[Needed])
      error(Root, fmt::format("'{}' is missing", Needed));
  L.Grid = dim3(Root["grid"], "'grid'");
  L.Block = dim3(Root["block"], "'block'");
  if (Root["cluster"]) {
    L.Cluster = dim3(Root["cluster"], "'cluster'");
    if (Result<void> Ok = checkCluster(L.Grid, *L.Cluster); !Ok)
      error(Root["cluster"], Ok.error().Message);
  }
  if (Root["global_offset"]) {
    YAML::Node N = Root["global_offset"];
    L.GlobalOffset = dim3(N, "'global_offset'");
    size_t Given = N.IsSequence() ? N.size() : 1;
    if (Given < 3)
      L.GlobalOffset.Z = 0;
    if (Given < 2)
      L.GlobalOffset.Y = 0;
  }
  if (Root["dynamic_shared"])
    L.DynamicSharedBytes =
        count(Root["dynamic_shared"], "'dynamic_shared'", UINT32_MAX);
  if (Root["args"]) {
    if (!Root["args"].IsSequence() && !Root["args"].IsNull())
      error(Root["args"], "'args' must be a list");
    for (const YAML::Node &N : Root["args"]) {
      L.Args.push_back(argument(N));
      if (Result<void> Ok = checkNames(L); !Ok)
        error(N, Ok.error().Message);
    }
  }
  if (YAML::Node Textures = Root["textures"]) {
    if (!Textures.IsSequence())
      error(Textures, "'textures' must be a list");
    for (const YAML::Node &N : Textures) {
      L.Textures.push_back(image(N));
      if (L.Textures.back().Texels.Name.empty())
        error(N, "a texture needs 'name', that of the source's variable");
    }
  }
  if (YAML::Node Variables = Root["variables"]) {
    if (!Variables.IsSequence())
      error(Variables, "'variables' must be a list");
    for (const YAML::Node &N : Variables)
      L.Variables.push_back(variable(N));
  }
  // The limits name the field; the line is that of the field.
  for (auto [Key, Line] : {std::pair("grid", Root["grid"].Mark().line),
                           std::pair("block", Root["block"].Mark().line)}) {
    Launch Probe;
    Probe.Grid = Key == std::string_view("grid") ? L.Grid : Dim3();
    Probe.Block = Key == std::string_view("block") ? L.Block : Dim3();
    if (Result<void> Ok = checkLimits(Probe); !Ok)
      error(Line + 1, Ok.error().Message);
  }
  if (Result<void> Ok = checkLimits(L); !Ok)
    error(Root["dynamic_shared"] ? Root["dynamic_shared"].Mark().line + 1 : 1,
          Ok.error().Message);
  return L;
}

constexpr uint64_t MaxSteps = 1000000;

void Reader::repeat(const YAML::Node &N, std::vector<Step> &Out) {
  checkKeys(N, "'repeat'", {"times", "launches"});
  if (!N["times"] || !N["launches"])
    error(N, fmt::format("'repeat' needs '{}'",
                         N["times"] ? "launches" : "times"));
  uint64_t Times = count(N["times"], "'times'", MaxSteps);
  std::vector<Step> Body;
  readSteps(N["launches"], Body);
  // The first round makes the buffers, the others use them.
  std::vector<Step> Again = Body;
  for (Step &S : Again)
    forEachBuffer(S.Launch, [](BufferArg &B) {
      if (!B.Name.empty())
        B.Reference = true;
    });
  if (Times * Body.size() + Out.size() > MaxSteps)
    error(N, fmt::format("more than {} launches", MaxSteps));
  for (uint64_t I = 0; I < Times; ++I)
    Out.insert(Out.end(), (I ? Again : Body).begin(), (I ? Again : Body).end());
}

void Reader::readSteps(const YAML::Node &List, std::vector<Step> &Out) {
  if (!List.IsSequence() || List.size() == 0)
    error(List, "'launches' must be a list of launches");
  for (const YAML::Node &N : List) {
    if (N.IsMap() && N.size() == 1 && N["sync"]) {
      Out.push_back({scalar(N["sync"], "'sync'"), {}, {}});
      if (Out.back().Sync.empty())
        error(N, "'sync' needs the name of a call, e.g. clFinish");
    } else if (N.IsMap() && N.size() == 1 && N["repeat"]) {
      repeat(N["repeat"], Out);
    } else {
      Out.push_back({"", read(N), {}});
    }
    if (Out.size() > MaxSteps)
      error(N, fmt::format("more than {} launches", MaxSteps));
  }
}

Application Reader::readApplication(const YAML::Node &Root) {
  Application A;
  A.File = Path;
  if (!Root.IsMap() || !Root["launches"]) {
    A.Steps.push_back({"", read(Root), {}});
    return A;
  }
  InApplication = true;
  checkKeys(Root, "the application", {"launches"});
  readSteps(Root["launches"], A.Steps);
  if (std::ranges::all_of(A.Steps,
                          [](const Step &S) { return !S.Sync.empty(); }))
    error(Root["launches"], "the application has no launch");
  return A;
}

/// Runs \p Read on the YAML of \p Text; what it throws becomes the message.
template <typename T, typename Fn>
Result<T> parse(const std::string &Text, const std::string &Path, Fn Read) {
  try {
    return Read(YAML::Load(Text));
  } catch (const Error &E) {
    return std::unexpected(E);
  } catch (const YAML::Exception &E) {
    return fail("{}:{}: {}", Path, E.mark.line + 1, E.msg);
  }
}

Result<std::string> readText(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return fail("cannot read launch file '{}': {}", Path, std::strerror(errno));
  if (std::error_code Ignored; std::filesystem::is_directory(Path, Ignored))
    return fail("cannot read launch file '{}': {}", Path,
                std::strerror(EISDIR));
  std::ostringstream Text;
  Text << File.rdbuf();
  if (!File.eof() && File.fail())
    return fail("cannot read launch file '{}'", Path);
  return Text.str();
}

} // namespace

unsigned archNumber(std::string_view Name) {
  unsigned Number = 0;
  if (Name.starts_with("sm_"))
    std::from_chars(Name.data() + 3, Name.data() + Name.size(), Number);
  return Number;
}

Result<Launch> parseLaunch(const std::string &Text, const std::string &Path) {
  Reader R(Path);
  return parse<Launch>(Text, Path,
                       [&](const YAML::Node &Root) { return R.read(Root); });
}

Result<Application> parseApplication(const std::string &Text,
                                     const std::string &Path) {
  Reader R(Path);
  return parse<Application>(Text, Path, [&](const YAML::Node &Root) {
    return R.readApplication(Root);
  });
}

Result<Launch> readLaunchFile(const std::string &Path) {
  Result<std::string> Text = readText(Path);
  if (!Text)
    return std::unexpected(Text.error());
  return parseLaunch(*Text, Path);
}

Result<Application> readApplicationFile(const std::string &Path) {
  Result<std::string> Text = readText(Path);
  if (!Text)
    return std::unexpected(Text.error());
  return parseApplication(*Text, Path);
}

} // namespace heddle::launch
