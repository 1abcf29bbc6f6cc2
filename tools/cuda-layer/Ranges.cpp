//===- Ranges.cpp - NVTX: ranges that name regions of recordings ----------===//
//
// Programs reach these functions in three ways. Those that have our
// nvtx3/nvToolsExt.h call __heddle_nvtx*. Those that link libnvToolsExt, as was
// the way of NVTX 2, find nvtx* here, since that library is a name of this one.
// NVIDIA's header of NVTX 3 loads the library that NVTX_INJECTION64_PATH names,
// which `heddle record` sets, and gives InitializeInjectionNvtx2 a table of
// function pointers to fill.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#define HEDDLE_NVTX_LIBRARY
#define HEDDLE_NVTX_VOID(NAME, ...)                                            \
  EXPORTED void NAME(__VA_ARGS__) {}
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

using namespace heddle::cuda;

namespace {

struct OpenRange {
  /// That has pushed it. Ranges that were started belong to all threads.
  std::optional<std::thread::id> Thread;
  nvtxDomainHandle_t Domain;
  nvtxRangeId_t Id; ///< 0: pushed
  std::string Name;
};

/// The process's ranges, in the order in which they were opened.
class Ranges {
public:
  static Ranges &get() {
    static auto *Only = new Ranges; // as the device, never destroyed
    return *Only;
  }
  int push(nvtxDomainHandle_t Domain, const std::string &Name);
  int pop(nvtxDomainHandle_t Domain);
  nvtxRangeId_t start(nvtxDomainHandle_t Domain, const std::string &Name);
  void end(nvtxRangeId_t Id);
  std::vector<std::string> open();
  /// A text that the program refers to by a handle from now on.
  const std::string *keep(std::string Text);

private:
  /// Of this thread's ranges in \p Domain.
  int depth(nvtxDomainHandle_t Domain) const;
  void add(OpenRange R);

  /// Without a recording no one listens.
  const bool Listens = std::getenv("HEDDLE_RECORDING") != nullptr;
  std::mutex Lock;
  std::vector<OpenRange> Open;
  std::deque<std::string> Kept;
  nvtxRangeId_t LastId = 0;
};

/// As Nsight writes ranges of a domain: "domain@range".
void Ranges::add(OpenRange R) {
  if (R.Domain)
    R.Name = *reinterpret_cast<const std::string *>(R.Domain) + "@" + R.Name;
  Open.push_back(std::move(R));
}

int Ranges::depth(nvtxDomainHandle_t Domain) const {
  return int(std::ranges::count_if(Open, [&](const OpenRange &R) {
    return R.Thread == std::this_thread::get_id() && R.Domain == Domain;
  }));
}

int Ranges::push(nvtxDomainHandle_t Domain, const std::string &Name) {
  if (!Listens)
    return NVTX_NO_PUSH_POP_TRACKING;
  std::lock_guard Guard(Lock);
  const int Depth = depth(Domain);
  add({std::this_thread::get_id(), Domain, 0, Name});
  return Depth;
}

int Ranges::pop(nvtxDomainHandle_t Domain) {
  if (!Listens)
    return NVTX_NO_PUSH_POP_TRACKING;
  std::lock_guard Guard(Lock);
  for (size_t I = Open.size(); I-- > 0;)
    if (Open[I].Thread == std::this_thread::get_id() &&
        Open[I].Domain == Domain) {
      Open.erase(Open.begin() + ptrdiff_t(I));
      return depth(Domain);
    }
  return NVTX_NO_PUSH_POP_TRACKING;
}

nvtxRangeId_t Ranges::start(nvtxDomainHandle_t Domain,
                            const std::string &Name) {
  if (!Listens)
    return 0;
  std::lock_guard Guard(Lock);
  add({std::nullopt, Domain, ++LastId, Name});
  return LastId;
}

void Ranges::end(nvtxRangeId_t Id) {
  std::lock_guard Guard(Lock);
  std::erase_if(Open, [&](const OpenRange &R) { return Id && R.Id == Id; });
}

std::vector<std::string> Ranges::open() {
  std::lock_guard Guard(Lock);
  std::vector<std::string> Names;
  for (const OpenRange &R : Open)
    if (!R.Thread || R.Thread == std::this_thread::get_id())
      Names.push_back(R.Name);
  return Names;
}

const std::string *Ranges::keep(std::string Text) {
  if (!Listens)
    return nullptr;
  std::lock_guard Guard(Lock);
  return &Kept.emplace_back(std::move(Text));
}

} // namespace

std::vector<std::string> heddle::cuda::openRanges() {
  return Ranges::get().open();
}

static std::string textOf(const char *Text) { return Text ? Text : ""; }
/// In UTF-8, whatever the locale.
static std::string textOf(const wchar_t *Text) {
  std::string Out;
  for (; Text && *Text; ++Text) {
    const auto C = uint32_t(*Text);
    if (C < 0x80) {
      Out += char(C);
      continue;
    }
    const int More = C < 0x800 ? 1 : C < 0x10000 ? 2 : 3; // bytes that follow
    Out += char(0xff00 >> (More + 1) | C >> 6 * More);
    for (int I = More; I-- > 0;)
      Out += char(0x80 | (C >> 6 * I & 0x3f));
  }
  return Out;
}
static std::string textOf(const nvtxEventAttributes_t *Of) {
  if (!Of)
    return {};
  switch (Of->messageType) {
  case NVTX_MESSAGE_TYPE_ASCII:
    return textOf(Of->message.ascii);
  case NVTX_MESSAGE_TYPE_UNICODE:
    return textOf(Of->message.unicode);
  case NVTX_MESSAGE_TYPE_REGISTERED:
    return Of->message.registered
               ? *reinterpret_cast<const std::string *>(Of->message.registered)
               : "";
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Under the name of NVTX 2, and under that which our header calls.
#define NVTX(RESULT, NAME, PARAMS)                                             \
  EXPORTED RESULT NAME PARAMS __attribute__((alias("__heddle_" #NAME)));       \
  EXPORTED RESULT __heddle_##NAME PARAMS

NVTX(int, nvtxRangePushA, (const char *Name)) {
  return Ranges::get().push(nullptr, textOf(Name));
}
NVTX(int, nvtxRangePushW, (const wchar_t *Name)) {
  return Ranges::get().push(nullptr, textOf(Name));
}
NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *Of)) {
  return Ranges::get().push(nullptr, textOf(Of));
}
NVTX(int, nvtxRangePop, ()) { return Ranges::get().pop(nullptr); }
NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *Name)) {
  return Ranges::get().start(nullptr, textOf(Name));
}
NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t *Name)) {
  return Ranges::get().start(nullptr, textOf(Name));
}
NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *Of)) {
  return Ranges::get().start(nullptr, textOf(Of));
}
NVTX(void, nvtxRangeEnd, (nvtxRangeId_t Id)) { Ranges::get().end(Id); }

NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *Name)) {
  return nvtxDomainHandle_t(Ranges::get().keep(textOf(Name)));
}
NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t *Name)) {
  return nvtxDomainHandle_t(Ranges::get().keep(textOf(Name)));
}
NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA,
     (nvtxDomainHandle_t, const char *Text)) {
  return nvtxStringHandle_t(Ranges::get().keep(textOf(Text)));
}
NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW,
     (nvtxDomainHandle_t, const wchar_t *Text)) {
  return nvtxStringHandle_t(Ranges::get().keep(textOf(Text)));
}
NVTX(int, nvtxDomainRangePushEx,
     (nvtxDomainHandle_t Domain, const nvtxEventAttributes_t *Of)) {
  return Ranges::get().push(Domain, textOf(Of));
}
NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t Domain)) {
  return Ranges::get().pop(Domain);
}
NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx,
     (nvtxDomainHandle_t Domain, const nvtxEventAttributes_t *Of)) {
  return Ranges::get().start(Domain, textOf(Of));
}
NVTX(void, nvtxDomainRangeEnd, (nvtxDomainHandle_t, nvtxRangeId_t Id)) {
  Ranges::get().end(Id);
}

namespace {
using AnyFunction = void (*)();
/// The part of NvtxExportTableCallbacks that is asked for. Numbers below are
/// those of nvtxTypes.h of NVTX 3.
struct Callbacks {
  size_t SizeBytes;
  int (*Functions)(int Module, AnyFunction ***To, unsigned *Size);
};
constexpr uint32_t CallbacksTable = 1;
constexpr int Core = 1, Domains = 5;
struct Callback {
  int Module;
  unsigned Number;
  AnyFunction Function;
};
template <typename Function> AnyFunction any(Function *F) {
  return reinterpret_cast<AnyFunction>(F);
}
} // namespace

EXPORTED int InitializeInjectionNvtx2(const void *(*GetTable)(uint32_t)) {
  const auto *Table = static_cast<const Callbacks *>(GetTable(CallbacksTable));
  if (!Table || Table->SizeBytes < sizeof(Callbacks))
    return 0;
  const Callback All[] = {
      {Core, 4, any(nvtxRangeStartEx)},
      {Core, 5, any(nvtxRangeStartA)},
      {Core, 6, any(nvtxRangeStartW)},
      {Core, 7, any(nvtxRangeEnd)},
      {Core, 8, any(nvtxRangePushEx)},
      {Core, 9, any(nvtxRangePushA)},
      {Core, 10, any(nvtxRangePushW)},
      {Core, 11, any(nvtxRangePop)},
      {Domains, 2, any(nvtxDomainRangeStartEx)},
      {Domains, 3, any(nvtxDomainRangeEnd)},
      {Domains, 4, any(nvtxDomainRangePushEx)},
      {Domains, 5, any(nvtxDomainRangePop)},
      {Domains, 10, any(nvtxDomainRegisterStringA)},
      {Domains, 11, any(nvtxDomainRegisterStringW)},
      {Domains, 12, any(nvtxDomainCreateA)},
      {Domains, 13, any(nvtxDomainCreateW)},
  };
  for (const Callback &C : All) {
    AnyFunction **Functions = nullptr;
    unsigned Size = 0;
    if (Table->Functions(C.Module, &Functions, &Size) && C.Number < Size)
      *Functions[C.Number] = C.Function;
  }
  return 1;
}
