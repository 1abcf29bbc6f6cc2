//===- Makespan.h - When the last of a list of blocks ends ------*- C++ -*-===//

#ifndef HEDDLE_BASE_MAKESPAN_H
#define HEDDLE_BASE_MAKESPAN_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace heddle {

/// When each of \p Slots CTA slots is done with blocks of these sizes that
/// start, in order, in whichever becomes free; ascending, without slots that
/// get none.
inline std::vector<double> slotEnds(const std::vector<uint32_t> &Sizes,
                                    size_t Slots) {
  std::priority_queue<double, std::vector<double>, std::greater<double>> Free;
  for (uint32_t Size : Sizes) {
    double At = 0;
    if (Free.size() == Slots) {
      At = Free.top();
      Free.pop();
    }
    Free.push(At + Size);
  }
  std::vector<double> Ends;
  for (; !Free.empty(); Free.pop())
    Ends.push_back(Free.top());
  return Ends;
}

/// When the last of them ends.
inline double makespan(const std::vector<uint32_t> &Sizes, size_t Slots) {
  const std::vector<double> Ends = slotEnds(Sizes, Slots);
  return Ends.empty() ? 0 : Ends.back();
}

/// The same if blocks go on faster where fewer are left: a share of slots takes
/// that share of the time that all take, but at least \p Alone of it.
inline double makespan(const std::vector<uint32_t> &Sizes, size_t Slots,
                       double Alone) {
  const std::vector<double> Ends = slotEnds(Sizes, Slots);
  double Time = 0, Before = 0;
  for (size_t N = 0; N < Ends.size(); ++N) {
    const double Busy = double(Ends.size() - N) / double(Slots);
    Time += (Ends[N] - Before) * std::max(Alone, Busy);
    Before = Ends[N];
  }
  return Time;
}

/// Which of an SM's blocks take what they can use, before the others.
enum class FirstServed { None, Oldest, Youngest };

/// The same where what is scarce is the SM's own: the blocks of one share it,
/// so that an SM with long blocks falls behind, and one with few is faster.
class SharedSMs {
public:
  /// A block by itself takes at least \p Alone of the time that it takes with
  /// all \p Slots of its SM in use. All get the same if \p First is none.
  SharedSMs(size_t SMs, size_t Slots, double Alone, FirstServed First)
      : Count(SMs), Slots(Slots),
        Most(std::clamp(1 / std::max(Alone, 1e-9), 1.0, double(Slots))),
        First(First) {}

  /// When the last of the blocks ends. They start in order: the first ones go
  /// around the SMs, the others to the SM that has a slot free first.
  double makespan(const std::vector<uint32_t> &Sizes) const {
    std::vector<SM> SMs(Count);
    size_t Next = 0;
    for (; Next != std::min(Sizes.size(), SMs.size() * Slots); ++Next)
      SMs[Next % SMs.size()].Left.push_back(Sizes[Next]);
    using Event = std::pair<double, size_t>;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> Ends;
    for (size_t I = 0; I != std::min(Next, SMs.size()); ++I)
      Ends.emplace(firstEnd(SMs[I]), I);
    double Last = 0;
    while (!Ends.empty()) {
      const auto [Time, Index] = Ends.top();
      Ends.pop();
      SM &S = SMs[Index];
      Last = Time;
      for (size_t Gone = advance(S, Time); Gone && Next != Sizes.size(); --Gone)
        S.Left.push_back(Sizes[Next++]);
      if (!S.Left.empty())
        Ends.emplace(firstEnd(S), Index);
    }
    return Last;
  }

private:
  struct SM {
    double Now = 0;
    std::vector<double> Left; ///< of its blocks, the oldest first
  };

  /// Calls \p Do with each block's rest and its speed.
  template <typename Fn> void eachBlock(SM &S, Fn Do) const {
    double Free = double(Slots);
    const double Even = std::min(Most, Free / double(S.Left.size()));
    auto Serve = [&](double &Left) {
      const double Speed =
          First == FirstServed::None ? Even : std::min(Most, Free);
      Free -= Speed;
      Do(Left, Speed);
    };
    if (First == FirstServed::Youngest)
      std::for_each(S.Left.rbegin(), S.Left.rend(), Serve);
    else
      std::for_each(S.Left.begin(), S.Left.end(), Serve);
  }
  double firstEnd(SM &S) const {
    double Least = std::numeric_limits<double>::infinity();
    eachBlock(S, [&](double Left, double Speed) {
      if (Speed > 0)
        Least = std::min(Least, Left / Speed);
    });
    return S.Now + Least;
  }
  /// Lets the blocks of an SM go on; returns how many have ended.
  size_t advance(SM &S, double To) const {
    const double Time = To - S.Now;
    eachBlock(S, [&](double &Left, double Speed) { Left -= Time * Speed; });
    S.Now = To;
    return std::erase_if(S.Left, [](double Left) { return Left < 1e-6; });
  }

  size_t Count, Slots;
  double Most; ///< speed of a block; 1 if all slots are in use
  FirstServed First;
};

} // namespace heddle

#endif // HEDDLE_BASE_MAKESPAN_H
