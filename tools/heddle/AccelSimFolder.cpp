//===- AccelSimFolder.cpp - Launches as another simulator reads them ------===//

#include "AccelSimFolder.h"

#include "Commands.h"
#include "TextOutput.h"

#include <fmt/format.h>

#include <filesystem>

namespace heddle::tool {

AccelSimFolder::AccelSimFolder(std::string Path, unsigned BinaryVersion)
    : Path(std::move(Path)),
      Options{.KernelId = 0, .BinaryVersion = BinaryVersion} {
  std::error_code Error;
  std::filesystem::create_directories(this->Path, Error);
  if (Error)
    throw inputError("cannot make the folder '{}': {}", this->Path,
                     Error.message());
}

std::string AccelSimFolder::add(trace::TraceSource &Source, uint64_t FirstBlock,
                                uint64_t NumBlocks) {
  ++Options.KernelId;
  Options.FirstBlock = FirstBlock;
  Options.NumBlocks = NumBlocks;
  const std::string Name = fmt::format("kernel-{}.traceg", Options.KernelId);
  TextOutput Out = take(TextOutput::create(Path + "/" + Name));
  const views::AccelSimCounts Counts = take(views::writeAccelSimTrace(
      Source, Options, [&](std::string_view Text) { return Out.write(Text); }));
  take(Out.finish());
  Kernels += Name + "\n";
  return fmt::format("{}/{}: {}\n", Path, Name, Counts.text());
}

void AccelSimFolder::add(trace::TraceSource &Source, size_t Launch,
                         double Weight) {
  add(Source, 0, Source.header().Grid.count());
  Weights += fmt::format("kernel-{}.traceg,{},{},{}\n", Options.KernelId,
                         Launch, Source.header().Kernel, Weight);
}

void AccelSimFolder::finish() {
  if (!Weights.empty())
    writeText(Path + "/weights.csv", "file,launch,kernel,weight\n" + Weights);
  writeText(Path + "/kernelslist.g", Kernels);
}

} // namespace heddle::tool
