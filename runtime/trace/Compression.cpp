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

Result<std::vector<uint8_t>> decompress(std::span<const uint8_t> Bytes,
                                        uint64_t MaxSize, bool IgnoreChecksum,
                                        std::vector<uint8_t> Before) {
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
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> Context(
      ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (IgnoreChecksum)
    ZSTD_DCtx_setParameter(Context.get(), ZSTD_d_forceIgnoreChecksum,
                           ZSTD_d_ignoreChecksum);
  std::vector<uint8_t> Out = std::move(Before);
  const size_t Begin = Out.size();
  Out.resize(Begin + Size);
  const size_t Got = ZSTD_decompressDCtx(Context.get(), Out.data() + Begin,
                                         Size, Bytes.data(), Bytes.size());
  if (ZSTD_isError(Got))
    return fail(ZSTD_getErrorName(Got));
  if (Got != Size)
    return fail("a compressed section that is not as long as it says");
  return Out;
}

} // namespace heddle::trace
