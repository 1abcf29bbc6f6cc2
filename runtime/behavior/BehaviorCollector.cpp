//===- BehaviorCollector.cpp - A behaviour profile from a launch ----------===//

#include "behavior/BehaviorCollector.h"

#include "behavior/AccessSampler.h"
#include "behavior/BranchObserver.h"
#include "behavior/LoopForest.h"
#include "behavior/LoopTrips.h"
#include "trace/WarpCursor.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

namespace heddle::behavior {

namespace {

class Collector {
public:
  Collector(const trace::TraceHeader &Header, const trace::CodeTable &Code,
            const KernelShape &Shape);
  void warp(const trace::WarpTrace &Trace, uint64_t Block, unsigned Warp);
  Result<Profile> finish();

private:
  struct EdgeCount {
    uint64_t Count = 0, WarpCount = 0, TCount = 0;
    uint32_t Threads = 0; ///< of the warp at hand
  };
  struct LoopState {
    std::array<uint32_t, 32> Trips = {}; ///< of each lane, since it entered
    /// The same as they are left, in this iteration of the loop around.
    std::array<uint32_t, 32> Done = {};
    uint32_t Iteration = 0; ///< of the warp
    uint64_t Entry = 0;     ///< tells entries of all warps apart
    Keys Outer = {};        ///< iterations around, when it entered
  };

  void enter(unsigned Block, uint32_t Mask);
  void edge(unsigned From, unsigned To, uint32_t Lanes);
  void countTrips(unsigned Block, uint32_t Mask);
  void leaveLoop(unsigned Loop, uint32_t Lanes);
  void access(unsigned Block, const trace::WarpCursor &Cursor);
  void compare(const HeddleBlock &Records, const trace::WarpCursor &Cursor);
  void compareEarlier(unsigned Block, const trace::WarpCursor &Cursor,
                      uint64_t Entry);
  void findLeader(uint32_t Record, Profile &P) const;
  Keys indicesOf(unsigned Lane) const;
  Keys keysOf(unsigned Block, unsigned Lane) const;
  bool isIdle() const;
  void fillChains(Profile &P);
  void fillAccesses(Profile &P);
  void forgetUnused(Profile &P) const;
  bool inLoop(unsigned Block, unsigned L) const { return Inside[L][Block]; }

  const trace::TraceHeader &Header;
  const trace::CodeTable &Code;
  const KernelShape &Shape;
  std::vector<Loop> Loops;
  std::vector<std::vector<bool>> Inside;     ///< [loop][block]
  std::vector<std::vector<unsigned>> Within; ///< [loop]: right inside of it
  std::vector<unsigned> LoopOf;              ///< innermost, by block
  std::vector<Block> Blocks;
  std::map<std::pair<unsigned, unsigned>, EdgeCount> Edges;
  std::vector<BranchObserver> Branches; ///< by block
  std::vector<unsigned> Likely;         ///< the successor that they count
  std::vector<AccessSampler> Accesses;
  /// By block: records of other blocks of its loop that every lane passes
  /// before in an iteration.
  std::vector<std::vector<uint32_t>> Earlier;
  /// From one record to a later one of the iteration, for each lane.
  std::map<std::pair<uint32_t, uint32_t>, Distances> Between;
  std::vector<std::map<uint64_t, uint64_t>> Trips; ///< by loop
  std::vector<bool> VaryInWarp;
  std::vector<BlockTrips> TripsOfBlocks; ///< by loop
  std::vector<uint64_t> ThreadTrips, ThreadEntries;
  std::vector<std::map<uint64_t, uint64_t>> TripsOfThreads; ///< by loop
  std::vector<SampleSet> TripSamples;
  uint64_t Entries = 0; ///< of loops, by all warps

  // The current warp.
  Dim3 BlockIndex;
  unsigned Warp = 0;
  std::array<unsigned, 32> Before;
  std::vector<LoopState> States;
};

Collector::Collector(const trace::TraceHeader &Header,
                     const trace::CodeTable &Code, const KernelShape &Shape)
    : Header(Header), Code(Code), Shape(Shape) {
  const unsigned N = Code.Blocks.size();
  std::set<std::pair<unsigned, unsigned>> Static;
  for (unsigned B = 0; B < N; ++B)
    for (unsigned S : Shape.Successors[B])
      Static.insert({B, S});
  Loops = findLoops(N, Static);
  findEarlier(Loops, N, Static);
  Within.resize(Loops.size());
  for (unsigned L = 0; L < Loops.size(); ++L)
    if (Loops[L].Parent != None)
      Within[Loops[L].Parent].push_back(L);
  LoopOf.assign(N, None);
  for (const Loop &L : Loops) {
    Inside.emplace_back(N);
    for (unsigned B : L.Blocks) {
      Inside.back()[B] = true;
      LoopOf[B] = Inside.size() - 1;
    }
  }
  const auto Dominators = findDominators(N, Static);
  Earlier.resize(N);
  for (unsigned B = 0; B < N; ++B)
    for (unsigned D = 0; D < B && LoopOf[B] != None; ++D)
      if (Dominators[B][D] && LoopOf[D] == LoopOf[B])
        for (uint32_t R = 0; R < Code.Blocks[D].NumMemory; ++R)
          Earlier[B].push_back(Code.Blocks[D].FirstMemory + R);
  Blocks.resize(N);
  Branches.resize(N);
  Accesses.resize(Code.Memory.size());
  Trips.resize(Loops.size());
  VaryInWarp.resize(Loops.size());
  TripsOfBlocks.resize(Loops.size());
  ThreadTrips.resize(Loops.size());
  ThreadEntries.resize(Loops.size());
  TripsOfThreads.resize(Loops.size());
  constexpr size_t MaxTripSamples = 3000;
  TripSamples.assign(Loops.size(), SampleSet(MaxTripSamples));
  Likely.assign(N, None);
  for (unsigned B = 0; B < N; ++B) {
    Blocks[B].Loop = LoopOf[B];
    // Lanes that stay in the loop are seen before the block runs again.
    if (Shape.Successors[B].size() == 2) {
      Likely[B] = Shape.Successors[B][0];
      if (LoopOf[B] != None && !inLoop(Likely[B], LoopOf[B]))
        Likely[B] = Shape.Successors[B][1];
    }
  }
}

/// Without iterations.
Keys Collector::indicesOf(unsigned Lane) const {
  Keys K = {};
  const uint64_t Thread = uint64_t(Warp) * 32 + Lane;
  K[ThreadX] = Thread % Header.Block.X;
  K[ThreadY] = Thread / Header.Block.X % Header.Block.Y;
  K[ThreadZ] = Thread / (uint64_t(Header.Block.X) * Header.Block.Y);
  K[BlockX] = BlockIndex.X;
  K[BlockY] = BlockIndex.Y;
  K[BlockZ] = BlockIndex.Z;
  return K;
}

Keys Collector::keysOf(unsigned Block, unsigned Lane) const {
  Keys K = indicesOf(Lane);
  for (unsigned L = LoopOf[Block]; L != None; L = Loops[L].Parent)
    if (Loops[L].Depth < MaxLoopDepth)
      K[Iteration0 + Loops[L].Depth] = States[L].Iteration;
  if (const unsigned L = continuedFrom(Loops, LoopOf[Block]); L != None)
    K[EarlierTrips] = States[Loops[L].After].Done[Lane];
  return K;
}

void Collector::edge(unsigned From, unsigned To, uint32_t Lanes) {
  EdgeCount &E = Edges[{From, To}];
  E.Count += std::popcount(Lanes);
  ++E.WarpCount;
  E.Threads |= Lanes;
  if (Likely[From] == To)
    Branches[From].taken(Lanes);
}

void Collector::leaveLoop(unsigned L, uint32_t Lanes) {
  uint32_t Most = 0, Least = UINT32_MAX;
  SampleSet &Samples = TripSamples[L];
  const bool Wanted = Samples.wants();
  const unsigned Some = Samples.random() % 32;
  for (unsigned Lane = 0; Lane < 32; ++Lane)
    if (uint32_t &T = States[L].Trips[Lane]; (Lanes >> Lane & 1) && T) {
      Most = std::max(Most, T);
      Least = std::min(Least, T);
      ThreadTrips[L] += T;
      ++ThreadEntries[L];
      ++TripsOfThreads[L][T];
      if (Wanted && (Lane == 0 || Lane == 31 || Lane == Some)) {
        Keys Where = indicesOf(Lane);
        std::copy(States[L].Outer.begin() + Iteration0, States[L].Outer.end(),
                  Where.begin() + Iteration0);
        Samples.add({Where, int64_t(T)});
      }
      T = 0;
    }
  if (!Most)
    return;
  ++Trips[L][Most];
  TripsOfBlocks[L].add(BlockIndex.X, Least, Most);
  if (Least != Most)
    VaryInWarp[L] = true;
}

void Collector::countTrips(unsigned Block, uint32_t Mask) {
  unsigned L = LoopOf[Block];
  if (L == None || Loops[L].Header != Block)
    return;
  uint32_t New = 0;
  for (unsigned Lane = 0; Lane < 32; ++Lane)
    if (Mask >> Lane & 1)
      if (Before[Lane] == None || !inLoop(Before[Lane], L))
        New |= 1u << Lane;
  if (New) {
    leaveLoop(L, New);
    States[L].Entry = ++Entries;
    for (unsigned P = Loops[L].Parent; P != None; P = Loops[P].Parent)
      if (Loops[P].Depth < MaxLoopDepth)
        States[L].Outer[Iteration0 + Loops[P].Depth] = States[P].Iteration;
  }
  for (unsigned Lane = 0; Lane < 32; ++Lane)
    if (Mask >> Lane & 1) {
      States[L].Done[Lane] = ++States[L].Trips[Lane];
      for (unsigned Inner : Within[L])
        States[Inner].Done[Lane] = 0;
    }
  States[L].Iteration = States[L].Trips[std::countr_zero(Mask)] - 1;
}

void Collector::enter(unsigned B, uint32_t Mask) {
  uint32_t Left = Mask;
  countTrips(B, Mask);
  while (Left) {
    unsigned From = Before[std::countr_zero(Left)];
    uint32_t Same = 0;
    for (unsigned Lane = 0; Lane < 32; ++Lane)
      if ((Left >> Lane & 1) && Before[Lane] == From) {
        Same |= 1u << Lane;
        Before[Lane] = B;
      }
    if (From != None)
      edge(From, B, Same);
    Left &= ~Same;
  }
  Block &Out = Blocks[B];
  const unsigned Lanes = std::popcount(Mask);
  Out.ECount += Lanes;
  ++Out.WarpCount;
  ++Out.Lanes[Lanes == 32 ? 5 : Lanes >= 25 ? 4 : (Lanes + 7) / 8];
  if (Likely[B] != None)
    Branches[B].begin(Mask, [&](unsigned L) { return keysOf(B, L); });
}

void Collector::access(unsigned B, const trace::WarpCursor &Cursor) {
  const HeddleBlock &Records = Code.Blocks[B];
  // Outside of loops no execution follows another.
  const uint64_t Entry =
      LoopOf[B] == None ? ++Entries : States[LoopOf[B]].Entry;
  constexpr uint64_t CompareOneIn = 8;
  if (Blocks[B].WarpCount < 1000 || Blocks[B].WarpCount % CompareOneIn == 0) {
    compare(Records, Cursor);
    compareEarlier(B, Cursor, Entry);
  }
  for (uint32_t R = Records.FirstMemory;
       R < Records.FirstMemory + Records.NumMemory; ++R)
    if (const trace::MemoryAccess &A = Cursor.access(R);
        A.Mask && A.Space != HEDDLE_SPACE_PARAM)
      Accesses[R].add(A, Code.Memory[R].AccessBytes, Entry,
                      [&](unsigned L) { return keysOf(B, L); });
}

/// How far back a leader is looked for, in records.
constexpr uint32_t MostBack = 24;

void Collector::compareEarlier(unsigned B, const trace::WarpCursor &Cursor,
                               uint64_t Entry) {
  const HeddleBlock &Records = Code.Blocks[B];
  for (uint32_t R = Records.FirstMemory;
       R < Records.FirstMemory + Records.NumMemory; ++R) {
    const trace::MemoryAccess &A = Cursor.access(R);
    for (uint32_t Q : Earlier[B]) {
      if (!A.Mask || A.Space != Accesses[Q].space() || Q + MostBack < R)
        continue;
      for (int L : {std::countr_zero(A.Mask), 31 - std::countl_zero(A.Mask)})
        if (const uint64_t *Before = Accesses[Q].last(L, Entry))
          Between[{Q, R}].add(int64_t(A.address(L) - *Before));
    }
  }
}

void Collector::compare(const HeddleBlock &Records,
                        const trace::WarpCursor &Cursor) {
  const uint32_t End = Records.FirstMemory + Records.NumMemory;
  for (uint32_t R = Records.FirstMemory; R < End; ++R) {
    const trace::MemoryAccess &A = Cursor.access(R);
    uint32_t Q = std::max(Records.FirstMemory, R > MostBack ? R - MostBack : 0);
    for (; Q < R && A.Mask; ++Q) {
      const trace::MemoryAccess &Before = Cursor.access(Q);
      if (uint32_t Both = A.Mask & Before.Mask;
          Both && A.Space == Before.Space) {
        unsigned First = std::countr_zero(Both),
                 Last = 31 - std::countl_zero(Both);
        for (unsigned L : {First, Last})
          Between[{Q, R}].add(int64_t(A.address(L) - Before.address(L)));
      }
    }
  }
}

void Collector::findLeader(uint32_t R, Profile &P) const {
  constexpr double NearlyAlways = 0.9;
  constexpr int64_t Near = 4096;
  Access &A = P.Accesses[R];
  for (auto It = Between.begin(); It != Between.end() && A.Leader == None;
       ++It) {
    auto [Q, Follower] = It->first;
    const Access &Before = P.Accesses[Q];
    auto [Distance, Share] = It->second.mode();
    if (Follower == R && !Before.IsAffine && Before.Array == A.Array &&
        Share >= NearlyAlways && std::abs(Distance) <= Near) {
      A.Leader = Q;
      A.LeaderDistance = Distance;
    }
  }
}

void Collector::warp(const trace::WarpTrace &Trace, uint64_t Index,
                     unsigned W) {
  Warp = W;
  BlockIndex.X = Index % Header.Grid.X;
  BlockIndex.Y = Index / Header.Grid.X % Header.Grid.Y;
  BlockIndex.Z = Index / (uint64_t(Header.Grid.X) * Header.Grid.Y);
  Before.fill(None);
  States.assign(Loops.size(), {});
  trace::WarpCursor Cursor(Code, Trace);
  while (Cursor.next()) {
    enter(Cursor.block(), Cursor.mask());
    access(Cursor.block(), Cursor);
  }
  for (unsigned L = 0; L < Loops.size(); ++L)
    leaveLoop(L, ~0u);
  for (BranchObserver &B : Branches)
    B.end();
  for (auto &[Ends, E] : Edges) {
    E.TCount += std::popcount(E.Threads);
    E.Threads = 0;
  }
}

/// Leaves Loop::After only where an access depends on it.
void Collector::forgetUnused(Profile &P) const {
  std::vector<bool> Used(P.Loops.size());
  for (const Block &B : P.Blocks)
    for (const Instruction &I : B.Chain)
      if (I.Access != None &&
          (P.Accesses[I.Access].IsAffine || P.Accesses[I.Access].Near) &&
          P.Accesses[I.Access].Coefficients[EarlierTrips])
        if (const unsigned L = continuedFrom(Loops, B.Loop); L != None)
          Used[L] = true;
  for (unsigned L = 0; L < P.Loops.size(); ++L)
    if (!Used[L])
      P.Loops[L].After = None;
}

/// Numbers registers (from 1, results before operands) and accesses (from 0)
/// in the order in which the blocks' chains name them, so that they follow from
/// the chains and tell nothing; drops accesses that no instruction makes.
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

void Collector::fillChains(Profile &P) {
  bool HasTextures = false;
  for (unsigned B = 0; B < Blocks.size(); ++B) {
    Block &Out = Blocks[B];
    for (const HeddleInst &I : Code.insts(B)) {
      Instruction Chain;
      const bool Texture = I.Class == HEDDLE_OP_TEXTURE;
      Chain.Opcode = Texture ? "ld.global.nc.f32" : Code.Opcodes[I.Opcode];
      HasTextures |= Texture && Out.WarpCount;
      Chain.IsSpecial = I.Class == HEDDLE_OP_SPECIAL;
      Chain.Issued = I.Issued;
      for (unsigned R = 0; R < I.NumDefs + I.NumUses; ++R)
        if (!Texture || R == 0 || R >= I.NumDefs)
          (R < I.NumDefs ? Chain.Defs : Chain.Uses).push_back(I.Registers[R]);
      if (I.Memory != HEDDLE_NO_MEMORY) {
        Chain.Access = I.Memory;
        Chain.ByteOffset = I.ByteOffset;
      }
      if (I.Class == HEDDLE_OP_BARRIER)
        Out.SCount += Out.WarpCount;
      Out.Chain.push_back(std::move(Chain));
    }
    P.WarpInstructions += Out.WarpCount * Out.Chain.size();
    P.ThreadInstructions += Out.ECount * Out.Chain.size();
    if (Out.Loop != None)
      Out.LCount = Blocks[Loops[Out.Loop].Header].ECount;
  }
  if (HasTextures)
    P.Assumptions.push_back("reads of textures are taken as loads of a word");
}

Space spaceOf(HeddleMemorySpace S) {
  return S == HEDDLE_SPACE_SHARED  ? Space::Shared
         : S == HEDDLE_SPACE_LOCAL ? Space::Local
         : S == HEDDLE_SPACE_CONST ? Space::Const
                                   : Space::Global;
}

void Collector::fillAccesses(Profile &P) {
  std::map<std::pair<Space, uint64_t>, unsigned> Arrays; ///< by base
  for (unsigned R = 0; R < Accesses.size(); ++R) {
    Access A;
    A.Bytes = Code.Memory[R].AccessBytes;
    A.IsStore = Code.Memory[R].IsStore;
    if (Accesses[R].requests()) {
      Array Where;
      Where.Where = spaceOf(Accesses[R].space());
      uint64_t Base = 0;
      if (Where.Where == Space::Shared) {
        Where.SizeBytes = Header.SharedBytesPerBlock;
      } else if (Where.Where == Space::Local) {
        Where.SizeBytes = Header.LocalBytesPerThread;
      } else {
        uint64_t Middle = Accesses[R].middleAddress();
        for (const MemoryRange &M : Shape.Memory)
          if (M.Address <= Middle && Middle < M.Address + M.SizeBytes) {
            Base = M.Address;
            Where.SizeBytes = M.SizeBytes;
          }
      }
      auto [It, New] = Arrays.try_emplace({Where.Where, Base}, P.Arrays.size());
      if (New)
        P.Arrays.push_back(Where);
      A.Array = It->second;
      Accesses[R].finish(Base, A);
    }
    P.Accesses.push_back(A);
  }
  // In the order of their addresses, so that a clone's lie alike.
  std::vector<unsigned> Number(P.Arrays.size());
  std::vector<Array> InOrder;
  for (const auto &[Where, Old] : Arrays) {
    Number[Old] = InOrder.size();
    InOrder.push_back(P.Arrays[Old]);
  }
  P.Arrays = std::move(InOrder);
  for (Access &A : P.Accesses)
    if (A.Array != None)
      A.Array = Number[A.Array];
  for (unsigned R = 0; R < Accesses.size(); ++R)
    if (Accesses[R].requests() && !P.Accesses[R].IsAffine)
      findLeader(R, P);
}

/// Whether \p I does more than to find out which thread it is.
bool isWork(const HeddleInst &I) {
  return I.Memory != HEDDLE_NO_MEMORY ||
         (I.Class >= HEDDLE_OP_DIV && I.Class <= HEDDLE_OP_TENSOR) ||
         I.Class == HEDDLE_OP_TEXTURE || I.Class == HEDDLE_OP_SHUFFLE ||
         I.Class == HEDDLE_OP_VOTE || I.Class == HEDDLE_OP_BARRIER;
}

/// No loop iterated, and only index arithmetic was executed: the threads had
/// nothing to do.
bool Collector::isIdle() const {
  for (unsigned B = 0; B < Blocks.size(); ++B)
    if (Blocks[B].WarpCount) {
      auto Insts = Code.insts(B);
      if (std::any_of(Insts.begin(), Insts.end(), isWork))
        return false;
    }
  return std::all_of(Loops.begin(), Loops.end(), [&](const Loop &L) {
    return !Blocks[L.Header].WarpCount;
  });
}

Result<Profile> Collector::finish() {
  Profile P;
  P.Grid = Header.Grid;
  P.Threads = Header.Block;
  P.RegistersPerThread = Header.RegistersPerThread;
  P.SharedBytes = Header.SharedBytesPerBlock;
  P.NumRegisters = Code.NumRegisters;
  fillChains(P);
  if (!P.WarpInstructions)
    return fail("the kernel did no work: there is nothing to profile");
  if (isIdle())
    return fail("the kernel did no work: its threads accessed no memory, went "
                "around no loop and returned; look at the launch's arguments");
  fillAccesses(P);
  for (const auto &[Ends, E] : Edges)
    P.Edges.push_back(
        {Ends.first, Ends.second, E.Count, E.WarpCount, E.TCount});
  for (unsigned B = 0; B < Blocks.size(); ++B) {
    if (Likely[B] == None || !Blocks[B].ECount)
      continue;
    Branch Out;
    Out.Block = B;
    Out.Taken = Likely[B];
    Out.Other = Shape.Successors[B][Shape.Successors[B][0] == Likely[B]];
    Branches[B].finish(Header.Block, Header.Grid, Out);
    P.Branches.push_back(Out);
  }
  for (unsigned L = 0; L < Loops.size(); ++L) {
    if (Loops[L].Depth >= MaxLoopDepth && !Trips[L].empty())
      return fail("loops are nested more than 4 deep, which a behaviour "
                  "profile does not hold");
    setQuantiles(Trips[L], Loops[L].Trips);
    setMeans(TripsOfThreads[L], Loops[L].ThreadTrips);
    if (ThreadEntries[L])
      Loops[L].MeanTrips = double(ThreadTrips[L]) / ThreadEntries[L];
    Loops[L].TripsVaryInWarp = VaryInWarp[L];
    fitTrips(TripSamples[L], Loops[L]);
    if (!Loops[L].TripsAffine && !Loops[L].Depth)
      Loops[L].BlockTrips = TripsOfBlocks[L].of(P.Grid);
  }
  P.Loops = Loops;
  P.Blocks = std::move(Blocks);
  forgetUnused(P);
  canonicalize(P);
  return P;
}

} // namespace

Result<Profile> collect(trace::TraceSource &Source, const KernelShape &Shape) {
  Collector C(Source.header(), Source.code(), Shape);
  trace::BlockTrace Block;
  for (uint64_t I = 0, E = Source.header().Grid.count(); I < E; ++I) {
    if (auto R = Source.read(I, Block); !R)
      return std::unexpected(R.error());
    for (unsigned W = 0; W < Block.Warps.size(); ++W)
      C.warp(Block.Warps[W], I, W);
  }
  return C.finish();
}

} // namespace heddle::behavior
