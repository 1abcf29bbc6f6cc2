//===- StaticEvaluator.h - One warp, evaluated ------------------*- C++ -*-===//

#ifndef HEDDLE_LIB_TRACE_STATICEVALUATOR_H
#define HEDDLE_LIB_TRACE_STATICEVALUATOR_H

#include "StaticProgram.h"

#include <bit>
#include <map>

namespace heddle::statics {

/// Evaluates warps one after the other: lockstep over 32 lanes with the
/// reconvergence stack of docs/Rationale/Divergence.md. Beside each value
/// stands how it changes from thread block to thread block; comparisons on
/// values that change give conditions under which another block goes the same
/// way.
class Evaluator {
public:
  Evaluator(const Program &P, const StaticTraceOptions &Options)
      : P(P), Options(Options) {}
  uint32_t run(HeddleWarp &Warp);

private:
  // StaticEvaluator.cpp: the walk.
  void start();
  uint32_t walk();
  void take(const Edge &E, uint32_t Lanes);
  uint32_t decideTaken(const Block &B, uint32_t Number, uint32_t Mask);
  uint32_t assumeTaken(const Block &B, uint32_t Number, uint32_t Lanes);
  void write(uint32_t Slot, const Lanes &New, uint32_t Mask);
  bool access(const Node &N);
  bool reachTexels(const Node &N);
  void reach(const Node &N, uint32_t Record, unsigned Operand, uint32_t Active);
  void assumeAddresses(const Node &N, uint64_t *Addresses, uint32_t Lanes);
  uint64_t random(uint64_t A, uint64_t B) const;

  // StaticAsync.cpp: mbarriers, bulk copies, clusters.
  bool actOnBarrier(const Node &N);
  bool copyInBulk(const Node &N);
  bool evaluateCluster(const Node &N, llvm::StringRef Name);
  bool evaluateElected(const Node &N);
  void observe(uint32_t Record, const uint64_t *Words);

  // StaticArithmetic.cpp: instructions.
  bool evaluate(const Node &N);
  bool evaluateCall(const Node &N);
  bool evaluateVote(const Node &N);
  bool evaluateMath(const Node &N);
  bool evaluateRegister(const Node &N, llvm::StringRef Name);
  void integer(const Node &N);
  void divide(const Node &N);
  void compare(const Node &N);
  void compareFloats(const Node &N);
  void select(const Node &N);
  void minMax(const Node &N);
  void convert(const Node &N);
  bool floating(const Node &N);
  void address(const Node &N);
  void load(const Node &N);
  bool holds(unsigned Predicate, const Lanes &A, const Lanes &B, unsigned Width,
             Lanes &Result);

  const Lanes &in(const Node &N, unsigned Op) const {
    return Slots[N.Ops[Op].Slot];
  }
  /// Applies \p F to each lane that counts.
  template <typename Function>
  static void map(Lanes &R, const Lanes &A, const Lanes &B, Function F) {
    R.Uniform = A.Uniform && B.Uniform;
    R.Unknown = A.Unknown | B.Unknown;
    R.Odd = A.Odd || B.Odd;
    if (R.Uniform) {
      R.V[0] = F(A.V[0], B.V[0]);
      return;
    }
    for (unsigned L = 0; L < 32; ++L)
      R.V[L] = F(A.at(L), B.at(L));
  }
  /// A result that changes from block to block in no simple way.
  static void blur(Lanes &R, bool Moves) {
    R.Odd |= Moves;
    R.Step = {};
  }
  void require(const Vector3 &PerBlock, int64_t Slack);
  void requireRange(const Lanes &A, unsigned Width, bool Signed);
  /// Asks for blocks in which no lane's \p A leaves its multiple of \p Divisor:
  /// there quotients stay, and remainders move as \p A does. False where this
  /// cannot be asked for.
  bool staysInMultiple(const Lanes &A, int64_t Divisor, unsigned Width);
  bool keepsBits(const Lanes &A, int64_t Kept, unsigned Width);
  int64_t least(const Lanes &A) const;
  int64_t greatest(const Lanes &A) const;

  const Program &P;
  const StaticTraceOptions &Options;
  HeddleWarp *W = nullptr;
  std::vector<Lanes> Slots;
  Lanes Result; ///< of the instruction being evaluated
  uint32_t Mask = 0;

  struct Entry {
    uint32_t Block, Mask, Reconverge;
  };
  std::vector<Entry> Stack;
  std::map<uint64_t, bool> Parities; ///< by the place of an mbarrier
  std::vector<uint64_t> Iterations;  ///< by block: of loops that data ends
  uint64_t Decisions = 0;            ///< counts those that were assumed

  bool OnlyHere = false;
  bool OpenLoop = false; ///< HEDDLE_ERROR_OPEN_LOOP
  std::vector<HeddleBlockCondition> Conditions;
  std::vector<uint32_t> MoveOf; ///< by record: place in Moves, or ~0
  std::vector<Vector3> Moves;
};

/// An integer of \p Width bits as it is kept.
inline int64_t wrap(int64_t V, unsigned Width) {
  if (Width == 1)
    return V & 1;
  if (Width >= 64)
    return V;
  return int64_t(uint64_t(V) << (64 - Width)) >> (64 - Width);
}
/// The same without a sign.
inline uint64_t bits(int64_t V, unsigned Width) {
  return Width >= 64 ? uint64_t(V) : uint64_t(V) & ((uint64_t(1) << Width) - 1);
}
inline float f32(int64_t V) { return std::bit_cast<float>(uint32_t(V)); }
inline double f64(int64_t V) { return std::bit_cast<double>(V); }
inline int64_t of(float V) { return std::bit_cast<uint32_t>(V); }
inline int64_t of(double V) { return std::bit_cast<int64_t>(V); }

} // namespace heddle::statics

#endif // HEDDLE_LIB_TRACE_STATICEVALUATOR_H
