//===- StaticEvaluator.cpp - One warp, evaluated --------------------------===//

#include "StaticEvaluator.h"

#include "heddle/ABI/TextureOps.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/MatrixOperation.h"

#include "llvm/IR/Instructions.h"

#include <cstring>

using namespace llvm;

namespace heddle::statics {

static constexpr uint32_t None = ~0u;

/// Where the path goes that ends at no block.
static constexpr uint32_t NoReconvergence = ~0u;

void Evaluator::start() {
  Slots = P.Start;
  for (size_t N = 0; N < P.Arguments.size(); ++N) {
    auto [Slot, Offset] = P.Arguments[N];
    const Node &Type = P.ArgumentTypes[N];
    Lanes &A = Slots[Slot];
    if (Type.K == Kind::Other || P.ArgumentBytes[N] > 8) {
      A.Unknown = ~0u;
      continue;
    }
    std::memcpy(&A.V[0], W->Params + Offset, P.ArgumentBytes[N]);
    if (Type.K == Kind::Int)
      A.V[0] = wrap(A.V[0], Type.Width);
  }
  for (auto [Slot, Offset] : P.Structs)
    Slots[Slot].V[0] = int64_t(reinterpret_cast<uintptr_t>(W->Params) + Offset);
  for (auto [Slot, Offset] : P.SharedVariables)
    Slots[Slot].V[0] = int64_t(reinterpret_cast<uintptr_t>(W->Shared) + Offset);
  Stack.clear();
  Iterations.assign(P.Blocks.size(), 0);
  Parities.clear();
  Decisions = 0;
  OnlyHere = OpenLoop = false;
  Conditions.clear();
  MoveOf.assign(P.NumRecords, None);
  Moves.clear();
}

/// Lanes outside \p Active keep what they have.
void Evaluator::write(uint32_t Slot, const Lanes &New, uint32_t Active) {
  Lanes &Old = Slots[Slot];
  if ((Old.Valid & ~Active) == 0) {
    const uint32_t Valid = Active;
    if (New.Uniform) {
      Old.V[0] = New.V[0];
    } else {
      std::memcpy(Old.V, New.V, sizeof(Old.V));
    }
    Old.Uniform = New.Uniform;
    Old.Unknown = New.Unknown & Active;
    Old.Odd = New.Odd;
    Old.Step = New.Step;
    Old.Valid = Valid;
    return;
  }
  if (Old.Step != New.Step) {
    Old.Odd = true;
    Old.Step = {};
  }
  Old.Odd |= New.Odd;
  Old.Unknown = (Old.Unknown & ~Active) | (New.Unknown & Active);
  Old.Valid |= Active;
  if (Old.Uniform && New.Uniform && Old.V[0] == New.V[0])
    return;
  if (Old.Uniform)
    std::fill(Old.V + 1, Old.V + 32, Old.V[0]);
  Old.Uniform = false;
  for (uint32_t M = Active; M; M &= M - 1) {
    unsigned L = unsigned(std::countr_zero(M));
    Old.V[L] = New.at(L);
  }
}

/// Goes along an edge with \p Active: all phis are read before one is written.
void Evaluator::take(const Edge &E, uint32_t Active) {
  for (uint32_t Exit : E.Restarts)
    Iterations[Exit] = 0;
  if (E.Phis.size() == 1) {
    const Lanes In = Slots[E.Phis[0].second];
    write(E.Phis[0].first, In, Active);
  } else if (!E.Phis.empty()) {
    SmallVector<Lanes, 4> In;
    for (auto [Phi, From] : E.Phis)
      In.push_back(Slots[From]);
    for (size_t N = 0; N < In.size(); ++N)
      write(E.Phis[N].first, In[N], Active);
  }
}

uint64_t Evaluator::random(uint64_t A, uint64_t B) const {
  uint64_t Block =
      W->BlockIdx[0] +
      uint64_t(W->GridDim[0]) *
          (W->BlockIdx[1] + uint64_t(W->GridDim[1]) * W->BlockIdx[2]);
  // SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
  // generators, 2014).
  uint64_t X = (Block * 64 + W->WarpInBlock) * 0x9e3779b97f4a7c15ull +
               A * 0xbf58476d1ce4e5b9ull + B;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9ull;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebull;
  return X ^ (X >> 31);
}

/// The lanes of \p Active, which depend on data, that take successor 0.
uint32_t Evaluator::assumeTaken(const Block &B, uint32_t Number,
                                uint32_t Active) {
  uint32_t Lanes = Active;
  ++Decisions;
  if (Options.TakenProbability) {
    OnlyHere = true;
    for (uint32_t M = Active; M; M &= M - 1) {
      unsigned L = unsigned(std::countr_zero(M));
      double Draw = double(random(Decisions, L) >> 11) * 0x1p-53;
      if (Draw >= *Options.TakenProbability)
        Lanes &= ~(1u << L);
    }
  }
  if (B.Limit && ++Iterations[Number] >= B.Limit) {
    Lanes = 0;
    Iterations[Number] = 0;
  }
  OpenLoop |= B.MayEnd && ++Iterations[Number] > HEDDLE_MAX_OPEN_ITERATIONS;
  return B.Taken == 0 ? Lanes : Active & ~Lanes;
}

uint32_t Evaluator::decideTaken(const Block &B, uint32_t Number,
                                uint32_t Active) {
  const Lanes &C = Slots[B.Condition];
  OnlyHere |= C.Odd;
  uint32_t True = 0;
  if (C.Uniform)
    True = C.V[0] & 1 ? Active : 0;
  else
    for (unsigned L = 0; L < 32; ++L)
      True |= uint32_t(C.V[L] & 1) << L;
  True &= Active;
  if (uint32_t Unknown = C.Unknown & Active)
    True = (True & ~Unknown) | assumeTaken(B, Number, Unknown);
  return True;
}

/// The algorithm of docs/Rationale/Divergence.md.
uint32_t Evaluator::walk() {
  uint32_t Now = 0, Reconverge = NoReconvergence;
  Mask = W->LiveMask;
  uint32_t Exited = 0;
  auto pop = [&] {
    while (!Stack.empty()) {
      Entry E = Stack.back();
      Stack.pop_back();
      if (!(E.Mask & ~Exited))
        continue;
      Now = E.Block;
      Mask = E.Mask & ~Exited;
      Reconverge = E.Reconverge;
      return true;
    }
    return false;
  };
  while (true) {
    const Block &B = P.Blocks[Now];
    auto fail = [&](uint32_t Error, uint32_t Inst) {
      W->Error = Error;
      W->ErrorBlock = Now;
      W->ErrorInst = Inst;
      return uint32_t(HEDDLE_WARP_FAILED);
    };
    if (W->StepsLeft-- == 0)
      return fail(HEDDLE_ERROR_STEP_LIMIT, B.FirstInst);
    if (Options.OnBlock)
      Options.OnBlock(W, Now, Mask);
    for (const Node &N : B.Nodes)
      if (!evaluate(N))
        return fail(HEDDLE_ERROR_UNSUPPORTED,
                    B.FirstInst +
                        uint32_t(std::distance(N.I->getParent()->begin(),
                                               N.I->getIterator())));
    bool More = true;
    switch (B.End) {
    case Block::Trap:
      return fail(HEDDLE_ERROR_TRAP, B.FirstInst);
    case Block::Return:
      Exited |= Mask;
      More = pop();
      break;
    case Block::Jump:
      take(B.Succ[0], Mask);
      if (B.Succ[0].To == Reconverge)
        More = pop();
      else
        Now = B.Succ[0].To;
      break;
    case Block::Branch: {
      uint32_t True = decideTaken(B, Now, Mask), False = Mask & ~True;
      if (OpenLoop)
        return fail(HEDDLE_ERROR_OPEN_LOOP, B.FirstInst);
      if (True)
        take(B.Succ[0], True);
      if (False)
        take(B.Succ[1], False);
      if (!True || !False) {
        uint32_t To = B.Succ[True ? 0 : 1].To;
        if (To == Reconverge)
          More = pop();
        else
          Now = To;
        break;
      }
      uint32_t Join = B.Join;
      if (Join != NoBlock && Join != Reconverge)
        Stack.push_back({Join, Mask, Reconverge});
      uint32_t Inner = Join == NoBlock ? NoReconvergence : Join;
      const Edge &First = B.Succ[B.FalseFirst], &Second = B.Succ[!B.FalseFirst];
      if (Second.To != Join)
        Stack.push_back({Second.To, B.FalseFirst ? True : False, Inner});
      if (First.To != Join) {
        Now = First.To;
        Mask = B.FalseFirst ? False : True;
        Reconverge = Inner;
      } else {
        More = pop();
      }
      break;
    }
    }
    if (!More)
      return HEDDLE_WARP_DONE;
  }
}

/// Lanes whose address depends on data: anywhere in the object.
void Evaluator::assumeAddresses(const Node &N, uint64_t *Addresses,
                                uint32_t Which) {
  OnlyHere = true;
  ++Decisions;
  uint64_t Begin = 0, Size = N.ObjectBytes;
  if (N.Object != None && !Slots[N.Object].Unknown)
    Begin = uint64_t(Slots[N.Object].at(unsigned(std::countr_zero(Which))));
  if (!Size && Options.BufferOf)
    std::tie(Begin, Size) = Options.BufferOf(Begin);
  uint64_t Step = std::max<uint64_t>(1, P.Blocks.empty() ? 1 : N.Width / 8);
  uint64_t Elements = std::max<uint64_t>(1, Size / Step);
  for (uint32_t M = Which; M; M &= M - 1) {
    unsigned L = unsigned(std::countr_zero(M));
    Addresses[L] = Begin + random(Decisions, L) % Elements * Step;
  }
}

/// The texels of a read or write. Coordinates that depend on data are anywhere
/// on their axis. False for an image that no argument of the launch is.
bool Evaluator::reachTexels(const Node &N) {
  alignas(64) uint64_t Handles[2 * 32], Records[HEDDLE_TEXTURE_RECORDS * 32];
  uint32_t Coordinates[HEDDLE_TEXTURE_COORDINATES * 32];
  const auto Shape = std::bit_cast<HeddleTextureShape>(*N.Texture);
  OnlyHere = true;
  ++Decisions;
  for (uint32_t M = Mask; M; M &= M - 1) {
    const unsigned L = unsigned(std::countr_zero(M));
    const uint64_t Handle = uint64_t(in(N, 0).at(L));
    if ((in(N, 0).Unknown | in(N, 1).Unknown) >> L & 1 || !Options.BufferOf)
      return false;
    const auto [Begin, Size] = Options.BufferOf(Handle);
    if (Begin != Handle || Size != sizeof(HeddleImage))
      return false;
    HeddleImage Image;
    std::memcpy(&Image, reinterpret_cast<const void *>(Handle), sizeof(Image));
    const uint32_t Sizes[] = {Image.Width, Image.Height, Image.Depth,
                              Image.Depth};
    Handles[L] = Handle;
    Handles[32 + L] = uint64_t(in(N, 1).at(L));
    for (unsigned C = 0; C < HEDDLE_TEXTURE_COORDINATES; ++C) {
      uint32_t &To = Coordinates[C * 32 + L];
      To = uint32_t(in(N, C + 2).at(L));
      if (!(in(N, C + 2).Unknown >> L & 1))
        continue;
      const uint64_t Any =
          random(Decisions, 4 * L + C) % std::max(1u, Sizes[C]);
      const bool Whole = C == HEDDLE_TEXTURE_LAYER ||
                         Shape.Kind >= HEDDLE_SURFACE_LOAD ||
                         Shape.Kind == HEDDLE_TEXTURE_FETCH;
      const float Scale = Image.NormalizedCoordinates ? float(Sizes[C]) : 1;
      To = Whole ? uint32_t(Any) : uint32_t(of((float(Any) + 0.5f) / Scale));
    }
  }
  heddleTexture(*N.Texture, Mask, Handles, Coordinates, nullptr, Records);
  const unsigned NumRecords =
      Shape.Kind == HEDDLE_SURFACE_STORE ? 1 : HEDDLE_TEXTURE_RECORDS;
  for (unsigned R = 0; R < NumRecords; ++R) {
    uint32_t &Place = MoveOf[N.Record + R];
    if (Place == None) {
      Place = uint32_t(Moves.size());
      Moves.push_back({});
    }
    if (Options.OnMemory && Mask)
      Options.OnMemory(W, N.Record + R, Mask, Records + R * 32);
  }
  return true;
}

bool Evaluator::access(const Node &N) {
  if (N.Texture)
    return reachTexels(N);
  if (!N.CopiesToNext) {
    reach(N, N.Record, 0, Mask);
    return true;
  }
  uint32_t Reads = Mask;
  if (N.Ops.size() > 2) { // bytes; what is not known reads
    const Lanes &Bytes = in(N, 2);
    for (unsigned L = 0; L < 32; ++L)
      if (!(Bytes.Unknown >> L & 1) && !Bytes.at(L))
        Reads &= ~(1u << L);
    OnlyHere = true;
  }
  reach(N, N.Record, 0, Reads);
  reach(N, N.Record + 1, 1, Mask);
  return true;
}

/// The addresses that operand \p Operand holds, of \p Record.
void Evaluator::reach(const Node &N, uint32_t Record, unsigned Operand,
                      uint32_t Active) {
  const Lanes &A = in(N, Operand);
  alignas(64) uint64_t Addresses[32];
  for (unsigned L = 0; L < 32; ++L)
    Addresses[L] = uint64_t(A.at(L));
  if (uint32_t Unknown = A.Unknown & Active)
    assumeAddresses(N, Addresses, Unknown);
  if (N.Matrices < 4) {
    const MatrixAccess M = {N.Matrices, false, false, nullptr};
    for (unsigned L = 0; L < 32; ++L)
      Addresses[L] = uint64_t(A.at(M.lineOf(L))) + M.offsetOf(L);
  }
  OnlyHere |= A.Odd;
  uint32_t &Place = MoveOf[Record];
  if (Place == None) {
    Place = uint32_t(Moves.size());
    Moves.push_back(A.Step);
  } else if (Moves[Place] != A.Step) {
    OnlyHere = true;
  }
  if (Options.OnMemory && Active)
    Options.OnMemory(W, Record, Active, Addresses);
}

uint32_t Evaluator::run(HeddleWarp &Warp) {
  W = &Warp;
  start();
  uint32_t Status = walk();
  if (Status == HEDDLE_WARP_DONE && Options.OnReach) {
    static_assert(sizeof(Vector3) == sizeof(int64_t[3]));
    HeddleWarpReach Reach = {
        Conditions.data(),
        uint32_t(Conditions.size()),
        OnlyHere,
        reinterpret_cast<const int64_t (*)[3]>(Moves.data()),
        uint32_t(Moves.size()),
        uint32_t(Decisions)};
    Options.OnReach(W, &Reach);
  }
  return Status;
}

namespace {

class StaticEngine : public Engine {
public:
  StaticEngine(Program Decoded, const StaticTraceOptions &Given)
      : P(std::move(Decoded)), Options(Given), E(P, Options) {}
  const HeddleWarpKernel &kernel() const override { return Info; }
  HeddleWarpKernel Info{};

  static uint32_t run(HeddleWarp *W) {
    return static_cast<StaticEngine *>(W->Engine)->E.run(*W);
  }

private:
  Program P;
  StaticTraceOptions Options;
  Evaluator E;
};

} // namespace

} // namespace heddle::statics

namespace heddle {

Expected<std::unique_ptr<Engine>>
createStaticEngine(const Function &Kernel, const GlobalAddresses &Globals,
                   const StaticTraceOptions &Options) {
  KernelLayout Layout(Kernel);
  KernelNumbering Numbering(Kernel);
  Expected<statics::Program> P =
      statics::decode(Kernel, Numbering, Layout, Globals, Options);
  if (!P)
    return P.takeError();
  auto E = std::make_unique<statics::StaticEngine>(std::move(*P), Options);
  E->Info.Run = statics::StaticEngine::run;
  E->Info.Engine = E.get();
  E->Info.LocalBytes = Layout.LocalBytes;
  E->Info.StaticSharedBytes = Layout.StaticSharedBytes;
  E->Info.ParamBytes = Layout.ParamBytes;
  E->Info.NumBlocks = Numbering.numBlocks();
  E->Info.NumMemoryRecords = unsigned(Numbering.memory().size());
  E->Info.HasGridBarrier = hasGridBarrier(Kernel);
  return E;
}

} // namespace heddle
