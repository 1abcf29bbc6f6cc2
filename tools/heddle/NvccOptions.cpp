//===- NvccOptions.cpp - The command line of nvcc -------------------------===//

#include "NvccOptions.h"

#include "Commands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"

#include "llvm/Support/CommandLine.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace heddle::tool {

namespace {

enum class Does {
  Host,       ///< to the host's compiler as it is
  Drop,       ///< changes nothing here
  DropValue,  ///< and its value
  Dependency, ///< to the host side
  DependencyValue,
  Call ///< a function below
};

class Parser {
public:
  explicit Parser(std::vector<std::string> Words) : Words(std::move(Words)) {}
  NvccOptions run();

private:
  struct Option {
    StringLiteral Long, Short; ///< without dashes; empty: none
    Does What;
    void (Parser::*Function)() = nullptr;
  };
  static ArrayRef<Option> table();

  bool option(StringRef Word);
  bool prefixed(StringRef Word);
  void apply(const Option &O, StringRef Word);
  std::string value();

  void product(NvccOptions::Product P) { Out.Makes = P; }
  void compileOnly() { product(NvccOptions::Object); }
  void deviceObject() {
    compileOnly();
    Out.Relocatable = true;
  }
  void deviceLink() { product(NvccOptions::DeviceLink); }
  void preprocess() { product(NvccOptions::Preprocessed); }
  void ptx() { product(NvccOptions::PTX); }
  void container() { product(NvccOptions::Container); }
  void archive() { product(NvccOptions::Archive); }
  void dependencies() {
    product(NvccOptions::Dependencies);
    Out.Dependency.push_back(Flag);
  }
  void output() { Out.Output = value(); }
  void language() {
    const std::string V = value();
    if (V != "cu" && V != "c++" && V != "c")
      throw usageError("-x {}: cu, c++ and c are possible", V);
    Out.AllAreCUDA = V == "cu";
  }
  void architecture() { addCapability(value()); }
  void generate();
  void addCapability(StringRef Name);
  void relocatable() { Out.Relocatable = value() == "true"; }
  void hostFlags() { splitTo(Out.Host, ""); }
  void linkFlags() { splitTo(Out.Link, "-Xlinker"); }
  void splitTo(std::vector<std::string> &To, StringRef Before);
  /// What the front end knows by nvcc's name (lib/Frontend/ForeignFlags.cpp).
  std::string name() const { return StringRef(Flag).split('=').first.str(); }
  void toDevice() { Out.Device.push_back(name()); }
  void valueToDevice() { Out.Device.push_back(name() + "=" + value()); }
  void defaultStream() {
    const std::string V = value();
    if (V != "legacy" && V != "per-thread" && V != "null")
      throw usageError(
          "--default-stream {}: legacy and per-thread are possible", V);
    if (V != "per-thread")
      return;
    Out.Host.push_back("-Xclang"); // the driver has it for HIP only
    Out.Host.push_back("-fgpu-default-stream=per-thread");
    Out.Both.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  }
  void shared() { Out.Shared = true; }
  void verbose() { Out.Verbose = true; }
  void dryRun() { Out.DryRun = true; }
  void version() { Out.ShowVersion = true; }
  void help() { Out.ShowHelp = true; }
  void noWarnings() {
    Out.Host.push_back("-w");
    Out.Device.push_back("-w");
  }
  void warningsAreErrors() { value(); }
  void debug() { Out.Host.push_back("-g"); }
  void profile() { Out.Host.push_back("-pg"); }
  void library() { Out.Link.push_back("-l" + value()); }
  void libraryFolder() { Out.Link.push_back("-L" + value()); }
  void defines() { Out.Both.push_back("-D" + value()); }
  void undefines() { Out.Both.push_back("-U" + value()); }
  void includes() { Out.Both.push_back("-I" + value()); }
  void systemIncludes() {
    Out.Both.push_back("-isystem");
    Out.Both.push_back(value());
  }
  void preIncludes() {
    Out.Both.push_back("-include");
    Out.Both.push_back(value());
  }
  void standard() { Out.Both.push_back("-std=" + value()); }
  void optimise() { Out.Host.push_back("-O" + value()); }
  void responseFile() { insertFile(value()); }
  void insertFile(const std::string &File);

  std::vector<std::string> Words;
  size_t At = 0;
  std::string Flag;                    ///< the one that is read now
  std::optional<std::string> Attached; ///< its value, after "="
  NvccOptions Out;
};

} // namespace

ArrayRef<Parser::Option> Parser::table() {
  using P = Parser;
  static const Option Rows[] = {
      {"compile", "c", Does::Call, &P::compileOnly},
      {"device-c", "dc", Does::Call, &P::deviceObject},
      {"device-w", "dw", Does::Call, &P::compileOnly},
      {"device-link", "dlink", Does::Call, &P::deviceLink},
      {"link", "link", Does::Drop},
      {"preprocess", "E", Does::Call, &P::preprocess},
      {"ptx", "ptx", Does::Call, &P::ptx},
      {"cubin", "cubin", Does::Call, &P::container},
      {"fatbin", "fatbin", Does::Call, &P::container},
      {"lib", "lib", Does::Call, &P::archive},
      {"generate-dependencies", "M", Does::Call, &P::dependencies},
      {"generate-nonsystem-dependencies", "MM", Does::Call, &P::dependencies},
      {"generate-dependencies-with-compile", "MD", Does::Dependency},
      {"generate-nonsystem-dependencies-with-compile", "MMD", Does::Dependency},
      {"generate-dependency-targets", "MP", Does::Dependency},
      {"dependency-output", "MF", Does::DependencyValue},
      {"dependency-target-name", "MT", Does::DependencyValue},
      {"", "MQ", Does::DependencyValue},
      {"output-file", "o", Does::Call, &P::output},
      {"x", "x", Does::Call, &P::language},
      {"gpu-architecture", "arch", Does::Call, &P::architecture},
      {"gpu-code", "code", Does::DropValue},
      {"generate-code", "gencode", Does::Call, &P::generate},
      {"relocatable-device-code", "rdc", Does::Call, &P::relocatable},
      {"compiler-options", "Xcompiler", Does::Call, &P::hostFlags},
      {"linker-options", "Xlinker", Does::Call, &P::linkFlags},
      {"use_fast_math", "use_fast_math", Does::Call, &P::toDevice},
      {"fmad", "fmad", Does::Call, &P::valueToDevice},
      {"default-stream", "default-stream", Does::Call, &P::defaultStream},
      {"shared", "shared", Does::Call, &P::shared},
      {"verbose", "v", Does::Call, &P::verbose},
      {"dryrun", "dryrun", Does::Call, &P::dryRun},
      {"version", "V", Does::Call, &P::version},
      {"help", "h", Does::Call, &P::help},
      {"disable-warnings", "w", Does::Call, &P::noWarnings},
      {"Werror", "Werror", Does::Call, &P::warningsAreErrors},
      {"debug", "g", Does::Call, &P::debug},
      {"profile", "pg", Does::Call, &P::profile},
      {"library", "l", Does::Call, &P::library},
      {"library-path", "L", Does::Call, &P::libraryFolder},
      {"define-macro", "D", Does::Call, &P::defines},
      {"undefine-macro", "U", Does::Call, &P::undefines},
      {"include-path", "I", Does::Call, &P::includes},
      {"system-include", "isystem", Does::Call, &P::systemIncludes},
      {"pre-include", "include", Does::Call, &P::preIncludes},
      {"std", "std", Does::Call, &P::standard},
      {"optimize", "O", Does::Call, &P::optimise},
      {"options-file", "optf", Does::Call, &P::responseFile},
      // What changes nothing here.
      {"device-debug", "G", Does::Drop},
      {"generate-line-info", "lineinfo", Does::Drop},
      {"machine", "m", Does::DropValue},
      {"m64", "m64", Does::Drop},
      {"maxrregcount", "maxrregcount", Does::Call, &P::valueToDevice},
      {"ptxas-options", "Xptxas", Does::DropValue},
      {"nvlink-options", "Xnvlink", Does::DropValue},
      {"archiver-options", "Xarchive", Does::DropValue},
      {"cudafe-options", "Xcudafe", Does::DropValue},
      {"compiler-bindir", "ccbin", Does::DropValue},
      {"cudart", "cudart", Does::DropValue},
      {"cudadevrt", "cudadevrt", Does::DropValue},
      {"threads", "t", Does::DropValue},
      {"split-compile", "split-compile", Does::DropValue},
      {"diag-suppress", "diag-suppress", Does::DropValue},
      {"diag-error", "diag-error", Does::DropValue},
      {"diag-warn", "diag-warn", Does::DropValue},
      {"ftz", "ftz", Does::Call, &P::valueToDevice},
      {"prec-div", "prec-div", Does::Call, &P::valueToDevice},
      {"prec-sqrt", "prec-sqrt", Does::Call, &P::valueToDevice},
      {"keep-dir", "keep-dir", Does::DropValue},
      {"output-directory", "odir", Does::DropValue},
      {"target-directory", "target-dir", Does::DropValue},
      {"allow-unsupported-compiler", "allow-unsupported-compiler", Does::Drop},
      {"expt-relaxed-constexpr", "expt-relaxed-constexpr", Does::Drop},
      {"expt-extended-lambda", "expt-extended-lambda", Does::Drop},
      {"extended-lambda", "extended-lambda", Does::Drop},
      {"extra-device-vectorization", "extra-device-vectorization", Does::Drop},
      {"resource-usage", "res-usage", Does::Drop},
      {"restrict", "restrict", Does::Drop},
      {"keep", "keep", Does::Drop},
      {"save-temps", "save-temps", Does::Drop},
      {"source-in-ptx", "src-in-ptx", Does::Drop},
      {"no-host-device-initializer-list", "nohdinitlist", Does::Drop},
      {"display-error-number", "err-no", Does::Drop},
      {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler",
       Does::Drop},
      {"forward-unknown-opts", "forward-unknown-opts", Does::Drop},
      {"dlink-time-opt", "dlto", Does::Drop},
      {"no-exceptions", "noeh", Does::Drop},
      {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", Does::Drop},
      {"Wno-deprecated-declarations", "Wno-deprecated-declarations",
       Does::Host},
      {"Wreorder", "Wreorder", Does::Host},
  };
  return Rows;
}

std::string Parser::value() {
  if (Attached)
    return *std::exchange(Attached, std::nullopt);
  if (At >= Words.size())
    throw usageError("option '{}' needs a value", Flag);
  return Words[At++];
}

void Parser::splitTo(std::vector<std::string> &To, StringRef Before) {
  const std::string Text = value();
  SmallVector<StringRef> Parts;
  StringRef(Text).trim("\"").split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    if (!Before.empty())
      To.push_back(Before.str());
    To.push_back(Part.str());
  }
}

/// "sm_70", "compute_70", "sm_90a"; "native" and the like mean any device.
void Parser::addCapability(StringRef Name) {
  if (Name == "native" || Name == "all" || Name == "all-major")
    return;
  StringRef Digits = Name;
  unsigned Capability = 0;
  if ((!Digits.consume_front("sm_") && !Digits.consume_front("compute_") &&
       !Digits.consume_front("lto_")) ||
      Digits.rtrim("af").getAsInteger(10, Capability))
    throw usageError("'{}' is no architecture such as sm_80", Name.str());
  if (!is_contained(Out.Capabilities, Capability))
    Out.Capabilities.push_back(Capability);
}

/// -gencode arch=compute_70,code=[sm_70,compute_70]: the device code is made
/// for the virtual architecture.
void Parser::generate() {
  const std::string Text = value();
  SmallVector<StringRef> Parts;
  StringRef(Text).split(Parts, ',');
  for (StringRef Part : Parts)
    if (Part.trim("\" '").consume_front("arch="))
      return addCapability(Part.trim("\" '").drop_front(5));
  throw usageError("-gencode '{}' names no arch=", Text);
}

void Parser::insertFile(const std::string &File) {
  auto Text = MemoryBuffer::getFile(File);
  if (!Text)
    throw inputError("cannot read '{}': {}", File, Text.getError().message());
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *> More;
  cl::TokenizeGNUCommandLine((*Text)->getBuffer(), Saver, More);
  Words.insert(Words.begin() + ptrdiff_t(At), More.begin(), More.end());
}

void Parser::apply(const Option &O, StringRef Word) {
  switch (O.What) {
  case Does::Host:
    Out.Host.push_back(Word.str());
    return;
  case Does::Drop:
    return;
  case Does::DropValue:
    value();
    return;
  case Does::Dependency:
    Out.Dependency.push_back("-" + O.Short.str());
    return;
  case Does::DependencyValue:
    Out.Dependency.push_back("-" + O.Short.str());
    Out.Dependency.push_back(value());
    return;
  case Does::Call:
    (this->*O.Function)();
    return;
  }
}

/// "-DN=4", "-lm", "-O3", "-std=c++17", "-m64", "-t4": the value follows at
/// once.
bool Parser::prefixed(StringRef Word) {
  for (StringRef Prefix : {"I", "D", "U", "L", "l", "O", "t", "isystem"}) {
    StringRef Rest = Word.drop_front();
    if (!Rest.consume_front(Prefix) || Rest.empty())
      continue;
    const auto *O = llvm::find_if(
        table(), [&](const Option &Row) { return Row.Short == Prefix; });
    Attached = Rest.str();
    apply(*O, Word);
    return true;
  }
  return false;
}

bool Parser::option(StringRef Word) {
  Flag = Word.str();
  Attached.reset();
  const bool IsLong = Word.starts_with("--");
  auto [Name, Given] = Word.drop_front(IsLong ? 2 : 1).split('=');
  if (Word.contains('='))
    Attached = Given.str();
  for (const Option &O : table()) {
    // nvcc takes long names after one dash as well.
    if ((IsLong || O.Short != Name) && O.Long != Name)
      continue;
    if (Name.empty())
      return false;
    apply(O, Word);
    return true;
  }
  return !IsLong && prefixed(Word);
}

NvccOptions Parser::run() {
  while (At < Words.size()) {
    const std::string Word = Words[At++];
    if (Word.starts_with("@")) {
      insertFile(Word.substr(1));
      continue;
    }
    if (Word.size() > 1 && Word[0] == '-') {
      if (option(Word))
        continue;
      // Flags of the host compiler by their usual beginnings.
      const bool IsHosts = any_of(
          ArrayRef<StringRef>{"-f", "-W", "-m", "-pthread", "-pedantic"},
          [&](StringRef Begin) { return StringRef(Word).starts_with(Begin); });
      if (!IsHosts)
        throw usageError("unknown option '{}'; -Xcompiler passes options to "
                         "the host compiler",
                         Word);
      Out.Host.push_back(Word);
      if (StringRef(Word).starts_with("-pthread") ||
          StringRef(Word).starts_with("-fopenmp"))
        Out.Link.push_back(Word);
      continue;
    }
    StringRef Name = Word;
    const bool IsLinked = Name.ends_with(".o") || Name.ends_with(".obj") ||
                          Name.ends_with(".a") || Name.contains(".so");
    (IsLinked ? Out.Link : Out.Inputs).push_back(Word);
  }
  return std::move(Out);
}

NvccOptions parseNvcc(const std::vector<std::string> &Words) {
  NvccOptions Options = Parser(Words).run();
  addOpenMP(Options);
  return Options;
}

} // namespace heddle::tool
