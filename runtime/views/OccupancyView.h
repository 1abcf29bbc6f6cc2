//===- OccupancyView.h - Why no more warps fit ------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_OCCUPANCYVIEW_H
#define HEDDLE_VIEWS_OCCUPANCYVIEW_H

#include "arch/Occupancy.h"
#include "views/View.h"

#include <vector>

namespace heddle::views {

/// Blocks per SM that each resource allows, and the occupancy that other block
/// sizes would have with the same registers per thread and the same shared
/// memory per block. JSON key: occupancy_table.
class OccupancyView : public View {
public:
  /// \p Now is the occupancy of the launch itself.
  OccupancyView(const BlockResources &Block, const arch::GPUSpec &Spec,
                const arch::Occupancy &Now);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  struct Resource {
    std::string Name;
    uint64_t Need = 0, Limit = 0; ///< per block, per SM
    unsigned Blocks = 0;
    bool Limits = false;
  };
  struct Size {
    uint64_t Threads = 0;
    unsigned Blocks = 0, Warps = 0;
    double Share = 0;
    std::string Limiter; ///< empty: does not fit
    bool IsLaunch = false;
  };
  std::string Machine;
  unsigned Registers;
  uint64_t Shared;
  std::vector<Resource> Resources;
  std::vector<Size> Sizes;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_OCCUPANCYVIEW_H
