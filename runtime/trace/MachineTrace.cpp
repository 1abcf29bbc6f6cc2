//===- MachineTrace.cpp - A trace in blocks of machine code ---------------===//

#include "trace/MachineTrace.h"

#include "base/Fail.h"
#include "trace/WarpCursor.h"
#include "trace/WarpEncoder.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace heddle::trace {

namespace {

/// What a block of the IR accessed, kept beyond the cursor's next step.
struct KeptAccess {
  uint32_t Number; ///< among the records of its block
  uint32_t Mask;
  HeddleMemorySpace Space;
  uint64_t Addresses[32];
};

struct Event {
  uint32_t Block = 0, Mask = 0;
  std::vector<KeptAccess> Accesses;
};

constexpr uint32_t None = ~0u;

/// What the warps of one body become. All addresses of a body are relative to
/// its bases, and so are those of what it becomes.
struct FusedBody {
  std::vector<uint8_t> Body;
  struct Base {
    uint32_t Of;       ///< number of the base of the IR that it moves with
    uint64_t Distance; ///< from that one
  };
  std::vector<Base> Bases;

  WarpTrace at(std::span<const uint64_t> From) const {
    WarpTrace T{Body, {}};
    T.Bases.reserve(Bases.size());
    for (const Base &B : Bases)
      T.Bases.push_back(From[B.Of] + B.Distance);
    return T;
  }
};

} // namespace

/// The warps of a trace, one after the other.
class MachineTrace::Fuser {
public:
  Fuser(const CodeTable &IR, const CodeTable &Code, const MachineSteps &Steps,
        LaneOrder Order);
  /// What \p Warp becomes, without a walk where an equal body came before.
  Result<WarpTrace> become(const WarpTrace &Warp);

private:
  /// Bytes of bodies that are kept.
  static constexpr size_t MaxKnown = size_t(1) << 25;

  Result<WarpTrace> fuse(const WarpTrace &Warp);
  std::optional<FusedBody> learn(const WarpTrace &Warp, WarpTrace Fused);
  const Event *ahead(size_t N);
  void keep(Event &E) const;
  size_t match(std::span<const HeddleStep> Wanted, bool Whole);
  bool isOfOtherLanes(const Event &E, size_t S);
  std::vector<KeptAccess> joinAccesses(size_t S);
  void emit(uint32_t Block, size_t NumEvents);

  const CodeTable &IR;
  const MachineSteps &Steps;
  WarpEncoder Encoder;
  WarpCursor Cursor;
  std::vector<std::vector<uint32_t>> Choices; ///< by first block of the IR
  std::vector<bool> IsNamed;                  ///< by block of the IR
  std::vector<Event> Events; ///< read ahead: a ring of a power of two
  size_t First = 0, Count = 0;
  std::vector<uint32_t> EventOf; ///< by step, of those ahead
  /// A step's further events: lanes that come to it another way.
  std::vector<std::pair<uint32_t, uint32_t>> Again;
  /// By body of the IR: none after the first warp, for most have no second.
  std::map<std::string, std::optional<FusedBody>, std::less<>> Known;
  size_t KnownBytes = 0;
};

MachineTrace::Fuser::Fuser(const CodeTable &IR, const CodeTable &Code,
                           const MachineSteps &Steps, LaneOrder Order)
    : IR(IR), Steps(Steps), Encoder(Code, Order), Choices(IR.Blocks.size()),
      IsNamed(IR.Blocks.size()), Events(16) {
  for (uint32_t B = 0; B < Steps.size(); ++B) {
    for (const HeddleStep &S : Steps[B])
      IsNamed[S.Block] = true;
    if (!Steps[B].empty())
      Choices[Steps[B].front().Block].push_back(B);
  }
  for (std::vector<uint32_t> &C : Choices)
    std::ranges::sort(C, [&](uint32_t A, uint32_t B) {
      return std::pair(Steps[B].size(), A) < std::pair(Steps[A].size(), B);
    });
}

void MachineTrace::Fuser::keep(Event &E) const {
  E.Block = Cursor.block();
  E.Mask = Cursor.mask();
  E.Accesses.clear();
  const HeddleBlock &B = IR.Blocks[E.Block];
  for (uint32_t N = 0; N < B.NumMemory; ++N) {
    const MemoryAccess &A = Cursor.access(B.FirstMemory + N);
    if (A.Mask == 0)
      continue;
    KeptAccess &K = E.Accesses.emplace_back();
    K.Number = N;
    K.Mask = A.Mask;
    K.Space = A.Space;
    for (unsigned Lane = 0; Lane < 32; ++Lane)
      K.Addresses[Lane] = A.address(Lane);
  }
}

/// Event \p N from the first that is left; null behind the last.
const Event *MachineTrace::Fuser::ahead(size_t N) {
  for (; Count <= N; ++Count) {
    do
      if (!Cursor.next())
        return nullptr;
    while (!IsNamed[Cursor.block()]);
    if (Count == Events.size()) {
      std::ranges::rotate(Events, Events.begin() + First);
      First = 0;
      Events.resize(2 * Events.size());
    }
    keep(Events[(First + Count) % Events.size()]);
  }
  return &Events[(First + N) % Events.size()];
}

/// How many events \p Wanted takes; 0 if all that must run is asked for and
/// does not. Fills EventOf and Again.
size_t MachineTrace::Fuser::match(std::span<const HeddleStep> Wanted,
                                  bool Whole) {
  EventOf.assign(Wanted.size(), None);
  Again.clear();
  size_t Next = 0; // behind the last step that had to run
  size_t N = 0;
  for (const Event *E = nullptr; (E = ahead(N)); ++N) {
    // Arms of one branch come in any order.
    size_t At = Next;
    while (At < Wanted.size() &&
           (Wanted[At].Block != E->Block ||
            (EventOf[At] != None && !isOfOtherLanes(*E, At)))) {
      if (!Wanted[At].IsOptional)
        At = Wanted.size();
      else
        ++At;
    }
    if (At == Wanted.size())
      break;
    if (EventOf[At] != None) {
      Again.push_back({uint32_t(At), uint32_t(N)});
      continue;
    }
    EventOf[At] = uint32_t(N);
    if (Wanted[At].IsOptional)
      continue;
    Next = At + 1;
    if (Whole && E->Mask != ahead(0)->Mask)
      return 0;
  }
  if (Whole)
    for (size_t S = Next; S < Wanted.size(); ++S)
      if (!Wanted[S].IsOptional)
        return 0;
  return N;
}

/// Whether \p E, another event of step \p S, is of lanes that came to it
/// another way: one predicated instruction runs for them and those before.
bool MachineTrace::Fuser::isOfOtherLanes(const Event &E, size_t S) {
  uint32_t Before = ahead(EventOf[S])->Mask;
  for (const auto &[Step, N] : Again)
    if (Step == S)
      Before |= ahead(N)->Mask;
  return (E.Mask & Before) == 0;
}

/// The accesses of step \p S, of all its events.
std::vector<KeptAccess> MachineTrace::Fuser::joinAccesses(size_t S) {
  std::vector<KeptAccess> All = ahead(EventOf[S])->Accesses;
  for (const auto &[Step, N] : Again) {
    if (Step != S)
      continue;
    for (const KeptAccess &A : ahead(N)->Accesses) {
      const auto To = std::ranges::find_if(All, [&](const KeptAccess &B) {
        return B.Number == A.Number && B.Space == A.Space;
      });
      if (To == All.end()) {
        All.push_back(A);
        continue;
      }
      To->Mask |= A.Mask;
      for (unsigned Lane = 0; Lane < 32; ++Lane)
        if (A.Mask >> Lane & 1)
          To->Addresses[Lane] = A.Addresses[Lane];
    }
  }
  return All;
}

void MachineTrace::Fuser::emit(uint32_t Block, size_t NumEvents) {
  uint32_t Mask = 0;
  for (size_t N = 0; N < NumEvents; ++N)
    Mask |= ahead(N)->Mask;
  Encoder.block(Block, Mask);
  auto Encode = [&](size_t S, std::span<const KeptAccess> Accesses) {
    for (const KeptAccess &A : Accesses)
      Encoder.memory(Steps[Block][S].FirstMemory + A.Number, A.Space, A.Mask,
                     A.Addresses);
  };
  for (size_t S = 0; S < EventOf.size(); ++S)
    if (EventOf[S] != None && Again.empty())
      Encode(S, ahead(EventOf[S])->Accesses);
    else if (EventOf[S] != None)
      Encode(S, joinAccesses(S));
  First = (First + NumEvents) % Events.size();
  Count -= NumEvents;
}

Result<WarpTrace> MachineTrace::Fuser::fuse(const WarpTrace &Warp) {
  Cursor.reset(IR, Warp);
  First = Count = 0;
  while (const Event *E = ahead(0)) {
    const std::vector<uint32_t> &Blocks = Choices[E->Block];
    size_t Taken = 0;
    for (size_t N = 0; N < Blocks.size() && Taken == 0; ++N)
      if ((Taken = match(Steps[Blocks[N]], N + 1 != Blocks.size())))
        emit(Blocks[N], Taken);
    if (Taken == 0) {
      const uint32_t Block = E->Block;
      (void)Encoder.finish(); // what was half encoded
      return fail("block {} of the IR ran where the machine code of '{}' has "
                  "no place for it; --isa ptx takes it",
                  Block, IR.Kernel);
    }
  }
  return Encoder.finish();
}

/// Fuses \p Warp with each of its bases moved by a distance of its own, which
/// tells what moves with which. None if the bodies differ.
std::optional<FusedBody> MachineTrace::Fuser::learn(const WarpTrace &Warp,
                                                    WarpTrace Fused) {
  constexpr unsigned Apart = 44; // bits: beyond all distances in a warp
  if (Warp.Bases.size() >> (64 - Apart))
    return std::nullopt;
  WarpTrace Moved = Warp;
  for (size_t N = 0; N < Moved.Bases.size(); ++N)
    Moved.Bases[N] += uint64_t(N + 1) << Apart;
  const Result<WarpTrace> Other = fuse(Moved);
  if (!Other || Other->Body != Fused.Body ||
      Other->Bases.size() != Fused.Bases.size())
    return std::nullopt;
  FusedBody Out{std::move(Fused.Body), {}};
  for (size_t N = 0; N < Fused.Bases.size(); ++N) {
    const uint64_t By = Other->Bases[N] - Fused.Bases[N], Of = By >> Apart;
    if (Of == 0 || Of > Warp.Bases.size() || By != Of << Apart)
      return std::nullopt;
    Out.Bases.push_back(
        {uint32_t(Of - 1), Fused.Bases[N] - Warp.Bases[Of - 1]});
  }
  return Out;
}

Result<WarpTrace> MachineTrace::Fuser::become(const WarpTrace &Warp) {
  const std::string_view Body(reinterpret_cast<const char *>(Warp.Body.data()),
                              Warp.Body.size());
  const auto It = Known.find(Body);
  if (It != Known.end() && It->second)
    return It->second->at(Warp.Bases);
  Result<WarpTrace> Fused = fuse(Warp);
  if (!Fused)
    return Fused;
  if (It != Known.end()) {
    It->second = learn(Warp, *Fused);
    return Fused;
  }
  if ((KnownBytes += Body.size()) > MaxKnown) {
    Known.clear();
    KnownBytes = Body.size();
  }
  Known.emplace(Body, std::nullopt);
  return Fused;
}

MachineTrace::MachineTrace(std::unique_ptr<TraceSource> Source, CodeTable Table,
                           MachineSteps S)
    : Inner(std::move(Source)), Code(std::move(Table)), Steps(std::move(S)),
      Fuse(std::make_unique<Fuser>(Inner->code(), Code, Steps,
                                   Inner->header().Order)) {}

MachineTrace::~MachineTrace() = default;

Result<void> MachineTrace::read(uint64_t Index, BlockTrace &Out) {
  if (Result<void> R = Inner->read(Index, Out); !R)
    return R;
  for (WarpTrace &W : Out.Warps) {
    Result<WarpTrace> Fused = Fuse->become(W);
    if (!Fused)
      return std::unexpected(Fused.error());
    W = std::move(*Fused);
  }
  Out.Counts.clear();
  return {};
}

} // namespace heddle::trace
