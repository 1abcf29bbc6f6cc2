//===- TraceWriter.cpp ----------------------------------------------------===//

#include "trace/TraceWriter.h"

#include "trace/Compression.h"
#include "trace/HeaderCodec.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle::trace {

using namespace bytecode;

namespace {

void putFixed(std::vector<uint8_t> &Out, uint64_t V, unsigned Bytes) {
  for (unsigned I = 0; I < Bytes; ++I)
    Out.push_back(uint8_t(V >> 8 * I));
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
      return fail(fmt::format("{}: cannot write this trace: {}", Path,
                              Good.error().Message));
  Result<OutputFile> File = OutputFile::create(Path);
  if (!File)
    return std::unexpected(File.error());
  TraceWriter Writer(std::move(*File), Header, Code, Options);
  const std::vector<uint8_t> Section =
      compress(encodeHeader(Header, Code), Options.Level);
  std::vector<uint8_t> Prologue(file::Magic, file::Magic + sizeof(file::Magic));
  putFixed(Prologue, file::Version, 4);
  putFixed(Prologue, Section.size(), 8);
  for (std::span<const uint8_t> Bytes :
       {std::span<const uint8_t>(Prologue), std::span<const uint8_t>(Section)})
    if (Result<void> Good = Writer.File.write(Bytes); !Good)
      return std::unexpected(Good.error());
  return Writer;
}

Result<void> TraceWriter::add(const BlockTrace &Block) {
  if (Block.Index != NextBlock || NextBlock == Header.Grid.count())
    return fail(
        fmt::format("{}: thread block {} comes where block {} of {} is due",
                    File.path(), Block.Index, NextBlock, Header.Grid.count()));
  if (Result<void> Good = Builder.add(Block); !Good)
    return fail(fmt::format("{}: cannot write this trace: {}", File.path(),
                            Good.error().Message));
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
  std::vector<uint8_t> Raw = Builder.take();
  Entry.RawBytes = Raw.size();
  if (Raw.size() > file::MaxFrameBytes)
    return fail(fmt::format(
        "{}: thread block {} takes {} bytes, more than a trace can hold",
        File.path(), Entry.FirstBlock, Raw.size()));
  Summary.RawBytes += Raw.size();
  Frames.push_back(Entry);
  auto Work = [Raw = std::move(Raw), Level = Opts.Level] {
    return compress(Raw, Level);
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
  const std::vector<uint8_t> Bytes = Compressing.front().get();
  Compressing.pop_front();
  Frames[FramesWritten++].SizeBytes = Bytes.size();
  return File.write(Bytes);
}

Result<file::FileSummary> TraceWriter::finish() {
  if (NextBlock != Header.Grid.count())
    return fail(fmt::format("{}: {} of {} thread blocks were written",
                            File.path(), NextBlock, Header.Grid.count()));
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
    for (uint64_t V : {F.SizeBytes, F.RawBytes, F.NumBlocks})
      putVarint(Index, V);
  putVarint(Index, Summary.NumBodies);
  const TraceCounts &C = Summary.Counts;
  for (uint64_t V : {C.Events, C.WarpInstructions, C.IssuedInstructions,
                     C.ThreadInstructions, C.Accesses})
    putVarint(Index, V);
  const std::vector<uint8_t> Section = compress(Index, Opts.Level);
  std::vector<uint8_t> Footer;
  putFixed(Footer, File.offset(), 8);
  putFixed(Footer, Section.size(), 8);
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
