//===- Format.h - The log of a recording ------------------------*- C++ -*-===//
//
// Numbers that RecordingWriter and RecordingReader share. docs/Recording.md
// describes the format.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RECORD_FORMAT_H
#define HEDDLE_RECORD_FORMAT_H

#include "trace/ByteCode.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::record {

/// Names of the files in a recording's folder.
inline constexpr std::string_view LogName = "recording.log";
/// "program-N.cl"; ".bc" or ".ptx" where \p Code is LLVM bitcode or PTX.
std::string programName(uint64_t Program, std::string_view Code);
/// All names that program N may have.
std::array<std::string, 3> programNames(uint64_t Program);

inline constexpr std::array<uint8_t, 8> Magic = {'H', 'D', 'L',  'R',
                                                 'E', 'C', '\r', '\n'};
inline constexpr uint32_t FormatVersion = 1;
/// Magic and version.
inline constexpr uint64_t FileHeaderBytes = 12;

/// Kinds of records. Numbers are part of the format: new kinds come last.
enum class RecordKind : uint32_t {
  Info = 1,         ///< command line, folder, device
  Blob = 2,         ///< bytes that other records name by their hash
  Program = 3,      ///< hash of a source, build options
  Kernel = 4,       ///< its program and name
  Buffer = 5,       ///< a buffer and its size
  Drop = 6,         ///< the buffer is no more
  Write = 7,        ///< region of a buffer, hash of the bytes
  Fill = 8,         ///< range of a buffer, pattern
  Copy = 9,         ///< two regions
  Launch = 10,      ///< kernel, sizes, arguments
  Read = 11,        ///< region that the program reads
  ReadData = 12,    ///< number of that read, hash of what it got
  Sync = 13,        ///< one of the calls that wait for the device
  Calls = 14,       ///< how often each function was called so far
  Unsupported = 15, ///< what the program did and the recording lacks
  End = 16,         ///< the program ended in order
  // Programs that keep addresses: CUDA.
  Place = 17,     ///< offset of a buffer in device memory
  Variable = 18,  ///< the buffer is a variable of a program
  RawLaunch = 19, ///< kernel, sizes, shared memory, parameters as they are
  // Which operations wait for which; a launch comes right after its own.
  Stream = 20,    ///< its name and priority
  Operation = 21, ///< kind, stream, bytes, the operations that it waits for
  Ranges = 22,    ///< of the program, in which the operations after this are
};

/// Before each record: kind, size and checksum of its payload, and a checksum
/// of these, all little endian.
inline constexpr uint64_t RecordHeaderBytes = 4 + 8 + 8 + 4;
struct RecordHeader {
  uint32_t Kind = 0;
  uint64_t SizeBytes = 0;
  uint64_t Checksum = 0; ///< XXH3, 64 bits
  bool Intact = false;   ///< decoded: its own checksum is right
};
std::array<uint8_t, RecordHeaderBytes> encodeHeader(const RecordHeader &Header);
RecordHeader decodeHeader(std::span<const uint8_t, RecordHeaderBytes> Bytes);
uint64_t checksum(std::span<const uint8_t> Bytes);

/// The name of a blob: XXH3 with 128 bits of what it holds.
using Hash = std::array<uint8_t, 16>;
Hash hashOf(std::span<const uint8_t> Bytes);

/// Kinds of a launch's arguments.
enum class ArgumentKind : uint8_t {
  Bytes = 0,  ///< by value
  Buffer = 1, ///< number of the buffer, offset
  Null = 2,   ///< no buffer
  Local = 3,  ///< bytes of local memory
};

/// Payloads: varints, texts and bytes with their length in front.
struct Encoder {
  std::vector<uint8_t> Out;

  Encoder &number(uint64_t V) {
    trace::bytecode::putVarint(Out, V);
    return *this;
  }
  Encoder &bytes(std::span<const uint8_t> Bytes) {
    number(Bytes.size());
    Out.insert(Out.end(), Bytes.begin(), Bytes.end());
    return *this;
  }
  Encoder &text(std::string_view Text) {
    return bytes(
        std::span(reinterpret_cast<const uint8_t *>(Text.data()), Text.size()));
  }
  Encoder &hash(const Hash &H) {
    Out.insert(Out.end(), H.begin(), H.end());
    return *this;
  }
};

} // namespace heddle::record

#endif // HEDDLE_RECORD_FORMAT_H
