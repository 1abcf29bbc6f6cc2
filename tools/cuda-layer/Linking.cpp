//===- Linking.cpp - The driver's linker of device code -------------------===//
//
// Its image is what cuModuleLoadData takes: PTX for inputs of PTX, else a fat
// binary of `heddle cc`. There is no machine code.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "cuda/FatBinary.h"

#include <cuda.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <memory>

using namespace heddle;
using namespace heddle::cuda;

namespace {
struct LinkState {
  std::vector<std::string> Codes;
  std::string Image; ///< the program reads it until the end of the state
};
} // namespace

/// Links that the program has begun. With the device's lock held.
static std::map<const void *, std::unique_ptr<LinkState>> &links() {
  static auto *All = new std::map<const void *, std::unique_ptr<LinkState>>;
  return *All;
}
static LinkState *stateOf(CUlinkState Handle) {
  const auto It = links().find(Handle);
  return It == links().end() ? nullptr : It->second.get();
}

static CUresult noState(const Call &Enter) {
  return CUresult(Enter.refuse(Status::InvalidHandle, "there is no such link"));
}

EXPORTED CUresult cuLinkCreate_v2(unsigned, CUjit_option *, void **,
                                  CUlinkState *To) {
  ENTER;
  if (!To)
    return CUresult(Enter(Status::InvalidValue));
  auto State = std::make_unique<LinkState>();
  *To = reinterpret_cast<CUlinkState>(State.get());
  links()[State.get()] = std::move(State);
  return CUresult(Enter.done());
}

/// \p Input, called \p Name, as one of those that are linked.
static CUresult addInput(const Call &Enter, LinkState &State,
                         CUjitInputType Type, std::string Input,
                         const std::string &Name) {
  const bool IsBinary =
      Input.starts_with("HDLC") || Input.starts_with("\x50\xED\x55\xBA");
  if (IsBinary) {
    auto Images = readFatBinary(Input.data(), Input.size());
    const DeviceImage *Best =
        Images ? imageFor(*Images, Enter.device().capability()) : nullptr;
    if (!Best)
      return CUresult(
          Enter.refuse(Status::NoImageForDevice,
                       fmt::format("'{}': {}", Name,
                                   Images ? "no device code for this machine"
                                          : Images.error().Message)));
    State.Codes.push_back(Best->Code);
    return CUresult(Enter.done());
  }
  // What cuLinkComplete gave is PTX under the name of machine code.
  const bool IsText = Type == CU_JIT_INPUT_PTX || Type == CU_JIT_INPUT_CUBIN;
  if (!IsText || Input.starts_with("\x7f"
                                   "ELF"))
    return CUresult(Enter.refuse(
        Status::NoImageForDevice,
        fmt::format("'{}' holds no PTX; machine code, host objects and "
                    "libraries cannot be linked",
                    Name)));
  while (Input.ends_with('\0'))
    Input.pop_back();
  State.Codes.push_back(std::move(Input));
  return CUresult(Enter.done());
}

EXPORTED CUresult cuLinkAddData_v2(CUlinkState Handle, CUjitInputType Type,
                                   void *Data, size_t Bytes, const char *Name,
                                   unsigned, CUjit_option *, void **) {
  ENTER;
  LinkState *State = stateOf(Handle);
  if (!State)
    return noState(Enter);
  if (!Data || !Bytes)
    return CUresult(Enter(Status::InvalidValue));
  return addInput(Enter, *State, Type,
                  std::string(static_cast<const char *>(Data), Bytes),
                  Name ? Name : "");
}
EXPORTED CUresult cuLinkAddFile_v2(CUlinkState Handle, CUjitInputType Type,
                                   const char *Path, unsigned, CUjit_option *,
                                   void **) {
  ENTER;
  LinkState *State = stateOf(Handle);
  if (!State)
    return noState(Enter);
  std::ifstream File(Path ? Path : "", std::ios::binary);
  std::string Input((std::istreambuf_iterator<char>(File)), {});
  if (!File || Input.empty())
    return CUresult(
        Enter.refuse(Status::FileNotFound,
                     fmt::format("cannot read '{}'", Path ? Path : "")));
  return addInput(Enter, *State, Type, std::move(Input), Path);
}

EXPORTED CUresult cuLinkComplete(CUlinkState Handle, void **To, size_t *Bytes) {
  ENTER;
  LinkState *State = stateOf(Handle);
  if (!State)
    return noState(Enter);
  if (!To || State->Codes.empty())
    return CUresult(
        Enter.refuse(Status::InvalidValue,
                     To ? "nothing was added to the link" : "a null pointer"));
  if (Status S = Enter.device().link(State->Codes, State->Image, Enter.name());
      S != Status::Success)
    return CUresult(Enter(S));
  *To = State->Image.data();
  if (Bytes)
    *Bytes = State->Image.size() + 1; // with the zero that ends a text
  return CUresult(Enter.done());
}
EXPORTED CUresult cuLinkDestroy(CUlinkState Handle) {
  ENTER;
  return links().erase(Handle) ? CUresult(Enter.done()) : noState(Enter);
}
