//===- OutputFile.cpp -----------------------------------------------------===//

#include "base/OutputFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {

namespace {

std::unexpected<Error> failedAt(const std::string &Path, const char *What,
                                uint64_t Offset, int Code) {
  return fail(fmt::format("{}: {} failed at offset {}: {}", Path, What, Offset,
                          std::strerror(Code)));
}

} // namespace

Result<OutputFile> OutputFile::create(const std::string &Path) {
  OutputFile File;
  File.Path = Path;
  struct stat Status;
  if (::stat(Path.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode)) {
    if (S_ISDIR(Status.st_mode))
      return fail(fmt::format("{}: cannot write: is a directory", Path));
    File.Descriptor = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    std::string Name = Path + ".XXXXXX";
    File.Descriptor = ::mkostemp(Name.data(), O_CLOEXEC);
    if (File.Descriptor >= 0) {
      File.Temporary = std::move(Name);
      // mkostemp makes files private; give this one what open() would.
      mode_t Mask = ::umask(0);
      ::umask(Mask);
      ::fchmod(File.Descriptor, 0666 & ~Mask);
    }
  }
  if (File.Descriptor < 0)
    return fail(
        fmt::format("{}: cannot write: {}", Path, std::strerror(errno)));
  return File;
}

OutputFile::OutputFile(OutputFile &&Other) noexcept {
  *this = std::move(Other);
}

OutputFile &OutputFile::operator=(OutputFile &&Other) noexcept {
  if (this != &Other) {
    discard();
    Path = std::move(Other.Path);
    Temporary = std::exchange(Other.Temporary, {});
    Descriptor = std::exchange(Other.Descriptor, -1);
    Offset = Other.Offset;
  }
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (Descriptor >= 0)
    ::close(Descriptor);
  Descriptor = -1;
  if (!Temporary.empty())
    ::unlink(Temporary.c_str());
  Temporary.clear();
}

Result<void> OutputFile::write(std::span<const uint8_t> Bytes) {
  while (!Bytes.empty()) {
    ssize_t Written = ::write(Descriptor, Bytes.data(), Bytes.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return failedAt(Path, "write", Offset, errno);
    Offset += uint64_t(Written);
    Bytes = Bytes.subspan(size_t(Written));
  }
  return {};
}

Result<void> OutputFile::commit() {
  int Code = ::close(std::exchange(Descriptor, -1)) == 0 ? 0 : errno;
  if (Code == 0 && !Temporary.empty() &&
      ::rename(Temporary.c_str(), Path.c_str()) != 0)
    Code = errno;
  if (Code != 0) {
    discard();
    return failedAt(Path, "write", Offset, Code);
  }
  Temporary.clear();
  return {};
}

} // namespace heddle
