//===- ReduceTripCounts.h - The same loops, fewer iterations ----*- C++ -*-===//
//
// Makes a kernel short by cutting how often its loops go around and nothing
// else: bodies stay, instruction by instruction. After the optimiser this gives
// a miniature whose loops are the original's; before it, what reduction in the
// source gives, where the optimiser then makes other code of short loops (Yu et
// al., GPGPU-MiniBench, IEEE TC 2015, section 5.5).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_REDUCETRIPCOUNTS_H
#define HEDDLE_TRANSFORMS_REDUCETRIPCOUNTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

#include <map>
#include <vector>

namespace heddle {

/// How far a loop is to be cut.
struct TripCut {
  /// Trip counts that are known when a thread enters the loop are divided by
  /// this, rounded up.
  uint64_t Factor = 1;
  /// Other loops are left after at most this many trips; 0: never.
  uint64_t MostTrips = 0;
};

struct ReducedLoop {
  unsigned Header = 0; ///< in function order before the reduction
  enum {
    Whole,   ///< as it was
    Divided, ///< another bound: one more comparison's operand, no instruction
    Bounded, ///< a counter was added: three instructions in each iteration
  } How = Whole;
  llvm::StringRef Reason; ///< Whole
};

/// The clone mode `inplace`: heddle-reduce-trips<factor=N;most=N> cuts all
/// loops of a function alike, loop=HEADER:FACTOR:MOST the one whose header has
/// that number in function order, in place of what is said of all. (The mode
/// `source` is heddle-prepare<trip-factor=N>.)
///
/// A loop is divided if the one test that ends it compares an affine induction
/// variable with what does not change in it: with `<`, `>` and their like the
/// bound moves towards the start, with `!=` to where ScalarEvolution, or a
/// constant step, says that the reduced count ends. No loop runs longer than
/// before.
class ReduceTripCountsPass : public llvm::PassInfoMixin<ReduceTripCountsPass> {
public:
  ReduceTripCountsPass() = default;
  /// Cuts loops by their headers' numbers. \p Reduced gets what became of every
  /// loop of the function, outer ones first.
  ReduceTripCountsPass(std::map<unsigned, TripCut> Of,
                       std::vector<ReducedLoop> &Reduced)
      : Of(std::move(Of)), Reduced(&Reduced) {}
  /// Reads what stands between the brackets, N at least 1.
  static llvm::Expected<ReduceTripCountsPass> parse(llvm::StringRef Options);
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
  void printPipeline(llvm::raw_ostream &OS,
                     llvm::function_ref<llvm::StringRef(llvm::StringRef)> Name);

private:
  TripCut All;
  std::map<unsigned, TripCut> Of; ///< by header
  std::vector<ReducedLoop> *Reduced = nullptr;
};

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_REDUCETRIPCOUNTS_H
