//===- Compression.cpp ----------------------------------------------------===//

#include "trace/Compression.h"

#include "base/Fail.h"

// Content sizes of incomplete frames and checksum control.
#define ZSTD_STATIC_LINKING_ONLY
#include <memory>
#include <zstd.h>

namespace heddle::trace {

std::vector<uint8_t> compress(std::span<const uint8_t> Raw, int Level) {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> Context(
      ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(Context.get(), ZSTD_c_compressionLevel, Level);
  ZSTD_CCtx_setParameter(Context.get(), ZSTD_c_checksumFlag, 1);
  std::vector<uint8_t> Out(ZSTD_compressBound(Raw.size()));
  // The buffer holds any result, so that compression cannot fail.
  Out.resize(ZSTD_compress2(Context.get(), Out.data(), Out.size(), Raw.data(),
                            Raw.size()));
  return Out;
}

/// The bytes that one whole frame holds, at most \p MaxSize.
static Result<uint64_t> contentSize(std::span<const uint8_t> Bytes,
                                    uint64_t MaxSize) {
  const size_t FrameSize =
      ZSTD_findFrameCompressedSize(Bytes.data(), Bytes.size());
  if (ZSTD_isError(FrameSize) || FrameSize != Bytes.size())
    return fail("not one whole compressed section");
  const unsigned long long Size =
      ZSTD_getFrameContentSize(Bytes.data(), Bytes.size());
  if (Size == ZSTD_CONTENTSIZE_UNKNOWN || Size == ZSTD_CONTENTSIZE_ERROR)
    return fail("a compressed section without its size");
  // A zstd block takes three bytes or more and holds at most 128 KiB.
  if (Size > MaxSize || Size / (128 * 1024) > Bytes.size() / 3)
    return fail("a compressed section of impossible size {}", Size);
  return Size;
}

static Result<void> decompressFrame(std::span<uint8_t> To,
                                    std::span<const uint8_t> Bytes,
                                    bool IgnoreChecksum) {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> Context(
      ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (IgnoreChecksum)
    ZSTD_DCtx_setParameter(Context.get(), ZSTD_d_forceIgnoreChecksum,
                           ZSTD_d_ignoreChecksum);
  const size_t Got = ZSTD_decompressDCtx(Context.get(), To.data(), To.size(),
                                         Bytes.data(), Bytes.size());
  if (ZSTD_isError(Got))
    return fail(ZSTD_getErrorName(Got));
  if (Got != To.size())
    return fail("a compressed section that is not as long as it says");
  return {};
}

Result<void> decompressTo(std::span<uint8_t> To, std::span<const uint8_t> Bytes,
                          bool IgnoreChecksum) {
  const Result<uint64_t> Size = contentSize(Bytes, To.size());
  if (!Size)
    return std::unexpected(Size.error());
  if (*Size != To.size())
    return fail("a compressed section of {} bytes, not {}", *Size, To.size());
  return decompressFrame(To, Bytes, IgnoreChecksum);
}

Result<std::vector<uint8_t>> decompress(std::span<const uint8_t> Bytes,
                                        uint64_t MaxSize, bool IgnoreChecksum,
                                        std::vector<uint8_t> Before) {
  const Result<uint64_t> Size = contentSize(Bytes, MaxSize);
  if (!Size)
    return std::unexpected(Size.error());
  std::vector<uint8_t> Out = std::move(Before);
  const size_t Begin = Out.size();
  Out.resize(Begin + *Size);
  if (Result<void> Ok =
          decompressFrame(std::span(Out).subspan(Begin), Bytes, IgnoreChecksum);
      !Ok)
    return std::unexpected(Ok.error());
  return Out;
}

} // namespace heddle::trace
