//===- PTXWriter.cpp - A clone as PTX -------------------------------------===//

#include "synthesis/PTXWriter.h"

#include "synthesis/AddressPlan.h"
#include "synthesis/BranchPlan.h"
#include "synthesis/ChainBlocks.h"
#include "synthesis/LibraryFunctions.h"
#include "synthesis/PlannedCode.h"

#include <array>
#include <fmt/format.h>
#include <set>

namespace heddle::synthesis {

using namespace behavior;

namespace {

/// Blocks in an order in which most jumps fall through.
std::vector<unsigned> layout(const Profile &P) {
  std::vector<std::vector<std::pair<uint64_t, unsigned>>> Next(P.Blocks.size());
  for (const Edge &E : P.Edges)
    Next[E.From].push_back({E.WarpCount, E.To});
  std::vector<unsigned> Order;
  std::vector<bool> Placed(P.Blocks.size());
  auto Depth = [&](unsigned B) {
    unsigned L = P.Blocks[B].Loop;
    return L == None ? 0 : P.Loops[L].Depth + 1;
  };
  for (unsigned Start = 0; Start < P.Blocks.size(); ++Start)
    for (unsigned B = Start; B != None && !Placed[B] && P.Blocks[B].ECount;) {
      Placed[B] = true;
      Order.push_back(B);
      unsigned Best = None;
      for (auto [Count, To] : Next[B])
        if (!Placed[To] && (Best == None || Depth(To) > Depth(Best) ||
                            (Depth(To) == Depth(Best) && To < Best)))
          Best = To;
      B = Best;
    }
  return Order;
}

class Writer {
public:
  Writer(const ClonePlan &Plan, const std::string &Target)
      : Plan(Plan), P(Plan.Profile), Target(Target), Blocks(P),
        Code(Plan, Blocks), Indices(P, Blocks),
        Addresses(Plan, Blocks, Code, Indices),
        Branches(Plan, Blocks, Code, Indices) {}
  Result<CloneText> write();

private:
  std::vector<bool> reachable() const;
  void findUnwritten();
  bool isWritten(const ChainBlocks::Slot &S) const;
  void writeBody();
  void writeJumps(unsigned B, unsigned Next);
  void line(const std::string &Text);
  std::string declarations() const;
  std::string functions() const;

  const ClonePlan &Plan;
  const Profile &P;
  std::string Target;
  ChainBlocks Blocks;
  PlannedCode Code;
  IndexPlan Indices;
  AddressPlan Addresses;
  BranchPlan Branches;
  CloneText Out;
  std::string Body;
  std::vector<std::string> Initial; ///< at the entry, for what is set late
};

void Writer::line(const std::string &Text) {
  Body += "\t" + Text + ";\n";
  std::string_view Opcode = Text;
  if (Opcode.starts_with("@"))
    Opcode.remove_prefix(Opcode.find(' ') + 1);
  ++Out.Opcodes[std::string(Opcode.substr(0, Opcode.find(' ')))];
  ++Out.Instructions;
}

void Writer::writeJumps(unsigned B, unsigned Next) {
  const Decision &D = Branches.decision(B);
  auto Label = [](unsigned To) { return fmt::format("L{}", To); };
  if (D.Taken == None) { // no block follows
    line("ret");
    return;
  }
  const ChainBlocks::Block &Block = Blocks[B];
  if (D.Other == None) {
    // The original may test here for a case that never occurred: never true.
    if (Block.Branches && !D.Predicate.empty()) {
      bool Jump = D.Taken != Next && !Block.Jumps;
      // Nothing may follow a block that seems to fall through.
      if (Jump && Next == None) {
        line(fmt::format("bra.uni {}", Label(D.Taken)));
        return;
      }
      line(fmt::format("@{}{} bra {}", Jump ? "!" : "", D.Predicate,
                       Label(D.Taken)));
      if (Block.Jumps)
        line(fmt::format("bra.uni {}", Label(D.Taken)));
      return;
    }
    if (D.Taken != Next || Block.Jumps)
      line(fmt::format("bra.uni {}", Label(D.Taken)));
    if (D.Taken != Next && !Block.Jumps)
      ++Out.Added;
    return;
  }
  // With two jumps in the original both run each time, so the second leads to
  // where most go; with one the layout decides which way falls through.
  bool Fall = Block.Jumps || D.Taken == Next;
  line(fmt::format("@{}{} bra {}", D.Negated != Fall ? "!" : "", D.Predicate,
                   Label(Fall ? D.Other : D.Taken)));
  unsigned Rest = Fall ? D.Taken : D.Other;
  if (Rest != Next || Block.Jumps)
    line(fmt::format("bra.uni {}", Label(Rest)));
  if (Rest != Next && !Block.Jumps)
    ++Out.Added;
}

std::vector<bool> Writer::reachable() const {
  std::vector<bool> Reached(P.Blocks.size());
  std::vector<unsigned> Work = {PlannedCode::Entry};
  while (!Work.empty()) {
    unsigned B = Work.back();
    Work.pop_back();
    if (B == None || Reached[B])
      continue;
    Reached[B] = true;
    Work.push_back(Branches.decision(B).Taken);
    Work.push_back(Branches.decision(B).Other);
  }
  return Reached;
}

bool Writer::isWritten(const ChainBlocks::Slot &S) const {
  // A frame that the compiler made has no addresses that are known.
  return !S.Removed && (!S.Shape.IsMemory || Addresses.has(*S.From) ||
                        S.From->Opcode.starts_with("ld.param"));
}

/// Registers whose writers were all replaced become literals; those that are
/// written on only some paths to a reader are set at the entry.
void Writer::findUnwritten() {
  const size_t N = P.NumRegisters + 1;
  const std::vector<bool> Reached = reachable();
  std::vector<bool> Ever(N);
  std::vector<std::vector<bool>> In(Blocks.size(), std::vector<bool>(N, true));
  In[PlannedCode::Entry].assign(N, false);
  auto Walk = [&](unsigned B, auto &&OnSlot) {
    std::vector<bool> Set = In[B];
    for (const ChainBlocks::Slot &S : Blocks[B].Slots)
      if (isWritten(S)) {
        OnSlot(S, Set);
        for (unsigned R : S.From->Defs)
          Set[R] = true;
      }
    return Set;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned B = 0; B < Blocks.size(); ++B) {
      if (!Reached[B])
        continue;
      std::vector<bool> Out =
          Walk(B, [&](const ChainBlocks::Slot &S, const auto &) {
            for (unsigned R : S.From->Defs)
              Ever[R] = true;
          });
      const Decision &D = Branches.decision(B);
      for (unsigned To : {D.Taken, D.Other})
        if (To != None)
          for (size_t R = 0; R < N; ++R)
            if (In[To][R] && !Out[R]) {
              In[To][R] = false;
              Changed = true;
            }
    }
  }
  std::set<unsigned> Late;
  for (unsigned B = 0; B < Blocks.size(); ++B)
    if (Reached[B])
      Walk(B, [&](const ChainBlocks::Slot &S, const std::vector<bool> &Set) {
        for (unsigned R : S.Reads)
          if (!Set[R] && Ever[R])
            Late.insert(R);
      });
  for (unsigned R : Late)
    Initial.push_back(Blocks.kind(R) == Kind::Predicate
                          ? fmt::format("setp.ne.u32 {}, 0, 0", Blocks.name(R))
                          : fmt::format("mov.b{} {}, 0",
                                        8 << unsigned(Blocks.kind(R)),
                                        Blocks.name(R)));
  Ever.flip();
  Blocks.setUnwritten(std::move(Ever));
}

void Writer::writeBody() {
  std::vector<unsigned> Order = layout(P);
  std::erase_if(Order,
                [Reached = reachable()](unsigned B) { return !Reached[B]; });
  for (size_t I = 0; I < Order.size(); ++I) {
    unsigned B = Order[I];
    const unsigned Before = Out.Instructions;
    Body += fmt::format("L{}:\n", B);
    ChainBlocks::Block &Block = Blocks[B];
    if (B == PlannedCode::Entry)
      for (const std::string &Text : Initial)
        line(Text);
    for (const std::string &Text : Block.Start)
      line(Text);
    for (ChainBlocks::Slot &S : Block.Slots) {
      for (const std::string &Text : S.Before)
        line(Text);
      if (!isWritten(S)) {
        Out.Dropped += !S.Removed;
        continue;
      }
      line(Blocks.text(S, Addresses.operand(*S.From)));
    }
    for (const std::string &Text : Block.End)
      line(Text);
    writeJumps(B, I + 1 < Order.size() ? Order[I + 1] : None);
    Out.WarpInstructions += (Out.Instructions - Before) * executions(Plan, B);
  }
}

std::string Writer::declarations() const {
  std::string Text;
  std::array<std::set<unsigned>, 4> Used;
  for (unsigned B = 0; B < Blocks.size(); ++B)
    if (P.Blocks[B].ECount)
      for (const Instruction &I : P.Blocks[B].Chain)
        for (const auto *List : {&I.Defs, &I.Uses})
          for (unsigned R : *List)
            Used[unsigned(Blocks.kind(R))].insert(R);
  static constexpr std::array Types = {"pred", "b16", "b32", "b64"};
  for (unsigned K = 0; K < Used.size(); ++K)
    for (unsigned R : Used[K])
      Text += fmt::format("\t.reg .{} {};\n", Types[K], Blocks.name(R));
  return Text + Code.declarations() + Addresses.variables(Space::Local);
}

/// Functions of a device library are calls in the text.
std::string Writer::functions() const {
  std::map<std::string, unsigned> Issued; ///< by opcode
  for (unsigned B = 0; B < Blocks.size(); ++B)
    for (const Instruction &I : P.Blocks[B].Chain)
      if (I.Opcode.starts_with("math.") && P.Blocks[B].ECount)
        Issued[I.Opcode] = I.Issued;
  return libraryFunctions(Issued);
}

Result<CloneText> Writer::write() {
  Indices.plan();
  if (auto R = Branches.plan(); !R)
    return std::unexpected(R.error());
  if (auto R = Addresses.plan(); !R)
    return std::unexpected(R.error());
  Blocks.passBy();
  findUnwritten();
  writeBody();
  // The predicate that never holds, and zero where it cannot be a literal.
  for (const auto &[Register, Opcode, Rest] :
       {std::array{"%zp", "setp.ne.u32", ", 0, 0"},
        std::array{"%zh", "mov.b16", ", 0"},
        std::array{"%zd", "mov.b64", ", 0"}})
    if (Body.find(Register) != Body.npos) {
      const size_t At = Body.find('\n') + 1;
      Body.insert(At, fmt::format("\t{} {}{};\n", Opcode, Register, Rest));
      ++Out.Opcodes[Opcode];
      ++Out.Instructions;
      ++Out.Added;
      Out.WarpInstructions += executions(Plan, PlannedCode::Entry);
    }
  Out.Added += Initial.size();
  std::string Parameters;
  Out.Buffers = Addresses.buffers();
  Out.Contents = Addresses.contents();
  for (size_t I = 0; I < Out.Buffers.size(); ++I)
    Parameters +=
        fmt::format("\t.param .u64 .ptr .global .align 256 a{},\n", I);
  Out.ScratchBytes = 64;
  Out.SharedBytes = P.SharedBytes;
  Out.Added += Code.added();
  Out.PTX =
      fmt::format(".version 7.0\n.target {}\n.address_size 64\n\n", Target);
  if (Out.SharedBytes)
    Out.PTX += ".extern .shared .align 16 .b8 s[];\n";
  Out.PTX += Addresses.variables(Space::Const) + Code.variables();
  Out.PTX += functions();
  Out.PTX += fmt::format(
      "\n.visible .entry clone(\n{}\t.param .align 16 .b8 z[{}]\n)\n{{\n"
      "\t.pragma \"heddle.registers {}\";\n",
      Parameters, Out.ScratchBytes, P.RegistersPerThread);
  if (Body.find("%zh") != Body.npos)
    Body.insert(0, "\t.reg .b16 %zh;\n");
  if (Body.find("%zd") != Body.npos)
    Body.insert(0, "\t.reg .b64 %zd;\n");
  Out.PTX += declarations() + Body + "}\n";
  return std::move(Out);
}

} // namespace

Result<CloneText> writePTX(const ClonePlan &Plan, const std::string &Target) {
  return Writer(Plan, Target).write();
}

} // namespace heddle::synthesis
