//===- CountedSource.h - Counts the instructions of blocks ------*- C++ -*-===//

#ifndef HEDDLE_TRACE_COUNTEDSOURCE_H
#define HEDDLE_TRACE_COUNTEDSOURCE_H

#include "trace/TraceSource.h"
#include "trace/TraceVerifier.h"

namespace heddle::trace {

/// Passes blocks on, and says how many warp instructions of its code table each
/// of them executes: a profile counts those of another level.
class CountedSource : public TraceSource {
public:
  /// \p Inner outlives this.
  explicit CountedSource(TraceSource &Inner)
      : Inner(Inner), Verifier(Inner.code()),
        Counts(Inner.header().Grid.count()) {}
  const TraceHeader &header() const override { return Inner.header(); }
  const CodeTable &code() const override { return Inner.code(); }
  bool servesAnyOrder() const override { return Inner.servesAnyOrder(); }
  Result<void> read(uint64_t Index, BlockTrace &Out) override {
    if (Result<void> R = Inner.read(Index, Out); !R)
      return R;
    uint64_t Sum = 0;
    for (const WarpTrace &W : Out.Warps) {
      // Most warps do what the one before did.
      if (W.Body != Body || Body.empty()) {
        Result<BodySummary> S = Verifier.verify(W.Body);
        if (!S)
          return std::unexpected(S.error());
        Body = W.Body;
        OfBody = S->Counts.WarpInstructions;
      }
      Sum += OfBody;
    }
    Counts[Index] = Sum;
    return {};
  }
  /// By block; 0 for those that were not read.
  const std::vector<uint64_t> &counts() const { return Counts; }

private:
  TraceSource &Inner;
  BodyVerifier Verifier;
  std::vector<uint64_t> Counts;
  std::vector<uint8_t> Body; ///< of the warp before
  uint64_t OfBody = 0;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_COUNTEDSOURCE_H
