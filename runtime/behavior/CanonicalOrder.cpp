//===- CanonicalOrder.cpp - Numbers that tell nothing ---------------------===//

#include "behavior/CanonicalOrder.h"

#include <map>

namespace heddle::behavior {

void canonicalize(Profile &P) {
  std::map<unsigned, unsigned> Registers, Accesses;
  std::vector<Access> Kept;
  // An access comes after the one that leads it.
  auto Number = [&](auto &Self, unsigned Old) -> unsigned {
    if (auto It = Accesses.find(Old); It != Accesses.end())
      return It->second;
    Access A = P.Accesses[Old];
    if (A.Leader != None)
      A.Leader = Self(Self, A.Leader);
    Kept.push_back(A);
    return Accesses[Old] = Kept.size() - 1;
  };
  for (Block &B : P.Blocks)
    for (Instruction &I : B.Chain) {
      for (auto *List : {&I.Defs, &I.Uses})
        for (unsigned &R : *List)
          R = Registers.try_emplace(R, Registers.size() + 1).first->second;
      if (I.Access != None)
        I.Access = Number(Number, I.Access);
    }
  P.Accesses = std::move(Kept);
  P.NumRegisters = Registers.size();
}

} // namespace heddle::behavior
