//===- HeaderCodec.cpp ----------------------------------------------------===//

#include "trace/HeaderCodec.h"

#include "base/Fail.h"
#include "trace/ByteCode.h"
#include "trace/TraceVerifier.h"

#include <limits>

namespace heddle::trace {

using namespace bytecode;

// The ABI records are stored as they lie in memory.
static_assert(std::endian::native == std::endian::little);

namespace {

void putString(std::vector<uint8_t> &Out, const std::string &S) {
  putVarint(Out, S.size());
  Out.insert(Out.end(), S.begin(), S.end());
}
void putDim3(std::vector<uint8_t> &Out, const Dim3 &D) {
  for (uint32_t V : {D.X, D.Y, D.Z})
    putVarint(Out, V);
}
template <typename T>
void putRecords(std::vector<uint8_t> &Out, const std::vector<T> &Records) {
  putVarint(Out, Records.size());
  auto *Bytes = reinterpret_cast<const uint8_t *>(Records.data());
  Out.insert(Out.end(), Bytes, Bytes + Records.size() * sizeof(T));
}

struct HeaderReader : ByteReader {
  size_t left() const { return size_t(End - P); }
  uint64_t count(size_t MinBytes) {
    uint64_t N = varint();
    if (N > left() / MinBytes) {
      Failed = true;
      return 0;
    }
    return N;
  }
  std::string string() {
    uint64_t N = count(1);
    std::string S(reinterpret_cast<const char *>(P), N);
    P += N;
    return S;
  }
  template <typename T> T number() {
    uint64_t V = varint();
    Failed |= V > std::numeric_limits<T>::max();
    return T(V);
  }
  Dim3 dim3() {
    Dim3 D;
    for (uint32_t *To : {&D.X, &D.Y, &D.Z})
      *To = number<uint32_t>();
    return D;
  }
  std::vector<std::string> strings() {
    std::vector<std::string> Out(count(1));
    for (std::string &S : Out)
      S = string();
    return Out;
  }
  template <typename T> std::vector<T> records() {
    std::vector<T> Out(count(sizeof(T)));
    if (!Out.empty())
      std::memcpy(Out.data(), P, Out.size() * sizeof(T));
    P += Out.size() * sizeof(T);
    return Out;
  }
};

} // namespace

std::vector<uint8_t> encodeHeader(const TraceHeader &Header,
                                  const CodeTable &Code) {
  std::vector<uint8_t> Out;
  putVarint(Out, HEDDLE_CODE_TABLE_VERSION);
  putString(Out, Header.Kernel);
  putString(Out, Header.Producer);
  putString(Out, Header.Target);
  putDim3(Out, Header.Grid);
  putDim3(Out, Header.Block);
  putDim3(Out, Header.Cluster);
#define HEDDLE_TRACE_NUMBER(NAME, TYPE, KEY, WHAT) putVarint(Out, Header.NAME);
#include "trace/HeaderNumbers.def"
  putVarint(Out, uint64_t(Header.Order));
  putString(Out, Code.Kernel);
  putString(Out, Code.ISA);
  putVarint(Out, Code.NumRegisters);
  for (const std::vector<std::string> *Names : {&Code.Opcodes, &Code.Files}) {
    putVarint(Out, Names->size());
    for (const std::string &S : *Names)
      putString(Out, S);
  }
  putRecords(Out, Code.Blocks);
  putRecords(Out, Code.Memory);
  putRecords(Out, Code.Insts);
  return Out;
}

Result<void> decodeHeader(std::span<const uint8_t> Bytes, TraceHeader &Header,
                          CodeTable &Code) {
  HeaderReader R{{Bytes.data(), Bytes.data() + Bytes.size()}};
  const uint64_t Version = R.varint();
  if (!R.Failed && Version != HEDDLE_CODE_TABLE_VERSION)
    return fail("code table of version {}, this program reads version {}; "
                "write the trace again",
                Version, HEDDLE_CODE_TABLE_VERSION);
  Header.Kernel = R.string();
  Header.Producer = R.string();
  Header.Target = R.string();
  Header.Grid = R.dim3();
  Header.Block = R.dim3();
  Header.Cluster = R.dim3();
#define HEDDLE_TRACE_NUMBER(NAME, TYPE, KEY, WHAT)                             \
  Header.NAME = R.number<TYPE>();
#include "trace/HeaderNumbers.def"
  const uint64_t Order = R.varint();
  Code.Kernel = R.string();
  Code.ISA = R.string();
  Code.NumRegisters = R.number<uint32_t>();
  Code.Opcodes = R.strings();
  Code.Files = R.strings();
  Code.Blocks = R.records<HeddleBlock>();
  Code.Memory = R.records<HeddleMemoryRecord>();
  Code.Insts = R.records<HeddleInst>();
  if (R.Failed)
    return fail("the header is incomplete");
  if (Order > uint64_t(LaneOrder::Kept))
    return fail("unknown order of lanes {}", Order);
  Header.Order = LaneOrder(Order);
  if (R.P != R.End)
    return fail("{} bytes too many in the header", R.left());
  if (Result<void> Good = verifyHeader(Header); !Good)
    return Good;
  return verifyCode(Code);
}

} // namespace heddle::trace
