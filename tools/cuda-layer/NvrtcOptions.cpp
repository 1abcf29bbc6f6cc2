//===- NvrtcOptions.cpp - The options of nvrtcCompileProgram --------------===//

#include "NvrtcOptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace heddle::cuda {

static constexpr int Archs[] = {50, 52, 53, 60, 61,  62,  70,  72,  75, 80,
                                86, 87, 89, 90, 100, 101, 103, 120, 121};

std::span<const int> supportedArchs() { return Archs; }

namespace {

enum class Takes {
  Nothing,
  Value,    ///< "=VALUE" or the next word
  Attached, ///< the same, or at once: "-DNAME"
};

struct Option {
  std::string_view Long, Short; ///< with their dashes; empty: none
  Takes What;
  /// Does what it says; null where it only concerns machine code.
  Result<void> (*Apply)(NvrtcOptions &, const std::string &Value) = nullptr;
};

} // namespace

static Result<void> setArch(NvrtcOptions &To, const std::string &Value) {
  std::string_view Digits = Value;
  const bool IsReal = Digits.starts_with("sm_");
  if (IsReal)
    Digits.remove_prefix(3);
  else if (Digits.starts_with("compute_"))
    Digits.remove_prefix(8);
  else
    Digits = {};
  int Number = 0;
  const char *End = Digits.data() + Digits.size();
  auto [Rest, Failed] = std::from_chars(Digits.data(), End, Number);
  const std::string_view Suffix(Rest, size_t(End - Rest));
  if (Failed != std::errc() ||
      std::ranges::find(Archs, Number) == std::end(Archs) ||
      (!Suffix.empty() && Suffix != "a" && Suffix != "f"))
    return fail("invalid value for --gpu-architecture (-arch)");
  To.Arch = fmt::format("sm_{}{}", Number, Suffix);
  To.IsReal = IsReal;
  return {};
}

/// Adds a flag of Clang that ends in the value.
template <const char *Flag>
static Result<void> add(NvrtcOptions &To, const std::string &Value) {
  To.Flags.push_back(Flag + Value);
  return {};
}
static constexpr char Define[] = "-D", Undefine[] = "-U", Folder[] = "-I",
                      Standard[] = "-std=", NoWarnings[] = "-w";

static Result<void> preInclude(NvrtcOptions &To, const std::string &Value) {
  To.Flags.insert(To.Flags.end(), {"-include", Value});
  return {};
}
/// What the front end knows by nvcc's name (lib/Frontend/ForeignFlags.cpp).
static Result<void> fastMath(NvrtcOptions &To, const std::string &Value) {
  if (Value != "false")
    To.Flags.push_back("-use_fast_math");
  return {};
}
static constexpr char MultiplyAdd[] = "-fmad=", Flush[] = "-ftz=",
                      PreciseDivision[] = "-prec-div=",
                      PreciseRoot[] = "-prec-sqrt=",
                      MaxRegisters[] = "-maxrregcount=";
static Result<void> allDevice(NvrtcOptions &To, const std::string &) {
  To.AllAreDevice = true;
  return {};
}
static Result<void> relocatable(NvrtcOptions &To, const std::string &Value) {
  if (Value != "false")
    To.Flags.push_back("-fgpu-rdc");
  return {};
}

static constexpr Option Table[] = {
    {"--gpu-architecture", "-arch", Takes::Value, setArch},
    {"--define-macro", "-D", Takes::Attached, add<Define>},
    {"--undefine-macro", "-U", Takes::Attached, add<Undefine>},
    {"--include-path", "-I", Takes::Attached, add<Folder>},
    {"--pre-include", "-include", Takes::Value, preInclude},
    {"--std", "-std", Takes::Value, add<Standard>},
    {"--use_fast_math", "-use_fast_math", Takes::Nothing, fastMath},
    {"--fmad", "-fmad", Takes::Value, add<MultiplyAdd>},
    {"--device-as-default-execution-space", "-default-device", Takes::Nothing,
     allDevice},
    {"--relocatable-device-code", "-rdc", Takes::Value, relocatable},
    {"--device-c", "-dc", Takes::Nothing, relocatable},
    {"--disable-warnings", "-w", Takes::Nothing, add<NoWarnings>},
    // What changes nothing here.
    {"--device-w", "-dw", Takes::Nothing},
    {"--extensible-whole-program", "-ewp", Takes::Nothing},
    {"--device-debug", "-G", Takes::Nothing},
    {"--generate-line-info", "-lineinfo", Takes::Nothing},
    {"--dopt", "-dopt", Takes::Value},
    {"--ptxas-options", "-Xptxas", Takes::Value},
    {"--maxrregcount", "-maxrregcount", Takes::Value, add<MaxRegisters>},
    {"--ftz", "-ftz", Takes::Value, add<Flush>},
    {"--prec-sqrt", "-prec-sqrt", Takes::Value, add<PreciseRoot>},
    {"--prec-div", "-prec-div", Takes::Value, add<PreciseDivision>},
    {"--extra-device-vectorization", "-extra-device-vectorization",
     Takes::Nothing},
    {"--modify-stack-limit", "-modify-stack-limit", Takes::Value},
    {"--dlink-time-opt", "-dlto", Takes::Nothing},
    {"--gen-opt-lto", "-gen-opt-lto", Takes::Nothing},
    {"--no-source-include", "-no-source-include", Takes::Nothing},
    {"--builtin-move-forward", "-builtin-move-forward", Takes::Value},
    {"--builtin-initializer-list", "-builtin-initializer-list", Takes::Value},
    {"--restrict", "-restrict", Takes::Nothing},
    {"--device-int128", "-device-int128", Takes::Nothing},
    {"--optimization-info", "-opt-info", Takes::Value},
    {"--display-error-number", "-err-no", Takes::Nothing},
    {"--no-display-error-number", "-no-err-no", Takes::Nothing},
    {"--diag-error", "-diag-error", Takes::Value},
    {"--diag-suppress", "-diag-suppress", Takes::Value},
    {"--diag-warn", "-diag-warn", Takes::Value},
    {"--brief-diagnostics", "-brief-diag", Takes::Value},
    {"--time", "-time", Takes::Value},
    {"--split-compile", "-split-compile", Takes::Value},
    {"--minimal", "-minimal", Takes::Nothing},
    {"--version-ident", "-version-ident", Takes::Value},
    {"--no-cache", "-no-cache", Takes::Nothing},
};

/// The value that \p Word has after the name of \p O; nothing if it is not
/// this option.
static std::optional<std::string>
valueAfter(const Option &O, std::string_view Word, bool &HasValue) {
  for (std::string_view Name : {O.Long, O.Short}) {
    HasValue = false;
    if (Name.empty() || !Word.starts_with(Name))
      continue;
    std::string_view Rest = Word.substr(Name.size());
    if (Rest.empty())
      return "";
    HasValue = true;
    if (Rest.front() == '=')
      return std::string(Rest.substr(1));
    if (O.What == Takes::Attached && Name == O.Short)
      return std::string(Rest.substr(Rest.find_first_not_of(' ')));
    if (O.What != Takes::Nothing && Rest.front() == ' ')
      return std::string(Rest.substr(Rest.find_first_not_of(' ')));
  }
  return std::nullopt;
}

Result<NvrtcOptions> parseNvrtc(const std::vector<std::string> &Words) {
  NvrtcOptions To;
  for (size_t At = 0; At < Words.size(); ++At) {
    bool HasValue = false;
    std::optional<std::string> Value;
    const auto *Found = std::ranges::find_if(Table, [&](const Option &O) {
      Value = valueAfter(O, Words[At], HasValue);
      return Value.has_value();
    });
    if (Found == std::end(Table))
      return fail(fmt::format("unrecognized option {} found", Words[At]));
    if (!HasValue && Found->What != Takes::Nothing) {
      if (At + 1 == Words.size())
        return fail(fmt::format("option {} needs a value", Words[At]));
      Value = Words[++At];
    }
    if (Found->Apply)
      if (auto Done = Found->Apply(To, *Value); !Done)
        return std::unexpected(Done.error());
  }
  return To;
}

} // namespace heddle::cuda
