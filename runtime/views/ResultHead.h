//===- ResultHead.h - What a result is and of which machine -----*- C++ -*-===//

#ifndef HEDDLE_VIEWS_RESULTHEAD_H
#define HEDDLE_VIEWS_RESULTHEAD_H

#include "arch/GPUSpec.h"
#include "arch/Occupancy.h"
#include "arch/Roofline.h"
#include "base/Dim3.h"
#include "views/View.h"

#include <string>
#include <string_view>

namespace heddle::views {

/// What every result begins with: tool, version, and the schema that it keeps
/// to, which is docs/schema/KIND.json ("simulation/1" for kind "simulation").
JSON resultHead(std::string_view Kind, std::string_view Version);

/// "64 x 2 x 1", and the same as an array.
std::string dimensions(const Dim3 &D);
JSON triple(const Dim3 &D);

/// Which launch a result is of, on which machine and by which model, with the
/// fields of the machine that the user set and the model does not read.
struct LaunchHead {
  const std::string &Kernel, &GPU;
  Dim3 Grid, Block;
  std::string Model;
  const std::vector<std::string> &Ignored;
  const std::string &Producer; ///< of the trace
};
void addLaunch(JSON &Out, const LaunchHead &Of);

/// What occupancy is, what limits it, and what each resource alone would allow.
JSON occupancyOf(const arch::Occupancy &O);

/// Adds "machine": its plain name, the user's file if it comes from one, every
/// field that the user set, and whether --set makes it a what-if.
void addMachine(JSON &Out, const arch::GPUSpec &Machine);

/// The bound of a fast model's result: a row of its summary, and "roofline".
/// Both say where equations of papers go beyond it.
std::string rooflineText(const arch::Roofline &Roof, double IPC);
void addRoofline(JSON &Out, const arch::Roofline &Roof, double IPC);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_RESULTHEAD_H
