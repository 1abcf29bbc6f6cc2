//===- LineUse.cpp - How much of each cache line a warp uses --------------===//
//
// For each kernel: the lines of 128 bytes that its global accesses touch, warp
// by warp, the share of their bytes that the warp's lanes read or write, and
// the most different lines that one launch touches.
//
//===----------------------------------------------------------------------===//

#include "trace/CustomAnalysis.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <set>

using namespace heddle::trace;

namespace {

class LineUse : public CustomAnalysis {
public:
  void beginLaunch(const LaunchEvent &Launch) override {
    Now = &Kernels[Launch.Header.Kernel];
    ++Now->Launches;
    Footprint.clear();
  }

  void memory(const MemoryEvent &Event) override {
    if (Event.Access.Space != HEDDLE_SPACE_GLOBAL)
      return;
    std::set<uint64_t> Lines, Bytes;
    for (uint32_t Mask = Event.Access.Mask; Mask; Mask &= Mask - 1) {
      const uint64_t At =
          Event.Access.address(unsigned(std::countr_zero(Mask)));
      for (uint64_t B = At; B < At + Event.Instruction.AccessBytes; ++B) {
        Bytes.insert(B);
        Lines.insert(B / LineBytes);
      }
    }
    ++Now->Accesses;
    Now->Lines += Lines.size();
    Now->Bytes += Bytes.size();
    Footprint.merge(Lines);
  }

  void endLaunch() override {
    Now->MostLines = std::max<uint64_t>(Now->MostLines, Footprint.size());
  }

  std::string report() override {
    std::string Text =
        "kernel                launches  lines/access  used  most lines\n";
    for (const auto &[Name, K] : Kernels) {
      char Line[160];
      std::snprintf(
          Line, sizeof(Line), "%-20s %9llu %13.2f %4.0f%% %11llu\n",
          Name.c_str(), static_cast<unsigned long long>(K.Launches),
          K.Accesses ? double(K.Lines) / double(K.Accesses) : 0,
          K.Lines ? 100.0 * double(K.Bytes) / double(K.Lines * LineBytes) : 0,
          static_cast<unsigned long long>(K.MostLines));
      Text += Line;
    }
    return Text;
  }

private:
  static constexpr uint64_t LineBytes = 128;
  struct Kernel {
    uint64_t Launches = 0, Accesses = 0, Lines = 0, Bytes = 0, MostLines = 0;
  };
  std::map<std::string, Kernel> Kernels;
  Kernel *Now = nullptr;
  std::set<uint64_t> Footprint;
};

} // namespace

extern "C" unsigned heddleAnalysisVersion() { return CustomAnalysisVersion; }
extern "C" CustomAnalysis *heddleCreateAnalysis() { return new LineUse; }
