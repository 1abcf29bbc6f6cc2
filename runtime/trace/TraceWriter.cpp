//===- TraceWriter.cpp ----------------------------------------------------===//

#include "trace/TraceWriter.h"

#include "base/Fail.h"
#include "trace/Compression.h"
#include "trace/HeaderCodec.h"

#include <algorithm>

namespace heddle::trace {

using namespace bytecode;

namespace {

/// Numbers of which some come more often than others and few sequences come
/// again are smallest at the lowest level: each match that a higher one finds
/// costs more than it gains. Others have matches.
std::vector<uint8_t> compressNumbers(std::span<const uint8_t> Raw, int Level) {
  std::vector<uint8_t> Low = compress(Raw, 1), High = compress(Raw, Level);
  return Low.size() <= High.size() ? Low : High;
}

} // namespace

TraceWriter::TraceWriter(OutputFile File, const TraceHeader &Header,
                         const CodeTable &Code, const Options &Opts)
    : File(std::move(File)), Header(Header), Opts(Opts), Builder(Header, Code) {
}

Result<TraceWriter> TraceWriter::create(const std::string &Path,
                                        const TraceHeader &Header,
                                        const CodeTable &Code,
                                        const Options &Options) {
  for (const Result<void> &Good : {verifyHeader(Header), verifyCode(Code)})
    if (!Good)
      return fail("{}: cannot write this trace: {}", Path,
                  Good.error().Message);
  Result<OutputFile> File = OutputFile::create(Path);
  if (!File)
    return std::unexpected(File.error());
  TraceWriter Writer(std::move(*File), Header, Code, Options);
  const std::vector<uint8_t> Section =
      compress(encodeHeader(Header, Code), Options.Level);
  std::vector<uint8_t> Prologue(file::Magic, file::Magic + sizeof(file::Magic));
  putNumber(Prologue, file::Version, 4);
  putNumber(Prologue, Section.size(), 8);
  for (std::span<const uint8_t> Bytes :
       {std::span<const uint8_t>(Prologue), std::span<const uint8_t>(Section)})
    if (Result<void> Good = Writer.File.write(Bytes); !Good)
      return std::unexpected(Good.error());
  return Writer;
}

Result<void> TraceWriter::add(const BlockTrace &Block) {
  if (Block.Index != NextBlock || NextBlock == Header.Grid.count())
    return fail("{}: thread block {} comes where block {} of {} is due",
                File.path(), Block.Index, NextBlock, Header.Grid.count());
  if (Result<void> Good = Builder.add(Block); !Good)
    return fail("{}: cannot write this trace: {}", File.path(),
                Good.error().Message);
  ++NextBlock;
  if (Builder.numBlocks() >= file::FrameBlocks ||
      Builder.sizeBytes() >= file::FrameBytes)
    return endFrame();
  return {};
}

Result<void> TraceWriter::endFrame() {
  file::FrameEntry Entry;
  Entry.NumBlocks = Builder.numBlocks();
  Entry.FirstBlock = NextBlock - Entry.NumBlocks;
  FrameBytes Raw = Builder.take();
  Entry.Control.Raw = Raw.Cut;
  Entry.Numbers.Raw = Raw.Bytes.size() - Raw.Cut;
  if (Raw.Bytes.size() > file::MaxFrameBytes)
    return fail(
        "{}: thread block {} takes {} bytes, more than a trace can hold",
        File.path(), Entry.FirstBlock, Raw.Bytes.size());
  Summary.RawBytes += Raw.Bytes.size();
  Frames.push_back(Entry);
  auto Work = [Raw = std::move(Raw), Level = Opts.Level] {
    const std::span<const uint8_t> Bytes = Raw.Bytes;
    FrameSections Out;
    Out.Control = compress(Bytes.first(Raw.Cut), Level);
    if (Raw.Cut != Bytes.size())
      Out.Numbers = compressNumbers(Bytes.subspan(Raw.Cut), Level);
    return Out;
  };
  // Deferred work runs in writeOldest.
  Compressing.push_back(
      std::async(Opts.Threads > 1 ? std::launch::async : std::launch::deferred,
                 std::move(Work)));
  if (Compressing.size() >= std::max(Opts.Threads, 1u))
    return writeOldest();
  return {};
}

Result<void> TraceWriter::writeOldest() {
  const FrameSections Bytes = Compressing.front().get();
  Compressing.pop_front();
  file::FrameEntry &Entry = Frames[FramesWritten++];
  Entry.Control.Stored = Bytes.Control.size();
  Entry.Numbers.Stored = Bytes.Numbers.size();
  if (Result<void> Good = File.write(Bytes.Control); !Good)
    return Good;
  return File.write(Bytes.Numbers);
}

Result<file::FileSummary> TraceWriter::finish() {
  if (NextBlock != Header.Grid.count())
    return fail("{}: {} of {} thread blocks were written", File.path(),
                NextBlock, Header.Grid.count());
  if (Builder.numBlocks())
    if (Result<void> Good = endFrame(); !Good)
      return std::unexpected(Good.error());
  while (!Compressing.empty())
    if (Result<void> Good = writeOldest(); !Good)
      return std::unexpected(Good.error());

  Summary.NumFrames = Frames.size();
  Summary.NumBodies = Builder.numBodies();
  Summary.Counts = Builder.counts();
  std::vector<uint8_t> Index;
  putVarint(Index, Frames.size());
  for (const file::FrameEntry &F : Frames)
    for (uint64_t V : {F.Control.Stored, F.Control.Raw, F.Numbers.Stored,
                       F.Numbers.Raw, F.NumBlocks})
      putVarint(Index, V);
  putVarint(Index, Summary.NumBodies);
  const TraceCounts &C = Summary.Counts;
  for (uint64_t V : {C.Events, C.WarpInstructions, C.IssuedInstructions,
                     C.ThreadInstructions, C.Accesses})
    putVarint(Index, V);
  const std::vector<uint8_t> Section = compress(Index, Opts.Level);
  std::vector<uint8_t> Footer;
  putNumber(Footer, File.offset(), 8);
  putNumber(Footer, Section.size(), 8);
  Footer.insert(Footer.end(), std::begin(file::EndMagic),
                std::end(file::EndMagic));
  for (std::span<const uint8_t> Bytes :
       {std::span<const uint8_t>(Section), std::span<const uint8_t>(Footer)})
    if (Result<void> Good = File.write(Bytes); !Good)
      return std::unexpected(Good.error());
  Summary.FileBytes = File.offset();
  if (Result<void> Good = File.commit(); !Good)
    return std::unexpected(Good.error());
  return Summary;
}

} // namespace heddle::trace
