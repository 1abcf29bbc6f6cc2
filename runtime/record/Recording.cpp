//===- Recording.cpp - A recorded OpenCL program --------------------------===//

#include "record/Recording.h"

#include "base/Fail.h"
#include "record/Format.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace heddle::record {

namespace {
class LogFile : public trace::ByteSource {
public:
  LogFile(int Descriptor, std::string Path)
      : Descriptor(Descriptor), Path(std::move(Path)) {
    struct stat Status;
    if (::fstat(Descriptor, &Status) == 0)
      Size = uint64_t(Status.st_size);
  }
  ~LogFile() override { ::close(Descriptor); }
  uint64_t size() const override { return Size; }
  Result<void> read(uint64_t Offset, std::span<uint8_t> Out) override {
    while (!Out.empty()) {
      const ssize_t Got =
          ::pread(Descriptor, Out.data(), Out.size(), off_t(Offset));
      if (Got < 0 && errno == EINTR)
        continue;
      if (Got <= 0)
        return fail("cannot read '{}' at offset {}: {}", Path, Offset,
                    Got ? std::strerror(errno) : "the file ends");
      Offset += uint64_t(Got);
      Out = Out.subspan(size_t(Got));
    }
    return {};
  }

private:
  int Descriptor;
  std::string Path;
  uint64_t Size = 0;
};
} // namespace

static std::filesystem::path logOf(const std::string &Path) {
  std::error_code Ignored;
  return std::filesystem::is_directory(Path, Ignored)
             ? std::filesystem::path(Path) / LogName
             : std::filesystem::path(Path);
}

bool isRecording(const std::string &Path) {
  std::unique_ptr<FILE, int (*)(FILE *)> File(
      std::fopen(logOf(Path).c_str(), "rb"), std::fclose);
  std::array<uint8_t, 8> Begin;
  return File && std::fread(Begin.data(), 1, 8, File.get()) == 8 &&
         Begin == Magic;
}

Result<Recording> readRecording(const std::string &Path) {
  const std::filesystem::path Log = logOf(Path);
  const int Descriptor = ::open(Log.c_str(), O_RDONLY | O_CLOEXEC);
  if (Descriptor < 0)
    return fail("cannot read recording '{}': {}", Log.string(),
                std::strerror(errno));
  std::string Folder = Log.parent_path().string();
  return parseRecording(std::make_shared<LogFile>(Descriptor, Log.string()),
                        Log.string(), Folder.empty() ? "." : Folder);
}

/// Words as OpenCL's build options separate them: blanks, quotes keep them.
static std::vector<std::string> wordsOf(const std::string &Text) {
  std::vector<std::string> Words;
  std::string Word;
  bool Inside = false;
  char Quote = 0;
  for (char C : Text + " ") {
    if (Quote ? C == Quote : C == '"' || C == '\'') {
      Quote = Quote ? 0 : C;
      Inside = true;
    } else if (!Quote && std::isspace(static_cast<unsigned char>(C))) {
      if (Inside)
        Words.push_back(std::move(Word));
      Word.clear();
      Inside = false;
    } else {
      Word += C;
      Inside = true;
    }
  }
  return Words;
}

std::vector<std::string> clangOptions(const std::string &BuildOptions,
                                      const std::string &Folder) {
  static constexpr std::string_view Kept[] = {
      "-cl-single-precision-constant",
      "-cl-denorms-are-zero",
      "-cl-fp32-correctly-rounded-divide-sqrt",
      "-cl-opt-disable",
      "-cl-mad-enable",
      "-cl-no-signed-zeros",
      "-cl-unsafe-math-optimizations",
      "-cl-finite-math-only",
      "-cl-fast-relaxed-math",
      "-w"};
  std::vector<std::string> Out = {"-I" + Folder};
  const std::vector<std::string> Words = wordsOf(BuildOptions);
  for (size_t I = 0; I < Words.size(); ++I) {
    const std::string &Word = Words[I];
    const bool Define = Word.starts_with("-D"),
               Undefine = Word.starts_with("-U");
    if (Define || Undefine || Word.starts_with("-I")) {
      std::string Value = Word.substr(2);
      if (Value.empty() && I + 1 < Words.size())
        Value = Words[++I];
      Out.push_back(
          Define     ? "-D" + Value
          : Undefine ? "-U" + Value
                     : "-I" + (std::filesystem::path(Folder) / Value).string());
    } else if (Word.starts_with("-cl-std=") ||
               std::ranges::find(Kept, Word) != std::end(Kept)) {
      Out.push_back(Word);
    }
  }
  return Out;
}

} // namespace heddle::record
