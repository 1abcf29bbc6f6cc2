//===- OutputFile.cpp -----------------------------------------------------===//

#include "base/OutputFile.h"

#include "base/Fail.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {

namespace {

std::unexpected<Error> failedAt(const std::string &Path, const char *What,
                                uint64_t Offset, int Code) {
  return fail("{}: {} failed at offset {}: {}", Path, What, Offset,
              std::strerror(Code));
}

} // namespace

Result<OutputFile> OutputFile::create(const std::string &Path) {
  OutputFile File;
  File.Path = Path;
  struct stat Status;
  if (::stat(Path.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode)) {
    if (S_ISDIR(Status.st_mode))
      return fail("{}: cannot write: is a directory", Path);
    File.Descriptor = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    File.openNew();
  }
  if (File.Descriptor < 0)
    return fail("{}: cannot write: {}", Path, std::strerror(errno));
  return File;
}

void OutputFile::openNew() {
  const size_t Slash = Path.rfind('/');
  const std::string Folder =
      Slash == std::string::npos ? "." : Path.substr(0, Slash + 1);
  // Its name is given through /proc, which a bare system may lack.
  if (::access("/proc/self/fd", X_OK) == 0)
    Descriptor = ::open(Folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  Nameless = Descriptor >= 0;
  if (Nameless)
    return;
  Temporary = Path + ".XXXXXX";
  Descriptor = ::mkostemp(Temporary.data(), O_CLOEXEC);
  if (Descriptor < 0) {
    Temporary.clear();
    return;
  }
  // mkostemp makes files private; give this one what open() would.
  mode_t Mask = ::umask(0);
  ::umask(Mask);
  ::fchmod(Descriptor, 0666 & ~Mask);
}

/// Makes a Nameless file a Temporary.
bool OutputFile::nameIt() {
  const std::string Itself = fmt::format("/proc/self/fd/{}", Descriptor);
  for (unsigned Try = 0; Try < 100; ++Try) {
    Temporary = fmt::format("{}.{}-{}", Path, ::getpid(), Try);
    if (::linkat(AT_FDCWD, Itself.c_str(), AT_FDCWD, Temporary.c_str(),
                 AT_SYMLINK_FOLLOW) == 0)
      return true;
    if (errno != EEXIST)
      break;
  }
  Temporary.clear();
  return false;
}

OutputFile::OutputFile(OutputFile &&Other) noexcept {
  *this = std::move(Other);
}

OutputFile &OutputFile::operator=(OutputFile &&Other) noexcept {
  if (this != &Other) {
    discard();
    Path = std::move(Other.Path);
    Temporary = std::exchange(Other.Temporary, {});
    Nameless = std::exchange(Other.Nameless, false);
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
  int Code = Nameless && !nameIt() ? errno : 0;
  if (::close(std::exchange(Descriptor, -1)) != 0 && Code == 0)
    Code = errno;
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
