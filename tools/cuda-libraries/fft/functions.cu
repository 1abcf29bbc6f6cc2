//===- functions.cu - The functions of libcufft ---------------------------===//

#include "Plan.h"

#include <map>
#include <mutex>

using namespace heddle_fft;

namespace {

/// What a handle, which is a number, stands for.
struct Entry {
  std::unique_ptr<Plan> Made; ///< null between cufftCreate and cufftMakePlan
  cudaStream_t Stream = nullptr;
  bool AllocatesWork = true;
};

/// The plans of the program.
class Plans {
public:
  static Plans &get() {
    static Plans *All = new Plans; // a program may use them while it ends
    return *All;
  }
  std::unique_lock<std::mutex> lock() { return std::unique_lock(Guard); }
  cufftHandle add() {
    Entries[++Last];
    return Last;
  }
  Entry *find(cufftHandle H) {
    const auto At = Entries.find(H);
    return At == Entries.end() ? nullptr : &At->second;
  }
  bool remove(cufftHandle H) { return Entries.erase(H) != 0; }

private:
  std::mutex Guard;
  std::map<cufftHandle, Entry> Entries;
  cufftHandle Last = 0;
};

} // namespace

/// Counts the call and looks its plan up, as `E`.
#define ENTER(Handle)                                                          \
  __heddle_count(__func__);                                                    \
  const auto Lock = Plans::get().lock();                                       \
  Entry *E = Plans::get().find(Handle);                                        \
  if (!E)                                                                      \
  return CUFFT_INVALID_PLAN

static Plan::Shape packed(int Rank, long long X, long long Y, long long Z,
                          cufftType Type, int Batch) {
  Plan::Shape S = {};
  S.Rank = Rank;
  S.N[0] = X;
  S.N[1] = Y;
  S.N[2] = Z;
  S.Type = Type;
  S.Batch = Batch;
  return S;
}

/// The arguments of cufftPlanMany and its like.
template <typename Int> struct Many {
  Plan::Shape S = {};
  cufftResult Status = CUFFT_SUCCESS;
  long long In[MaxRank], Out[MaxRank];

  Many(int Rank, const Int *N, const Int *InEmbed, Int InStride, Int InBatch,
       const Int *OutEmbed, Int OutStride, Int OutBatch, cufftType Type,
       Int Batch) {
    if (Rank < 1 || Rank > MaxRank) {
      Status = CUFFT_INVALID_SIZE;
      return;
    }
    if (!N) {
      Status = CUFFT_INVALID_VALUE;
      return;
    }
    S.Rank = Rank;
    for (int D = 0; D < Rank; ++D) {
      S.N[D] = N[D];
      In[D] = InEmbed ? InEmbed[D] : 0;
      Out[D] = OutEmbed ? OutEmbed[D] : 0;
    }
    S.InEmbed = InEmbed ? In : nullptr;
    S.OutEmbed = OutEmbed ? Out : nullptr;
    S.InStride = InStride;
    S.InBatch = InBatch;
    S.OutStride = OutStride;
    S.OutBatch = OutBatch;
    S.Type = Type;
    S.Batch = Batch;
    Status = Plan::check(S);
  }
};

static cufftResult make(Entry &E, const Plan::Shape &S, size_t *Size) {
  if (const cufftResult R = Plan::check(S))
    return R;
  auto P = std::make_unique<Plan>(S);
  if (const cufftResult R = P->prepare())
    return R;
  if (E.AllocatesWork)
    if (const cufftResult R = P->allocateWork())
      return R;
  if (Size)
    *Size = P->workBytes();
  E.Made = std::move(P);
  return CUFFT_SUCCESS;
}
static cufftResult plan(cufftHandle *To, const Plan::Shape &S) {
  if (!To)
    return CUFFT_INVALID_VALUE;
  Entry E;
  if (const cufftResult R = make(E, S, nullptr))
    return R;
  const auto Lock = Plans::get().lock();
  *To = Plans::get().add();
  *Plans::get().find(*To) = std::move(E);
  return CUFFT_SUCCESS;
}
static cufftResult estimate(const Plan::Shape &S, size_t *Size) {
  if (!Size)
    return CUFFT_INVALID_VALUE;
  if (const cufftResult R = Plan::check(S))
    return R;
  *Size = Plan(S).workBytes();
  return CUFFT_SUCCESS;
}
static cufftResult remake(cufftHandle H, const Plan::Shape &S, size_t *Size,
                          const char *Function) {
  __heddle_count(Function);
  if (!Size)
    return CUFFT_INVALID_VALUE;
  const auto Lock = Plans::get().lock();
  Entry *E = Plans::get().find(H);
  // A plan that is made stays as it is.
  if (!E || E->Made)
    return CUFFT_INVALID_PLAN;
  return make(*E, S, Size);
}

EXPORTED cufftResult cufftCreate(cufftHandle *To) {
  __heddle_count(__func__);
  if (!To)
    return CUFFT_INVALID_VALUE;
  const auto Lock = Plans::get().lock();
  *To = Plans::get().add();
  return CUFFT_SUCCESS;
}
EXPORTED cufftResult cufftDestroy(cufftHandle H) {
  __heddle_count(__func__);
  const auto Lock = Plans::get().lock();
  return Plans::get().remove(H) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/// The functions that take a shape: plans at once, plans of a handle, and how
/// much memory they need.
#define SHAPES(Suffix, Parameters, Make)                                       \
  EXPORTED cufftResult cufftPlan##Suffix(cufftHandle *To, Parameters) {        \
    __heddle_count(__func__);                                                  \
    return plan(To, Make);                                                     \
  }                                                                            \
  EXPORTED cufftResult cufftMakePlan##Suffix(cufftHandle H, Parameters,        \
                                             size_t *Size) {                   \
    return remake(H, Make, Size, __func__);                                    \
  }                                                                            \
  EXPORTED cufftResult cufftEstimate##Suffix(Parameters, size_t *Size) {       \
    __heddle_count(__func__);                                                  \
    return estimate(Make, Size);                                               \
  }                                                                            \
  EXPORTED cufftResult cufftGetSize##Suffix(cufftHandle H, Parameters,         \
                                            size_t *Size) {                    \
    ENTER(H);                                                                  \
    return estimate(Make, Size);                                               \
  }
#define ARGUMENTS(...) __VA_ARGS__
SHAPES(1d, ARGUMENTS(int X, cufftType Type, int Batch),
       packed(1, X, 1, 1, Type, Batch))
SHAPES(2d, ARGUMENTS(int X, int Y, cufftType Type), packed(2, X, Y, 1, Type, 1))
SHAPES(3d, ARGUMENTS(int X, int Y, int Z, cufftType Type),
       packed(3, X, Y, Z, Type, 1))

#define MANY(Int)                                                              \
  int Rank, Int *N, Int *InEmbed, Int InStride, Int InBatch, Int *OutEmbed,    \
      Int OutStride, Int OutBatch, cufftType Type, Int Batch
#define MANY_SHAPE(Int)                                                        \
  const Many<Int> M(Rank, N, InEmbed, InStride, InBatch, OutEmbed, OutStride,  \
                    OutBatch, Type, Batch);                                    \
  if (M.Status != CUFFT_SUCCESS)                                               \
  return M.Status
EXPORTED cufftResult cufftPlanMany(cufftHandle *To, MANY(int)) {
  __heddle_count(__func__);
  MANY_SHAPE(int);
  return plan(To, M.S);
}
EXPORTED cufftResult cufftMakePlanMany(cufftHandle H, MANY(int), size_t *Size) {
  MANY_SHAPE(int);
  return remake(H, M.S, Size, __func__);
}
EXPORTED cufftResult cufftMakePlanMany64(cufftHandle H, MANY(long long),
                                         size_t *Size) {
  MANY_SHAPE(long long);
  return remake(H, M.S, Size, __func__);
}
EXPORTED cufftResult cufftEstimateMany(MANY(int), size_t *Size) {
  __heddle_count(__func__);
  MANY_SHAPE(int);
  return estimate(M.S, Size);
}
EXPORTED cufftResult cufftGetSizeMany(cufftHandle H, MANY(int), size_t *Size) {
  ENTER(H);
  MANY_SHAPE(int);
  return estimate(M.S, Size);
}

EXPORTED cufftResult cufftGetSize(cufftHandle H, size_t *Size) {
  ENTER(H);
  if (!Size)
    return CUFFT_INVALID_VALUE;
  *Size = E->Made ? E->Made->workBytes() : 0;
  return CUFFT_SUCCESS;
}
EXPORTED cufftResult cufftSetWorkArea(cufftHandle H, void *Work) {
  ENTER(H);
  if (!E->Made)
    return CUFFT_INVALID_PLAN;
  E->Made->useWork(Work);
  return CUFFT_SUCCESS;
}
EXPORTED cufftResult cufftSetAutoAllocation(cufftHandle H, int On) {
  ENTER(H);
  E->AllocatesWork = On != 0;
  return CUFFT_SUCCESS;
}
EXPORTED cufftResult cufftSetStream(cufftHandle H, cudaStream_t Stream) {
  ENTER(H);
  E->Stream = Stream;
  return CUFFT_SUCCESS;
}
EXPORTED cufftResult cufftGetVersion(int *To) {
  __heddle_count(__func__);
  if (!To)
    return CUFFT_INVALID_VALUE;
  *To = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
EXPORTED cufftResult cufftGetProperty(libraryPropertyType Which, int *To) {
  __heddle_count(__func__);
  if (!To || Which < MAJOR_VERSION || Which > PATCH_LEVEL)
    return CUFFT_INVALID_VALUE;
  *To = Which == MAJOR_VERSION ? CUFFT_VER_MAJOR : 0;
  return CUFFT_SUCCESS;
}
EXPORTED cufftResult __heddle_refuse_fft(const char *Function) {
  return heddle_library::refuse(Function, CUFFT_NOT_SUPPORTED);
}

static cufftResult execute(const Entry &E, cufftType Type, const void *In,
                           void *Out, int Direction) {
  if (!E.Made)
    return CUFFT_INVALID_PLAN;
  if (E.Made->type() != Type)
    return CUFFT_INVALID_TYPE;
  if (Direction != CUFFT_FORWARD && Direction != CUFFT_INVERSE)
    return CUFFT_INVALID_VALUE;
  return E.Made->execute(In, Out, Direction == CUFFT_INVERSE, E.Stream);
}
#define EXECUTE(Types, In, Out, Direction, ...)                                \
  EXPORTED cufftResult cufftExec##Types(cufftHandle H, In *From,               \
                                        Out *To __VA_ARGS__) {                 \
    ENTER(H);                                                                  \
    return execute(*E, CUFFT_##Types, From, To, Direction);                    \
  }
#define DIRECTION , int Direction
EXECUTE(C2C, cufftComplex, cufftComplex, Direction, DIRECTION)
EXECUTE(Z2Z, cufftDoubleComplex, cufftDoubleComplex, Direction, DIRECTION)
EXECUTE(R2C, cufftReal, cufftComplex, CUFFT_FORWARD)
EXECUTE(D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)
EXECUTE(C2R, cufftComplex, cufftReal, CUFFT_INVERSE)
EXECUTE(Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)
