//===- CopyArrivals.h - Arrivals that wait for copies -----------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_COPYARRIVALS_H
#define HEDDLE_TIMING_UNITS_COPYARRIVALS_H

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace heddle::timing {

/// What cp.async.mbarrier.arrive of one warp waits for: the copies (cp.async)
/// that the warp has issued before it. Each such instruction ends a section of
/// copies; sections are numbered as they come.
class CopyArrivals {
public:
  /// A copy is issued: the section that it belongs to.
  uint32_t issue() {
    ++Sections.back().UnderWay;
    return First + uint32_t(Sections.size()) - 1;
  }
  /// The instruction is issued, for the barriers at \p Places: its section.
  uint32_t end(std::vector<uint32_t> Places) {
    Sections.back().Places = std::move(Places);
    Sections.emplace_back();
    return First + uint32_t(Sections.size()) - 2;
  }
  /// Shared memory has served the instruction that ends \p Section.
  void serve(uint32_t Section) { Sections[Section - First].Served = true; }
  /// A copy of \p Section has come.
  void done(uint32_t Section) { --Sections[Section - First].UnderWay; }
  /// Calls \p Arrive with the place of each barrier whose arrival is due.
  template <typename F> void arrive(F Arrive) {
    while (Sections.front().Served && !Sections.front().UnderWay) {
      for (uint32_t Place : Sections.front().Places)
        Arrive(Place);
      Sections.pop_front();
      ++First;
    }
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Sections, First] = *this;
    A(Sections, First);
  }

private:
  struct Section {
    uint32_t UnderWay = 0;
    bool Served = false;
    std::vector<uint32_t> Places;

    template <class Archive> void serialize(Archive &A) {
      auto &[UnderWay, Served, Places] = *this;
      A(UnderWay, Served, Places);
    }
  };
  std::deque<Section> Sections{1}; ///< the last one has no end yet
  uint32_t First = 0;              ///< number of the first
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_COPYARRIVALS_H
