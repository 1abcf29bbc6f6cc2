//===- ApplicationStudy.h - What the launches of an application do -*- C++
//-*-===//
//
// The characterisation of GT-Pin (Kambadur et al., IISWC 2015, section IV):
// static and dynamic size of the kernels, their instructions by class, how many
// lanes they use, and the bytes that they read and write.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SAMPLING_APPLICATIONSTUDY_H
#define HEDDLE_SAMPLING_APPLICATIONSTUDY_H

#include "heddle/ABI/CodeTable.h"
#include "sampling/LaunchProfile.h"
#include "trace/CodeTable.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace heddle::sampling {

/// GT-Pin's classes of instructions.
enum class StudyClass { Move, Logic, Control, Computation, Send };
inline constexpr std::array AllStudyClasses = {
    StudyClass::Move, StudyClass::Logic, StudyClass::Control,
    StudyClass::Computation, StudyClass::Send};
std::string_view nameOf(StudyClass C);
/// Send: what leaves the registers, memory and synchronisation between lanes.
StudyClass classOf(HeddleOpClass Op);

/// Sums over the launches of one kernel of one program.
struct KernelStudy {
  std::string Name;
  uint64_t Launches = 0;
  uint64_t Blocks = 0;         ///< basic blocks that it has
  uint64_t ExecutedBlocks = 0; ///< of which were executed at all
  uint64_t BlockExecutions = 0;
  uint64_t WarpInstructions = 0, ThreadInstructions = 0;
  uint64_t BytesRead = 0, BytesWritten = 0;
  std::array<uint64_t, AllStudyClasses.size()> ByClass{}; ///< warp instructions
};

/// Sums over the launches in a range that the program names, and in those
/// inside of it.
struct RangeStudy {
  std::string Path; ///< "outer/inner"
  uint64_t Launches = 0, WarpInstructions = 0;
};

struct ApplicationStudy {
  std::vector<KernelStudy> Kernels; ///< by first launch
  std::vector<RangeStudy> Ranges;   ///< the same
  /// Warp instructions in basic blocks whose executions had about that many
  /// lanes active on average, 0 to 32.
  std::array<uint64_t, 33> ByLanes{};

  KernelStudy total() const;
};

/// Sums the launches, one after the other.
class StudyBuilder {
public:
  /// \p Program tells kernels of the same name apart. \p BlockCounters are
  /// those of the whole launch (WarpKernel.h).
  void add(size_t Program, const LaunchProfile &Launch,
           const trace::CodeTable &Code,
           std::span<const uint64_t> BlockCounters);
  ApplicationStudy finish();

private:
  struct Kernel {
    size_t Program;
    KernelStudy Study;
    std::vector<uint64_t> Executions; ///< by basic block
  };
  std::vector<Kernel> Kernels;
  ApplicationStudy Study;
};

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_APPLICATIONSTUDY_H
