//===- BulkOps.cpp - Bulk copies and tensor copies ------------------------===//

#include "heddle/ABI/BulkOps.h"

#include "exec/BulkReduction.h"
#include "heddle/ABI/AsyncOps.h"
#include "heddle/ABI/CheckEvents.h"
#include "heddle/ABI/KernelMemory.h"

#include <algorithm>
#include <bit>

namespace {

/// One lane's operation: its operands, and what the tensor map says.
class Transfer {
public:
  Transfer(const HeddleWarp &W, HeddleBulkShape Shape, const uint64_t *Operands,
           unsigned Lane);

  uint32_t problem() const { return Problem; }
  /// Bytes in shared memory.
  uint64_t sizeBytes() const;
  uint8_t type() const { return Shape.Rank ? Map.Type : Shape.Type; }
  void describe(uint64_t *Records, unsigned Lane) const;
  /// Calls \p Visit(Global, Shared, Bytes) with the pieces in order; Global is
  /// 0 where elements are filled.
  template <typename F> void forEachPiece(F Visit) const;
  /// Whether forEachPiece() says so with \p Global. Copies without a tensor
  /// map fill nothing, be it that their pointer is null.
  bool fills(uint64_t Global) const { return Shape.Rank && !Global; }
  /// heddleBulkSwizzle
  uint32_t swizzleBytes() const {
    return Shape.Rank && heddleBulkCompletes(Shape.Kind) ? 16u << Map.Swizzle
                                                         : 0;
  }
  bool fillsNaN() const { return Shape.Rank && Map.FillsNaN; }
  uint64_t barrier() const { return Barrier; }
  /// Calls \p Visit with the distance from this place to each that the
  /// operation writes to.
  template <typename F> void forEachTarget(F Visit) const;

private:
  uint32_t check() const;
  uint32_t checkPlace() const;
  uint64_t rankOf(uint64_t Address) const {
    return (Address - Cluster) >> WindowShift;
  }
  uint32_t elementBytes() const { return heddleTensorElementBytes(Map.Type); }
  uint32_t sideOf(unsigned D) const;
  uint64_t placeOf(uint64_t Offset) const;
  template <typename F> void forEachRow(F Visit) const;
  template <typename F> void forEachTileRow(F Visit) const;
  template <typename F> void forEachPixel(F Visit) const;
  uint64_t addressOf(const int64_t *At) const;
  bool isOutside(const int64_t *At) const;

  HeddleBulkShape Shape;
  uint64_t Window;  ///< where the block's shared memory begins
  uint64_t Span;    ///< from there to that of the next block of the cluster
  uint64_t Cluster; ///< where that of the block of rank 0 begins
  uint32_t WindowShift, Blocks, Rank;
  uint64_t Shared, Global, Bytes, Barrier, Targets;
  int64_t Coords[HEDDLE_TENSOR_MAX_RANK] = {}, Offsets[3] = {};
  HeddleTensorMap Map = {};
  uint32_t Problem = 0;
};

Transfer::Transfer(const HeddleWarp &W, HeddleBulkShape Shape,
                   const uint64_t *Operands, unsigned Lane)
    : Shape(Shape), Window(reinterpret_cast<uint64_t>(W.Shared)),
      Span(W.ClusterBlocks > 1 ? uint64_t(1) << W.WindowShift : ~uint64_t(0)),
      Cluster(reinterpret_cast<uint64_t>(W.ClusterShared)),
      WindowShift(W.WindowShift), Blocks(W.ClusterBlocks), Rank(W.ClusterRank) {
  auto operand = [&](unsigned N) {
    return Operands[N * HEDDLE_WARP_SIZE + Lane];
  };
  Shared = operand(HEDDLE_BULK_SHARED);
  Global = operand(HEDDLE_BULK_GLOBAL);
  Bytes = operand(HEDDLE_BULK_BYTES);
  Barrier = operand(HEDDLE_BULK_BARRIER);
  Targets = operand(HEDDLE_BULK_MASK);
  if (Shape.Kind == HEDDLE_BULK_MULTICAST && Blocks > 1) {
    // The place counts, whichever block's it is.
    Shared = Window + (Shared - Cluster) % Span;
    Barrier = Window + (Barrier - Cluster) % Span;
  }
  for (unsigned D = 0; D < Shape.Rank; ++D)
    Coords[D] = int32_t(operand(HEDDLE_BULK_COORDS + D));
  for (unsigned D = 0; D < 3; ++D)
    Offsets[D] = uint16_t(operand(HEDDLE_BULK_OFFSETS + D));
  if (Shape.Rank)
    heddleReadMemory(&Map, Global, sizeof(Map));
  Problem = check();
}

/// The blocks of the cluster that it writes to.
uint32_t Transfer::checkPlace() const {
  switch (Shape.Kind) {
  case HEDDLE_BULK_PREFETCH:
    return HEDDLE_TENSOR_FINE;
  case HEDDLE_BULK_SEND:
    if (Blocks == 1)
      return HEDDLE_TENSOR_FINE;
    if (rankOf(Shared) >= Blocks || rankOf(Barrier) >= Blocks)
      return HEDDLE_CLUSTER_NO_BLOCK;
    if (rankOf(Shared) != rankOf(Barrier))
      return HEDDLE_CLUSTER_TWO_BLOCKS;
    return HEDDLE_TENSOR_FINE;
  case HEDDLE_BULK_MULTICAST:
    if (!Targets || Targets >> Blocks)
      return HEDDLE_CLUSTER_BAD_MASK;
    return HEDDLE_TENSOR_FINE;
  default:
    return Shared - Window < Span ? HEDDLE_TENSOR_FINE
                                  : HEDDLE_TENSOR_OTHER_BLOCK;
  }
}

template <typename F> void Transfer::forEachTarget(F Visit) const {
  if (Shape.Kind != HEDDLE_BULK_MULTICAST)
    return Visit(uint64_t(0));
  for (uint64_t Left = Targets; Left; Left &= Left - 1)
    Visit((uint64_t(std::countr_zero(Left)) - Rank) << WindowShift);
}

uint32_t Transfer::check() const {
  const bool Reduces = Shape.Kind == HEDDLE_BULK_REDUCE;
  if (const uint32_t Wrong = checkPlace())
    return Wrong;
  if (Shape.Rank) {
    if (const uint32_t Wrong = heddleCheckTensorMap(&Map))
      return Wrong;
    if (Map.Rank != Shape.Rank)
      return HEDDLE_TENSOR_OTHER_RANK;
    if (Map.IsIm2Col != Shape.IsIm2Col)
      return HEDDLE_TENSOR_OTHER_MODE;
    if (Shape.Kind != HEDDLE_BULK_PREFETCH && (Shared - Window) % 128)
      return HEDDLE_TENSOR_BAD_PLACE;
  } else if ((Global | Bytes) % 16 ||
             (Shape.Kind != HEDDLE_BULK_PREFETCH && Shared % 16)) {
    return HEDDLE_TENSOR_UNALIGNED;
  }
  if (Reduces && !heddle::exec::reduces(Shape.Reduction, type()))
    return HEDDLE_TENSOR_BAD_REDUCTION;
  return HEDDLE_TENSOR_FINE;
}

/// Elements of the box along dimension \p D: of each ElementStrides one.
uint32_t Transfer::sideOf(unsigned D) const {
  const uint32_t Stride = D ? Map.ElementStrides[D] : 1;
  return (Map.Box[D] + Stride - 1) / Stride;
}

uint64_t Transfer::sizeBytes() const {
  if (!Shape.Rank)
    return Bytes;
  uint64_t Size = Map.Box[0] * elementBytes();
  if (Map.IsIm2Col)
    return Size * Map.Box[1];
  for (unsigned D = 1; D < Map.Rank; ++D)
    Size *= sideOf(D);
  return Size;
}

/// Where byte \p Offset of the box lies in shared memory: swizzles exchange
/// the pieces of 16 bytes within spans of 32, 64 or 128 by the number of the
/// 128 bytes that they are in (PTX ISA, "Swizzling Modes").
uint64_t Transfer::placeOf(uint64_t Offset) const {
  const uint64_t At = Shared - Window + Offset;
  const uint64_t Mask = Map.Swizzle ? (16u << Map.Swizzle) - 16 : 0;
  return Window + (At ^ (At >> 3 & Mask));
}

uint64_t Transfer::addressOf(const int64_t *At) const {
  uint64_t Address = Map.Address + At[0] * elementBytes();
  for (unsigned D = 1; D < Map.Rank; ++D)
    Address += At[D] * Map.Strides[D - 1];
  return Address;
}

/// Whether the row at \p At has no element of the tensor.
bool Transfer::isOutside(const int64_t *At) const {
  for (unsigned D = 1; D < Map.Rank; ++D)
    if (At[D] < 0 || At[D] > int64_t(Map.Dims[D]))
      return true;
  return false;
}

template <typename F> void Transfer::forEachTileRow(F Visit) const {
  uint32_t Index[HEDDLE_TENSOR_MAX_RANK] = {};
  int64_t At[HEDDLE_TENSOR_MAX_RANK];
  std::copy(Coords, Coords + HEDDLE_TENSOR_MAX_RANK, At);
  for (;;) {
    Visit(At);
    unsigned D = 1;
    for (; D < Map.Rank; ++D) {
      At[D] += Map.ElementStrides[D];
      if (++Index[D] < sideOf(D))
        break;
      Index[D] = 0;
      At[D] = Coords[D];
    }
    if (D >= Map.Rank)
      return;
  }
}

/// Pixels follow each other along W, H and D within the box of their corners,
/// then in the next image; the offsets of the filter come on top.
template <typename F> void Transfer::forEachPixel(F Visit) const {
  int64_t Base[HEDDLE_TENSOR_MAX_RANK], At[HEDDLE_TENSOR_MAX_RANK];
  std::copy(Coords, Coords + HEDDLE_TENSOR_MAX_RANK, Base);
  const unsigned Images = Map.Rank - 1u;
  for (uint32_t Pixel = 0; Pixel < Map.Box[1]; ++Pixel) {
    std::copy(Base, Base + HEDDLE_TENSOR_MAX_RANK, At);
    for (unsigned D = 1; D < Images; ++D)
      At[D] += Offsets[D - 1];
    Visit(At);
    unsigned D = 1;
    for (; D < Images; ++D) {
      Base[D] += Map.ElementStrides[D];
      if (Base[D] <= int64_t(Map.Dims[D]) + Map.Upper[D - 1])
        break;
      Base[D] = Map.Lower[D - 1];
    }
    if (D == Images)
      ++Base[D];
  }
}

template <typename F> void Transfer::forEachRow(F Visit) const {
  Map.IsIm2Col ? forEachPixel(Visit) : forEachTileRow(Visit);
}

template <typename F> void Transfer::forEachPiece(F Visit) const {
  if (!Shape.Rank) {
    for (uint64_t At = 0; At < Bytes; At += 16)
      Visit(Global + At, Shared + At, 16);
    return;
  }
  const int64_t Element = elementBytes(), Row = Map.Box[0] * Element;
  uint64_t Offset = 0;
  forEachRow([&](const int64_t *At) {
    // Bytes of the row that the tensor has.
    int64_t First = std::clamp<int64_t>(-At[0] * Element, 0, Row);
    int64_t Behind = std::clamp<int64_t>(
        (int64_t(Map.Dims[0]) + 1 - At[0]) * Element, 0, Row);
    if (isOutside(At) || First >= Behind)
      First = Behind = Row;
    const uint64_t From = addressOf(At);
    for (int64_t Byte = 0; Byte < Row;) {
      const bool Fills = Byte < First || Byte >= Behind;
      const int64_t Next =
          std::min({Byte / 16 * 16 + 16, Row, Byte < First ? First : Row,
                    !Fills ? Behind : Row});
      Visit(Fills ? 0 : From + Byte, placeOf(Offset + Byte),
            uint32_t(Next - Byte));
      Byte = Next;
    }
    Offset += Row;
  });
}

void Transfer::describe(uint64_t *Records, unsigned Lane) const {
  auto record = [&](unsigned N) -> uint64_t & {
    return Records[N * HEDDLE_WARP_SIZE + Lane];
  };
  uint64_t From = Global, Row = Bytes;
  if (Shape.Rank) {
    // The rows that have an element of the tensor: their first and last places
    // in each dimension, or how many pixels there are.
    int64_t Low[HEDDLE_TENSOR_MAX_RANK], High[HEDDLE_TENSOR_MAX_RANK];
    uint64_t Rows = 0;
    forEachRow([&](const int64_t *At) {
      if (isOutside(At))
        return;
      for (unsigned D = 0; D < Map.Rank; ++D) {
        Low[D] = Rows ? std::min(Low[D], At[D]) : At[D];
        High[D] = Rows ? std::max(High[D], At[D]) : At[D];
      }
      ++Rows;
    });
    const int64_t First = std::max<int64_t>(Coords[0], 0);
    const int64_t Behind =
        std::min<int64_t>(Coords[0] + Map.Box[0], int64_t(Map.Dims[0]) + 1);
    const bool Any = Rows && First < Behind;
    Row = Any ? (Behind - First) * elementBytes() : 0;
    Low[0] = First;
    From = Any ? addressOf(Low) : Map.Address;
    for (unsigned D = 1; D < Map.Rank; ++D) {
      const uint64_t Step = Map.ElementStrides[D] * Map.Strides[D - 1];
      const uint64_t Count =
          !Any            ? 0
          : !Map.IsIm2Col ? (High[D] - Low[D]) / Map.ElementStrides[D] + 1
          : D == 1        ? Rows
                          : 1;
      record(HEDDLE_BULK_ROWS + D - 1) = Count | Step << 16;
    }
  }
  record(HEDDLE_BULK_FROM) = From;
  record(HEDDLE_BULK_SIZES) = sizeBytes() | Row << 32;
  record(HEDDLE_BULK_PLACE) = Shared;
  record(HEDDLE_BULK_AT) = Barrier;
  if (Shape.Kind == HEDDLE_BULK_MULTICAST)
    record(heddleBulkRecords(Shape.Rank)) = Targets;
}

/// What elements outside of the tensor become. The bits of the NaN are those
/// of the canonical one of PTX; the driver API does not name them.
void fill(uint64_t To, uint32_t Bytes, uint8_t Type, bool NaN) {
  const uint32_t Element = heddleTensorElementBytes(Type);
  const uint64_t Bits = ~uint64_t(0) >> (65 - 8 * Element);
  for (uint32_t At = 0; At < Bytes; At += Element) {
    const uint64_t Value = NaN ? Bits : 0;
    heddleWriteMemory(To + At, &Value, Element);
  }
}

void flushDenormals(uint64_t Place, uint32_t Bytes) {
  for (uint32_t At = 0; At < Bytes; At += 4) {
    uint32_t Bits;
    heddleReadMemory(&Bits, Place + At, 4);
    if (!(Bits & 0x7f800000))
      Bits &= 0x80000000;
    heddleWriteMemory(Place + At, &Bits, 4);
  }
}

/// Into the place of \p T and \p Away from there.
void load(const Transfer &T, uint64_t Away) {
  const uint8_t Type = T.type();
  const bool Flushes =
      Type == HEDDLE_TENSOR_F32_FTZ || Type == HEDDLE_TENSOR_TF32_FTZ;
  T.forEachPiece([&](uint64_t Global, uint64_t Shared, uint32_t Bytes) {
    Shared += Away;
    if (T.fills(Global))
      return fill(Shared, Bytes, Type, T.fillsNaN());
    heddleReadMemory(reinterpret_cast<void *>(Shared), Global, Bytes);
    if (Flushes)
      flushDenormals(Shared, Bytes);
  });
}

void store(const Transfer &T, HeddleBulkShape Shape) {
  T.forEachPiece([&](uint64_t Global, uint64_t Shared, uint32_t Bytes) {
    if (T.fills(Global))
      return;
    if (Shape.Kind == HEDDLE_BULK_REDUCE)
      heddle::exec::reduceAt(Shape.Reduction, T.type(), Global, Shared, Bytes);
    else
      heddleWriteMemory(Global, reinterpret_cast<const void *>(Shared), Bytes);
  });
}

} // namespace

const char *heddleBulkProblem(uint32_t Problem) {
  switch (Problem) {
  case HEDDLE_CLUSTER_BAD_MASK:
    return "its mask names no block, or one that the cluster does not have: "
           "bit N stands for the block of rank N";
  case HEDDLE_CLUSTER_TWO_BLOCKS:
    return "its place and its mbarrier are in the shared memory of different "
           "blocks of the cluster";
  case HEDDLE_CLUSTER_NO_BLOCK:
    return "its place or its mbarrier is in no block of the cluster; ask mapa "
           "for ranks that the cluster has";
  case HEDDLE_BARRIER_UNALIGNED:
    return "its mbarrier is at no multiple of 8 bytes; give the variable "
           "alignas(8), or the type uint64_t";
  default:
    return heddleTensorProblem(Problem);
  }
}

uint32_t heddleBulkTransfer(HeddleWarp *W, uint64_t Bits, uint32_t Inst,
                            uint32_t Mask, const uint64_t *Operands,
                            uint64_t *Records) {
  const auto Shape = std::bit_cast<HeddleBulkShape>(Bits);
  for (; Mask; Mask &= Mask - 1) {
    const unsigned L = std::countr_zero(Mask);
    const Transfer T(*W, Shape, Operands, L);
    auto fail = [&](uint32_t Problem) {
      W->ErrorLane = L;
      W->ErrorAddress = Problem;
      return Mask;
    };
    if (T.problem())
      return fail(T.problem());
    T.describe(Records, L);
    if (Shape.Kind == HEDDLE_BULK_STORE || Shape.Kind == HEDDLE_BULK_REDUCE)
      store(T, Shape);
    if (!heddleBulkCompletes(Shape.Kind))
      continue;
    bool IsSet = true;
    T.forEachTarget([&](uint64_t Away) {
      load(T, Away);
      uint64_t State;
      const uint64_t Barrier = T.barrier() + Away, Size = T.sizeBytes();
      IsSet &= !heddleBarrierAction(W, HEDDLE_MBARRIER_COMPLETE, Inst, 1,
                                    &Barrier, &Size, &State);
    });
    if (!IsSet)
      return fail(HEDDLE_TENSOR_FINE);
  }
  return 0;
}

uint32_t heddleBulkDescribe(HeddleWarp *W, uint64_t Bits, uint32_t Mask,
                            const uint64_t *Operands, uint64_t *Records) {
  const auto Shape = std::bit_cast<HeddleBulkShape>(Bits);
  for (; Mask; Mask &= Mask - 1) {
    const unsigned L = std::countr_zero(Mask);
    const Transfer T(*W, Shape, Operands, L);
    if (T.problem())
      return Mask;
    T.describe(Records, L);
  }
  return 0;
}

uint32_t heddleBulkSwizzle(HeddleWarp *W, uint64_t Bits, uint32_t Lane,
                           const uint64_t *Operands) {
  return Transfer(*W, std::bit_cast<HeddleBulkShape>(Bits), Operands, Lane)
      .swizzleBytes();
}

void heddleBulkPieces(HeddleWarp *W, uint64_t Bits, uint32_t Lane,
                      const uint64_t *Operands, HeddleBulkVisit Visit,
                      void *Context) {
  const Transfer T(*W, std::bit_cast<HeddleBulkShape>(Bits), Operands, Lane);
  if (T.problem())
    return;
  T.forEachTarget([&](uint64_t Away) {
    T.forEachPiece([&](uint64_t Global, uint64_t Shared, uint32_t Bytes) {
      Visit(Context, Global, Shared + Away, Bytes);
    });
  });
}
