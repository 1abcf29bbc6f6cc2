//===- WarpCursor.cpp -----------------------------------------------------===//

#include "trace/WarpCursor.h"

namespace heddle::trace {

using namespace bytecode;

void WarpCursor::reset(const CodeTable &NewCode, std::span<const uint8_t> Body,
                       std::span<const uint64_t> Bases) {
  Code = &NewCode;
  const BodyStreams Streams = splitBody(Body);
  At = Begin = Streams.Control.data();
  End = Begin + Streams.Control.size();
  NextNumber = Streams.Numbers.data();
  EndNumbers = NextNumber + Streams.Numbers.size();
  NextBase = Bases.data();
  EndBase = NextBase + Bases.size();
  Block = 0;
  Depth = 0;
  Masks = MaskState();
  States.reset(NewCode);
}

/// Anything but a block of a small number under the same mask. False where
/// next() has to go on: after a repeat, and at the end.
bool WarpCursor::readToken() {
  ByteReader R{At, End};
  uint64_t Token = R.varint();
  if (Token == TokenRepeat) {
    uint64_t Length = R.varint(), Count = R.varint();
    if (R.Failed || Length == 0 || Length > uint64_t(At - Begin) ||
        Depth == MaxRepeatDepth)
      return stop();
    // The body has run once already.
    Stack[Depth++] = {At, At - Length, R.P, Count};
    return false;
  }
  if (R.Failed || Token < 4 || (Token >> 2) - 1 >= Code->Blocks.size())
    return stop();
  Block = uint32_t(Token >> 2) - 1;
  if (Token & TokenMaskChanged) {
    ByteReader Numbers{NextNumber, EndNumbers};
    uint32_t Mask = readMask(R, Numbers, Masks);
    if (R.Failed || !Mask)
      return stop();
    NextNumber = Numbers.P;
    Masks.set(Mask);
    if (At == Begin)
      Masks.Full = Mask;
  }
  At = R.P;
  if (!(Token & TokenPredicted))
    return readRecords();
  predictRecords();
  return true;
}

bool WarpCursor::readRecords() {
  const HeddleBlock &B = Code->Blocks[Block];
  CodeReader R = reader();
  for (uint32_t M = B.FirstMemory, E = M + B.NumMemory; M != E; ++M)
    if (decodeRecord(R, *Code, States, M, Masks.Current) || R.failed())
      return stop();
  At = R.Control.P;
  NextNumber = R.Numbers.P;
  NextBase = R.NextBase;
  // Thousands of warps read their bytes in turn; the host follows few streams.
  __builtin_prefetch(At + 64);
  __builtin_prefetch(NextNumber + 64);
  return true;
}

} // namespace heddle::trace
