//===- ModelFields.cpp - Do the models read what they declare? ------------===//
//
// Changes every field of several machines, one at a time, and compares each
// model's report of several launches before and after. A field that changes a
// report must be declared in the model's contract; a declared field must change
// one, or stand in Unshown with the reason why it does not here.
//
// usage: model-fields TRACE...
//
//===----------------------------------------------------------------------===//

#include "arch/SpecFields.h"
#include "arch/SpecReader.h"
#include "models/ModelRun.h"
#include "trace/KeptTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>

using namespace heddle;

namespace {

/// A machine and what is changed of it before fields are, so that together the
/// machines have every unit and policy in use.
struct Variant {
  const char *Machine;
  std::vector<std::string> Sets;
};
const std::vector<Variant> Variants = {
    {"v100", {}},
    {"v100",
     {"sm.count=24", "l1.size=4096", "l1.ways=4", "l1.unified=0", "l1.mshrs=2",
      "l1.mshr_merge=2", "l2.size=131072", "l2.ways=2", "l2.slices=32",
      "l2.mshrs=2", "l2.mshr_merge=2", "dram.queue=2", "l1.miss_queue=1",
      "sm.max_issue=2"}},
    {"a100",
     {"sm.count=24", "dram.channels=4", "dram.bandwidth=150", "l2.size=327680",
      "l2.dirty_share=0.01", "dram.trrd=64"}},
    {"reference-gtx480", {}},
    {"reference-gtx480",
     {"sm.count=6", "sm.scheduler=two-level", "sm.two_level_active=4",
      "icnt.write_credits=2", "icache.size=256", "icache.ways=1",
      "constant.size=512", "constant.ways=2"}},
    {"gpumech",
     {"sm.count=4", "sm.max_issue=2", "front.register_banks=1",
      "front.operand_reuse=true"}},
    {"minibench-8sm", {}},
};

/// A field, or a section, that a model declares although no launch and machine
/// here shows it.
struct Unshown {
  std::string_view Model, Field, Why;
};
const std::vector<Unshown> Unshowns = {
    {"", "sm.warp_granularity", "registers do not limit these blocks"},
    {"", "shared.carve_outs", "the smallest holds these blocks"},
    {"", "constant2.", "these constants fit in the first level"},
    {"", "gpc_cache.ways", "the cache of a GPC holds all of this code"},
    {"", "l1.bank", "machines whose L1 has tags do not look at it"},
    {"", "shared.merge_wide", "no wide read here takes two turns"},
    {"pipeline", "sm.dual_issue_distinct",
     "no round here waits for the second instruction of a cycle"},
    {"pipeline", "front.operand_reuse", "no round here waits for a bank"},
    {"pipeline", "dram.trc", "no two writes of a round here wait for DRAM"},
    {"interval=heddle", "dram.trc", "nothing waits here for a batch of writes"},
    {"interval=heddle", "dram.hash_banks", "no rows here take longer than data"},
    {"interval=heddle", "dram.queue", "no rows here take longer than data"},
    {"pipeline", "dram.hash_banks", "no rows here take longer than data"},
    {"pipeline", "dram.queue", "no rows here take longer than data"},
    {"pipeline", "dram.burst", "no rows here take longer than data"},
    {"", "texture.", "no kernel here reads textures"},
    {"", "bulk.", "no launch here copies in bulk"},
    {"", "cluster.", "no launch here has clusters: test/models/clusters.test"},
    {"", "l1.merge_per_sector", "few loads wait for one line"},
    {"", "constant.merge_per_sector", "a sector is a line"},
    {"", "icache.merge_per_sector", "a sector is a line"}};

using Launches = std::vector<std::unique_ptr<trace::KeptTrace>>;

/// Field by field, other values as --set takes them; the likeliest to matter
/// first.
using Changes = std::map<std::string, std::vector<std::string>>;

Changes changesOf(const arch::GPUSpec &Spec) {
  Changes Out;
  auto numbers = [](double Value, bool Whole, double Min = 1) {
    std::vector<std::string> Texts;
    for (double New :
         {Value * 8, Value / 8, Min, Value * 2, Value / 2, Value + 1})
      if (New != Value && (!Whole || New == std::floor(New)))
        Texts.push_back(fmt::format("{:.10g}", New));
    return Texts;
  };
  arch::forEachField(Spec, [&](const arch::FieldInfo &F, const auto &Value) {
    using T = std::remove_cvref_t<decltype(Value)>;
    if (F.Name.find('.') == std::string_view::npos)
      return; // for people and the compiler
    std::vector<std::string> &Texts = Out[std::string(F.Name)];
    if constexpr (std::is_same_v<T, bool>)
      Texts = {Value ? "false" : "true"};
    else if constexpr (std::is_enum_v<T>)
      for (std::string_view Name : arch::enumNames(T()))
        Texts.emplace_back(Name);
    else if constexpr (std::is_same_v<T, std::vector<uint32_t>>)
      Texts = {fmt::format("[{}]", Spec.Shared.Size)};
    else if constexpr (std::is_arithmetic_v<T>)
      Texts = numbers(double(Value), std::is_integral_v<T>, F.Min);
  });
  for (const arch::PipeSpec &P : Spec.Pipes) {
    const std::string Name = "pipes." + P.Name + ".";
    Out[Name + "units"] = numbers(P.Units, true);
    Out[Name + "per_scheduler"] = {P.PerScheduler ? "false" : "true"};
    Out[Name + "queue"] = numbers(P.QueueInsts, true);
    Out[Name + "collectors"] = numbers(P.Collectors, true);
  }
  Out["ops.*.*.pipe"] = {Spec.Pipes.back().Name};
  Out["ops.*.*.latency"] = {"40"};
  Out["ops.*.*.initiation"] = {"7"};
  return Out;
}

/// Tries the fields of machines on one model.
class Trial {
public:
  Trial(const models::ModelRow &Row, const Launches &All)
      : Row(Row), All(All) {}

  /// Tries the fields whose influence is not known yet.
  void on(const Variant &V);
  /// Prints where declaration and influence differ; false if they do.
  bool judge() const;

private:
  /// Tries one value of a field.
  void alone(const Variant &V, const arch::GPUSpec &Spec,
             const std::vector<std::string> &Before, const std::string &Field,
             const std::string &Text);
  /// Tries the \p Nth values of all fields that are not declared at once, and
  /// alone if that shows.
  void together(const Variant &V, const arch::GPUSpec &Spec,
                const std::vector<std::string> &Before, const Changes &Fields,
                size_t Nth);
  /// The machine with \p Sets, if there is one that the model takes.
  std::optional<arch::GPUSpec>
  changed(const Variant &V, const arch::GPUSpec &Spec,
          const std::vector<std::string> &Sets) const {
    auto Other = arch::loadMachine(V.Machine, Sets);
    if (!Other || !Row.Contract.check(*Other))
      return std::nullopt;
    Other->Name = Spec.Name; // it tells of the change
    return *Other;
  }
  /// The model's report on a launch, or its message if it refuses.
  std::string answer(trace::TraceSource &Source,
                     const arch::GPUSpec &Spec) const {
    models::ModelRequest Request;
    Request.Model = Row.Name;
    auto R = models::runModel(Source, Spec, Request);
    if (!R)
      return R.error().Message;
    R->JSON.erase("ignored");
    R->JSON.erase("seconds");
    R->JSON.erase("machine");
    return R->JSON.dump();
  }
  bool isUnshown(const std::string &Field) const {
    return std::ranges::any_of(Unshowns, [&](const Unshown &U) {
      return Field.starts_with(U.Field) && Row.Name.starts_with(U.Model);
    });
  }
  bool changes(const arch::GPUSpec &Other,
               const std::vector<std::string> &Before) const {
    for (size_t L = 0; L < All.size(); ++L)
      if (answer(*All[L], Other) != Before[L])
        return true;
    return false;
  }

  const models::ModelRow &Row;
  const Launches &All;
  std::set<std::string> Tried;
  std::map<std::string, std::string> Found; ///< field, and what showed it
};

} // namespace

void Trial::on(const Variant &V) {
  auto Spec = arch::loadMachine(V.Machine, V.Sets);
  if (!Spec)
    throw std::runtime_error(Spec.error().Message);
  if (!Row.Contract.check(*Spec))
    return; // a policy that the model does not have
  std::vector<std::string> Before;
  for (const auto &L : All)
    Before.push_back(answer(*L, *Spec));
  const Changes Fields = changesOf(*Spec);
  for (const auto &[Field, Texts] : Fields) {
    const std::string Name = arch::declaredName(Field);
    if (!Row.Contract.reads(Name) || isUnshown(Name))
      continue;
    for (const std::string &Text : Texts)
      alone(V, *Spec, Before, Field, Text);
  }
  for (size_t Nth : {0, 1})
    together(V, *Spec, Before, Fields, Nth);
}

void Trial::alone(const Variant &V, const arch::GPUSpec &Spec,
                  const std::vector<std::string> &Before,
                  const std::string &Field, const std::string &Text) {
  const std::string Name = arch::declaredName(Field);
  std::vector<std::string> Sets = V.Sets;
  Sets.push_back(Field + "=" + Text);
  if (Found.contains(Name))
    return;
  auto Other = changed(V, Spec, Sets);
  if (!Other)
    return;
  Tried.insert(Name);
  if (changes(*Other, Before))
    Found[Name] = fmt::format("{} with {}", V.Machine, Sets.back());
}

void Trial::together(const Variant &V, const arch::GPUSpec &Spec,
                     const std::vector<std::string> &Before,
                     const Changes &Fields, size_t Nth) {
  std::vector<std::string> Sets = V.Sets;
  std::vector<std::pair<std::string, std::string>> Taken;
  for (const auto &[Field, Texts] : Fields) {
    const std::string Name = arch::declaredName(Field);
    if (Row.Contract.reads(Name) || Found.contains(Name) || Nth >= Texts.size())
      continue;
    Sets.push_back(Field + "=" + Texts[Nth]);
    if (!changed(V, Spec, Sets)) {
      Sets.pop_back(); // not with those before
      alone(V, Spec, Before, Field, Texts[Nth]);
      continue;
    }
    Taken.emplace_back(Field, Texts[Nth]);
    Tried.insert(Name);
  }
  if (!changes(*changed(V, Spec, Sets), Before))
    return;
  const size_t Known = Found.size();
  for (const auto &[Field, Text] : Taken)
    alone(V, Spec, Before, Field, Text);
  if (Found.size() == Known)
    Found["fields that are not declared"] =
        fmt::format("{} with {}", V.Machine, fmt::join(Sets, " "));
}

bool Trial::judge() const {
  bool Good = true;
  for (const auto &[Field, How] : Found)
    if (!Row.Contract.reads(Field)) {
      fmt::print("{}: {} changes the answer and is not declared ({})\n",
                 Row.Name, Field, How);
      Good = false;
    }
  for (const std::string &Field : Tried)
    if (!Found.contains(Field) && Row.Contract.reads(Field) &&
        !isUnshown(Field)) {
      fmt::print("{}: {} is declared and never changes the answer\n", Row.Name,
                 Field);
      Good = false;
    }
  fmt::print("{}: {} of {} fields matter\n", Row.Name, Found.size(),
             Tried.size());
  return Good;
}

int main(int Argc, char **Argv) {
  std::vector<std::unique_ptr<trace::TraceReader>> Readers;
  Launches All;
  for (int I = 1; I < Argc; ++I) {
    auto Reader = trace::TraceReader::open(Argv[I]);
    auto Kept = Reader ? trace::KeptTrace::read(**Reader, uint64_t(1) << 28)
                       : std::unexpected(Reader.error());
    if (!Kept) {
      fmt::print("{}\n", Kept.error().Message);
      return 1;
    }
    Readers.push_back(std::move(*Reader));
    All.push_back(std::make_unique<trace::KeptTrace>(std::move(*Kept)));
  }
  bool Good = true;
  for (const models::ModelRow &Row : models::modelRows()) {
    if (Row.Name != Row.Contract.Model)
      continue; // another name of a model
    Trial T(Row, All);
    for (const Variant &V : Variants)
      T.on(V);
    Good &= T.judge();
  }
  return Good ? 0 : 1;
}
