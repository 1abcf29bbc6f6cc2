//===- ModelContract.cpp - What a model takes of a machine ----------------===//

#include "arch/ModelContract.h"

#include "arch/SpecFields.h"
#include "base/Fail.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <type_traits>

namespace heddle::arch {

std::string declaredName(std::string_view Field) {
  const size_t First = Field.find('.'), Last = Field.rfind('.');
  const std::string_view Section = Field.substr(0, First);
  if (Section == "pipes" || Section == "ops")
    return fmt::format("{}{}", Section, Field.substr(Last));
  return std::string(Field);
}

bool ModelContract::reads(std::string_view Field) const {
  const std::string Name = declaredName(Field);
  auto names = [&](std::string_view Declared) {
    if (!Declared.ends_with(".*"))
      return Declared == Name;
    Declared.remove_suffix(1);
    return std::string_view(Name).starts_with(Declared);
  };
  return std::ranges::any_of(Reads, names) || std::ranges::any_of(OnSM, names);
}

static std::optional<double> numberOf(const GPUSpec &Spec,
                                      std::string_view Name) {
  if (Name == "pipes")
    return double(Spec.Pipes.size());
  std::optional<double> Number;
  forEachField(Spec, [&](const FieldInfo &Field, const auto &Value) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(Value)>>)
      if (Field.Name == Name)
        Number = double(Value);
  });
  return Number;
}

Result<void> ModelContract::check(const GPUSpec &Spec) const {
  for (const FieldLimit &L : Limits)
    if (std::optional<double> Value = numberOf(Spec, L.Field);
        Value && *Value > L.Max)
      return fail("machine '{}': {} is {}, but model {} takes at most {}: {}",
                  Spec.PlainName, L.Field, *Value, Model, L.Max, L.Why);
  if (Policies.empty() ||
      std::ranges::find(Policies, Spec.SM.Scheduler) != Policies.end())
    return {};
  std::vector<std::string_view> Names;
  for (SchedulerPolicy P : Policies)
    Names.push_back(enumNames(P)[size_t(P)]);
  return fail("machine '{}': sm.scheduler is {}, but model {} has only {}",
              Spec.PlainName,
              enumNames(Spec.SM.Scheduler)[size_t(Spec.SM.Scheduler)], Model,
              fmt::join(Names, ", "));
}

std::vector<std::string> ModelContract::ignored(const GPUSpec &Spec) const {
  std::vector<std::string> Out;
  for (const UserField &Field : Spec.UserFields)
    if (!reads(Field.Path))
      Out.push_back(Field.Path);
  return Out;
}

} // namespace heddle::arch
